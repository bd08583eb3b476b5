"""Scid's ratings file (Debian's scid-rating-data): one value per player and official standard list since 1971.

Belongs here: which list each value is of. Not here: the file's grammar (scid_blocks), persons and spellings
(scid_people), where the file is installed (sources).

A ``%Elo`` line says ``2003:2700,2701,?,2702``: one value for each list of the year, ``?`` = not on that list. The
file states one present-day spelling, federation and birth year per person: entries carry these, so federations
are back-dated and say nothing about transfers. Titles are those of 2021 and would be wrong on earlier lists, and
whether somebody was active is not said, so both stay null.

Which values stand for which lists was checked against the publisher's lists of 2001-2004 and the top lists of
all years: up to 1989 the year's main list only, in 2000 January and July, otherwise all lists of the year.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from typing import Final

import polars as pl

from pipeline.catalogue.tables import load
from pipeline.formats.parsed import ParsedFile, UnknownLayoutError
from pipeline.formats.scid_blocks import BLOCK_BYTES, Source, lines_of, persons_of, player_blocks

ListDates = Mapping[int, Sequence[date]]

LAYOUT: Final = "scid_ratings"
_FIRST_YEAR_OF_ALL_LISTS: Final = 1990
#: The comments at the top name the last list: "FIDE ratings APR-2021".
_LAST_LIST: Final = re.compile(rb"FIDE ratings ([A-Z]{3}-\d{4})")
#: Values outside are typing errors of the file (0, 19, 225, 235, 340 occur).
_RATINGS: Final = (1000, 2999)


def lists_with_values(official_standard_lists: Iterable[date]) -> dict[int, list[date]]:
    """Choose from all official standard lists those that the file has a value for, by year, in order."""
    by_year: dict[int, list[date]] = {}
    for list_date in sorted(set(official_standard_lists)):
        by_year.setdefault(list_date.year, []).append(list_date)
    return {
        year: dates[:1] if year < _FIRST_YEAR_OF_ALL_LISTS else dates[:2] if year == 2000 else dates
        for year, dates in by_year.items()
    }


@cache
def catalogue_list_dates() -> ListDates:
    """``lists_with_values`` of the catalogue's calendar."""
    calendar = load("rating_list_calendar").filter(pl.col("official"), rating_type="standard")
    return lists_with_values(calendar["list_date"])


def last_list(head: bytes) -> date | None:
    """First day of the month that the file's opening comments name as its last list, if they do."""
    named = _LAST_LIST.search(head)
    return datetime.strptime(named[1].decode(), "%b-%Y").date() if named else None


def sniff(head: bytes, file_name: str) -> bool:
    """Whether the file calls itself a spelling file of players, or has players with ``%Elo`` lines."""
    return b"\n@PLAYER " in head or (b"\n   %Elo " in head and b" #" in head)


def parse_blocks(
    source: Source, list_dates: ListDates | None = None, block_bytes: int = BLOCK_BYTES
) -> Iterator[ParsedFile]:
    """Read the file block by block in bounded memory; each result holds whole players.

    ``line_number`` of an entry is the line on which its player begins, which is also the key of a person in
    ``scid_people``. ``lines_read`` counts players, ``lines_without_entry`` players without any rating.

    Notes: ``fewer_values_than_lists`` (read from the left), ``more_values_than_lists``, ``no_list_of_year``,
    ``year_stated_twice`` (the last statement counts) and ``unreadable_value``; all but the first are skipped.

    Args:
        source: content, path or binary stream.
        list_dates: lists of each year in the order of their values, see ``lists_with_values``; by default
            those of the catalogue's calendar.
        block_bytes: text of one block.
    """
    list_dates = catalogue_list_dates() if list_dates is None else list_dates
    for first_line, block in player_blocks(source, block_bytes):
        if first_line == 1 and (last := last_list(block)):
            list_dates = {
                year: [day for day in days if day <= last] for year, days in list_dates.items() if year <= last.year
            }
        yield _parse_block(lines_of(first_line, block), list_dates)


def parse(data: bytes, list_dates: ListDates | None = None) -> ParsedFile:
    """Read a whole file at once: for excerpts. The complete file takes gigabytes; use ``parse_blocks``.

    Raises:
        UnknownLayoutError: no player of the file has a value.
    """
    parts = list(parse_blocks(data, list_dates))
    if not any(part.entries.height for part in parts):
        raise UnknownLayoutError("Scid ratings file: expected players with lines '%Elo year:value', found none")
    return ParsedFile(
        layout=LAYOUT,
        publisher="fide",
        collection="scid",
        entries=pl.concat(part.entries for part in parts),
        notes=pl.concat(part.notes for part in parts),
        lines_read=sum(part.lines_read for part in parts),
        lines_without_entry=sum(part.lines_without_entry for part in parts),
        stated_rating_type="standard",
    )


def _parse_block(lines: pl.DataFrame, list_dates: ListDates) -> ParsedFile:
    persons = persons_of(lines)
    years, notes = _years(lines, list_dates)
    values, value_notes = _values(years, list_dates)
    entries = values.join(
        persons.select(
            pl.col("person").alias("line_number"),
            "fide_id",
            "name",
            pl.col("federations").list.last().alias("federation"),
            "sex",
            "birth_year",
        ),
        on="line_number",
        how="left",
        maintain_order="left",
    )
    return ParsedFile(
        layout=LAYOUT,
        publisher="fide",
        collection="scid",
        entries=entries.with_columns(rating_type=pl.lit("standard")),
        notes=pl.concat([notes, value_notes]).sort("line_number", maintain_order=True),
        lines_read=persons.height,
        lines_without_entry=persons.height - entries["line_number"].n_unique(),
        stated_rating_type="standard",
    )


def _years(lines: pl.DataFrame, list_dates: ListDates) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Statements of one year's values that can be dated: line_number (of the player), year, values (texts)."""
    stated = (
        lines.lazy()
        .filter(pl.col("line").str.contains(r"^\s+%Elo\s"))
        .select(
            pl.col("person").alias("line_number"),
            pl.col("line").str.strip_chars().str.slice(5).str.split(" ").alias("statement"),
        )
        .explode("statement")
        .filter(pl.col("statement") != "")
        .select(
            "line_number",
            "statement",
            # "1992.2270,2270" with a dot for the colon occurs three times.
            year=pl.when(pl.col("statement").str.contains(r"^\d{4}[:.]"))
            .then(pl.col("statement").str.slice(0, 4))
            .cast(pl.Int32),
            values=pl.col("statement").str.slice(5).str.split(","),
        )
        .with_columns(
            lists=pl.col("year").replace_strict(
                {year: len(dates) for year, dates in list_dates.items()}, default=0, return_dtype=pl.Int32
            ),
            stated=pl.col("values").list.len().cast(pl.Int32),
        )
        .collect()
    )
    dated = pl.col("lists") > 0
    fits = dated & (pl.col("stated") <= pl.col("lists"))
    usable = stated.filter(fits)
    last = usable.select(pl.struct("line_number", "year").is_last_distinct()).to_series()
    counts = pl.concat_str("statement", pl.lit(" for "), "lists", pl.lit(" lists"))
    notes = pl.concat(
        [
            _note("no_list_of_year", stated.filter(~dated), pl.col("statement")),
            _note("more_values_than_lists", stated.filter(dated & ~fits), counts),
            _note("fewer_values_than_lists", usable.filter(pl.col("stated") < pl.col("lists")), counts),
            _note("year_stated_twice", usable.filter(~last), pl.col("statement")),
        ]
    )
    return usable.filter(last).select("line_number", "year", "values", "stated"), notes


def _values(years: pl.DataFrame, list_dates: ListDates) -> tuple[pl.DataFrame, pl.DataFrame]:
    """One row per rating: line_number, list_date, rating."""
    calendar = pl.Series([day for year in sorted(list_dates) for day in list_dates[year]], dtype=pl.Date)
    first_list: dict[int, int] = {}
    for year in sorted(list_dates):
        first_list[year] = sum(len(list_dates[earlier]) for earlier in first_list)
    # Position among the year's values, without a window function: row number minus that of the first value.
    values = (
        years.lazy()
        .with_columns(
            offset=pl.col("year").replace_strict(first_list, return_dtype=pl.Int32)
            - (pl.col("stated").cum_sum() - pl.col("stated"))
        )
        .select("line_number", "offset", pl.col("values").alias("text"))
        .explode("text")
        .with_columns(
            list_index=pl.int_range(pl.len(), dtype=pl.Int32) + pl.col("offset"),
            rating=pl.col("text").cast(pl.Int16, strict=False),
        )
        .filter(pl.col("text") != "?")
        .with_columns(list_date=pl.lit(calendar).gather(pl.col("list_index")))
        .collect()
    )
    readable = pl.col("rating").is_between(*_RATINGS).fill_null(False)
    notes = _note(
        "unreadable_value",
        values.filter(~readable),
        pl.concat_str("list_date", pl.lit(": '"), "text", pl.lit("'")),
    )
    return values.filter(readable).select("line_number", "list_date", "rating"), notes


def _note(code: str, rows: pl.DataFrame, detail: pl.Expr) -> pl.DataFrame:
    return rows.select(
        pl.lit(code).alias("code"),
        "line_number",
        pl.lit(None, pl.Int32).alias("fide_id"),
        detail.alias("detail"),
    )
