"""Which pairs are fit for an estimate, and how many each filter removed.

Belongs here: the filters in their order, the review mark for suspected wrong links, the populations. Not
here: the estimates, and the linking of persons.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from pipeline.analytics.offset_errors import ErrorAssumption
from pipeline.analytics.offset_pairs import after_compression, check_pairs
from pipeline.analytics.offset_structural import TooFewPairsError, fit_hinged

#: Players younger than this in the year of the list are a series of their own: their FIDE ratings lag.
ADULT_AGE: Final = 21
#: A pair further from the line than this, in points, is suspected to be two persons.
SUSPECT_RESIDUAL: Final = 400
#: US-rated games in 24 months of a player who counts as active in the US.
US_ACTIVITY: Final = 30

COUNT_SCHEMA: Final[dict[str, pl.DataType]] = {
    "step": pl.Int8(),
    "filter": pl.String(),
    "meaning": pl.String(),
    "removed": pl.Int64(),
    "not_known": pl.Int64(),  # pairs that reached the filter, could not be judged, and were let through
    "remaining": pl.Int64(),
}


@dataclass(frozen=True, slots=True)
class JudgedPairs:
    """Pairs with the first filter each failed, and the count of each filter.

    Attributes:
        pairs: the given rows and columns, then ``residual`` (points above the line of the pairs that got as
        far
            as the residual filter) and ``failed_filter`` (null = passed all).
        counts: one row per filter, in order (``COUNT_SCHEMA``).
    """

    pairs: pl.DataFrame
    counts: pl.DataFrame

    @property
    def to_review(self) -> pl.DataFrame:
        """Links suspected to join two persons, largest residual first. Never dropped for good unseen."""
        return self.pairs.filter(pl.col("failed_filter") == "residual").sort(
            pl.col("residual").abs(), "person_id", "list_date", descending=[True, False, False]
        )


@dataclass(frozen=True, slots=True)
class _Filter:
    """One filter: true = passes, false = removed, null = not known, passes and is counted."""

    name: str
    meaning: str
    passes: pl.Expr


def _filters(juniors: bool) -> tuple[_Filter, ...]:
    age = pl.col("list_date").dt.year() - pl.col("birth_year")
    both_play = (pl.col("fide_games") > 0) & (pl.col("uscf_games") > 0)
    age_filter = (
        _Filter("junior", f"under {ADULT_AGE} in the year of the list", age < ADULT_AGE)
        if juniors
        else _Filter("adult", f"{ADULT_AGE} or older in the year of the list", age >= ADULT_AGE)
    )
    return (
        _Filter(
            "same_month",
            "FIDE list and US supplement of the same month",
            pl.col("list_date").dt.truncate("1mo") == pl.col("uscf_list_date").dt.truncate("1mo"),
        ),
        _Filter("uscf_rated", "a US rating is published", pl.col("uscf_rating").is_not_null()),
        _Filter("uscf_established", "US rating not provisional", ~pl.col("uscf_provisional")),
        # A rating at the personal floor is censored: the player may be weaker by any amount.
        _Filter("uscf_above_floor", "US rating not at the floor", pl.col("uscf_rating") > pl.col("uscf_floor")),
        _Filter("fide_rated", "a FIDE rating is published", pl.col("fide_rating").is_not_null()),
        _Filter("fide_active", "not flagged inactive by FIDE", pl.col("active")),
        _Filter("games", "a rated game within twelve months on each side", both_play),
        age_filter,
        _Filter(
            "residual",
            f"within {SUSPECT_RESIDUAL} points of the fitted line; others go to review as suspect links",
            pl.col("residual").abs() <= SUSPECT_RESIDUAL,
        ),
        _Filter("federation", "FIDE federation USA", pl.col("federation") == "USA"),
    )


_PASSED: Final = pl.col("failed_filter").is_null()
_PASSED_BUT_FOR_FEDERATION: Final = _PASSED | (pl.col("failed_filter") == "federation")
_US_ACTIVE: Final = pl.col("uscf_games_24_months") >= US_ACTIVITY
_LINKED_BY_ID: Final = pl.col("link_method") == "fide_id"

#: Populations that estimates are given for, as filters on judged pairs. "usa" takes every pair that passed;
#: "usa_active" those with 30 US-rated games in 24 months, known to have them; "everybody" any federation.
#: With "_fide_id" only links that the US record itself states.
POPULATIONS: Final[dict[str, pl.Expr]] = {
    "usa": _PASSED,
    "usa_active": _PASSED & _US_ACTIVE,
    "everybody": _PASSED_BUT_FOR_FEDERATION,
    "usa_fide_id": _PASSED & _LINKED_BY_ID,
    "usa_active_fide_id": _PASSED & _US_ACTIVE & _LINKED_BY_ID,
    "everybody_fide_id": _PASSED_BUT_FOR_FEDERATION & _LINKED_BY_ID,
}


def judge_pairs(pairs: pl.DataFrame, *, juniors: bool = False) -> JudgedPairs:
    """Run the filters in order: months, US rating, FIDE rating, age, residual, federation.

    Lists before and after March 2024 may stand in one frame; residuals are taken from a line for each side.
    What is not known is let through and counted: most sources lack game counts, and a filter on unknown
    values would keep the well-documented players only.

    Args:
        pairs: frame with the columns of ``OFFSET_PAIR_SCHEMA``.
        juniors: judge for the series of players under 21 in place of the main one.

    Raises:
        PairsError: columns are missing, or a person occurs twice on one list.
    """
    check_pairs(pairs)
    judged = pairs.with_columns(
        pl.lit(None, dtype=pl.Float64).alias("residual"), pl.lit(None, dtype=pl.String).alias("failed_filter")
    )
    counts = []
    for step, rule in enumerate(_filters(juniors), start=1):
        if rule.name == "residual":
            judged = judged.with_columns(_residuals(judged))
        reached = pl.col("failed_filter").is_null()
        removed, not_known, reaching = judged.select(
            (reached & ~rule.passes).sum().alias("removed"),
            (reached & rule.passes.is_null()).sum().alias("not_known"),
            reached.sum().alias("reaching"),
        ).row(0)
        judged = judged.with_columns(
            pl.when(reached & ~rule.passes).then(pl.lit(rule.name)).otherwise("failed_filter").alias("failed_filter")
        )
        counts.append((step, rule.name, rule.meaning, removed, not_known, reaching - removed))
    return JudgedPairs(judged, pl.DataFrame(counts, schema=COUNT_SCHEMA, orient="row"))


def _residuals(judged: pl.DataFrame) -> pl.Series:
    """US rating minus that of the line at the FIDE rating; null where no line can be fitted.

    The rating gap serves to question a link here, never to accept one: that would shrink the spread measured.
    """
    found = np.full(judged.height, np.nan)
    for side in (after_compression("list_date"), ~after_compression("list_date")):
        rows = judged.select(pl.col("failed_filter").is_null() & side).to_series().to_numpy()
        fide = judged["fide_rating"].cast(pl.Float64).to_numpy()[rows]
        uscf = judged["uscf_rating"].cast(pl.Float64).to_numpy()[rows]
        try:
            line = fit_hinged(fide, uscf, assumed=ErrorAssumption.holding(1.0)).line
        except TooFewPairsError:
            continue
        found[rows] = uscf - line.uscf_at(fide)
    return pl.Series("residual", found).fill_nan(None)
