"""Who of US Chess is who of FIDE: links by the FIDE id in the US record first, by name only inside federation USA.

Pure functions on frames. Ratings are not among the inputs: a link chosen because two ratings are close would shrink
the very spread that the comparison of the two systems measures.
"""

from typing import Final

import polars as pl

from pipeline.domain.entry import conform
from pipeline.domain.names import given_compatible_expr, name_parts_expr

#: One row per linked person; neither id occurs twice.
LINK_SCHEMA: Final[dict[str, pl.DataType]] = {
    "uscf_id": pl.Int32(),
    "fide_id": pl.Int32(),
    "link_method": pl.String(),  # "fide_id": stated in the US record; "name": unique in both federations
    # high: id stated, names agree. medium: id stated, names agree in part or FIDE's name is not at hand.
    # low: id stated but names share no word, or linked by name alone.
    "confidence": pl.String(),
    "us_name": pl.String(),
    "fide_name": pl.String(),
}

#: What somebody should look at. ``linked`` says whether the link stands meanwhile.
REVIEW_SCHEMA: Final[dict[str, pl.DataType]] = {
    "reason": pl.String(),
    "uscf_id": pl.Int32(),
    "fide_id": pl.Int32(),
    "us_name": pl.String(),
    "fide_name": pl.String(),
    "linked": pl.Boolean(),
}

#: Reasons for a review, and what they mean.
REVIEW_REASONS: Final[dict[str, str]] = {
    "names_share_no_word": "the FIDE id in the US record belongs to a player of quite another name",
    "fide_id_not_listed": "the FIDE id in the US record is on no FIDE list at hand",
    "several_us_records": "two or more US records that are not marked as duplicates state the same FIDE id",
    "several_fide_ids": "US records of one member id state different FIDE ids",
    "name_not_unique": "the name occurs on both sides, but more than once on one of them",
    "given_names_differ": "unique by surname and first name, but the second given names differ",
    "generation_differs": "unique by name, but one is Jr and the other Sr, or the like",
    "sex_differs": "unique by name, but the two records state different sexes",
}

_FEDERATION: Final = "USA"
_CHESS_TITLES: Final = r"(?i)^\s*(?:(?:w?[gifcn]m|lm|slm|mr|mrs|ms|dr)\.?\s+)+"
_GENERATION: Final = r"(?i)[,\s]+((?:jr|sr|ii|iii|iv)\.?)\s*$"
#: "GIVEN MIDDLE SURNAME": a US name in the order in which the web pages print it.
_GIVEN_FIRST: Final = r"^(.*\S)\s+(\S+)\s*$"


def link_us_players(us_members: pl.DataFrame, fide_players: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Link members of US Chess to players of FIDE.

    A FIDE id in the US record wins. Members without one are linked by name when surname and first given name occur
    once among all US members that are persons and once among all FIDE players of federation USA, and nothing else
    (second given names, generation, sex) speaks against it.

    Args:
        us_members: ``uscf_id``, ``fide_id``, ``name``, ``is_person``, and ``sex`` if known. Several records of a
            member may be given, older ones first.
        fide_players: ``fide_id``, ``name``, ``federation``, and ``sex`` if known; one row per id.

    Returns:
        Links (LINK_SCHEMA, by ``uscf_id``) and rows to review (REVIEW_SCHEMA, by reason and ids).
    """
    us, review_ids = _us_persons(us_members)
    needed = fide_players.filter(
        (pl.col("federation") == _FEDERATION) | pl.col("fide_id").is_in(us["fide_id"].drop_nulls().implode())
    )
    fide = _with_name_parts(
        needed.select("fide_id", fide_name="name", federation="federation", fide_sex=_sex(fide_players)),
        "fide_name",
        "fide",
    )
    by_id, review_by_id = _by_id(us, fide)
    by_name, review_by_name = _by_name(us, fide)
    links = pl.concat([conform(by_id, LINK_SCHEMA), conform(by_name, LINK_SCHEMA)]).sort("uscf_id")
    review = pl.concat([conform(part, REVIEW_SCHEMA) for part in (review_ids, review_by_id, review_by_name)])
    return links, review.sort("reason", "uscf_id", "fide_id")


def _us_persons(us_members: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """One row per member that is a person; members whose records state different FIDE ids have none left."""
    persons = us_members.filter(pl.col("is_person").fill_null(True) & pl.col("name").is_not_null()).select(
        "uscf_id", "fide_id", us_name="name", us_sex=_sex(us_members)
    )
    ids = persons.drop_nulls("fide_id").unique(["uscf_id", "fide_id"])
    torn = ids.filter(pl.len().over("uscf_id") > 1)
    review = torn.select(pl.lit("several_fide_ids").alias("reason"), "uscf_id", "fide_id", "us_name", linked=False)
    one = (
        persons.group_by("uscf_id", maintain_order=True)
        .agg(pl.col("fide_id").drop_nulls().last(), pl.col("us_name", "us_sex").last())
        .with_columns(contradicted=pl.col("uscf_id").is_in(torn["uscf_id"].unique().implode()))
    )
    return _with_name_parts(one, "us_name", "us"), review


def _by_id(us: pl.DataFrame, fide: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    stated = us.filter(pl.col("fide_id").is_not_null() & ~pl.col("contradicted")).join(
        fide, on="fide_id", how="left", maintain_order="left"
    )
    shared = stated.filter(pl.len().over("fide_id") > 1)
    alone = stated.filter(pl.len().over("fide_id") == 1)
    common_word = pl.col("us_words").list.set_intersection("fide_words").list.len() > 0
    same_name = (pl.col("us_surname") == pl.col("fide_surname")) & given_compatible_expr(
        pl.col("us_given"), pl.col("fide_given")
    )
    links = alone.with_columns(
        pl.lit("fide_id").alias("link_method"),
        pl.when(pl.col("fide_name").is_null())
        .then(pl.lit("medium"))
        .when(same_name)
        .then(pl.lit("high"))
        .when(common_word)
        .then(pl.lit("medium"))
        .otherwise(pl.lit("low"))
        .alias("confidence"),
    )
    doubtful = links.filter(pl.col("fide_name").is_null() | (pl.col("confidence") == "low")).with_columns(
        pl.when(pl.col("fide_name").is_null())
        .then(pl.lit("fide_id_not_listed"))
        .otherwise(pl.lit("names_share_no_word"))
        .alias("reason"),
        linked=True,
    )
    review = pl.concat(
        [doubtful, shared.with_columns(reason=pl.lit("several_us_records"), linked=False)], how="diagonal"
    )
    return links, review


def _by_name(us: pl.DataFrame, fide: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Links of members without and players outside any stated id; unique is meant among everybody."""
    american = fide.filter(pl.col("federation") == _FEDERATION)
    key = ["surname", "first"]
    us_keyed = _keyed(us, "us").with_columns(pl.len().over(key).alias("us_count"))
    fide_keyed = _keyed(american, "fide").with_columns(pl.len().over(key).alias("fide_count"))
    met = us_keyed.drop("fide_id").join(fide_keyed, on=key, how="inner", maintain_order="left")
    unlinked = met.filter(
        pl.col("uscf_id").is_in(us.filter(pl.col("fide_id").is_null())["uscf_id"].implode())
        & ~pl.col("fide_id").is_in(us["fide_id"].drop_nulls().implode())
    )
    differs = [
        ("name_not_unique", (pl.col("us_count") > 1) | (pl.col("fide_count") > 1)),
        ("given_names_differ", ~given_compatible_expr(pl.col("us_given"), pl.col("fide_given"))),
        ("generation_differs", _both_and_unequal("us_generation", "fide_generation")),
        ("sex_differs", _both_and_unequal("us_sex", "fide_sex")),
    ]
    judged = unlinked.with_columns(
        pl.coalesce(pl.when(against).then(pl.lit(reason)) for reason, against in differs).alias("reason"),
        linked=False,
    )
    links = judged.filter(pl.col("reason").is_null()).with_columns(link_method=pl.lit("name"), confidence=pl.lit("low"))
    return links, judged.filter(pl.col("reason").is_not_null())


def _with_name_parts(frame: pl.DataFrame, name: str, side: str) -> pl.DataFrame:
    """Add ``<side>_surname``, ``_given``, ``_generation`` and the words of the name."""
    untitled = pl.col(name).str.replace(_CHESS_TITLES, "")
    bare = untitled.str.replace(_GENERATION, "")
    generation = untitled.str.extract(_GENERATION, 1).fill_null("")
    surname_first = (
        pl.when(bare.str.contains(",", literal=True))
        .then(untitled)
        .otherwise(pl.concat_str(bare.str.replace(_GIVEN_FIRST, "${2}, ${1}"), generation, separator=" "))
    )
    parts = name_parts_expr(surname_first).struct
    words = pl.concat_str(parts.field("surname"), parts.field("given"), separator=" ").str.split(" ")
    return frame.with_columns(
        parts.field("surname").alias(f"{side}_surname"),
        parts.field("given").alias(f"{side}_given"),
        pl.when(parts.field("generation") != "").then(parts.field("generation")).alias(f"{side}_generation"),
        words.list.eval(pl.element().filter(pl.element().str.len_chars() > 1)).alias(f"{side}_words"),
    )


def _keyed(frame: pl.DataFrame, side: str) -> pl.DataFrame:
    """Rows with a surname and a written-out first given name; an initial is no name."""
    first = pl.col(f"{side}_given").str.split(" ").list.first()
    return frame.with_columns(pl.col(f"{side}_surname").alias("surname"), first.alias("first")).filter(
        (pl.col("surname") != "") & (pl.col("first").str.len_chars() > 1)
    )


def _both_and_unequal(one: str, other: str) -> pl.Expr:
    return (pl.col(one) != pl.col(other)).fill_null(False)


def _sex(frame: pl.DataFrame) -> pl.Expr:
    return pl.col("sex") if "sex" in frame.columns else pl.lit(None, pl.String)
