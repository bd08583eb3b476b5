"""What is in some files: one row a file, for people who want to know before they add them.

Belongs here: the table only. Files are read as ``recognise.read_list`` reads them; nothing is kept.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import polars as pl

from pipeline.formats.parsed import FormatError, ParsedFile, distinct_lines
from pipeline.formats.recognise import read_list

SURVEY_SCHEMA: Final = {
    "file": pl.String,
    "layout": pl.String,  # null: refused
    "lines": pl.Int64,  # player lines met
    "kept": pl.Int64,  # lines that became at least one entry
    "rejected": pl.Int64,
    "entries": pl.Int64,  # several a line where a file states several lists
    "notes": pl.String,  # "code count" by code; for a refused file why
}


def survey(paths: Iterable[Path]) -> pl.DataFrame:
    """Read every file and tell its layout, its counts of lines and what is odd about it (SURVEY_SCHEMA).

    ``lines`` = ``kept`` + ``rejected``, but for files whose lines may state no rating of any list (Scid's).
    A file that cannot be read is a row too, with the reason as its note.
    """
    return pl.DataFrame([_row(path) for path in paths], schema=SURVEY_SCHEMA, orient="row")


def _row(path: Path) -> tuple[object, ...]:
    try:
        parsed = read_list(path.read_bytes(), path.name)
    except (FormatError, OSError) as error:
        first_line = str(error).splitlines()[0]
        return path.name, None, None, None, None, None, f"refused: {first_line}"
    kept = distinct_lines(parsed.entries["line_number"])
    return (
        path.name,
        parsed.layout,
        parsed.lines_read,
        kept,
        parsed.rejects.height,
        parsed.entries.height,
        _notes(parsed),
    )


def _notes(parsed: ParsedFile) -> str:
    counts = parsed.notes.group_by("code").len().sort("code")
    return ", ".join(f"{code} {count:,}" for code, count in counts.iter_rows())
