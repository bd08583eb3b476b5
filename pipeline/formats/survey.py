"""What is in some files: one row a file, for people who want to know before they add them.

Belongs here: the table only. Files are read as ``recognise.read_list`` reads them, tables of no known layout with the
first column mapping that fits them; nothing is kept.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import polars as pl

from pipeline.formats.archive import open_list
from pipeline.formats.mapped_table import parse_mapped
from pipeline.formats.mapping import Mapping
from pipeline.formats.parsed import FormatError, ParsedFile, UnknownLayoutError, distinct_lines
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


def survey(paths: Iterable[Path], mappings: Sequence[Mapping] = ()) -> pl.DataFrame:
    """Read every file and tell its layout, its counts of lines and what is odd about it (SURVEY_SCHEMA).

    ``lines`` = ``kept`` + ``rejected``, but for files whose lines may state no rating of any list (Scid's).
    A file that cannot be read is a row too, with the reason as its note.

    Args:
        paths: the files.
        mappings: for tables of no known layout; the first whose columns a table has reads it.
    """
    return pl.DataFrame([_row(path, mappings) for path in paths], schema=SURVEY_SCHEMA, orient="row")


def _row(path: Path, mappings: Sequence[Mapping]) -> tuple[object, ...]:
    try:
        parsed = _read(path, mappings)
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


def _read(path: Path, mappings: Sequence[Mapping]) -> ParsedFile:
    data = path.read_bytes()
    try:
        return read_list(data, path.name)
    except UnknownLayoutError:
        for member in open_list(data, path.name):
            content = member.read()
            for mapping in mappings:
                with suppress(FormatError):  # another mapping's table
                    return parse_mapped(content, mapping)
        raise


def _notes(parsed: ParsedFile) -> str:
    counts = parsed.notes.group_by("code").len().sort("code")
    return ", ".join(f"{code} {count:,}" for code, count in counts.iter_rows())
