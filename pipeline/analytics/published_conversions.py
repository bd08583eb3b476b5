"""Conversions that others published: what each makes of a rating, and which were in force when.

Belongs here: the evaluation of the rules in the catalogue. Not here: our own estimates. A published rule answers
whatever its author meant it for (an initial rating, a pairing, a prize limit) and is drawn beside the estimates.

A rule holds in its own direction only. The inverse of a line fitted or decreed one way is no rule the other way, and
its two pieces belong to their sides of 2000: 180 + 0.94 R below and 20 + 1.02 R above. (Programs exist that have the
pieces exchanged; they give 2436 in place of 2468 for a FIDE rating of 2400.)
"""

from collections.abc import Sequence
from datetime import date
from typing import Final

import numpy as np
import polars as pl

from pipeline.analytics.offset_pairs import Floats, Integers
from pipeline.catalogue.tables import load

CURVE_SCHEMA: Final[dict[str, pl.DataType]] = {
    "rule_id": pl.String(),
    "from_system": pl.String(),
    "to_system": pl.String(),
    "issuer": pl.String(),
    "scope": pl.String(),
    "rating": pl.Int16(),
    "result": pl.Float64(),
    "difference": pl.Float64(),  # result minus rating, in points
    "dated": pl.Boolean(),  # false where it is not known from when on the rule held
}


class UnknownRuleError(LookupError):
    """No published conversion of that name."""


def rules() -> pl.DataFrame:
    """All pieces of all published conversions (catalogue table ``published_conversions``)."""
    return load("published_conversions")


def rules_in_force(on: date, from_system: str, to_system: str) -> pl.DataFrame:
    """Pieces of the rules for one direction in force on a day.

    Rules whose dates are not known are among them unless they are known to be replaced: see ``valid_from``.
    """
    begun = pl.col("valid_from").is_null() | (pl.col("valid_from") <= on)
    not_ended = pl.col("valid_until").is_null() | (pl.col("valid_until") > on)
    direction = (pl.col("from_system") == from_system) & (pl.col("to_system") == to_system)
    return rules().filter(direction, begun, not_ended)


def official_rule(on: date) -> str | None:
    """Name of US Chess's own rule for the first rating of a FIDE-rated player on a day; null where not known."""
    own = (
        rules_in_force(on, "FIDE", "USCF")
        .filter(pl.col("issuer") == "US Chess", pl.col("scope").str.starts_with("initial rating"))
        .get_column("rule_id")
        .unique()
    )
    return str(own.item()) if len(own) == 1 else None


def converted(rule_id: str, ratings: Floats | Integers) -> Floats:
    """What a rule makes of ratings of its ``from_system``; NaN where the rule, as far as known, has no piece.

    Ratings are whole numbers in all systems concerned; a fraction belongs to the piece of the nearest of them.

    Raises:
        UnknownRuleError: the catalogue has no such rule.
    """
    pieces = rules().filter(pl.col("rule_id") == rule_id)
    if pieces.is_empty():
        known = ", ".join(rules()["rule_id"].unique(maintain_order=True))
        raise UnknownRuleError(f"no published conversion {rule_id!r}; there are: {known}")
    whole = np.rint(ratings)
    result = np.full(len(ratings), np.nan)
    for piece in pieces.iter_rows(named=True):
        low = -np.inf if piece["from_min"] is None else piece["from_min"]
        high = np.inf if piece["from_max"] is None else piece["from_max"]
        inside = (whole >= low) & (whole <= high)
        result[inside] = piece["intercept"] + piece["slope"] * ratings[inside]
    return result


def published_curves(
    on: date, ratings: Sequence[int], from_system: str = "FIDE", to_system: str = "USCF"
) -> pl.DataFrame:
    """Every rule in force on a day at every rating, for drawing beside estimates.

    Returns:
        Frame of ``CURVE_SCHEMA``; ratings that a rule does not cover are left out.
    """
    at = np.array(ratings, dtype=np.int64)
    named = ["rule_id", "from_system", "to_system", "issuer"]
    in_force = rules_in_force(on, from_system, to_system)
    heads = in_force.group_by(named, maintain_order=True).agg(
        pl.col("scope").first(), pl.col("valid_from").first().is_not_null().alias("dated")
    )
    curves = [pl.DataFrame(schema=CURVE_SCHEMA)]
    for head in heads.iter_rows(named=True):
        curve = pl.DataFrame({"rating": at, "result": converted(head["rule_id"], at)})
        curves.append(
            curve.filter(pl.col("result").is_not_nan())
            .with_columns(
                (pl.col("result") - pl.col("rating")).alias("difference"),
                *(pl.lit(value).alias(name) for name, value in head.items()),
            )
            .select(pl.col(name).cast(dtype) for name, dtype in CURVE_SCHEMA.items())
        )
    return pl.concat(curves)
