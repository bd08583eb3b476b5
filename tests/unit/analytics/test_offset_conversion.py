"""Converting one rating: questions and directions kept apart, intervals, dates, limits."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from offset_truth import FLOOR, TRUTH, frame, simulate

from pipeline.analytics.offset_conversion import NoEstimateError, convert
from pipeline.analytics.offset_errors import ErrorAssumption
from pipeline.analytics.offset_report import estimate_offsets

DAY = date(2024, 9, 1)


@pytest.fixture(scope="module")
def fitted() -> pl.DataFrame:
    pairs = simulate(11, persons=6000)
    return estimate_offsets(
        frame(pairs.fide, pairs.uscf),
        population="usa",
        fide_floor=FLOOR,
        assumed=ErrorAssumption(75**2 / 60**2),
        draws=100,
    ).by_band


def test_same_strength_meets_the_truth_both_ways(fitted: pl.DataFrame) -> None:
    for strength in (1550.0, 1850.0, 1963.0, 2000.0, 2240.0):
        truth = float(TRUTH.uscf_at(np.array([strength]))[0])
        forward = convert(round(strength), "fide_to_uscf", DAY, fitted)
        assert forward.estimate == pytest.approx(truth, abs=15)
        assert forward.ci_low < forward.estimate < forward.ci_high
        backward = convert(round(forward.estimate), "uscf_to_fide", DAY, fitted)
        assert backward.estimate == pytest.approx(strength, abs=0.6)
        assert backward.ci_low < backward.estimate < backward.ci_high
        assert forward.half_low is None


def test_an_interval_read_backwards_shrinks_by_the_slope(fitted: pl.DataFrame) -> None:
    forward = convert(1700, "fide_to_uscf", DAY, fitted)
    backward = convert(round(forward.estimate), "uscf_to_fide", DAY, fitted)
    ratio = (forward.ci_high - forward.ci_low) / (backward.ci_high - backward.ci_low)
    assert ratio == pytest.approx(1.57, abs=0.1)


def test_typical_ratings_are_medians_of_players_each_way(fitted: pl.DataFrame) -> None:
    """There and back does not return to the start: two tables, two kinds of regression to the mean."""
    forward = convert(2250, "fide_to_uscf", DAY, fitted, question="typical rating")
    backward = convert(round(forward.estimate), "uscf_to_fide", DAY, fitted, question="typical rating")
    assert backward.estimate < 2225
    pairs = simulate(11, persons=6000)
    band = (pairs.fide >= 2200) & (pairs.fide < 2300)
    assert forward.estimate == pytest.approx(2250 + np.median((pairs.uscf - pairs.fide)[band]))
    quartiles = np.quantile((pairs.uscf - pairs.fide)[band], [0.25, 0.75], method="averaged_inverted_cdf")
    assert (forward.half_low, forward.half_high) == pytest.approx(tuple(2250 + quartiles))
    assert backward.half_low is not None
    assert backward.half_high is not None
    assert backward.half_low < backward.ci_low < backward.estimate < backward.ci_high < backward.half_high


def test_the_answer_says_which_question_it_answers(fitted: pl.DataFrame) -> None:
    strength = convert(1850, "fide_to_uscf", DAY, fitted)
    typical = convert(1850, "uscf_to_fide", DAY, fitted, question="typical rating")
    assert strength.meaning == "the US rating that stands for the same strength as this FIDE rating"
    assert typical.meaning == "the middle FIDE rating of the players who have this US rating"
    assert "assumed ratio of the error variances" in strength.caveat
    assert "not how far the scales are apart" in typical.caveat


def test_the_official_rule_stands_beside_the_estimate_in_its_own_direction(fitted: pl.DataFrame) -> None:
    forward = convert(1850, "fide_to_uscf", DAY, fitted)
    assert (forward.official_rule, forward.official) == ("init-2024", pytest.approx(1825.4))
    backward = convert(1850, "uscf_to_fide", DAY, fitted)
    assert (backward.official_rule, backward.official) == (None, None)


def test_the_period_on_the_same_scale_nearest_to_the_day_answers(fitted: pl.DataFrame) -> None:
    def moved(first: date, last: date, period: str, shift: float) -> pl.DataFrame:
        return fitted.with_columns(
            pl.lit(first).alias("first_list"),
            pl.lit(last).alias("last_list"),
            pl.lit(period).alias("period"),
            pl.col("uscf_minus_fide_estimate") + shift,
        )

    periods = pl.concat(
        [
            moved(date(2023, 1, 1), date(2024, 2, 1), "2023-01 to 2024-02", 100),
            moved(date(2024, 3, 1), date(2024, 12, 1), "2024-03 to 2024-12", 200),
            moved(date(2024, 3, 1), date(2025, 12, 1), "2024-03 to 2025-12", 300),
            moved(date(2025, 1, 1), date(2025, 12, 1), "2025-01 to 2025-12", 400),
        ]
    )

    def answered(day: date) -> tuple[str, bool]:
        answer = convert(1800, "fide_to_uscf", day, periods)
        return answer.period, "estimated from lists of" in answer.caveat

    assert answered(date(2024, 2, 29)) == ("2023-01 to 2024-02", False)
    assert answered(date(2024, 3, 1)) == ("2024-03 to 2024-12", False)
    assert answered(date(2025, 12, 20)) == ("2025-01 to 2025-12", False)
    assert answered(date(2030, 1, 1)) == ("2025-01 to 2025-12", True)
    assert answered(date(2020, 1, 1)) == ("2023-01 to 2024-02", True)


def test_the_other_scale_never_answers(fitted: pl.DataFrame) -> None:
    with pytest.raises(NoEstimateError, match=r"on the scale of 2024-02 .*load US Chess data of that time"):
        convert(1800, "fide_to_uscf", date(2024, 2, 1), fitted)


def test_an_unknown_population_is_refused(fitted: pl.DataFrame) -> None:
    with pytest.raises(NoEstimateError, match="population 'world'"):
        convert(1800, "fide_to_uscf", DAY, fitted, population="world")


def test_nothing_is_extrapolated(fitted: pl.DataFrame) -> None:
    with pytest.raises(NoEstimateError, match="no estimate at 1499: structural of usa, 2024-09, runs from 1500 to"):
        convert(1499, "fide_to_uscf", DAY, fitted)
    with pytest.raises(NoEstimateError, match="no estimate at US 3000: the curve runs from"):
        convert(3000, "uscf_to_fide", DAY, fitted)
    with pytest.raises(NoEstimateError, match="no estimate at 3000: typical_by_uscf of usa"):
        convert(3000, "uscf_to_fide", DAY, fitted, question="typical rating")


def test_a_band_holds_to_its_ends(fitted: pl.DataFrame) -> None:
    lowest = convert(1400, "fide_to_uscf", DAY, fitted, question="typical rating")
    middle = convert(1450, "fide_to_uscf", DAY, fitted, question="typical rating")
    assert lowest.estimate - 1400 == pytest.approx(middle.estimate - 1450)


def test_a_hole_in_the_estimates_is_not_bridged(fitted: pl.DataFrame) -> None:
    holed = fitted.filter(pl.col("rating") != 1800)
    with pytest.raises(NoEstimateError, match="too few players between 1700 and 1900"):
        convert(1790, "fide_to_uscf", DAY, holed)
    assert convert(1900, "fide_to_uscf", DAY, holed) == convert(1900, "fide_to_uscf", DAY, fitted)
