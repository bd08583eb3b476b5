"""Which versions are in question: whose person is not simply the one behind their number.

Belongs here: telling them from the many that are settled, so that nodes are made and compared for the few only. Not
here: any answer.
"""

from typing import Final

import polars as pl

from pipeline.players import catalogued
from pipeline.players.evidence import Evidence
from pipeline.players.nodes import registered
from pipeline.players.spelling import with_parts

_PARTS: Final = ("surname", "sound")


def in_question(evidence: Evidence, numbered: pl.DataFrame, changed: pl.DataFrame) -> pl.Series:
    """The ``version_key`` of all versions of everybody who may be somebody else, too.

    That is everybody without a number, and those with one who have a surname in common, as written or as it sounds,
    with somebody without; whose number had several holders; who changed it; of whom the catalogue speaks.

    Args:
        evidence: what is known.
        numbered: result of ``numbers.holders``.
        changed: result of ``number_changes.changed_numbers``.
    """
    versions = evidence.versions.join(
        numbered.select("version_key", "holder", "method"), on="version_key", how="left"
    ).select("version_key", "holder", "method", "fide_id", *_PARTS)
    spelled = _spellings(evidence).join(versions.select("version_key", "holder"), on="version_key")
    seeking = pl.concat([frame.filter(pl.col("holder").is_null()).select(_PARTS) for frame in (versions, spelled)])
    names = pl.concat([frame.select("holder", *_PARTS) for frame in (versions, spelled)])
    # A surname that is empty says nothing, nor does a name alone across publishers.
    wanted = {part: seeking[part].filter(seeking[part] != "").unique().implode() for part in _PARTS}
    named_alike = names.filter(
        ~pl.col("holder").str.starts_with("uscf"),
        pl.any_horizontal(pl.col(part).is_in(sought) for part, sought in wanted.items()),
    )
    shared_numbers = versions.filter(pl.col("method") != "fide_id")["fide_id"].drop_nulls().unique()
    several_holders = versions.filter(pl.col("fide_id").is_in(shared_numbers.implode()))
    checked = catalogued.checked_versions(evidence).join(versions, on="version_key")
    holders = pl.concat(
        [
            *(frame["holder"] for frame in (named_alike, several_holders, checked)),
            changed["holder"],
            changed["later_holder"],
        ]
    ).unique()
    return versions.filter(pl.col("holder").is_null() | pl.col("holder").is_in(holders.implode()))["version_key"]


def _spellings(evidence: Evidence) -> pl.DataFrame:
    """Other spellings of the register, taken apart: ``version_key`` of who is registered so, and _PARTS."""
    stated = registered(evidence.register.filter(pl.col("alternative_name").is_not_null()), evidence.versions)
    return with_parts(stated.select("version_key", "alternative_name"), "alternative_name")
