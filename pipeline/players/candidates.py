"""Candidates: which nodes without a number may be whose, by name and federation. Ratings are never looked at.

Belongs here: pairs of nodes and how their names and federations relate. Not here: the choice among candidates.
"""

from collections.abc import Callable
from typing import Final

import polars as pl

from pipeline.players.nodes import Nodes
from pipeline.players.persons import BIRTH_YEAR_TOLERANCE
from pipeline.players.spelling import given_agree, given_sound_agree, letters_agreed

#: How two names relate, best first.
SAME_NAME: Final = 0
SAME_AS_ALTERNATIVE: Final = 1
AGREES: Final = 2
AGREES_WITH_ALTERNATIVE: Final = 3
SURNAME_ONLY: Final = 4
SOUNDS_ALIKE: Final = 5

#: How two federations relate, best first.
SAME_BODY: Final = 0
SAME_FAMILY: Final = 1
OTHER_FEDERATION: Final = 2

#: Longest time between the lists of two who are linked, unless the year of birth is the same.
LONGEST_GAP_MONTHS: Final = 96

#: Letters from which on the first given name is a name and no abbreviation.
_FULL_GIVEN: Final = 3


def candidate_pairs(nodes: Nodes) -> pl.DataFrame:
    """Pairs of a node without a number and any other node whose name may be the same.

    Returns:
        ``node``, ``other``, ``relation``, ``letters`` (given letters agreed on), ``is_full`` (both print a given
        name in full), ``federation_relation``. Best relation of each pair only. Pairs of two nodes without
        numbers occur once, with ``node < other``.
    """
    unnumbered = nodes.facts.filter(pl.col("holder").is_null()).select("node")
    seekers = nodes.names.join(unnumbered, on="node", how="semi")
    # Names alone say nothing across publishers.
    foreign = nodes.facts.filter(pl.col("holder").str.starts_with("uscf")).select("node")
    pool = nodes.names.join(foreign, on="node", how="anti").filter(
        pl.col("surname").is_in(seekers["surname"].unique().implode())
        | pl.col("sound").is_in(seekers["sound"].unique().implode())
    )
    pairs = pl.concat([_same_names(seekers, pool), _same_blocks(nodes, seekers, pool)])
    both = pairs.join(unnumbered.rename({"node": "other"}), on="other", how="semi")
    one = pairs.join(unnumbered.rename({"node": "other"}), on="other", how="anti")
    pairs = pl.concat([one, both.filter(pl.col("node") < pl.col("other")), _turned(both)])
    best = (
        pairs.sort("relation", "letters", descending=[False, True])
        .group_by("node", "other")
        .agg(pl.col("relation").first(), pl.col("letters").first(), pl.col("is_full").max())
    )
    return _with_federations(_possible(best, nodes), nodes).sort("node", "other")


def _possible(pairs: pl.DataFrame, nodes: Nodes) -> pl.DataFrame:
    """Pairs without those that years of birth, sex or many years between their lists rule out at once."""
    facts = nodes.facts.select("node", "birth_year", "sex", "first_list_date", "last_list_date")
    both = pairs.join(facts, on="node").join(facts, left_on="other", right_on="node", suffix="_other")
    longest = f"{LONGEST_GAP_MONTHS}mo"

    def near(earlier: str, later: str) -> pl.Expr:
        return pl.col(later) <= pl.col(earlier).dt.offset_by(longest)

    apart = (pl.col("birth_year") - pl.col("birth_year_other")).abs()
    listed_near = near("last_list_date", "first_list_date_other") & near("last_list_date_other", "first_list_date")
    return both.filter(
        (apart <= BIRTH_YEAR_TOLERANCE).fill_null(True),
        (pl.col("sex") == pl.col("sex_other")).fill_null(True),
        listed_near | (apart == 0).fill_null(False),
    ).select(pairs.columns)


def _turned(pairs: pl.DataFrame) -> pl.DataFrame:
    return pairs.filter(pl.col("node") > pl.col("other")).select(
        pl.col("other").alias("node"), pl.col("node").alias("other"), *pairs.columns[2:]
    )


def _joined(seekers: pl.DataFrame, pool: pl.DataFrame, on: list[str]) -> pl.DataFrame:
    generations_agree = (
        (pl.col("generation") == pl.col("generation_other"))
        | (pl.col("generation") == "")
        | (pl.col("generation_other") == "")
    )
    return seekers.join(pool, on=on, suffix="_other").filter(pl.col("node") != pl.col("node_other"), generations_agree)


def _is_full(given: pl.Expr) -> pl.Expr:
    return given.str.split(" ").list.first().str.len_chars() >= _FULL_GIVEN


def _alternative(pairs: pl.DataFrame) -> pl.Expr:
    return (pl.col("origin") == "alternative") | (pl.col("origin_other") == "alternative")


def _same_names(seekers: pl.DataFrame, pool: pl.DataFrame) -> pl.DataFrame:
    """The same surname and given part, in any federation."""
    pairs = _joined(seekers, pool, ["surname", "given"])
    return pairs.select(
        "node",
        pl.col("node_other").alias("other"),
        pl.when(_alternative(pairs)).then(SAME_AS_ALTERNATIVE).otherwise(SAME_NAME).cast(pl.Int8).alias("relation"),
        pl.col("given").str.len_chars().cast(pl.Int16).alias("letters"),
        _is_full(pl.col("given")).alias("is_full"),
    )


def _same_blocks(nodes: Nodes, seekers: pl.DataFrame, pool: pl.DataFrame) -> pl.DataFrame:
    """Names that differ in more than writing, in one family of federations."""
    families = nodes.federations.select("node", "family").unique()
    initials = {"initial": pl.col("given").str.slice(0, 1), "sound_initial": pl.col("given_sound").str.slice(0, 1)}
    ours = seekers.join(families, on="node").with_columns(**initials)
    theirs = pool.join(families, on="node").with_columns(**initials)
    different = pl.col("given") != pl.col("given_other")
    blocks = _joined(ours, theirs, ["surname", "family", "initial"]).filter(different, pl.col("initial") != "")
    # Given parts are judged once per distinct combination: there are far fewer than pairs.
    agreeing = blocks.join(_judge(blocks, given_agree, "given"), on=["given", "given_other"])
    bare = pl.concat(
        [
            _joined(ours.filter(pl.col("given") == ""), theirs, ["surname", "family"]),
            _joined(ours, theirs.filter(pl.col("given") == ""), ["surname", "family"]),
        ],
        how="diagonal",
    ).filter(different)
    sounds = _joined(ours, theirs, ["sound", "family", "sound_initial"]).filter(
        (pl.col("surname") != pl.col("surname_other")) | different, pl.col("sound_initial") != ""
    )
    sounding = sounds.join(_judge(sounds, given_sound_agree, "given_sound"), on=["given_sound", "given_sound_other"])
    agreed = pl.when(_alternative(agreeing)).then(AGREES_WITH_ALTERNATIVE).otherwise(AGREES)
    return pl.concat(
        [
            _related(agreeing, agreed),
            _related(bare.with_columns(letters=pl.lit(0, pl.Int16)), pl.lit(SURNAME_ONLY)),
            _related(sounding, pl.lit(SOUNDS_ALIKE)),
        ]
    )


def _related(pairs: pl.DataFrame, relation: pl.Expr) -> pl.DataFrame:
    full = _is_full(pl.col("given")) & _is_full(pl.col("given_other"))
    return pairs.select(
        "node",
        pl.col("node_other").alias("other"),
        relation.cast(pl.Int8).alias("relation"),
        "letters",
        full.alias("is_full"),
    )


def _judge(pairs: pl.DataFrame, agree: Callable[[str, str], bool], column: str) -> pl.DataFrame:
    """Distinct combinations of a column that agree, with the number of letters agreed on."""
    names = [column, f"{column}_other"]
    rows = [
        (one, other, letters_agreed(one, other))
        for one, other in pairs.select(names).unique().iter_rows()
        if agree(one, other)
    ]
    schema = {names[0]: pl.String(), names[1]: pl.String(), "letters": pl.Int16()}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _with_federations(pairs: pl.DataFrame, nodes: Nodes) -> pl.DataFrame:
    """Add how the federations of the two nodes relate; unknown ones agree with any."""
    listed = nodes.federations.group_by("node").agg(pl.col("body").unique(), pl.col("family").unique())
    ours = pairs.join(listed, on="node", how="left")
    both = ours.join(listed, left_on="other", right_on="node", how="left", suffix="_other")

    def meet(column: str) -> pl.Expr:
        return pl.col(column).list.set_intersection(pl.col(f"{column}_other")).list.len() > 0

    unknown = pl.col("family").is_null() | pl.col("family_other").is_null()
    relation = (
        pl.when(unknown)
        .then(SAME_FAMILY)
        .when(meet("body"))
        .then(SAME_BODY)
        .when(meet("family"))
        .then(SAME_FAMILY)
        .otherwise(OTHER_FEDERATION)
    )
    return both.with_columns(federation_relation=relation.cast(pl.Int8)).drop(
        "body", "family", "body_other", "family_other"
    )
