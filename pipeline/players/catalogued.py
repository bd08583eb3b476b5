"""Hand-checked spellings: which printed name of which federation and time is whose.

Belongs here: finding the versions and nodes that the catalogue's table ``name_spellings`` speaks of. Not here: the
table.
"""

from itertools import pairwise
from typing import Final

import polars as pl

from pipeline.catalogue.tables import load
from pipeline.domain.names import name_key_expr
from pipeline.players.evidence import Evidence
from pipeline.players.nodes import Nodes

METHOD: Final = "hand_checked"
CONFIDENCE: Final = 1.0


def spellings() -> pl.DataFrame:
    """The catalogue's rows with ``person``, one text per person."""
    year = pl.col("birth_year").cast(pl.String)
    return load("name_spellings").with_columns(person=pl.concat_str("person_name", year, separator="|"))


def checked_versions(evidence: Evidence) -> pl.DataFrame:
    """Versions of hand-checked persons, by number or by name, federation and time: ``person``, ``version_key``."""
    rows = spellings().with_columns(key=name_key_expr(pl.col("spelling")))
    spelled = (
        evidence.versions.filter(pl.col("fide_id").is_null(), pl.col("uscf_id").is_null())
        .with_columns(key=name_key_expr(pl.col("name")))
        .join(rows.drop("fide_id", "birth_year"), on=["key", "federation"])
        .filter(
            pl.col("first_list").is_null() | (pl.col("first_list_date") >= pl.col("first_list")),
            pl.col("last_list").is_null() | (pl.col("last_list_date") <= pl.col("last_list")),
        )
    )
    numbers = rows.filter(pl.col("fide_id").is_not_null()).select("person", "fide_id").unique()
    numbered = evidence.versions.join(numbers, on="fide_id")
    found = [frame.select("person", "version_key") for frame in (spelled, numbered)]
    return pl.concat(found).unique().sort("person", "version_key")


def catalogued_pairs(evidence: Evidence, nodes: Nodes) -> pl.DataFrame:
    """Pairs of nodes that are one person by the catalogue: ``node``, ``other``; pairs of a person form a chain."""
    members = checked_versions(evidence).join(nodes.members, on="version_key").select("person", "node").unique()
    chains = members.sort("person", "node").group_by("person", maintain_order=True).agg("node")
    pairs = [pair for chain in chains["node"] for pair in pairwise(chain)]
    return pl.DataFrame(pairs, schema={"node": pl.Int32(), "other": pl.Int32()}, orient="row")
