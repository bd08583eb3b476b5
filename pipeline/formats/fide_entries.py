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
    lines: pl.DataFrame, layout: FideLayout, month: date | None, *, ascii_only: bool, whole_list: bool = True
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return (entries, notes) of the lines of one list, or of a block of them.

    A combined list gives one entry for every line and rating type with a rating; a player without any rating is
    a ``standard`` entry with rating null, so that no line is lost.

    Args:
        lines: ``line_number`` and the typed fields of ``layout``, one row a line, by line number.
        layout: where they come from.
        month: the list's month, if the file states it.
        ascii_only: no name has to be decoded.
        whole_list: ``lines`` is all of it. Otherwise ``with_men``, ``repeat_notes`` and ``list_notes``, which
            look at the list as a whole, are left to the caller.
    """
    lines = lines.with_columns(_compact(lines["name"].str.strip_chars(" ")))
    decoded = {} if ascii_only else _decoded_names(lines["name"])
    last_year = month.year if month else layout.last_year
    players = lines.with_columns(
        _sex(layout),
        _birth_year(layout, last_year),
        *_titles(layout),
        pl.when(~pl.col("federation").is_in(["", NO_FEDERATION])).then(pl.col("federation").str.to_uppercase()),
        _or_null(pl.col("name").replace(decoded)).alias("name"),
        (pl.when(pl.col("name").is_in(list(decoded))).then("name") if decoded else _nothing()).alias("printed_name"),
        (~pl.col("flag").str.contains("i", literal=True)).alias("active"),
        _or_null(pl.col("flag")).alias("printed_flag"),
    )
    entries = _one_row_a_type(players, layout)
    notes = [
        _name_notes(lines, decoded),
        _notes(lines.filter(federation=NO_FEDERATION), pl.lit("no_federation"), pl.col("name")),
        _birth_notes(lines, layout, last_year),
        _title_notes(lines, layout),
    ]
    if whole_list:
        entries = with_men(entries, layout)
        notes += [repeat_notes(entries), list_notes(entries, layout)]
    return entries, pl.concat(notes)


def with_men(entries: pl.DataFrame, layout: FideLayout) -> pl.DataFrame:
    """Call the players men whom a list does not flag as women, if it has no sex column but flags women at all."""
    flags_women = not layout.has("sex") and entries["printed_flag"].str.contains("w", literal=True).any()
    return entries.with_columns(pl.col("sex").fill_null("M")) if flags_women else entries


def repeat_notes(entries: pl.DataFrame) -> pl.DataFrame:
    """Note lines that state the same as an earlier one, and ids that stand on lines that differ."""
    lines = entries
    if "rating_type" in entries.columns and entries["rating_type"].null_count() < entries.height:
        lines = entries.select("line_number", "fide_id").unique()
    ids = lines["fide_id"].sort()
    repeated = ids.filter(ids == ids.shift()).unique()
    found = (
        entries.filter(pl.col("fide_id").is_in(repeated.implode()))
        .with_columns(stated=pl.struct(pl.exclude("line_number")).struct.json_encode())
        .group_by("line_number", "fide_id", maintain_order=True)
        .agg(pl.col("name").first(), pl.col("stated").str.join(" "))
        .sort("line_number")
        .with_columns(
            differ=pl.col("stated").n_unique().over("fide_id") > 1, again=~pl.col("stated").is_first_distinct()
        )
        .filter(pl.col("differ") | pl.col("again"))
    )
    code = pl.when("again").then(pl.lit("repeated_line")).otherwise(pl.lit("duplicate_fide_id"))
    return _notes(found, code, pl.col("name"))


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
    return pl.Series(texts.name, texts.to_arrow(compat_level=pl.CompatLevel.oldest()))


def _nothing() -> pl.Expr:
    return pl.lit(None, dtype=pl.String)


def _or_null(text: pl.Expr) -> pl.Expr:
    return pl.when(text != "").then(text)


def _one_row_a_type(players: pl.DataFrame, layout: FideLayout) -> pl.DataFrame:
    if not layout.combined:
        return players.select(*_PLAYER_COLUMNS, *_play(layout, ""))
    rated = {kind: pl.col(f"rating_{kind}").fill_null(0) > 0 for kind in COMBINED_TYPES}
    unrated = ~pl.any_horizontal(rated.values())
    return pl.concat(
        players.filter(is_rated | unrated if kind == "standard" else is_rated).select(
            *_PLAYER_COLUMNS, *_play(layout, f"_{kind}")
        )
        for kind, is_rated in rated.items()
    )


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


def _sex(layout: FideLayout) -> pl.Expr:
    """The sex column, else F for the w of the flag or a woman's title; see ``with_men`` for the others."""
    flagged = pl.col("flag").str.contains("w", literal=True)
    if layout.has("sex"):
        return pl.when(pl.col("sex") != "").then("sex").when(flagged).then(pl.lit("F")).alias("sex")
    titled = title_expr(pl.col("title").str.strip_chars(" ")).is_in(WOMEN_TITLES).fill_null(False)
    return pl.when(flagged | titled).then(pl.lit("F")).alias("sex")


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
    if not any(name.startswith("birth") for name in layout.field):
        return pl.DataFrame(schema=NOTE_SCHEMA)
    printed, year = _printed_year(layout), _birth_year(layout, last_year)
    found = lines.filter(printed.is_not_null() & (year.is_null() | (year != printed)))
    code = pl.when(year.is_null()).then(pl.lit("birth_year_damaged")).otherwise(pl.lit("birth_year_in_future"))
    return _notes(found, code, pl.lit("born ") + printed.cast(pl.String))


def _title_notes(lines: pl.DataFrame, layout: FideLayout) -> pl.DataFrame:
    """Note honorary and unknown codes, once a line: nobody is lost or promoted by them."""
    codes = [pl.col(name).str.strip_chars(" ") for name in ("title", "w_title") if layout.has(name)]
    printed = pl.concat([lines.select(code.unique().alias("code")) for code in codes]).unique()
    odd = printed.filter((pl.col("code") != "") & title_expr(pl.col("code")).is_null())["code"].to_list()
    found = lines.filter(pl.any_horizontal(code.is_in(odd) for code in codes))
    code = pl.coalesce(pl.when(code.is_in(odd)).then(code) for code in codes)
    known = (
        pl.when(unknown_title_expr(code)).then(pl.lit("unknown_title_code")).otherwise(pl.lit("honorary_title_code"))
    )
    return _notes(found, known, code)
