"""The ratings in answers of the US Chess ratings API, as columns of entries, and what is odd about them.

From typed lines (``uscf_api`` reads and checks the JSON) to one row per member, month and rating system.
"""

from typing import Final

import polars as pl

from pipeline.domain.entry import NOTE_SCHEMA, conform

#: A number above this is no rating of any system.
MAX_RATING: Final = 4000

#: Rating codes, and the long names that the API sent in its first days (October 2025).
_SYSTEMS: Final = {
    "R": "regular",
    "Q": "quick",
    "B": "blitz",
    "OverTheBoardRegular": "regular",
    "OverTheBoardQuick": "quick",
    "OverTheBoardBlitz": "blitz",
}


def ratings_of(known: pl.DataFrame, members: pl.DataFrame) -> pl.DataFrame:
    """All ratings of persons, over the board or not, as columns of an entry and a few more.

    Args:
        known: lines with a member id (``uscf_id``), ``member``, ``supplements`` and ``retrieved``.
        members: the facts about the members (MEMBER_SCHEMA).

    Returns:
        ``rating_type`` is null for systems that have no lists here; ``is_provisional``, ``is_absurd`` (a number
        that is no rating, taken as not known) and ``has_no_month`` (of a supplement) are for the notes.
    """
    history = known.filter(pl.col("supplements").list.len() > 0)
    with_history = history["uscf_id"].unique()
    rating = pl.col("ratings").struct.field
    own = (
        known.filter(pl.col("member").is_not_null() & ~pl.col("uscf_id").is_in(with_history.implode()))
        .select(
            "line_number",
            "uscf_id",
            _month(pl.col("retrieved")).alias("list_date"),
            pl.col("member").struct.field("ratings"),
        )
        .explode("ratings")
        .with_columns(
            rating("ratingSystem").alias("system"),
            rating("rating"),
            pl.when(rating("isProvisional")).then(rating("gamesPlayed")).alias("provisional_games"),
            rating("isProvisional").fill_null(False).alias("is_provisional"),
            pl.lit(False).alias("has_no_month"),
        )
        .drop("ratings")
    )
    published = (
        history.select("line_number", "uscf_id", "supplements")
        .explode("supplements")
        .unnest("supplements")
        .explode("ratings")
        .select(
            "line_number",
            "uscf_id",
            _month(pl.col("ratingSupplementDate")).alias("list_date"),
            rating("source").alias("system"),
            rating("rating"),
            rating("provisionalGameCount").alias("provisional_games"),
            pl.lit(False).alias("is_provisional"),
            _month(pl.col("ratingSupplementDate")).is_null().alias("has_no_month"),
        )
    )
    person = members.select("uscf_id", "name", "fide_id", "sex", "federation", "is_person")
    return (
        pl.concat([own, published], how="diagonal")
        .filter(pl.col("system").is_not_null())
        .join(person, on="uscf_id", how="left", maintain_order="left")
        .filter(pl.col("is_person").fill_null(True))
        .with_columns(
            system_expr(pl.col("system")).alias("rating_type"),
            pl.when(pl.col("rating").is_between(1, MAX_RATING)).then("rating").alias("rating"),
            (pl.col("rating") > MAX_RATING).fill_null(False).alias("is_absurd"),
            pl.when(pl.col("provisional_games").is_between(1, MAX_RATING)).then("provisional_games"),
            # today's federation says nothing about the months of the supplements
            pl.when(~pl.col("line_number").is_in(history["line_number"].implode())).then("federation"),
        )
    )


def _month(printed: pl.Expr) -> pl.Expr:
    return printed.str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False).dt.month_start()


def system_expr(printed: pl.Expr) -> pl.Expr:
    """The rating type of a system; null for systems that have no lists here."""
    return printed.replace_strict(_SYSTEMS, default=None, return_dtype=pl.String)


def notes_of(facts: pl.DataFrame, rated: pl.DataFrame) -> pl.DataFrame:
    """What is odd about the lines (NOTE_SCHEMA). ``facts`` has a row per member line, repeated ones included."""
    others = rated.filter(pl.col("rating_type").is_null() & pl.col("rating").is_not_null())["system"].unique().sort()
    uncounted = pl.col("is_provisional") & pl.col("provisional_games").is_null() & pl.col("rating").is_not_null()
    parts = [
        facts.filter(pl.col("uscf_id").is_first_distinct().not_()).select(
            pl.lit("repeated_member_id").alias("code"),
            "line_number",
            pl.format("member id {} is repeated", "uscf_id").alias("detail"),
        ),
        facts.filter(~pl.col("is_person")).select(
            pl.lit("duplicate_member_id").alias("code"),
            "line_number",
            pl.format("member id {} is not a person: {}", "uscf_id", "status").alias("detail"),
        ),
        *(
            rated.filter(odd).select(
                pl.lit(code).alias("code"),
                "line_number",
                pl.format(f"member id {{}}, {{}}: {said}", "uscf_id", "system").alias("detail"),
            )
            for code, odd, said in (
                ("provisional_without_games", uncounted, "provisional, number of games not stated"),
                ("rating_unreadable", pl.col("is_absurd"), "a number that is no rating; taken as not known"),
                ("supplement_without_month", pl.col("has_no_month"), "a supplement without a month; left out"),
            )
        ),
        pl.DataFrame(
            {"code": ["rating_system_not_used"] * bool(len(others)), "detail": [", ".join(others)] * bool(len(others))},
            schema={"code": pl.String, "detail": pl.String},
        ).with_columns(pl.lit(None, pl.Int32).alias("line_number")),
    ]
    return conform(pl.concat(parts, how="diagonal"), NOTE_SCHEMA)
