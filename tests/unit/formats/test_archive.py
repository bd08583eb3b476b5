"""Archives: what is opened, and what is refused with which words."""

import io
import struct
import tracemalloc
import zipfile
from collections.abc import Mapping

import pytest

from pipeline.formats.archive import ArchiveError, Limits, open_list

LIST = b"a line of a list\r\n" * 1000


def zipped(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def test_a_plain_file_is_its_own_member() -> None:
    (member,) = open_list(LIST, "some/where/list.txt")
    assert (member.name, member.size, member.read()) == ("list.txt", len(LIST), LIST)
    assert member.head(6) == b"a line"


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_a_zip_is_read_whole_and_as_a_stream(method: int) -> None:
    (member,) = open_list(zipped({"LIST.TXT": LIST}, method), "x.zip")
    assert member.read() == LIST
    with member.open() as stream:
        pieces = iter(lambda: stream.read(777), b"")
        assert b"".join(pieces) == LIST
    assert member.head(10) == LIST[:10]


def test_extras_of_operating_systems_are_no_members() -> None:
    members = {"__MACOSX/._list.txt": b"junk", "list.txt": LIST, ".DS_Store": b"junk", "._list.txt": b"j", "d/": b""}
    assert [member.name for member in open_list(zipped(members), "x.zip")] == ["list.txt"]


def test_member_names_are_never_paths() -> None:
    members = {"../../etc/evil.txt": LIST, "/abs/olute.txt": LIST, "c:\\dos\\path.txt": LIST}
    assert {m.name for m in open_list(zipped(members), "x.zip")} == {"evil.txt", "olute.txt", "path.txt"}


def test_a_zip_in_a_zip_is_opened_but_not_deeper() -> None:
    inner = zipped({"list.txt": LIST})
    assert [m.read() for m in open_list(zipped({"inner.zip": inner}), "x.zip")] == [LIST]
    with pytest.raises(ArchiveError, match="archive in an archive in an archive"):
        open_list(zipped({"outer.zip": zipped({"inner.zip": inner})}), "x.zip")


def cut_directory(data: bytes) -> bytes:
    return data[:-30]


def broken_content(data: bytes) -> bytes:
    middle = len(data) // 3
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


def wrong_checksum(data: bytes) -> bytes:
    central = data.rindex(b"PK\x01\x02")
    return data[: central + 16] + b"\x01\x02\x03\x04" + data[central + 20 :]


def states_size(data: bytes, size: int) -> bytes:
    central = data.rindex(b"PK\x01\x02")
    return data[: central + 24] + struct.pack("<L", size) + data[central + 28 :]


def encrypted(data: bytes) -> bytes:
    central = data.rindex(b"PK\x01\x02")
    return data[: central + 8] + b"\x01\x00" + data[central + 10 :]


GOOD = zipped({"list.txt": LIST})


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no bytes"),
        (cut_directory(GOOD), "cut off or damaged"),
        (GOOD[: len(GOOD) // 2], "cut off or damaged"),
        (b"<!DOCTYPE html><html><body>404</body></html>", "web page"),
        (b"\x00\x01\x02\x03garbage", "not a zip archive"),
        (b"\x1f\x8b\x08gzip", "gzip archive"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip archive"),
        (encrypted(GOOD), "encrypted"),
        (zipped({"list.txt": LIST}, zipfile.ZIP_BZIP2), "packed by method 12"),
        (zipped({}), "holds no file"),
        (zipped({"__MACOSX/._x": b"junk"}), "holds no file"),
        (states_size(GOOD, 3 * 1024**3), "more than the 2,147,483,648 allowed"),
        (states_size(GOOD, 1024**3), "more than 200 times"),
        (zipped({f"{number}.txt": b"x" for number in range(201)}), "201 members"),
    ],
)
def test_refused_before_anything_is_inflated(data: bytes, said: str) -> None:
    with pytest.raises(ArchiveError, match=said) as error:
        open_list(data, "x.zip")
    assert str(error.value).startswith("x.zip: ")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (wrong_checksum(GOOD), "does not match its checksum"),
        (states_size(GOOD, len(LIST) - 1), "holds more than"),
        (states_size(GOOD, len(LIST) + 1), "holds fewer than"),
        (broken_content(GOOD), "damaged|checksum|fewer|more"),
    ],
)
def test_refused_when_read_whole_or_as_a_stream(data: bytes, said: str) -> None:
    for read in (read_whole, read_streamed):
        with pytest.raises(ArchiveError, match=said):
            read(data)


def read_whole(data: bytes) -> bytes:
    return open_list(data, "x.zip")[0].read()


def read_streamed(data: bytes) -> bytes:
    with open_list(data, "x.zip")[0].open() as stream:
        return stream.read()


def test_a_bomb_that_lies_about_its_size_makes_hardly_more_than_it_states() -> None:
    bomb = states_size(zipped({"list.txt": bytes(200 * 1024**2)}), 1000)
    tracemalloc.start()
    for read in (read_whole, read_streamed):
        with pytest.raises(ArchiveError, match="holds more than the 1,000 bytes"):
            read(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * 1024**2


def test_limits_are_the_callers() -> None:
    with pytest.raises(ArchiveError, match="more than the 100 allowed"):
        open_list(LIST, "list.txt", Limits(max_bytes=100))
    inner = zipped({"list.txt": LIST})
    with pytest.raises(ArchiveError, match="allowed"):
        open_list(zipped({"inner.zip": inner}), "x.zip", Limits(max_bytes=len(LIST) + 10))


def test_a_list_called_zip_is_a_list() -> None:
    (member,) = open_list(LIST, "list.zip")
    assert member.read() == LIST
