"""Every estimate of the offset for one population and period, as rows of the published tables.

Belongs here: the one entry point ``estimate_offsets`` and the schemas of its tables. Not here: the
estimators, what each shows and warns of (``offset_blocks.py``), and the choice of pairs
(``offset_filters.py``).
"""

from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
import polars as pl

from pipeline.analytics.offset_blocks import Sample, blocks
from pipeline.analytics.offset_bootstrap import DRAWS, percentile_interval, resample_persons
from pipeline.analytics.offset_chained import CHAINED_SCHEMA, chained_offsets, last_list_of_each_year
from pipeline.analytics.offset_errors import ASSUMED, ErrorAssumption
from pipeline.analytics.offset_pairs import Floats, check_one_scale, check_pairs, person_numbers, ratings
from pipeline.analytics.offset_structural import HingedFit, TooFewPairsError, fit_hinged, refit

#: Ratios of the error variances (US over FIDE) that the line is also fitted with, held against the scatter: how much
#: the assumption matters.
HELD_RATIOS: Final = (0.5, 1.0, 2.0)
# A draw of the bootstrap is fitted to this many points 500 points away from the bend, less nearer to it. Even of 100
# thousand pairs, the draws scatter there by twenty times as much.
_DRAW_TOLERANCE: Final = 0.1
_RATIO_WEIGHED: Final = "the assumed ratio of the errors is weighed with the scatter, their size estimated from it"
_RATIO_HELD: Final = "the ratio of the errors is held at the assumed one, their size estimated from the scatter"

_KEYS: Final[dict[str, pl.DataType]] = {
    "population": pl.String(),
    "period": pl.String(),
    "first_list": pl.Date(),
    "last_list": pl.Date(),
}

BY_BAND_SCHEMA: Final[dict[str, pl.DataType]] = {
    **_KEYS,
    "estimator": pl.String(),  # structural, projected_bands, equipercentile, typical_by_fide, typical_by_uscf
    "question": pl.String(),  # SAME_STRENGTH or TYPICAL_RATING
    "band": pl.String(),  # null where the row speaks of one rating
    "rating": pl.Int16(),  # that rating, or the middle of the band (FIDE scale; typical_by_uscf: US scale)
    "uscf_minus_fide_estimate": pl.Float64(),
    "ci_low": pl.Float64(),
    "ci_high": pl.Float64(),
    "quartile_low": pl.Float64(),  # bands: half of the players lie between the two
    "quartile_high": pl.Float64(),
    "range_low": pl.Float64(),  # structural: range of the estimate over held ratios of the errors
    "range_high": pl.Float64(),
    "sample_size": pl.Int64(),  # different persons in the band, or within 100 points
    "caveat": pl.String(),
}

FIT_SCHEMA: Final[dict[str, pl.DataType]] = {
    **_KEYS,
    "assumed_ratio": pl.Float64(),  # variance of the US error over that of the FIDE error
    "ratio_doubt": pl.Float64(),  # standard deviation of its logarithm; 0 = held
    "error_ratio": pl.Float64(),  # the ratio in use: the assumed one weighed with the scatter
    "level_at_2000": pl.Float64(),  # US rating at FIDE strength 2000; null where no line could be fitted
    "slope_below_2000": pl.Float64(),
    "slope_above_2000": pl.Float64(),
    "fide_error": pl.Float64(),  # estimated standard error of a rating as a measure of strength, in points
    "uscf_error": pl.Float64(),
    "pairs_given": pl.Int64(),
    "pairs_fitted": pl.Int64(),
    "converged": pl.Boolean(),
    "caveat": pl.String(),
}

BY_LIST_SCHEMA: Final[dict[str, pl.DataType]] = {**_KEYS, **CHAINED_SCHEMA}
BY_YEAR_SCHEMA: Final[dict[str, pl.DataType]] = {**_KEYS, "year": pl.Int16(), **CHAINED_SCHEMA}


@dataclass(frozen=True, slots=True)
class OffsetEstimates:
    """The tables of one population and period (schemas: BY_BAND_, FIT_, BY_LIST_, BY_YEAR_SCHEMA)."""

    by_band: pl.DataFrame
    fits: pl.DataFrame
    by_list: pl.DataFrame
    by_year: pl.DataFrame


def estimate_offsets(
    pairs: pl.DataFrame,
    *,
    population: str,
    fide_floor: int | None,
    assumed: ErrorAssumption = ASSUMED,
    held_ratios: tuple[float, ...] = HELD_RATIOS,
    draws: int = DRAWS,
    seed: int = 0,
) -> OffsetEstimates:
    """Estimate US regular minus FIDE standard by every estimator, with intervals from a bootstrap over persons.

    The structural estimate is that of the assumed ratio of the errors weighed with the scatter of the pairs; its
    interval contains the doubt about that ratio, its range shows what a ratio held at half and at twice would say.

    Rows that too few persons stand behind are hidden: 30 within 100 points of a strength, 20 in a band. Every pair
    weighs the same, so that a person on twelve lists weighs twelve times in an estimate; intervals and sample sizes
    count persons. The order of the rows does not matter; the same pairs and seed give the same tables.

    Args:
        pairs: pairs (``OFFSET_PAIR_SCHEMA``) that passed the filters, of one population, on one side of March 2024.
        population: name of that population, for the rows.
        fide_floor: floor of the FIDE lists; below it players are missing. Null where there is none.
        assumed: what is thought of the errors; the pairs are weighed against it.
        held_ratios: variances of the US error over that of the FIDE error whose lines make the range.
        draws: bootstrap samples.
        seed: of the bootstrap.

    Raises:
        PairsError: columns or ratings are missing, persons repeated, or both sides of March 2024 are present.
    """
    check_pairs(pairs)
    check_one_scale(pairs)
    ordered = pairs.sort("person_id", "list_date")
    fide, uscf = ratings(ordered)
    if ordered.is_empty():
        schemas = (BY_BAND_SCHEMA, FIT_SCHEMA, BY_LIST_SCHEMA, BY_YEAR_SCHEMA)
        return OffsetEstimates(*(pl.DataFrame(schema=schema) for schema in schemas))
    sample = Sample(fide, uscf, person_numbers(ordered))
    assumptions = [assumed, *(ErrorAssumption.holding(ratio) for ratio in held_ratios)]
    fits = [_fit(sample, fide_floor, assumption) for assumption in assumptions]
    rows = _by_band(sample, fits, assumed, fide_floor, draws, seed)
    by_list = chained_offsets(ordered, draws=draws, seed=seed)
    keys = _keys(ordered, population)
    return OffsetEstimates(
        by_band=_keyed(rows, keys, BY_BAND_SCHEMA),
        fits=_keyed(_fit_rows(sample, fits, assumptions), keys, FIT_SCHEMA),
        by_list=_keyed(by_list, keys, BY_LIST_SCHEMA),
        by_year=_keyed(last_list_of_each_year(by_list), keys, BY_YEAR_SCHEMA),
    )


def _fit(sample: Sample, fide_floor: int | None, assumed: ErrorAssumption) -> HingedFit | None:
    fide, uscf = sample.fide.astype(np.float64), sample.uscf.astype(np.float64)
    try:
        return fit_hinged(fide, uscf, assumed=assumed, persons=sample.persons, fide_floor=fide_floor)
    except TooFewPairsError:
        return None


def _by_band(
    sample: Sample,
    fits: list[HingedFit | None],
    assumed: ErrorAssumption,
    fide_floor: int | None,
    draws: int,
    seed: int,
) -> pl.DataFrame:
    """Rows of all estimators with estimate and interval; every draw of persons serves all of them."""
    fide, uscf = sample.fide.astype(np.float64), sample.uscf.astype(np.float64)
    headline = fits[0]
    # The persons are drawn, and what is thought of their errors: neither is known better than that.
    doubts = np.random.default_rng([seed, 1])
    persons_per_pair = sample.persons / len(fide)
    parts = blocks(sample, fits, fide_floor)
    shown = np.concatenate([part.shown for part in parts])

    def values(weights: Floats, fit: HingedFit | None) -> Floats:
        return np.asarray(np.concatenate([part.evaluate(weights, fit) for part in parts])[shown])

    def of_draw(weights: Floats) -> Floats:
        if headline is None:
            return values(weights, None)
        fit = refit(
            fide,
            uscf,
            headline.line,
            headline.errors,
            weights * persons_per_pair,
            assumed.drawn(doubts),
            fide_floor=fide_floor,
            tolerance=_DRAW_TOLERANCE,
        )
        return values(weights, fit)

    estimate = values(np.ones(len(fide)), headline)
    low, high = percentile_interval(resample_persons(of_draw, sample.person, draws=draws, seed=seed))
    return (
        pl.concat([part.rows for part in parts], how="diagonal")
        .filter(pl.Series(shown))
        .with_columns(
            pl.Series("uscf_minus_fide_estimate", estimate),
            pl.Series("ci_low", low),
            pl.Series("ci_high", high),
        )
        .with_columns(pl.col(pl.Float64).round(1))
    )


def _fit_rows(sample: Sample, fits: list[HingedFit | None], assumptions: list[ErrorAssumption]) -> pl.DataFrame:
    rows = []
    for assumed, fit in zip(assumptions, fits, strict=True):
        given = {
            "assumed_ratio": assumed.ratio,
            "ratio_doubt": assumed.ratio_doubt,
            "pairs_given": len(sample.fide),
        }
        if fit is None:
            rows.append({**given, "caveat": "too few pairs above the floor margin for a line"})
            continue
        rows.append(
            {
                **given,
                "error_ratio": round(fit.errors.ratio, 3),
                "level_at_2000": round(fit.line.level, 2),
                "slope_below_2000": round(fit.line.slope_below, 5),
                "slope_above_2000": round(fit.line.slope_above, 5),
                "fide_error": round(fit.errors.fide, 1),
                "uscf_error": round(fit.errors.uscf, 1),
                "pairs_fitted": int(fit.used.sum()),
                "converged": fit.converged,
                "caveat": _RATIO_WEIGHED if assumed.ratio_doubt else _RATIO_HELD,
            }
        )
    schema = {name: dtype for name, dtype in FIT_SCHEMA.items() if name not in _KEYS}
    return pl.DataFrame(rows, schema=schema)


def _keys(pairs: pl.DataFrame, population: str) -> dict[str, str | date]:
    first, last = pairs.select(pl.col("list_date").min().alias("first"), pl.col("list_date").max().alias("last")).row(0)
    months = [f"{day:%Y-%m}" for day in (first, last)]
    period = months[0] if months[0] == months[1] else " to ".join(months)
    return {"population": population, "period": period, "first_list": first, "last_list": last}


def _keyed(rows: pl.DataFrame, keys: dict[str, str | date], schema: dict[str, pl.DataType]) -> pl.DataFrame:
    """The rows with the columns of the population and period in front, columns and types as in the schema."""
    named = rows.with_columns(pl.lit(value).alias(name) for name, value in keys.items())
    absent = [pl.lit(None).alias(name) for name in schema if name not in named.columns]
    return named.with_columns(absent).select(pl.col(name).cast(dtype) for name, dtype in schema.items())
