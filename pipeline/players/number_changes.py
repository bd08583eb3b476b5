"""One person under two FIDE numbers: the old and the new one.

Belongs here: finding such pairs by name, birth year, federation and the lists on which the numbers occur. Not
here: who holds a number (``numbers``).
"""

from typing import Final

import polars as pl

from pipeline.players.evidence import Evidence
from pipeline.players.nodes import unanimous

#: Longest time between the last list with the old number and the first with the new one.
LONGEST_CHANGE_MONTHS: Final = 24
#: Shortest given name that is no initial.
_FULL_GIVEN: Final = 3


def changed_numbers(evidence: Evidence, numbered: pl.DataFrame) -> pl.DataFrame:
    """Pairs of holders that are one person who got another number: ``holder``, ``later_holder``, ``confidence``.

    Both print the same full name, and nobody else holds a number under it: of the same federation and year of
    birth (0.9), or of the whole world while no years contradict (0.8). The new number begins after the old one
    ended, within LONGEST_CHANGE_MONTHS; or another edition of a list has the new number where one has the old
    (collections of later years know the new one only), and no edition has both.

    Args:
        evidence: what is known.
        numbered: result of ``holders``.
    """
    name = ["surname", "given", "generation"]
    own = numbered.filter(pl.col("fide_id").is_not_null(), pl.col("method") == "fide_id")
    listed = (
        evidence.versions.filter(pl.col("fide_id").is_not_null(), pl.col("name").is_not_null())
        .select("version_key", *name, "federation", "birth_year", "sex")
        .join(own.select("version_key", "holder", "fide_id"), on="version_key")
    )
    # Most names are under one number only. Digests of names that happen to be equal are told apart below.
    digests = listed.select("fide_id", digest=pl.struct(name).hash())
    shared = digests.unique().filter(pl.col("digest").is_duplicated())["digest"].unique()
    known = _in_full(listed.filter(digests["digest"].is_in(shared.implode())))
    dated = known.filter(pl.col("birth_year").is_not_null(), pl.col("federation").is_not_null())
    pairs = pl.concat(
        [
            _only_two(dated, [*name, "federation", "birth_year"]).with_columns(confidence=pl.lit(0.9)),
            _only_two(known, name).with_columns(confidence=pl.lit(0.8)),
        ]
    ).unique(["holder", "other"], keep="first", maintain_order=True)
    paired = pl.concat([pairs["holder"], pairs["other"]]).unique().to_frame()
    facts = (
        _in_full(listed.join(paired, on="holder", how="semi"))
        .group_by("holder")
        .agg(pl.col("birth_year").max(), unanimous("sex"))
    )
    spans = (
        evidence.versions.join(
            numbered.select("version_key", "holder").join(paired, on="holder", how="semi"), on="version_key"
        )
        .group_by("holder")
        .agg(pl.col("first_list_date").min(), pl.col("last_list_date").max())
        .join(facts, on="holder")
    )
    both = pairs.join(spans, on="holder").join(spans, left_on="other", right_on="holder", suffix="_other")
    both = both.filter(
        (pl.col("birth_year") == pl.col("birth_year_other")).fill_null(True),
        (pl.col("sex") == pl.col("sex_other")).fill_null(True),
    )
    # The later number is the one with the later last list, then the later first one.
    last, last_other = pl.col("last_list_date"), pl.col("last_list_date_other")
    turned = (last_other < last) | (
        (last_other == last) & (pl.col("first_list_date_other") < pl.col("first_list_date"))
    )
    found = pl.concat([_one_after_the_other(both), _beside_each_other(evidence, numbered, both)])
    return (
        found.select(
            pl.when(turned).then("other").otherwise("holder").alias("holder"),
            pl.when(turned).then("holder").otherwise("other").alias("later_holder"),
            "confidence",
        )
        .filter(pl.col("holder").is_unique(), pl.col("later_holder").is_unique())
        .sort("holder")
    )


def _in_full(listed: pl.DataFrame) -> pl.DataFrame:
    """Without initials: they are no full name, too many people share them."""
    full = pl.col("given").str.split(" ").list.first().str.len_chars() >= _FULL_GIVEN
    return listed.filter(full).drop("version_key", "fide_id").unique()


def _only_two(known: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """Pairs of holders that alone share the key: ``holder``, ``other``."""
    return (
        known.select(*key, "holder")
        .unique()
        .filter(pl.len().over(key) == 2)
        .sort(*key, "holder")
        .group_by(key, maintain_order=True)
        .agg("holder")
        .select(pl.col("holder").list.first(), other=pl.col("holder").list.last())
        .unique(maintain_order=True)
    )


def _one_after_the_other(both: pl.DataFrame) -> pl.DataFrame:
    longest = f"{LONGEST_CHANGE_MONTHS}mo"

    def follows(ended: str, begun: str) -> pl.Expr:
        return (pl.col(ended) < pl.col(begun)) & (pl.col(begun) <= pl.col(ended).dt.offset_by(longest))

    return both.filter(
        follows("last_list_date", "first_list_date_other") | follows("last_list_date_other", "first_list_date")
    )


def _beside_each_other(evidence: Evidence, numbered: pl.DataFrame, both: pl.DataFrame) -> pl.DataFrame:
    """Pairs on one list in different editions, and never on one edition."""
    overlapping = both.filter(
        pl.col("first_list_date") <= pl.col("last_list_date_other"),
        pl.col("first_list_date_other") <= pl.col("last_list_date"),
    )
    wanted = pl.concat([overlapping["holder"], overlapping["other"]]).unique().to_frame()
    members = numbered.join(wanted, on="holder", how="semi").select("version_key", "holder")
    seen = evidence.appearances(members["version_key"], True).join(members, on="version_key")
    on_one_list = overlapping.join(seen.select("holder", "list_key", "source_key"), on="holder").join(
        seen.select(pl.col("holder").alias("other"), "list_key", other_source_key="source_key"),
        on=["other", "list_key"],
    )
    apart = (
        on_one_list.group_by("holder", "other")
        .agg((pl.col("source_key") == pl.col("other_source_key")).any().alias("on_one_edition"))
        .filter(~pl.col("on_one_edition"))
    )
    return overlapping.join(apart, on=["holder", "other"], how="semi")
