"""Writing files so that a reader sees the old or the new content, never half of it."""

import os
import platform
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

#: Temporary files name the machine and process that writes them, so that what a dead one left can be told.
_MACHINE: Final = re.sub(r"[^A-Za-z0-9]", "", platform.node()) or "machine"
_LEFTOVER: Final = re.compile(rf"\..*\.{_MACHINE}-(\d+)\.tmp")


def write_atomically(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a temporary file beside ``path``, sync it, then rename it into place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{_MACHINE}-{os.getpid()}.tmp")
    try:
        write(temporary)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_bytes_atomically(path: Path, content: bytes) -> None:
    """Replace ``path`` by ``content`` in one step."""
    write_atomically(path, lambda temporary: temporary.write_bytes(content))


def remove_leftovers(folder: Path) -> int:
    """Remove the temporary files below ``folder`` of processes of this machine that are no more; their number."""
    removed = 0
    for path in folder.rglob(".*.tmp"):
        if (named := _LEFTOVER.fullmatch(path.name)) and not is_alive(int(named[1])):
            path.unlink(missing_ok=True)
            removed += 1
    return removed


def is_alive(process: int) -> bool:
    """Whether a process of this machine still runs."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
