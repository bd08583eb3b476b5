"""A rating of one publisher expressed in the scale of the other, from the estimates.

Belongs here: reading the estimated tables at one rating, either way. Not here: making the estimates.

Two questions can be meant, and their answers must not stand in for each other. *Same strength*: which US rating
stands for the same strength as this FIDE rating? One curve, read forwards or backwards. *Typical rating*: what US
rating do players of this FIDE rating have? Medians of the players as they are; backwards it is another table.
"""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal

import numpy as np
import polars as pl

from pipeline.analytics.offset_bands import BAND_WIDTH
from pipeline.analytics.offset_blocks import SAME_STRENGTH, TYPICAL_RATING
from pipeline.analytics.offset_pairs import COMPRESSION
from pipeline.analytics.published_conversions import converted, official_rule

Direction = Literal["fide_to_uscf", "uscf_to_fide"]
Question = Literal["same strength", "typical rating"]

_MEANINGS: Final[dict[tuple[str, str], str]] = {
    (SAME_STRENGTH, "fide_to_uscf"): "the US rating that stands for the same strength as this FIDE rating",
    (SAME_STRENGTH, "uscf_to_fide"): "the FIDE rating that stands for the same strength as this US rating",
    (TYPICAL_RATING, "fide_to_uscf"): "the middle US rating of the players who have this FIDE rating",
    (TYPICAL_RATING, "uscf_to_fide"): "the middle FIDE rating of the players who have this US rating",
}
_ESTIMATORS: Final[dict[tuple[str, str], str]] = {
    (SAME_STRENGTH, "fide_to_uscf"): "structural",
    (SAME_STRENGTH, "uscf_to_fide"): "structural",
    (TYPICAL_RATING, "fide_to_uscf"): "typical_by_fide",
    (TYPICAL_RATING, "uscf_to_fide"): "typical_by_uscf",
}


class NoEstimateError(LookupError):
    """The estimates do not answer the question. The message says what they cover and what to do."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """The answer to one question about one rating.

    Attributes:
        rating: the rating asked about.
        direction: from which system to which.
        on: the day asked about.
        question: which of the two questions is answered.
        meaning: what the estimate is, in words.
        estimate: in points of the other system.
        ci_low, ci_high: interval of the estimate (not of players).
        half_low, half_high: half of the players lie between the two; typical rating only.
        sample_size: persons behind the weaker of the estimates that were interpolated.
        population, period: of the estimates.
        official_rule, official: US Chess's own rule for a first rating on that day and its result; null where no
            rule is known. There is none from US Chess to FIDE.
        caveat: what to know, the period's distance from the day included.
    """

    rating: int
    direction: Direction
    on: date
    question: Question
    meaning: str
    estimate: float
    ci_low: float
    ci_high: float
    half_low: float | None
    half_high: float | None
    sample_size: int
    population: str
    period: str
    official_rule: str | None
    official: float | None
    caveat: str


def convert(
    rating: int,
    direction: Direction,
    on: date,
    fitted: pl.DataFrame,
    *,
    question: Question = "same strength",
    population: str = "usa",
) -> Conversion:
    """Convert one rating by the estimates of the period that covers the day, or the nearest on its scale.

    Args:
        rating: FIDE standard or US regular rating.
        direction: which of the two it is.
        on: the day; it decides on which side of March 2024 the scale is.
        fitted: estimates by band (``OffsetEstimates.by_band``) of any populations and periods.
        question: which question to answer.
        population: whose estimates to use.

    Raises:
        NoEstimateError: no estimates of the population on that side of March 2024, or none near the rating.
    """
    rows = _nearest_period(fitted, _ESTIMATORS[question, direction], population, on)
    backwards = direction == "uscf_to_fide"
    typical = question == TYPICAL_RATING
    point, slope = _strength_at(rows, rating) if backwards and not typical else (_Point.at(rows, rating, typical), 1.0)
    sign = -1 if backwards else 1
    offset = point.read("uscf_minus_fide_estimate")
    estimate = rating + sign * offset
    # On a curve read backwards an error in height becomes one along the scale: divided by the slope.
    ci_low, ci_high = sorted(estimate + sign * (point.read(end) - offset) / slope for end in ("ci_low", "ci_high"))
    quartiles = sorted(rating + sign * point.read(end) for end in ("quartile_low", "quartile_high")) if typical else []
    half_low, half_high = quartiles or (None, None)
    rule = None if backwards else official_rule(on)
    head = rows.row(0, named=True)
    covered = head["first_list"].replace(day=1) <= on.replace(day=1) <= head["last_list"]
    return Conversion(
        rating=rating,
        direction=direction,
        on=on,
        question=question,
        meaning=_MEANINGS[question, direction],
        estimate=round(estimate, 1),
        ci_low=round(ci_low, 1),
        ci_high=round(ci_high, 1),
        half_low=half_low,
        half_high=half_high,
        sample_size=min(point.left["sample_size"], point.right["sample_size"]),
        population=population,
        period=head["period"],
        official_rule=rule,
        official=None if rule is None else _official(rule, rating),
        caveat=point.left["caveat"] + ("" if covered else f"; estimated from lists of {head['period']}"),
    )


@dataclass(frozen=True, slots=True)
class _Point:
    """A place between two neighbouring rows of an estimate; ``share`` is how far it is on the way."""

    left: dict[str, Any]
    right: dict[str, Any]
    share: float

    @classmethod
    def at(cls, rows: pl.DataFrame, rating: float, banded: bool) -> "_Point":
        """The place at a rating. A band's value stands at its middle and holds to its ends."""
        first, last = rows.row(0, named=True), rows.row(-1, named=True)
        reach = BAND_WIDTH // 2 if banded else 0
        if not first["rating"] - reach <= rating <= last["rating"] + reach:
            raise NoEstimateError(
                f"no estimate at {rating:.0f}: {first['estimator']} of {first['population']}, {first['period']}, runs "
                f"from {first['rating'] - reach} to {last['rating'] + reach}, where enough players are"
            )
        below, above = rows.filter(pl.col("rating") <= rating), rows.filter(pl.col("rating") >= rating)
        left = below.row(-1, named=True) if below.height else first
        right = above.row(0, named=True) if above.height else last
        width = right["rating"] - left["rating"]
        if width > BAND_WIDTH:
            raise NoEstimateError(
                f"no estimate at {rating:.0f}: too few players between {left['rating']} and {right['rating']}"
            )
        return cls(left, right, (rating - left["rating"]) / width if width else 0.0)

    def read(self, column: str) -> float:
        """The value at the place, by linear interpolation."""
        return float(self.left[column] + self.share * (self.right[column] - self.left[column]))


def _strength_at(rows: pl.DataFrame, uscf_rating: float) -> tuple[_Point, float]:
    """Where the structural curve reaches a US rating, and its slope there (US points per FIDE point)."""
    fide = rows["rating"].to_numpy().astype(np.float64)
    uscf = fide + rows["uscf_minus_fide_estimate"].to_numpy()
    if not (np.diff(uscf) > 0).all():
        raise NoEstimateError("the estimated curve does not rise throughout, so it cannot be read backwards")
    if not uscf[0] <= uscf_rating <= uscf[-1]:
        raise NoEstimateError(
            f"no estimate at US {uscf_rating:.0f}: the curve runs from {uscf[0]:.0f} to {uscf[-1]:.0f}, "
            "where enough players are"
        )
    point = _Point.at(rows, float(np.interp(uscf_rating, uscf, fide)), banded=False)
    width = point.right["rating"] - point.left["rating"]
    rise = point.right["uscf_minus_fide_estimate"] - point.left["uscf_minus_fide_estimate"]
    return point, 1.0 + rise / width if width else 1.0


def _nearest_period(fitted: pl.DataFrame, estimator: str, population: str, on: date) -> pl.DataFrame:
    """Rows of one estimator and population, of the period nearest to the day on the same scale."""
    side = (pl.col("first_list") >= COMPRESSION) == (on >= COMPRESSION)
    rows = fitted.filter(pl.col("estimator") == estimator, pl.col("population") == population, side)
    if rows.is_empty():
        raise NoEstimateError(
            f"no estimate of {estimator} for the population {population!r} on the scale of {on:%Y-%m} (FIDE changed "
            f"its scale on {COMPRESSION}); load US Chess data of that time, or name another population"
        )
    away = pl.max_horizontal((pl.col("first_list") - on).dt.total_days(), (on - pl.col("last_list")).dt.total_days(), 0)
    # Of several periods that cover the day the shortest is the most specific.
    length = (pl.col("last_list") - pl.col("first_list")).dt.total_days()
    best = rows.sort(away, length, "period").row(0, named=True)
    return rows.filter(pl.col("period") == best["period"]).sort("rating")


def _official(rule: str, rating: int) -> float | None:
    value = float(converted(rule, np.array([rating]))[0])
    return None if np.isnan(value) else round(value, 1)
