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

#: Nobody on a list since 2001 was born earlier: the lists of 2001-2004 name people born in 1901.
_FIRST_BIRTH_YEAR: Final = 1901

#: What a line says about the player, whatever the rating type.
_PLAYER_COLUMNS: Final = (
    "line_number", "fide_id", "name", "federation", "sex", "birth_year", "title", "w_title", "other_titles",
    "foa_title", "active", "printed_title", "printed_flag", "printed_name",
)  # fmt: skip


def entries_of(
    lines: pl.DataFrame, layout: FideLayout, month: date | None, *, ascii_only: bool
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return (entries, notes) of the lines of one list.

    A combined list gives one entry for every line and rating type with a rating; a player without any rating
    is a ``standard`` entry with rating null, so that no line is lost.

    Args:
        lines: ``line_number`` and the typed fields of ``layout``, one row a line, by line number.
        layout: where they come from.
        month: the list's month, if the file states it.
        ascii_only: no name has to be decoded.
    """
    lines = lines.with_columns(pl.col("name").str.strip_chars(" "))
    decoded = {} if ascii_only else _decoded_names(lines["name"])
    last_year = month.year if month else layout.last_year
    players = lines.lazy().with_columns(
        _sex(lines, layout),
        _birth_year(layout, last_year),
        *_titles(layout),
        pl.when(~pl.col("federation").is_in(["", NO_FEDERATION])).then(pl.col("federation").str.to_uppercase()),
        _or_null(pl.col("name").replace(decoded)).alias("name"),
        (pl.when(pl.col("name").is_in(list(decoded))).then("name") if decoded else _nothing()).alias("printed_name"),
        (~pl.col("flag").str.contains("i", literal=True)).alias("active"),
        _or_null(pl.col("flag")).alias("printed_flag"),
    )
    if layout.combined:
        entries = _one_row_a_type(players)
    else:
        entries = players.select(*_PLAYER_COLUMNS, *_play(layout, "")).collect()
    notes = [
        _name_notes(lines, decoded),
        _notes(lines.filter(federation=NO_FEDERATION), pl.lit("no_federation"), pl.col("name")),
        _birth_notes(lines, layout, last_year),
        _title_notes(lines, layout),
        _repeat_notes(lines),
        _list_notes(entries, layout),
    ]
    return entries, pl.concat(notes)


def _nothing() -> pl.Expr:
    return pl.lit(None, dtype=pl.String)


def _or_null(text: pl.Expr) -> pl.Expr:
    return pl.when(text != "").then(text)


def _one_row_a_type(players: pl.LazyFrame) -> pl.DataFrame:
    """Turn one row a player into one row a player and rating type."""
    players = players.with_columns(
        unrated=~pl.any_horizontal(pl.col(f"rating_{kind}") > 0 for kind in COMBINED_TYPES).fill_null(False)
    )
    parts = []
    for kind in COMBINED_TYPES:
        rated = (pl.col(f"rating_{kind}") > 0).fill_null(False)
        kept = rated | pl.col("unrated") if kind == "standard" else rated
        parts.append(players.filter(kept).select(*_PLAYER_COLUMNS, *_play(None, f"_{kind}")))
    return pl.concat(pl.collect_all(parts))


def _play(layout: FideLayout | None, suffix: str) -> list[pl.Expr]:
    """Rating, games and K factor of one rating type; 0 is unrated, and an unrated player's 0 games say nothing."""
    rating, games = pl.col(f"rating{suffix}"), pl.col(f"games{suffix}")
    unrated = rating.is_null() | (rating == 0)
    k_factor = pl.lit(None, dtype=pl.Int16) if layout and "k" not in layout.patterns else pl.col(f"k{suffix}")
    return [
        pl.when(rating > 0).then(rating).alias("rating"),
        pl.when(~unrated | (games > 0)).then(games).alias("games"),
        pl.when(k_factor > 0).then(k_factor).alias("k_factor"),
        pl.lit(suffix[1:] or None, dtype=pl.String).alias("rating_type"),
    ]


def _sex(lines: pl.DataFrame, layout: FideLayout) -> pl.Expr:
    """The sex column, else the w of the flag or a woman's title; men are known where the list flags women."""
    women = pl.col("flag").str.contains("w", literal=True)
    if layout.has("sex"):
        return pl.when(pl.col("sex") != "").then("sex").when(women).then(pl.lit("F")).alias("sex")
    women |= title_expr(pl.col("title").str.strip_chars(" ")).is_in(WOMEN_TITLES).fill_null(False)
    men = "M" if lines["flag"].str.contains("w", literal=True).any() else None
    return pl.when(women).then(pl.lit("F")).otherwise(pl.lit(men)).alias("sex")


def _titles(layout: FideLayout) -> list[pl.Expr]:
    code = pl.col("title").str.strip_chars(" ")
    others = pl.col("other_titles").str.strip_chars_start(",")
    return [
        title_expr(code).alias("title"),
        _or_null(code).alias("printed_title"),
        (title_expr(pl.col("w_title")) if layout.has("w_title") else _nothing()).alias("w_title"),
        (_or_null(others) if layout.has("other_titles") else _nothing()).alias("other_titles"),
        (_or_null(pl.col("foa_title")) if layout.has("foa_title") else _nothing()).alias("foa_title"),
    ]


def _printed_year(layout: FideLayout) -> pl.Expr:
    """The year of birth as printed, completed to four digits; null where unknown."""
    if layout.has("birth_year"):
        year = pl.col("birth_year")
        return pl.when(year > 0).then(year)
    if layout.has("birth_dmy4"):
        return pl.col("birth_dmy4").str.slice(6).cast(pl.Int16, strict=False)
    if layout.has("birth_dmy2"):
        # The lists that print two digits end in 2005; their 00-16 are people born 1900-1916.
        return pl.col("birth_dmy2").str.slice(6).cast(pl.Int16, strict=False) + 1900
    return pl.lit(None, dtype=pl.Int16)


def _birth_year(layout: FideLayout, last_year: int) -> pl.Expr:
    """The year of birth; null where unknown or impossible.

    Dates with four-digit years were made from two digits with a turn at 50, so that people of the 1920s are
    printed as born in the 2020s: years after the list are a hundred years earlier.
    """
    year = _printed_year(layout)
    if layout.has("birth_dmy4"):
        year = pl.when(year > last_year).then(year - 100).otherwise(year)
    # Lists of January are made in December, and their headers may name a month of the year before.
    first = _FIRST_BIRTH_YEAR if layout.has("birth_year") else 1900
    return pl.when(year.is_between(first, last_year + 1)).then(year).alias("birth_year")


def _decoded_names(names: pl.Series) -> dict[str, str]:
    """Names that are not ASCII, as transcribed -> as decoded."""
    odd = names.filter(names.str.len_bytes() != names.str.len_chars()).unique()
    return {name: decode_name(name) for name in odd.sort()}


def _notes(found: pl.DataFrame, code: pl.Expr, detail: pl.Expr) -> pl.DataFrame:
    """Make notes of the lines ``found``."""
    return conform(found.select("line_number", "fide_id", code.alias("code"), detail.alias("detail")), NOTE_SCHEMA)


def _name_notes(lines: pl.DataFrame, decoded: dict[str, str]) -> pl.DataFrame:
    found = lines.filter(pl.col("name").is_in(list(decoded)))
    return _notes(found, pl.lit("name_decoded_by_guess"), pl.col("name").replace(decoded))


def _birth_notes(lines: pl.DataFrame, layout: FideLayout, last_year: int) -> pl.DataFrame:
    printed, year = _printed_year(layout), _birth_year(layout, last_year)
    found = lines.filter(printed.is_not_null() & (year.is_null() | (year != printed)))
    code = pl.when(year.is_null()).then(pl.lit("birth_year_damaged")).otherwise(pl.lit("birth_year_in_future"))
    return _notes(found, code, pl.format("born {}", printed))


def _title_notes(lines: pl.DataFrame, layout: FideLayout) -> pl.DataFrame:
    """Note honorary and unknown codes, once a line: nobody is lost or promoted by them."""
    codes = [pl.col(name).str.strip_chars(" ") for name in ("title", "w_title") if layout.has(name)]
    printed = pl.concat([lines.select(code.unique().alias("code")) for code in codes]).unique()
    odd = printed.filter((pl.col("code") != "") & title_expr(pl.col("code")).is_null())["code"].to_list()
    found = lines.filter(pl.any_horizontal(code.is_in(odd) for code in codes))
    code = pl.coalesce(pl.when(code.is_in(odd)).then(code) for code in codes)
    known = pl.when(unknown_title_expr(code)).then(pl.lit("unknown")).otherwise(pl.lit("honorary"))
    return _notes(found, pl.format("{}_title_code", known), code)


def _repeat_notes(lines: pl.DataFrame) -> pl.DataFrame:
    """Note lines that repeat another one, and ids that stand on lines that differ."""
    ids = lines["fide_id"].sort()
    repeated = ids.filter(ids == ids.shift()).unique()
    found = lines.filter(pl.col("fide_id").is_in(repeated.implode()))
    printed = [column for column in lines.columns if column != "line_number"]
    found = found.with_columns(
        copy=~pl.struct(printed).is_first_distinct(), variants=pl.struct(printed).n_unique().over("fide_id")
    )
    alike = pl.col("variants") == 1
    found = found.filter(pl.col("copy") | ~alike)
    code = pl.when("copy").then(pl.lit("repeated_line")).otherwise(pl.lit("duplicate_fide_id"))
    return _notes(found, code, pl.col("name"))


def _list_notes(entries: pl.DataFrame, layout: FideLayout) -> pl.DataFrame:
    """Note what is odd about the list as a whole."""
    found: list[tuple[str, str]] = []
    rated_games = pl.col("games").filter(pl.col("rating").is_not_null())
    for rating_type, most in entries.group_by("rating_type").agg(rated_games.max()).sort("rating_type").iter_rows():
        if most == 0:
            found.append(("all_games_zero", f"nobody on the {rating_type or 'whole'} list has rated games"))
    if layout.combined:
        found.append(("combined_flag_is_about_standard", "the flag tells who plays standard chess"))
    return conform(pl.DataFrame(found, schema=["code", "detail"], orient="row"), NOTE_SCHEMA)
