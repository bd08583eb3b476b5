"""Files of ready pairs: one line per person with a FIDE and a US Chess rating -> one frame of pairs.

For small published comparisons (an entry list joined to the FIDE list, a top list, points read off a figure).
Rating lists of either publisher do not belong here; pairs made from them are made in the warehouse.

A column names its rating and, optionally, the month: ``uscf_regular_2024_04``, ``fide_standard_2025_02``,
``uscf_rating``. A month in neither column is taken from the file name.
"""

import re
from dataclasses import dataclass
from datetime import date
from pathlib import PurePath
from typing import Final

import polars as pl

from pipeline.domain.entry import REJECT_SCHEMA
from pipeline.formats.parsed import FormatError, UnknownLayoutError
from pipeline.formats.uscf_text import cells_of, decode, delimiter_of, first_line, split_lines

#: One row per person with both ratings.
PAIR_SCHEMA: Final[dict[str, pl.DataType]] = {
    "person_id": pl.String(),  # uscf:<id>, else fide:<id>, name:<name>, <file>:<line> (anonymous)
    "list_date": pl.Date(),  # month of the FIDE rating: it decides on which side of March 2024 the pair is
    "fide_id": pl.Int32(),
    "uscf_id": pl.Int32(),
    "name": pl.String(),
    "fide_rating": pl.Int16(),
    "uscf_rating": pl.Int16(),
    "source_note": pl.String(),  # what the reader has to know: months that differ, how ids were joined
    "uscf_list_date": pl.Date(),  # month of the US rating
    "federation": pl.String(),  # FIDE federation; null = not stated
    "active": pl.Boolean(),  # no "i" in the FIDE flag; null = no flag column
    "link": pl.String(),  # the file's own word on how it joined the two, e.g. "usa_unique"
    "line_number": pl.Int32(),
}

_FIDE_COLUMN: Final = re.compile(r"^fide_(?:standard|std|rating)(?:_about)?(?:_(\d{4})_(\d{2}))?$")
_USCF_COLUMN: Final = re.compile(r"^uscf_(?:regular|reg|rating)(?:_about)?(?:_(\d{4})_(\d{2}))?$")
_MONTH_IN_NAME: Final = re.compile(r"(?<!\d)(\d{4})[-_](\d{2})(?!\d)")
#: Words of a ``link`` column that say "not the same person, or not known to be".
_NO_LINK: Final = frozenset({"none", "ambiguous", "foreign_false_match", "false_match"})


@dataclass(frozen=True, slots=True)
class PairsFile:
    """Pairs of one file.

    Attributes:
        pairs: PAIR_SCHEMA, one row per line kept.
        rejects: lines without a usable pair (REJECT_SCHEMA). Lines read = pairs + rejects.
        lines_read: lines below the header.
    """

    pairs: pl.DataFrame
    rejects: pl.DataFrame
    lines_read: int


def looks_like_pairs(header: str) -> bool:
    """True for a header line with one FIDE rating column and one US rating column."""
    delimiter = delimiter_of(header)
    if delimiter is None or len(header) > 2_000:
        return False
    columns = [cell.strip().lower() for cell in cells_of(header, delimiter)]
    return len(_matching(columns, _FIDE_COLUMN)) == 1 and len(_matching(columns, _USCF_COLUMN)) == 1


def sniff(head: bytes, file_name: str) -> bool:
    """True for the beginning of a pairs file."""
    return looks_like_pairs(first_line(head))


def read_pairs(data: bytes, file_name: str, list_date: date | None = None) -> PairsFile:
    """Read a pairs file.

    Args:
        data: the file.
        file_name: names anonymous persons, and the month where no column does.
        list_date: month for ratings whose column names none; goes before the file name.

    Raises:
        UnknownLayoutError: no column, or several, for one of the two ratings.
        FormatError: no month is known.
    """
    lines = split_lines(decode(data)[0])
    if not lines or not looks_like_pairs(lines[0][1]):
        found = lines[0][1][:200] if lines else "an empty file"
        raise UnknownLayoutError(
            f"{file_name}: expected a header with one FIDE rating (fide_standard_YYYY_MM) and one US rating "
            f"(uscf_regular_YYYY_MM), found {found!r}; rename the columns"
        )
    delimiter = delimiter_of(lines[0][1]) or ","
    columns = [cell.strip().lower() for cell in cells_of(lines[0][1], delimiter)]
    fide_at, fide_month = _rating_column(columns, _FIDE_COLUMN)
    uscf_at, uscf_month = _rating_column(columns, _USCF_COLUMN)
    fallback = list_date or _month_of_name(file_name)
    fide_month, uscf_month = fide_month or fallback or uscf_month, uscf_month or fallback or fide_month
    if fide_month is None or uscf_month is None:
        raise FormatError(
            f"{file_name}: no month of the ratings; name the columns fide_standard_YYYY_MM and "
            "uscf_regular_YYYY_MM, or put YYYY-MM into the file name"
        )
    note = _source_note(file_name, columns, fide_month, uscf_month)
    rows: list[dict[str, object]] = []
    rejects: list[tuple[int, str, str]] = []
    seen: dict[str, int] = {}
    for number, line in lines[1:]:
        cells = cells_of(line, delimiter)
        if len(cells) != len(columns):
            reason = f"expected {len(columns)} cells as in the header, found {len(cells)}"
            rejects.append((number, reason, line[:500]))
            continue
        row = dict(zip(columns, cells, strict=True))
        fide_rating, uscf_rating = _rating(cells[fide_at]), _rating(cells[uscf_at])
        person = _person(row, PurePath(file_name).stem, number)
        unusable = _reject_reason(row, fide_rating, uscf_rating)
        if unusable is None and person in seen:
            unusable = f"{person} is in line {seen[person]} already, which is kept"
        if unusable:
            rejects.append((number, unusable, line[:500]))
            continue
        seen[person] = number
        federation, flag = row.get("fide_fed") or row.get("federation"), row.get("fide_flag")
        rows.append(
            {
                "person_id": person,
                "list_date": fide_month,
                "fide_id": _identifier(row.get("fide_id")),
                "uscf_id": _identifier(row.get("uscf_id")),
                "name": row.get("name") or None,
                "fide_rating": fide_rating,
                "uscf_rating": uscf_rating,
                "source_note": note,
                "uscf_list_date": uscf_month,
                "federation": federation or None,
                "active": None if flag is None else "i" not in flag.lower(),
                "link": row.get("link") or None,
                "line_number": number,
            }
        )
    return PairsFile(
        pairs=pl.DataFrame(rows, schema=PAIR_SCHEMA),
        rejects=pl.DataFrame(rejects, schema=REJECT_SCHEMA, orient="row"),
        lines_read=len(lines) - 1,
    )


def _matching(columns: list[str], pattern: re.Pattern[str]) -> list[int]:
    return [position for position, column in enumerate(columns) if pattern.match(column)]


def _rating_column(columns: list[str], pattern: re.Pattern[str]) -> tuple[int, date | None]:
    position = _matching(columns, pattern)[0]
    match = pattern.match(columns[position])
    year, month = match.groups() if match else (None, None)
    return position, date(int(year), int(month), 1) if year and month and 1 <= int(month) <= 12 else None


def _month_of_name(file_name: str) -> date | None:
    match = _MONTH_IN_NAME.search(PurePath(file_name).stem)
    if match is None or not 1 <= int(match[2]) <= 12:
        return None
    return date(int(match[1]), int(match[2]), 1)


def _source_note(file_name: str, columns: list[str], fide_month: date, uscf_month: date) -> str:
    parts = [f"pairs file {PurePath(file_name).name}"]
    if fide_month != uscf_month:
        parts.append(f"FIDE rating of {fide_month:%Y-%m}, US rating of {uscf_month:%Y-%m}")
    if any("_about_" in column for column in columns):
        parts.append("month of a rating is approximate")
    if "link" in columns:
        parts.append("ids joined by the maker of the file")
    if not {"uscf_id", "fide_id", "name"} & set(columns):
        parts.append("anonymous persons")
    return "; ".join(parts)


def _rating(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[1-9]\d{2,3}", text) else None


def _identifier(text: str | None) -> int | None:
    return int(text) if text and re.fullmatch(r"[1-9]\d{0,8}", text) else None


def _reject_reason(row: dict[str, str], fide_rating: int | None, uscf_rating: int | None) -> str | None:
    if row.get("link", "") in _NO_LINK:
        return f"the file itself does not link the two ratings (link: {row['link']})"
    lacking = [name for name, value in (("FIDE", fide_rating), ("US", uscf_rating)) if value is None]
    return f"no {' and no '.join(lacking)} rating" if lacking else None


def _person(row: dict[str, str], stem: str, line_number: int) -> str:
    for column, prefix in (("uscf_id", "uscf"), ("fide_id", "fide")):
        if (number := _identifier(row.get(column))) is not None:
            return f"{prefix}:{number}"
    if name := row.get("name"):
        return f"name:{name.casefold()}"
    return f"{stem}:{line_number}"
