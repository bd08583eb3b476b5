"""Nodes: what is linked. One per person with a number, one per name and federation printed without a number.

Belongs here: making nodes of versions, and the facts about a node that linking compares. Not here: which nodes
belong together.
"""

from dataclasses import dataclass
from typing import Final

import polars as pl

from pipeline.catalogue.tables import load
from pipeline.domain.federations import FederationCodes
from pipeline.players.evidence import Evidence
from pipeline.players.spelling import with_parts

#: Names as they are compared: parts, and the parts as sounds.
NAME_COLUMNS: Final = ("node", "surname", "given", "generation", "sound", "given_sound", "origin")
#: Columns that lead from the register to a version.
_REGISTERED_AS: Final = ["name", "fide_id", "federation", "birth_year"]


@dataclass(frozen=True, slots=True)
class Nodes:
    """All nodes and their facts.

    Attributes:
        members: ``version_key``, ``node``.
        facts: ``node``, ``holder`` (null = printed without a number), ``first_list_date``, ``last_list_date``,
            ``birth_year``, ``death_year``, ``sex``.
        names: NAME_COLUMNS; ``origin`` is ``printed`` or ``alternative``.
        federations: ``node``, ``body`` (code of the same body today), ``family`` (codes that follow each other).
    """

    members: pl.DataFrame
    facts: pl.DataFrame
    names: pl.DataFrame
    federations: pl.DataFrame


def federation_families() -> pl.DataFrame:
    """Every code with ``body``, its code of today, and ``family``, one code for all that follow each other.

    Codes that name no country have neither.
    """
    table = load("federations")
    codes = FederationCodes.from_frame(table.filter(pl.col("kind") == "member"))
    family = {code: code for code in codes.names}
    for code in sorted(codes.names):
        joined = {family[code], *(family[later] for later in codes.successors(code))}
        family = {known: min(joined) if old in joined else old for known, old in family.items()}
    return pl.DataFrame(
        {
            "federation": list(codes.names),
            "body": [codes.renamed_to(code) for code in codes.names],
            "family": [family[code] for code in codes.names],
        }
    )


def make_nodes(evidence: Evidence, numbered: pl.DataFrame) -> Nodes:
    """Nodes of all versions.

    Args:
        evidence: what is known.
        numbered: result of ``numbers.holders``.
    """
    families = federation_families()
    versions = evidence.versions.join(numbered.select("version_key", "holder"), on="version_key", how="left").join(
        families, on="federation", how="left"
    )
    key = pl.concat_str(
        pl.col("surname").fill_null(""),
        pl.col("given").fill_null(""),
        pl.col("generation").fill_null(""),
        pl.coalesce("body", "federation", pl.lit("")),
        pl.col("birth_year").cast(pl.String).fill_null(""),
        separator="|",
    )
    keyed = versions.with_columns(key=pl.coalesce("holder", key))
    unnumbered = keyed.filter(pl.col("holder").is_null()).select("version_key", "key")
    together = _printed_together(evidence, unnumbered)
    keyed = keyed.with_columns(
        key=pl.when(pl.col("version_key").is_in(together.implode()))
        .then(pl.concat_str("key", pl.lit("|"), "name", pl.lit("|"), "version_key"))
        .otherwise("key")
    )
    members = keyed.with_columns(node=(pl.col("key").rank("dense") - 1).cast(pl.Int32)).sort("version_key")
    register = registered(evidence.register, members.select(*_REGISTERED_AS, "uscf_id", "node"))
    facts = (
        members.sort("last_list_date", "version_key")
        .group_by("node", maintain_order=True)
        .agg(
            pl.col("holder").first(),
            pl.col("first_list_date").min(),
            pl.col("last_list_date").max(),
            pl.col("birth_year").drop_nulls().last(),
            unanimous("sex"),
        )
        .join(register.group_by("node").agg(pl.col("death_year").max()), on="node", how="left")
        .sort("node")
    )
    return Nodes(
        members.select("version_key", "node"),
        facts,
        _names(members, register),
        _federations(members, register, families),
    )


def unanimous(column: str) -> pl.Expr:
    """The one value a group states, null where it states none or several."""
    stated = pl.col(column).drop_nulls()
    return pl.when(stated.n_unique() == 1).then(stated.min()).alias(column)


def _printed_together(evidence: Evidence, keyed: pl.DataFrame) -> pl.Series:
    """Versions of one name and federation that an edition has as two entries: two people, whoever they are."""
    shared = keyed.filter(pl.col("key").is_duplicated())
    clashing = (
        evidence.appearances(shared["version_key"], False)
        .join(shared, on="version_key")
        .group_by("key", "list_key", "source_key")
        .agg(pl.len().alias("entries"))
        .filter(pl.col("entries") > 1)
    )
    return shared.filter(pl.col("key").is_in(clashing["key"].unique().implode()))["version_key"]


def registered(register: pl.DataFrame, versions: pl.DataFrame) -> pl.DataFrame:
    """Rows of the register with what ``versions`` know of their person.

    They are found as they are printed on the collection's lists; the first of several such versions stands for all.
    """
    listed = versions.filter(pl.col("uscf_id").is_null()).drop("uscf_id")
    printed = listed.join(register, on=_REGISTERED_AS, how="semi", nulls_equal=True)
    first = printed.unique(_REGISTERED_AS, keep="first", maintain_order=True)
    return register.join(first, on=_REGISTERED_AS, nulls_equal=True)


def _names(members: pl.DataFrame, register: pl.DataFrame) -> pl.DataFrame:
    alternative = with_parts(
        register.select("node", "alternative_name").filter(pl.col("alternative_name").is_not_null()),
        "alternative_name",
    ).with_columns(origin=pl.lit("alternative"))
    printed = members.with_columns(origin=pl.lit("printed"))
    return (
        pl.concat([printed.select(NAME_COLUMNS), alternative.select(NAME_COLUMNS)])
        .filter(pl.col("surname").fill_null("") != "")
        .unique(["node", "surname", "given", "generation"], keep="first", maintain_order=True)
    )


def _federations(members: pl.DataFrame, register: pl.DataFrame, families: pl.DataFrame) -> pl.DataFrame:
    printed = members.filter(pl.col("body").is_not_null()).select("node", "body", "family")
    known = (
        register.select("node", federation=pl.col("federations").str.split("/"))
        .explode("federation")
        .join(families, on="federation")
        .select("node", "body", "family")
    )
    return pl.concat([printed, known]).unique().sort("node", "body")
