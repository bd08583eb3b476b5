"""Files dropped into the inbox: when they are complete, where they go, what is said."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.formats.parsed import FormatError
from pipeline.sources.inbox import ready_files, sweep


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    (tmp_path / "inbox").mkdir()
    return tmp_path / "inbox"


def no_wait(seconds: float) -> None:
    """Let no time pass."""


def accept(path: Path) -> None:
    """Take anything."""


def refuse(path: Path) -> None:
    raise FormatError(f"{path.name}: no known layout fits")


def test_a_good_file_is_added_and_moved_aside(inbox: Path) -> None:
    (inbox / "a.zip").write_bytes(b"list")
    seen: list[bytes] = []
    (swept,) = sweep(inbox, lambda path: seen.append(path.read_bytes()), sleep=no_wait)
    assert (swept.name, swept.result) == ("a.zip", "added")
    assert seen == [b"list"]
    assert (inbox / "added" / "a.zip").read_bytes() == b"list"
    assert sweep(inbox, accept, sleep=no_wait) == []


def test_a_bad_file_is_moved_aside_with_the_reason(inbox: Path) -> None:
    (inbox / "a.zip").write_bytes(b"?")
    (swept,) = sweep(inbox, refuse, sleep=no_wait)
    assert swept.result == "rejected"
    assert (inbox / "rejected" / "a.zip").exists()
    assert "no known layout" in (inbox / "rejected" / "a.zip.reason.txt").read_text()


def test_one_bad_file_does_not_keep_the_others_out(inbox: Path) -> None:
    for name in ("a.zip", "b.zip", "c.zip", "d.zip"):
        (inbox / name).write_bytes(b"?")

    def add(path: Path) -> None:
        if path.name == "b.zip":
            raise FormatError("bad")
        if path.name == "c.zip":
            raise OSError("no space left")

    assert [swept.result for swept in sweep(inbox, add, sleep=no_wait)] == ["added", "rejected", "failed", "added"]
    assert (inbox / "c.zip").exists()


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more")


def rewrite(path: Path) -> None:
    facts = path.stat()
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns + 1))


@pytest.mark.parametrize("change", [grow, rewrite, Path.unlink])
def test_a_file_still_being_copied_waits(inbox: Path, change: Callable[[Path], None]) -> None:
    path = inbox / "a.zip"
    path.write_bytes(b"some")
    (inbox / "b.zip").write_bytes(b"all")
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        change(path)

    assert ready_files(inbox, 7.0, sleep) == [inbox / "b.zip"]
    assert waits == [7.0]


def test_what_is_no_dropped_file_is_left_alone(inbox: Path, tmp_path: Path) -> None:
    for name in (".hidden", "a.zip.part", "b.ZIP.crdownload", "c.tmp"):
        (inbox / name).write_bytes(b"")
    (inbox / "folder").mkdir()
    (tmp_path / "elsewhere.zip").write_bytes(b"")
    (inbox / "link.zip").symlink_to(tmp_path / "elsewhere.zip")
    assert ready_files(inbox, sleep=no_wait) == []


def test_an_absent_or_empty_inbox_costs_no_wait(inbox: Path, tmp_path: Path) -> None:
    waits: list[float] = []
    assert ready_files(inbox, sleep=waits.append) == []
    assert ready_files(tmp_path / "none", sleep=waits.append) == []
    assert waits == []


def test_files_of_one_name_are_all_kept(inbox: Path) -> None:
    for content in (b"1", b"2", b"3"):
        (inbox / "a.zip").write_bytes(content)
        sweep(inbox, accept, sleep=no_wait)
    assert sorted(path.name for path in (inbox / "added").iterdir()) == ["a-2.zip", "a-3.zip", "a.zip"]
    assert (inbox / "added" / "a-3.zip").read_bytes() == b"3"
