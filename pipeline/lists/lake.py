"""The lake: where editions and current lists lie as Parquet, and the summary of every source file read.

Layout below ``root``::

    sources/<sha256>/summary.json, rejects.parquet, notes.parquet, register.parquet (where persons are described),
                     members.parquet (facts on US members), pairs.parquet (files of ready FIDE and US pairs)
    editions/publisher=P/rating_type=T/list_date=D/source=<sha256>/entries.parquet
    current/publisher=P/rating_type=T/list_date=D/entries.parquet     (hard links to editions)
"""

import json
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

import polars as pl

from pipeline.domain.entry import ENTRY_SCHEMA
from pipeline.domain.list_key import ListKey
from pipeline.lists.files import write_bytes_atomically

#: Columns of an edition's Parquet file. ``duplicate_of`` is the line kept instead where one id has two lines.
EDITION_SCHEMA: Final[dict[str, pl.DataType]] = {**ENTRY_SCHEMA, "duplicate_of": pl.Int32()}


@dataclass(frozen=True, slots=True)
class Edition:
    """What one source file states of one rating list.

    Attributes:
        key: the list.
        sha256: the source file.
        collection: where the source file comes from.
        coverage: ``complete``, ``supplement``, ``top`` or ``extract``.
        rows: entries, those of duplicated ids included.
        duplicates: entries that stand behind another line on the same id.
        unrated: entries without a rating.
        has_flags: whether the list tells active players from inactive ones.
    """

    key: ListKey
    sha256: str
    collection: str
    coverage: str
    rows: int
    duplicates: int
    unrated: int
    has_flags: bool


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """What reading one source file gave; ``lines_read`` = lines kept + rejects + ``lines_without_entry``.

    A file of ready pairs of ratings holds no list: it has no edition, and ``pairs`` are its lines kept.
    """

    sha256: str
    parser_version: int
    layout: str
    lines_read: int
    lines_without_entry: int
    rejects: int
    notes: int
    stated_month: date | None
    editions: tuple[Edition, ...]
    pairs: int = 0

    def to_json(self) -> str:
        """The summary text."""
        return json.dumps(asdict(self), indent=1, sort_keys=True, default=str) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "SourceSummary":
        """Read a summary."""
        values: dict[str, Any] = json.loads(text)
        month = values["stated_month"]
        values["stated_month"] = date.fromisoformat(month) if month else None
        values["editions"] = tuple(
            Edition(**{**edition, "key": _key_from_json(edition["key"])}) for edition in values["editions"]
        )
        return cls(**values)


def _key_from_json(values: dict[str, str]) -> ListKey:
    return ListKey(values["publisher"], values["rating_type"], date.fromisoformat(values["list_date"]))


@dataclass(frozen=True, slots=True)
class Lake:
    """The Parquet files below ``root``."""

    root: Path

    def edition_path(self, key: ListKey, sha256: str) -> Path:
        """Entries of one edition."""
        return self.root / "editions" / _hive(key) / f"source={sha256}" / "entries.parquet"

    def current_path(self, key: ListKey) -> Path:
        """Entries of the current edition of a list."""
        return self.root / "current" / _hive(key) / "entries.parquet"

    def source_dir(self, sha256: str) -> Path:
        """Summary, rejects and notes of one source file."""
        return self.root / "sources" / sha256

    def summary(self, sha256: str) -> SourceSummary | None:
        """The summary of a source file, or None where it has not been read, or is to be read again.

        The lake can be made anew from the raw store, so what is damaged or missing in it counts as not read yet:
        the next build heals it.
        """
        path = self.source_dir(sha256) / "summary.json"
        try:
            summary = SourceSummary.from_json(path.read_text())
        except (FileNotFoundError, ValueError, TypeError, KeyError):
            return None
        return summary if all(file.is_file() for file in self._files(summary)) else None

    def _files(self, summary: SourceSummary) -> list[Path]:
        """The files that reading this source file wrote before its summary."""
        names = ("rejects", "pairs") if summary.pairs else ("rejects", "notes")
        return [
            *(self.source_dir(summary.sha256) / f"{name}.parquet" for name in names),
            *(self.edition_path(edition.key, summary.sha256) for edition in summary.editions),
        ]

    def write_summary(self, summary: SourceSummary) -> None:
        """Written last: a source file with a summary has been read to the end."""
        path = self.source_dir(summary.sha256) / "summary.json"
        write_bytes_atomically(path, summary.to_json().encode())


def _hive(key: ListKey) -> Path:
    return Path(f"publisher={key.publisher}", f"rating_type={key.rating_type}", f"list_date={key.list_date}")
