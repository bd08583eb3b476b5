"""A download in progress, on disk: what has come so far and the validator that says what it is a part of.

Killed at any moment, the next attempt finds a part that it may continue, or none. Nothing here talks HTTP.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO


@dataclass(frozen=True, slots=True)
class Validators:
    """What HTTP knows a version of a file by."""

    etag: str | None = None
    last_modified: str | None = None

    @property
    def for_resuming(self) -> str | None:
        """The value for ``If-Range``: a weak ETag does not promise equal bytes and is never used."""
        if self.etag and not self.etag.startswith("W/"):
            return self.etag
        return self.last_modified


class PartialFile:
    """The part of one address that is on disk.

    The note with the validators is written before the first byte and removed before the part is emptied, so
    the bytes of a part always belong to its note.
    """

    def __init__(self, folder: Path, url: str) -> None:
        key = hashlib.sha256(url.encode()).hexdigest()[:32]
        self.path = folder / f"{key}.part"
        self._note = folder / f"{key}.json"
        self._url = url

    def held(self) -> tuple[int, Validators]:
        """Bytes that may be continued (0 = start afresh) and the version they are of."""
        try:
            note = json.loads(self._note.read_text())
            validators = Validators(note["etag"], note["last_modified"])
            size = self.path.stat().st_size
        except (OSError, ValueError, KeyError, TypeError):
            return 0, Validators()
        if note.get("url") != self._url or validators.for_resuming is None:
            return 0, Validators()
        return size, validators

    def restart(self, validators: Validators) -> None:
        """Forget what came and note which version comes now."""
        self.discard()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(b"")
        temporary = self._note.with_suffix(".tmp")
        temporary.write_text(
            json.dumps({"url": self._url, "etag": validators.etag, "last_modified": validators.last_modified})
        )
        temporary.replace(self._note)

    @contextmanager
    def appending(self) -> Iterator[BinaryIO]:
        """The part, open for what comes next; synced when the attempt ends, however it ends."""
        with self.path.open("ab") as file:
            try:
                yield file
            finally:
                file.flush()
                os.fsync(file.fileno())

    def take(self, target: Path) -> str:
        """Move the complete file to ``target`` and forget the part; the result is its SHA-256."""
        with self.path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        self.path.replace(target)
        self.discard()
        return sha256

    def discard(self) -> None:
        """Remove note and part."""
        self._note.unlink(missing_ok=True)
        self.path.unlink(missing_ok=True)
