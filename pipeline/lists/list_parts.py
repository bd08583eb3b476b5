"""Entries of many lists while a file is read block by block: in memory up to a limit, then in temporary files.

Belongs here: keeping the parts apart and giving each list back whole, so that a file of 24 million values needs the
memory of its blocks and of its largest list.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Final, Self

import polars as pl

from pipeline.domain.list_key import ListKey

#: Rows kept in memory when another block arrives; about 0.3 GB.
MOST_ROWS: Final = 2_000_000


class ListParts:
    """Parts of lists, added in the order of the file. A file of one block never touches the disk."""

    def __init__(self, most_rows: int = MOST_ROWS) -> None:
        self._most_rows = most_rows
        self._frames: dict[ListKey, list[pl.DataFrame]] = {}
        self._files: dict[ListKey, list[Path]] = {}
        self._rows = 0
        self._folder: TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder:
            self._folder.cleanup()

    def add(self, parts: list[tuple[ListKey, pl.DataFrame]]) -> None:
        """Take over what one block holds."""
        if self._rows > self._most_rows:
            self._write()
        for key, frame in parts:
            self._frames.setdefault(key, []).append(frame)
            self._rows += frame.height

    def lists(self) -> list[ListKey]:
        """The lists met, in order."""
        return sorted(self._frames.keys() | self._files.keys())

    def take(self, key: ListKey) -> pl.DataFrame:
        """All entries of a list; it is forgotten."""
        read = [pl.read_ipc(path) for path in self._files.pop(key, [])]
        frames = [*read, *self._frames.pop(key, [])]
        return frames[0] if len(frames) == 1 else pl.concat(frames)

    def _write(self) -> None:
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="rating-lists-")
        for key, frames in self._frames.items():
            written = self._files.setdefault(key, [])
            path = Path(self._folder.name) / f"{key.number}-{len(written)}.arrow"
            pl.concat(frames).write_ipc(path, compression="lz4")
            written.append(path)
        self._frames, self._rows = {}, 0
