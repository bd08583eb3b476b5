"""What has come of a fetch of the US Chess API, on disk: an append-only file of JSON lines that survives a kill.

Belongs here: writing a step so that it is there or not there, and finding out on opening what is done. Asking the
API is in ``uscf_api``.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from filelock import FileLock


@dataclass(slots=True)
class Sweep:
    """One pass over all pages.

    Attributes:
        number: 1-based.
        next_offset: rows received so far, where the next page begins.
        complete: the last page was seen.
        new_members: members that no earlier page of any sweep had.
    """

    number: int = 1
    next_offset: int = 0
    complete: bool = False
    new_members: int = 0


class Journal:
    """The journal of one query; holds a lock, so that two processes never write one journal.

    Use as a context manager. ``members`` holds the last answer about each member, ``supplements`` where in the
    file the history of a member is.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.members: dict[str, dict[str, Any]] = {}
        self.sweep = Sweep()
        self._at: dict[str, tuple[int, int]] = {}
        self._lock = FileLock(path.with_suffix(".lock"))

    def __enter__(self) -> "Journal":
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock.acquire()
        self._file = self.path.open("a+b")
        self._replay()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._lock.release()

    def add_page(self, items: list[dict[str, Any]], *, last: bool, retrieved: str) -> None:
        """Keep a page of members of the current sweep."""
        self._append({"page": items, "sweep": self.sweep.number, "last": last, "retrieved": retrieved})

    def add_supplements(self, member_id: str, items: list[dict[str, Any]], *, retrieved: str) -> None:
        """Keep the whole history of a member; empty where the API has none."""
        self._append({"member_id": member_id, "supplements": items, "retrieved": retrieved})

    def next_sweep(self) -> None:
        """Begin another pass. Nothing is written: the first page of the pass says its number."""
        self.sweep = Sweep(self.sweep.number + 1)

    def has_supplements(self, member_id: str) -> bool:
        """True once the history of a member is kept."""
        return member_id in self._at

    def supplements_line(self, member_id: str) -> bytes | None:
        """The line with the history of a member, as it was kept."""
        if member_id not in self._at:
            return None
        start, length = self._at[member_id]
        self._file.seek(start)
        return self._file.read(length)

    def discard(self) -> None:
        """Remove the journal; its content is in the finished file."""
        self.path.unlink(missing_ok=True)

    def _append(self, record: dict[str, Any]) -> None:
        line = json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
        start = self._file.seek(0, os.SEEK_END)
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._apply(record, start, len(line))

    def _replay(self) -> None:
        """Read what is there; a line that a kill cut short is removed."""
        self._file.seek(0)
        start = 0
        for line in self._file:
            if not line.endswith(b"\n"):
                self._file.truncate(start)
                break
            self._apply(json.loads(line), start, len(line))
            start += len(line)

    def _apply(self, record: dict[str, Any], start: int, length: int) -> None:
        if "member_id" in record:
            self._at[record["member_id"]] = (start, length)
            return
        if record["sweep"] != self.sweep.number:
            self.sweep = Sweep(record["sweep"])
        sweep = self.sweep
        for item in record["page"]:
            member_id = str(item["id"])
            sweep.new_members += member_id not in self.members
            self.members[member_id] = {"member": item, "retrieved": record["retrieved"]}
        sweep.next_offset += len(record["page"])
        sweep.complete = record["last"]
