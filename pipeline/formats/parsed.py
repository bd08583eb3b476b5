"""What every reader returns and what it raises."""

from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal

import numpy as np
import polars as pl

from pipeline.domain.entry import ENTRY_SCHEMA, LIST_KEY_SCHEMA, NOTE_SCHEMA, REJECT_SCHEMA, conform

Coverage = Literal["complete", "supplement", "top", "extract"]

#: Version of the readers, part of every edition. Any change of what a reader makes of a file (entries, rejects, notes)
#: adds one, for all readers alike: the next build then reads every raw file again.
PARSER_VERSION: Final = 2


class FormatError(Exception):
    """A file that cannot be accepted. The message says what was expected, what was found and what to do next."""


class UnknownLayoutError(FormatError):
    """No known layout fits; the message shows the first lines."""


def distinct_lines(line_numbers: pl.Series) -> int:
    """Count the different line numbers; a bitmap is five times faster than a hash set for millions of them."""
    numbers = line_numbers.drop_nulls()
    if numbers.is_empty():
        return line_numbers.n_unique()
    seen = np.zeros(int(numbers.max()) + 1, dtype=np.bool_)  # type: ignore[arg-type]
    seen[numbers.to_numpy()] = True
    return int(np.count_nonzero(seen)) + (numbers.len() < line_numbers.len())


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """The content of one file, before it is known which lists it is an edition of.

    Attributes:
        layout: name of the recognised layout, e.g. ``fide_text_l1``.
        publisher: ``fide`` or ``uscf``.
        collection: where such files come from: ``fide``, ``weeks``, ``olimpbase``, ``scid``, ``bundled``, ...
        entries: ENTRY_SCHEMA columns, then ``list_date`` and ``rating_type`` (either may be all null when the
            file does not say; the caller knows it from the file name or was told).
        rejects: lines that could not be read (REJECT_SCHEMA).
        notes: what is odd about lines that were read, or about the file (NOTE_SCHEMA).
        lines_read: player lines met. Every one is the source of at least one entry, or is rejected, or (files
            whose lines carry attributes of several lists) is counted in ``lines_without_entry``.
        lines_without_entry: lines that legitimately state no rating of any list.
        stated_month: first day of the month that the file itself names, if it names one.
        stated_rating_type: rating type that the file itself names, if it names one.
        coverage: how much of a list such a file holds.
    """

    layout: str
    publisher: str
    collection: str
    entries: pl.DataFrame
    lines_read: int
    rejects: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=REJECT_SCHEMA))
    notes: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=NOTE_SCHEMA))
    lines_without_entry: int = 0
    stated_month: date | None = None
    stated_rating_type: str | None = None
    coverage: Coverage = "complete"

    def __post_init__(self) -> None:
        object.__setattr__(self, "entries", conform(self.entries, {**ENTRY_SCHEMA, **LIST_KEY_SCHEMA}))
        object.__setattr__(self, "rejects", conform(self.rejects, REJECT_SCHEMA))
        object.__setattr__(self, "notes", conform(self.notes, NOTE_SCHEMA))
        kept = distinct_lines(self.entries["line_number"])
        if kept + self.rejects.height + self.lines_without_entry != self.lines_read:
            raise AssertionError(
                f"{self.layout}: {self.lines_read} lines read, but {kept} kept + {self.rejects.height} rejected "
                f"+ {self.lines_without_entry} without entry"
            )
