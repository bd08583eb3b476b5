"""Intervals: how often they hold the truth, and that persons are drawn, not rows."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from offset_truth import FLOOR, TRUTH, frame, simulate

from pipeline.analytics.offset_bootstrap import percentile_interval, resample_persons
from pipeline.analytics.offset_errors import ErrorAssumption
from pipeline.analytics.offset_report import estimate_offsets

STRENGTHS = [1500, 1600, 1700, 1800, 1900, 2000, 2200, 2400]


@pytest.mark.parametrize(
    "ratio", [75**2 / 60**2, 75**2 / 78**2], ids=["right ratio assumed", "FIDE error assumed 30 % too large"]
)
def test_intervals_hold_the_truth_85_to_98_times_in_a_hundred(ratio: float) -> None:
    """Through the whole entry point; 60 samples."""
    held = []
    for seed in range(60):
        pairs = simulate(seed)
        rows = estimate_offsets(
            frame(pairs.fide, pairs.uscf),
            population="simulated",
            fide_floor=FLOOR,
            assumed=ErrorAssumption(ratio),
            held_ratios=(),
            draws=100,
            seed=seed,
        ).by_band.filter(pl.col("estimator") == "structural", pl.col("rating").is_in(STRENGTHS))
        # At 2400 only some samples have the 30 persons that are asked for.
        truth = TRUTH.offset(rows["rating"].to_numpy().astype(float))
        inside = ((rows["ci_low"] <= truth) & (rows["ci_high"] >= truth)).to_numpy()
        held += zip(rows["rating"], inside, strict=True)
    shares = pl.DataFrame(held, schema=["rating", "held"], orient="row").group_by("rating").agg(pl.col("held").mean())
    assert 0.85 <= np.mean([inside for _, inside in held]) <= 0.98
    assert shares.filter(pl.col("rating") < 2400)["held"].min() >= 0.85  # type: ignore[operator]


def test_twelve_lists_of_the_same_persons_are_no_more_evidence_than_one() -> None:
    pairs = simulate(1, persons=400)
    months = [frame(pairs.fide, pairs.uscf, on=date(2025, month, 1)) for month in range(1, 13)]

    def width(given: pl.DataFrame) -> float:
        rows = estimate_offsets(given, population="simulated", fide_floor=FLOOR, draws=200, seed=1).by_band
        row = rows.filter(pl.col("estimator") == "structural", pl.col("rating") == 1800)
        return float((row["ci_high"] - row["ci_low"]).item())

    assert width(pl.concat(months)) == pytest.approx(width(months[0]), rel=0.02)


def test_draws_are_persons_with_all_their_rows() -> None:
    person = np.array([0, 0, 1, 2, 2, 2])
    drawn = resample_persons(lambda weights: weights, person, draws=50, seed=3)
    assert (drawn[:, 0] == drawn[:, 1]).all()
    assert (drawn[:, 3] == drawn[:, 5]).all()
    assert (drawn[:, [0, 2, 3]].sum(axis=1) == 3).all()
    assert (drawn == resample_persons(lambda weights: weights, person, draws=50, seed=3)).all()
    assert (drawn != resample_persons(lambda weights: weights, person, draws=50, seed=4)).any()


def test_the_interval_is_that_of_the_middle_95_percent() -> None:
    low, high = percentile_interval(np.arange(1001.0)[:, None])
    assert (low.item(), high.item()) == pytest.approx((25, 975))
