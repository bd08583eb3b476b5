"""Hand-checked spellings: which printed name of which federation and time is whose.

Belongs here: finding the nodes that the catalogue's table ``name_spellings`` speaks of. Not here: the table.
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


def catalogued_pairs(evidence: Evidence, nodes: Nodes) -> pl.DataFrame:
    """Pairs of nodes that are one person by the catalogue: ``node``, ``other``; pairs of a person form a chain."""
    rows = load("name_spellings").with_columns(
        person=pl.concat_str("person_name", pl.col("birth_year").cast(pl.String).fill_null(""), separator="|"),
        key=name_key_expr(pl.col("spelling")),
    )
    printed = evidence.versions.join(nodes.members, on="version_key")
    spelled = (
        printed.filter(pl.col("fide_id").is_null(), pl.col("uscf_id").is_null())
        .with_columns(key=name_key_expr(pl.col("name")))
        .join(rows, on="key", suffix="_row")
    )
    holds = (
        (pl.col("federation_row").is_null() | (pl.col("federation_row") == pl.col("federation")))
        & (pl.col("first_list").is_null() | (pl.col("first_list_date") >= pl.col("first_list")))
        & (pl.col("last_list").is_null() | (pl.col("last_list_date") <= pl.col("last_list")))
    )
    numbers = rows.filter(pl.col("fide_id").is_not_null()).select("person", "fide_id").unique()
    members = pl.concat(
        [
            spelled.filter(holds).select("person", "node"),
            printed.join(numbers, on="fide_id").select("person", "node"),
        ]
    ).unique()
    chains = members.sort("person", "node").group_by("person", maintain_order=True).agg("node")
    pairs = [pair for chain in chains["node"] for pair in pairwise(chain)]
    return pl.DataFrame(pairs, schema={"node": pl.Int32(), "other": pl.Int32()}, orient="row")
