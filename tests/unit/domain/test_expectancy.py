import math
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.catalogue.tables import load
from pipeline.domain.expectancy import (
    DP_OF_PERCENT,
    PD_LIMITS,
    fide_expected_percent,
    fide_expected_score,
    fide_expected_score_expr,
    fide_rating_difference,
    logistic_expected_score,
    logistic_expected_score_expr,
)

DIFFERENCES = np.arange(0, 736)
#: Differences at which the table is not the rounded normal curve.
IRREGULAR = [54, 343, 344, 358, 392, 620]
differences = st.integers(min_value=-3000, max_value=3000)


def normal_curve_percent(difference: int) -> int:
    phi = 0.5 * (1 + math.erf(7 * difference / 2000 / math.sqrt(2)))
    return math.floor(100 * phi + 0.5)


def test_the_code_holds_the_published_pd_table() -> None:
    for low, high, higher, lower in load("fide_8_1_pd").iter_rows():
        band = np.arange(low, (high or 3000) + 1)
        assert (fide_expected_score(band) == higher).all()
        if low > 0:
            assert (fide_expected_score(-band) == lower).all()
    assert load("fide_8_1_pd").height == len(PD_LIMITS) + 1


def test_the_code_holds_the_published_dp_table() -> None:
    table = load("fide_8_1_dp")
    assert (fide_rating_difference(table["p"].to_numpy()) == table["dp"].to_numpy()).all()
    assert table.height == 2 * len(DP_OF_PERCENT) - 1


def test_the_table_is_a_rounded_normal_curve_but_for_six_differences() -> None:
    curve = np.array([normal_curve_percent(int(difference)) for difference in DIFFERENCES])
    assert DIFFERENCES[curve != fide_expected_percent(DIFFERENCES)].tolist() == IRREGULAR


def test_the_logistic_curve_is_another_one() -> None:
    logistic = np.floor(100 * logistic_expected_score(DIFFERENCES) + 0.5)
    assert int((logistic != fide_expected_percent(DIFFERENCES)).sum()) == 460


def test_dp_is_the_middle_of_its_pd_band() -> None:
    for percent, (low, high) in enumerate(pairwise(PD_LIMITS), start=51):
        assert fide_rating_difference(percent / 100) == (low + high - 1) // 2


@given(st.integers(min_value=0, max_value=100))
def test_dp_is_antisymmetric(percent: int) -> None:
    assert fide_rating_difference(percent / 100) == -fide_rating_difference(1 - percent / 100)


@given(differences)
def test_expectancies_of_both_players_add_to_one(difference: int) -> None:
    both = int(fide_expected_percent(difference)) + int(fide_expected_percent(-difference))
    assert both == 100


@given(differences, differences)
def test_expectancy_rises_with_the_difference_and_stays_in_bounds(one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert 0 <= fide_expected_score(low) <= fide_expected_score(high) <= 1
    assert 0 < logistic_expected_score(low) <= logistic_expected_score(high) < 1


@given(st.floats(min_value=0, max_value=1), st.floats(min_value=0, max_value=1))
def test_dp_rises_with_the_score(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert -800 <= fide_rating_difference(low) <= fide_rating_difference(high) <= 800


@given(st.lists(st.none() | differences, min_size=1))
def test_columns_and_arrays_agree(values: list[int | None]) -> None:
    frame = pl.DataFrame({"d": values}, schema={"d": pl.Int16()})
    found = frame.select(fide=fide_expected_score_expr(pl.col("d")), logistic=logistic_expected_score_expr(pl.col("d")))
    for value, fide, logistic in zip(values, found["fide"], found["logistic"], strict=True):
        if value is None:
            assert fide is None
            assert logistic is None
        else:
            assert fide == fide_expected_score(value)
            assert logistic == pytest.approx(float(logistic_expected_score(value)))


@pytest.mark.parametrize(
    ("score", "games", "dp"), [(6, 7, 309), (3.5, 6, 57), (1, 8, -322), (7, 8, 336), (2, 4, 0), (0.285, 1, -158)]
)
def test_a_fractional_score_is_read_to_the_nearest_hundredth(score: float, games: int, dp: int) -> None:
    assert fide_rating_difference(score / games) == dp


@pytest.mark.parametrize("score", [-0.01, 1.01, float("nan")])
def test_an_impossible_score_is_refused(score: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        fide_rating_difference(score)
