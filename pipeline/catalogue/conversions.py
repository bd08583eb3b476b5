"""Declaration of the published conversions between rating systems.

Belongs here: the columns of the rules. Their evaluation is in ``pipeline.analytics.published_conversions``.
"""

from typing import Final

import polars as pl

from pipeline.catalogue.table import Column, Table

SYSTEMS: Final = ("FIDE", "USCF", "CFC")

PUBLISHED_CONVERSIONS: Final = Table(
    "published_conversions",
    "Conversions between FIDE, US Chess and Canadian ratings that somebody published, as dated pieces.",
    "US Chess rating system documents, rulebooks, organisers and sites named in each row",
    (
        Column("rule_id", pl.String(), "Stable name of the rule; its pieces share it."),
        Column("from_system", pl.String(), "System of the rating that is converted.", allowed=SYSTEMS),
        Column("to_system", pl.String(), "System of the result; no rule holds backwards.", allowed=SYSTEMS),
        Column("issuer", pl.String(), "Who published the rule."),
        Column("scope", pl.String(), "What the rule is used for."),
        Column("from_min", pl.Int16(), "Lowest rating of the piece; empty = no lower limit.", nullable=True),
        Column("from_max", pl.Int16(), "Highest rating of the piece; empty = no upper limit.", nullable=True),
        Column(
            "kind",
            pl.String(),
            "linear: intercept + slope times the rating; constant: the intercept.",
            allowed=("linear", "constant"),
        ),
        Column("intercept", pl.Float64(), "Constant term in points."),
        Column("slope", pl.Float64(), "Points of the result per point of the rating."),
        Column(
            "counts_as_games",
            pl.Int16(),
            "Number of games the converted rating counts as; empty = not stated.",
            nullable=True,
        ),
        Column(
            "valid_from",
            pl.Date(),
            "First day on which the rule is known to be in force; empty = not known.",
            nullable=True,
        ),
        Column(
            "valid_until",
            pl.Date(),
            "First day on which the rule is known to be replaced; empty = in force, or not known.",
            nullable=True,
        ),
        Column("effective", pl.String(), "What is known about the dates, in words."),
        Column("source", pl.String(), "Document or page the rule was read from."),
    ),
    ("rule_id", "from_min"),
)
