"""Who is who: from the attribute combinations printed on lists to persons.

A pure function on frames. Links are made by ids and names, never by closeness of ratings.
"""

from typing import Final

import polars as pl

#: Persons without any id get numbers from here on, derived from their name, clear of FIDE's ids.
FIRST_NAMED_PLAYER: Final = 1_000_000_000

VERSION_COLUMNS: Final = (
    "fide_id",
    "uscf_id",
    "name",
    "federation",
    "sex",
    "birth_year",
    "title",
    "w_title",
    "other_titles",
    "foa_title",
    "printed_title",
)


def resolve(versions: pl.DataFrame) -> pl.DataFrame:
    """Give every version its person.

    Args:
        versions: ``version_key`` and VERSION_COLUMNS, one row per distinct combination.

    Returns:
        ``version_key``, ``player_id``, ``link_method``, ``link_confidence`` (0 to 1).
    """
    keyed = versions.select(
        "version_key",
        "fide_id",
        "uscf_id",
        name=pl.concat_str(
            pl.col("name").str.to_lowercase(), pl.col("federation"), separator="|", ignore_nulls=True
        ),
    )
    named = keyed.filter(pl.col("fide_id").is_null() & pl.col("uscf_id").is_null())
    numbers = (
        named.select("name").unique().sort("name").with_row_index("number").with_columns(pl.col("number").cast(pl.Int32))
    )
    return (
        keyed.join(numbers, on="name", how="left")
        .select(
            "version_key",
            player_id=pl.coalesce(
                "fide_id", pl.lit(1_500_000_000) + pl.col("uscf_id"), FIRST_NAMED_PLAYER + pl.col("number")
            ).cast(pl.Int32),
            link_method=pl.when(pl.col("fide_id").is_not_null())
            .then(pl.lit("fide_id"))
            .when(pl.col("uscf_id").is_not_null())
            .then(pl.lit("uscf_id"))
            .otherwise(pl.lit("same name")),
            link_confidence=pl.when(pl.col("fide_id").is_not_null() | pl.col("uscf_id").is_not_null())
            .then(1.0)
            .otherwise(0.5),
        )
        .sort("version_key")
    )
