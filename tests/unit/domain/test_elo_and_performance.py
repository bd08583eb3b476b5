import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.elo import expected_scores, updated_rating
from pipeline.domain.performance import algorithm_of_400, fide_performance, linear_performance

#: The worked example of a 1613 in five games.
OPPONENTS = [1609, 1477, 1388, 1586, 1720]
opponents = st.lists(st.integers(min_value=1000, max_value=2900), min_size=1, max_size=12)


def test_worked_example_of_1613() -> None:
    expected = expected_scores(1613, OPPONENTS)
    assert [round(float(score), 3) for score in expected] == [0.506, 0.686, 0.785, 0.539, 0.351]
    assert round(float(expected.sum()), 3) == 2.867
    assert round(updated_rating(1613, OPPONENTS, 2.5, 32)) == 1601
    assert round(updated_rating(1613, OPPONENTS, 3, 32)) == 1617


@given(opponents, st.integers(min_value=1000, max_value=2900), st.data())
def test_an_update_is_bounded_and_rises_with_the_score(field: list[int], own: int, data: st.DataObject) -> None:
    halves = data.draw(st.integers(min_value=0, max_value=2 * len(field) - 1))
    lower = updated_rating(own, field, halves / 2, 32)
    higher = updated_rating(own, field, (halves + 1) / 2, 32)
    assert higher - lower == pytest.approx(16)
    assert abs(lower - own) <= 32 * len(field)


def test_fide_performance() -> None:
    assert fide_performance([1500] * 6, 3.5) == 1557
    assert fide_performance([1400], 1) == 2200
    assert fide_performance([2400, 2500], 0) == 1650
    assert fide_performance([2400, 2500, 2450], 1.5) == 2450


def test_algorithm_of_400_counts_wins_minus_losses() -> None:
    # Two wins, a draw and a loss: one win more than losses.
    assert algorithm_of_400([2000, 2100, 2200, 1900], 2.5) == 2050 + 400 * (2 - 1) / 4


def test_linear_performance() -> None:
    assert linear_performance([2400] * 5, 3) == pytest.approx(2485)


@given(opponents, st.data())
def test_performances_rise_with_the_score_and_meet_at_half(field: list[int], data: st.DataObject) -> None:
    halves = data.draw(st.integers(min_value=0, max_value=2 * len(field) - 1))
    for performance in (fide_performance, algorithm_of_400, linear_performance):
        assert performance(field, halves / 2) <= performance(field, (halves + 1) / 2)
        assert performance(field, len(field) / 2) == pytest.approx(sum(field) / len(field), abs=0.5)


@pytest.mark.parametrize("performance", [fide_performance, algorithm_of_400, linear_performance])
def test_impossible_results_are_refused(performance: object) -> None:
    assert callable(performance)
    with pytest.raises(ValueError, match="at least one game"):
        performance([], 0)
    with pytest.raises(ValueError, match="not possible in 2 games"):
        performance([2000, 2000], 2.5)


def test_an_impossible_score_is_refused_by_the_update() -> None:
    with pytest.raises(ValueError, match="not possible in 1 games"):
        updated_rating(2000, [2000], 1.5, 20)
