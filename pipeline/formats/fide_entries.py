"""From the typed columns of FIDE's text lists to entries and notes.

Belongs here: what the printed codes, flags, years and blanks of these lists mean. Columns are cut elsewhere
(``fixed_width.py``); what other publishers print is their readers' matter.
"""

from datetime import date
from typing import Final

import polars as pl

from pipeline.domain.entry import NOTE_SCHEMA, conform
from pipeline.domain.titles import WOMEN_TITLES, title_expr, unknown_title_expr
from pipeline.formats.encodings import decode_name
from pipeline.formats.fide_layouts import COMBINED_TYPES, NO_FEDERATION, FideLayout
from pipeline.formats.parsed import distinct_lines

#: Nobody on a list since 2001 was born earlier: the lists of 2001-2004 name people born in 1901.
_FIRST_BIRTH_YEAR: Final = 1901


def entries_of(
    lines: pl.DataFrame, layout: FideLayout, month: date | None, *, ascii_only: bool
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return (entries, notes) of lines of one list; ``with_men`` and the notes on the whole list are to follow.

    A combined list gives one entry for every line and rating type with a rating; a player without any rating is
    a ``standard`` entry with rating null, so that no line is lost.

    Args:
        lines: ``line_number`` and the typed fields of ``layout``, one row a line, by line number.
        layout: where they come from.
        month: the list's month, if the file states it.
        ascii_only: no name has to be decoded.
    """
    missing = [column for column in entry_columns(layout, month) if column.meta.output_name() not in lines.columns]
    decoded = {} if ascii_only else _decoded_names(lines["name"])
    lines = lines.with_columns(
        *missing,
        _compact(lines["name"]),
        (pl.when(pl.col("name").is_in(list(decoded))).then("name") if decoded else _nothing()).alias("printed_name"),
    )
    if decoded:
        lines = lines.with_columns(pl.col("name").replace(decoded))
    entries = _one_row_a_type(lines, layout)
    notes = [_name_notes(lines), _federation_notes(lines), _birth_notes(lines), _title_notes(lines)]
    return entries, pl.concat(notes)


def entry_columns(layout: FideLayout, month: date | None) -> list[pl.Expr]:
    """What entries and notes are made of: columns that each look at few neighbouring fields.

    Ratings, games and K factors keep the names of their fields; the others are called ``entry_...``.
    """
    code, flag = pl.col("title").str.strip_chars(" "), pl.col("flag")
    federation = pl.col("federation").str.to_uppercase()
    printed_year, year = _birth_years(layout, month.year if month else layout.last_year)
    odd_codes = [pl.when((code != "") & title_expr(code).is_null()).then(code)]
    columns = {
        "federation": pl.when(~federation.is_in(["", NO_FEDERATION])).then(federation),
        "no_federation": pl.col("federation") == NO_FEDERATION,
        "title": title_expr(code),
        "printed_title": _or_null(code),
        "birth_year": year,
        "odd_birth_year": pl.when(printed_year.is_not_null() & year.ne_missing(printed_year)).then(printed_year),
        "active": ~flag.str.contains("i", literal=True),
        "printed_flag": _or_null(flag),
        "flagged_woman": flag.str.contains("w", literal=True),
    }
    if layout.has("sex"):
        columns["sex"] = _or_null(pl.col("sex"))
    if layout.has("w_title"):
        womens_code = pl.col("w_title")
        columns["w_title"] = title_expr(womens_code)
        odd_codes.append(pl.when((womens_code != "") & title_expr(womens_code).is_null()).then(womens_code))
    if layout.has("other_titles"):
        columns["other_titles"] = _or_null(pl.col("other_titles").str.strip_chars_start(","))
    if layout.has("foa_title"):
        columns["foa_title"] = _or_null(pl.col("foa_title"))
    columns["odd_title"] = pl.coalesce(odd_codes)
    played = [pl.col(name) for name in layout.field if name.startswith(("rating", "games", "k"))]
    return [*played, *(column.alias(f"entry_{name}") for name, column in columns.items())]


def with_men(entries: pl.DataFrame, layout: FideLayout) -> pl.DataFrame:
    """Call the players men whom a list does not flag as women, if it has no sex column but flags women at all.

    A woman's title without the flag (a few a list) leaves the sex unstated: the list contradicts itself.
    """
    flags_women = not layout.has("sex") and entries["printed_flag"].str.contains("w", literal=True).any()
    if not flags_women:
        return entries
    unstated = pl.col("sex").is_null() & ~pl.col("title").is_in(WOMEN_TITLES).fill_null(False)
    return entries.with_columns(sex=pl.when(unstated).then(pl.lit("M")).otherwise("sex"))


def repeat_notes(entries: pl.DataFrame) -> pl.DataFrame:
    """Note lines that state the same as an earlier one, and ids that stand on lines that differ."""
    if entries["fide_id"].n_unique() == distinct_lines(entries["line_number"]):
        return pl.DataFrame(schema=NOTE_SCHEMA)
    lines = entries.select("line_number", "fide_id").unique()
    found = (
        entries.filter(pl.col("fide_id").is_in(lines["fide_id"].filter(lines["fide_id"].is_duplicated()).implode()))
        .with_columns(stated=pl.struct(pl.exclude("line_number")).struct.json_encode())
        .group_by("line_number", "fide_id", maintain_order=True)
        .agg(pl.col("name").first(), pl.col("stated").str.join(" "))
        .sort("line_number")
        .with_columns(
            differ=pl.col("stated").n_unique().over("fide_id") > 1, again=~pl.col("stated").is_first_distinct()
        )
    )
    code = pl.when("again").then(pl.lit("repeated_line")).otherwise(pl.lit("duplicate_fide_id"))
    return _notes(found, found["differ"] | found["again"], code, pl.col("name"))


def list_notes(entries: pl.DataFrame, layout: FideLayout) -> pl.DataFrame:
    """Note what is odd about a list as a whole: no games at all, a flag that is about one rating type only."""
    found: list[tuple[str, str]] = []
    rated_games = pl.col("games").filter(pl.col("rating").is_not_null())
    for rating_type, most in entries.group_by("rating_type").agg(rated_games.max()).sort("rating_type").iter_rows():
        if most == 0:
            found.append(("all_games_zero", f"nobody on the {rating_type or 'whole'} list has rated games"))
    if layout.combined:
        found.append(("combined_flag_is_about_standard", "the flag tells who plays standard chess"))
    return conform(pl.DataFrame(found, schema=["code", "detail"], orient="row"), NOTE_SCHEMA)


def _compact(texts: pl.Series) -> pl.Series:
    """Copy texts out of the block they are slices of, so that the block can be freed."""
    return texts + ""  # through Arrow it would be as fast, but for a tenth of a second to import it


def _nothing() -> pl.Expr:
    return pl.lit(None, dtype=pl.String)


def _or_null(text: pl.Expr) -> pl.Expr:
    return pl.when(text != "").then(text)


def _one_row_a_type(lines: pl.DataFrame, layout: FideLayout) -> pl.DataFrame:
    if not layout.combined:
        return lines.select(*_player(layout), *_play(layout, ""))
    rated = {kind: lines[f"rating_{kind}"].fill_null(0) > 0 for kind in COMBINED_TYPES}
    unrated = ~(rated["standard"] | rated["rapid"] | rated["blitz"])
    return pl.concat(
        lines.select(*_player(layout), *_play(layout, f"_{kind}")).filter(
            is_rated | unrated if kind == "standard" else is_rated
        )
        for kind, is_rated in rated.items()
    )


def _player(layout: FideLayout) -> list[pl.Expr]:
    """What a line says about the player, whatever the rating type."""
    woman = pl.col("entry_flagged_woman")
    if layout.has("sex"):
        sex = pl.coalesce("entry_sex", pl.when(woman).then(pl.lit("F")))
    else:
        sex = pl.when(woman).then(pl.lit("F"))
    read = ("federation", "birth_year", "title", "active", "printed_title", "printed_flag")
    some = ("w_title", "other_titles", "foa_title")
    return [
        pl.col("line_number", "fide_id"),
        pl.when(pl.col("printed_name") != pl.col("name")).then("printed_name"),
        _or_null(pl.col("name")),
        sex.alias("sex"),
        *(pl.col(f"entry_{name}").alias(name) for name in read),
        *((pl.col(f"entry_{name}") if layout.has(name) else _nothing()).alias(name) for name in some),
    ]


def _play(layout: FideLayout, suffix: str) -> list[pl.Expr]:
    """Rating, games and K factor of one rating type; 0 is unrated, and an unrated player's 0 games say nothing."""
    rating, games = pl.col(f"rating{suffix}"), pl.col(f"games{suffix}")
    unrated = rating.is_null() | (rating == 0)
    k_factor = pl.col(f"k{suffix}") if layout.has(f"k{suffix}") else pl.lit(None, dtype=pl.Int16)
    return [
        pl.when(rating > 0).then(rating).alias("rating"),
        pl.when(~unrated | (games > 0)).then(games).alias("games"),
        pl.when(k_factor > 0).then(k_factor).alias("k_factor"),
        pl.lit(suffix[1:] or None, dtype=pl.String).alias("rating_type"),
    ]


def _birth_years(layout: FideLayout, last_year: int) -> tuple[pl.Expr, pl.Expr]:
    """The year of birth as printed, and as it must have been; null where unknown or impossible.

    Dates with four-digit years were made from two digits with a turn at 50, so that people of the 1920s are
    printed as born in the 2020s: years after the list are a hundred years earlier. The lists that print two digits
    end in 2005, and their 00-16 are people born 1900-1916.
    """
    first_year = 1900
    printed: pl.Expr
    year: pl.Expr
    if layout.has("birth_year"):
        printed = year = pl.when(pl.col("birth_year") > 0).then("birth_year")
        first_year = _FIRST_BIRTH_YEAR
    elif layout.has("birth_dmy4"):
        printed = pl.col("birth_dmy4").str.slice(6).cast(pl.Int16, strict=False)
        year = pl.when(printed > last_year).then(printed - 100).otherwise(printed)
    elif layout.has("birth_dmy2"):
        printed = year = pl.col("birth_dmy2").str.slice(6).cast(pl.Int16, strict=False) + 1900
    else:
        printed = year = pl.when(pl.col("flag").is_null()).then(pl.lit(0, dtype=pl.Int16))
    # A header may name a month of the year before.
    return printed, pl.when(year.is_between(first_year, last_year + 1)).then(year)


def _decoded_names(names: pl.Series) -> dict[str, str]:
    """Names that are not ASCII, as transcribed -> as decoded."""
    odd = names.filter(names.str.len_bytes() != names.str.len_chars()).unique()
    return {name: decode_name(name) for name in odd.sort()}


def _notes(lines: pl.DataFrame, where: pl.Series, code: pl.Expr, detail: pl.Expr) -> pl.DataFrame:
    """Make a note of each line that ``where`` is true for."""
    if not where.any():
        return pl.DataFrame(schema=NOTE_SCHEMA)
    found = lines.filter(where).select("line_number", "fide_id", code.alias("code"), detail.alias("detail"))
    return conform(found, NOTE_SCHEMA)


def _name_notes(lines: pl.DataFrame) -> pl.DataFrame:
    decoded = lines["printed_name"].is_not_null()
    return _notes(lines, decoded, pl.lit("name_decoded_by_guess"), pl.col("name"))


def _federation_notes(lines: pl.DataFrame) -> pl.DataFrame:
    return _notes(lines, lines["entry_no_federation"], pl.lit("no_federation"), pl.col("name"))


def _birth_notes(lines: pl.DataFrame) -> pl.DataFrame:
    damaged = pl.col("entry_birth_year").is_null()
    code = pl.when(damaged).then(pl.lit("birth_year_damaged")).otherwise(pl.lit("birth_year_in_future"))
    printed = pl.col("entry_odd_birth_year")
    return _notes(lines, lines["entry_odd_birth_year"].is_not_null(), code, pl.lit("born ") + printed.cast(pl.String))


def _title_notes(lines: pl.DataFrame) -> pl.DataFrame:
    """Note honorary and unknown codes, once a line: nobody is lost or promoted by them."""
    unknown = unknown_title_expr(pl.col("entry_odd_title"))
    code = pl.when(unknown).then(pl.lit("unknown_title_code")).otherwise(pl.lit("honorary_title_code"))
    return _notes(lines, lines["entry_odd_title"].is_not_null(), code, pl.col("entry_odd_title"))
