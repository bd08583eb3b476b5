"""The inbox: files that people drop into a folder are added, then moved aside with what became of them.

Belongs here: which files are complete, and where they go afterwards. What adding means is the caller's.

``inbox/added/`` holds what was taken in; ``inbox/rejected/`` what was not, each with ``NAME.reason.txt`` beside
it. A file whose adding failed for another reason (no space, a fault of the program) stays for the next sweep.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pipeline.formats.parsed import FormatError

_log = logging.getLogger(__name__)

#: Endings that programs give to files they are still writing.
UNFINISHED_ENDINGS: Final = (".part", ".partial", ".crdownload", ".download", ".filepart", ".tmp", "~")

#: A file is complete when neither size nor time changed for so long.
SETTLE_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Swept:
    """What became of one file. ``path`` is where it lies now."""

    name: str
    result: Literal["added", "rejected", "failed"]
    path: Path
    reason: str = ""


def ready_files(
    inbox: Path, settle_seconds: float = SETTLE_SECONDS, sleep: Callable[[float], None] = time.sleep
) -> list[Path]:
    """Files in the inbox that are complete, by name: looked at twice, ``settle_seconds`` apart, and unchanged.

    Folders, links, hidden files and files still being downloaded are left alone. An empty inbox costs no wait.
    """
    before = _look(inbox)
    if not before:
        return []
    sleep(settle_seconds)
    after = _look(inbox)
    return sorted(path for path, seen in before.items() if after.get(path) == seen)


def sweep(
    inbox: Path,
    add: Callable[[Path], object],
    settle_seconds: float = SETTLE_SECONDS,
    sleep: Callable[[float], None] = time.sleep,
) -> list[Swept]:
    """Add every complete file and move it aside.

    Args:
        add: takes one file in; raises FormatError when it cannot be accepted. Adding a file twice must change
            nothing: a sweep killed between adding and moving adds it again.
    """
    return [_take(inbox, path, add) for path in ready_files(inbox, settle_seconds, sleep)]


def _look(inbox: Path) -> dict[Path, tuple[int, int]]:
    if not inbox.is_dir():
        return {}
    found = {}
    for path in inbox.iterdir():
        if path.name.startswith(".") or path.name.lower().endswith(UNFINISHED_ENDINGS):
            continue
        if path.is_symlink() or not path.is_file():
            continue
        try:
            facts = path.stat()
        except FileNotFoundError:
            continue  # taken back meanwhile
        found[path] = (facts.st_size, facts.st_mtime_ns)
    return found


def _take(inbox: Path, path: Path, add: Callable[[Path], object]) -> Swept:
    try:
        add(path)
    except FormatError as error:
        moved = _move(path, inbox / "rejected")
        moved.with_name(f"{moved.name}.reason.txt").write_text(f"{error}\n", encoding="utf-8")
        return Swept(path.name, "rejected", moved, str(error))
    except Exception as error:  # one file must not keep the others out, whatever is wrong with it
        _log.exception("%s could not be added and stays in the inbox", path)
        return Swept(path.name, "failed", path, f"{type(error).__name__}: {error}")
    return Swept(path.name, "added", _move(path, inbox / "added"))


def _move(path: Path, folder: Path) -> Path:
    """Move the file into ``folder``, under a numbered name if another one has its name there."""
    folder.mkdir(parents=True, exist_ok=True)
    target, number = folder / path.name, 1
    while target.exists():
        number += 1
        target = folder / f"{path.stem}-{number}{path.suffix}"
    return path.rename(target)
