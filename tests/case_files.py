"""The collected cases: invented files with the results they must give, read once for all checks.

``CHECKS`` maps a key of the ``must`` block of ``expected.json`` to the function that judges it; modules under
``tests/cases`` register theirs with ``@check("key", ...)``.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.formats.file_names import list_of_file_name
from pipeline.formats.parsed import FormatError, ParsedFile
from pipeline.formats.recognise import read_list
from pipeline.lists.duplicates import mark_duplicates

CASES_DIR = Path(os.environ.get("RATINGS_SHARED", Path(__file__).resolve().parent.parent.parent / "shared")) / "cases"

Judge = Callable[["Case", Any], None]
CHECKS: dict[str, Judge] = {}

#: Names of the cases for columns of entries; "standard", "rapid" and "blitz" are ratings.
COLUMNS = {"o_titles": "other_titles"}
PLAY = {"": "rating", "_games": "games", "_k": "k_factor"}


def check(*keys: str) -> Callable[[Judge], Judge]:
    """Register the function that judges these keys of a ``must`` block."""

    def register(judge: Judge) -> Judge:
        CHECKS.update(dict.fromkeys(keys, judge))
        return judge

    return register


def case_folders() -> list[Path]:
    """Return every folder with an ``expected.json``; a new one needs no entry anywhere."""
    return sorted(path.parent for path in CASES_DIR.glob("*/expected.json"))


class Case:
    """One folder: its files read, and questions to the result."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.expected: dict[str, Any] = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        self.must: dict[str, Any] = self.expected["must"]
        self.files: dict[str, dict[str, str]] = {file["file"]: file for file in self.expected["files"]}

    @cached_property
    def results(self) -> dict[str, ParsedFile | FormatError]:
        """File name -> what reading it gave."""
        results: dict[str, ParsedFile | FormatError] = {}
        for name in self.files:
            try:
                results[name] = read_list((self.folder / name).read_bytes(), name)
            except FormatError as error:
                results[name] = error
        return results

    @property
    def parsed(self) -> dict[str, ParsedFile]:
        """The files that could be read."""
        return {name: result for name, result in self.results.items() if isinstance(result, ParsedFile)}

    @property
    def only(self) -> ParsedFile:
        """The content of a case with a single file."""
        (parsed,) = self.parsed.values()
        return parsed

    def of_file(self, name: str) -> "Case":
        """Return this case with one of its files, where ``must`` speaks of each file alone."""
        alone = Case(self.folder)
        alone.files = {name: self.files[name]}
        alone.must = self.must[name]
        return alone

    def period(self, name: str) -> str:
        """The month a file is read for: asked for, named by the file, or assumed."""
        file, parsed = self.files[name], self.results[name]
        told = next((file[key] for key in ("period", "asked_for", "period_in_header") if key in file), None)
        named: date | None = list_of_file_name(name)[0]
        stated = parsed.stated_month if isinstance(parsed, ParsedFile) else None
        month = named or stated
        return told or file.get("period_to_assume") or (f"{month:%Y-%m}" if month else "")

    def by_period(self, value: Any) -> Iterator[tuple[ParsedFile, Any]]:
        """Pair the files with what is expected of each; a value without periods is about the only file."""
        if not isinstance(value, dict) or not all(re.fullmatch(r"\d{4}-\d{2}", key) for key in value):
            yield self.only, value
            return
        files = {self.period(name): parsed for name, parsed in self.parsed.items()}
        for period, expected in value.items():
            yield files[period], expected


def players(parsed: ParsedFile) -> pl.DataFrame:
    """One row a player: of two lines on one id the one that stands; first the standard entry, if there is one."""
    order = pl.col("rating_type").replace_strict({"standard": 0, "rapid": 1, "blitz": 2}, default=0)
    parts = parsed.entries.partition_by("rating_type", maintain_order=True)
    entries = pl.concat([mark_duplicates(part) for part in parts]).filter(pl.col("duplicate_of").is_null())
    return entries.sort(order).unique("fide_id", keep="first", maintain_order=True)


def value_of(parsed: ParsedFile, fide_id: int, name: str) -> Any:
    """Answer what the file states about a player, by the name the cases give to it."""
    found = re.fullmatch(r"(standard|rapid|blitz)(_games|_k|)", name)
    if found is None:
        row = players(parsed).row(by_predicate=pl.col("fide_id") == fide_id, named=True)
        value = row[COLUMNS.get(name, name)]
        return (value.split(",") if value else []) if name == "o_titles" else value
    kinds = parsed.entries["rating_type"].drop_nulls()
    of_type = pl.col("rating_type") == found[1] if kinds.len() else pl.lit(True)
    rows = parsed.entries.filter(of_type, pl.col("fide_id") == fide_id)
    assert rows.height <= 1, f"{fide_id} has {rows.height} entries"
    return rows[PLAY[found[2]]].item() if rows.height else None
