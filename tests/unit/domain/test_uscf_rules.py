from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.catalogue.tables import load
from pipeline.domain.dated import UnknownRuleError
from pipeline.domain.uscf_rules import (
    BONUS_THRESHOLDS,
    absolute_floor,
    age_start,
    bonus_threshold_on,
    effective_games,
    event_update,
    peak_floor,
    special_rating,
    special_rating_approximation,
    uscf_k,
)

FIELD = [1700, 1750, 1800, 1850, 1900]
TODAY = date(2026, 1, 1)
ratings = st.integers(min_value=200, max_value=2600)
fields = st.lists(ratings, min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("rating", "worth"), [(1000, 11.515), (1400, 15.24), (1800, 22.29), (2000, 28.61), (2200, 38.71), (2356, 50)]
)
def test_effective_games(rating: int, worth: float) -> None:
    assert float(effective_games(rating, 1000)) == pytest.approx(worth, abs=0.005)
    assert float(effective_games(rating, 5)) == 5


@pytest.mark.parametrize(
    ("day", "threshold", "after"),
    [
        (date(2018, 1, 1), 14, 1856.64),
        (date(2023, 2, 1), 12, 1861.11),
        (date(2025, 6, 1), 10, 1865.59),
    ],
)
def test_worked_event_with_bonus_by_date(day: date, threshold: int, after: float) -> None:
    update = event_update(day, 1800, 100, FIELD, 4)
    assert bonus_threshold_on(day).value == threshold
    assert update.k == pytest.approx(29.316, abs=0.0005)
    assert update.expected == pytest.approx(2.5)
    assert update.rating == pytest.approx(after, abs=0.005)
    assert update.rating - update.bonus == pytest.approx(1843.97, abs=0.005)


def test_worked_single_game() -> None:
    winner = event_update(TODAY, 1250, 30, [1400], 1)
    loser = event_update(TODAY, 1400, 9, [1250], 0)
    assert (round(winner.rating, 1), round(loser.rating, 1)) == (1288.5, 1343.7)
    assert winner.bonus == 0


def test_who_only_ever_won_is_special_and_loses_nothing_by_beating_weak_players() -> None:
    weak = [1000, 1100, 1200]
    update = event_update(TODAY, 1900, 40, weak, 3, record="wins")
    assert (update.formula, update.rating) == ("special", 1900)
    assert event_update(TODAY, 1900, 40, weak, 3).formula == "standard"
    # 10 games are worth 10: 10 (0.5 + (R - 1000) / 800) + 0.5 + (R - 1400) / 800 = 10, so 11 R = 15000.
    assert special_rating(1400, 10, [1400], 0, "wins") == pytest.approx(15000 / 11)


@given(st.integers(min_value=800, max_value=2000), st.integers(min_value=0, max_value=60), fields, st.data())
def test_wins_only_and_losses_only_mirror_each_other(
    own: int, games: int, field: list[int], data: st.DataObject
) -> None:
    score = data.draw(st.integers(min_value=0, max_value=2 * len(field))) / 2
    turned = [2 * own - rating for rating in field]
    up = special_rating(own, games, field, score, "wins") - own
    down = own - special_rating(own, games, turned, len(field) - score, "losses")
    # The limits 100 and 2700 are not turned round; within both the two agree.
    reach = min(own - 100, 2700 - own)
    assert max(-reach, min(up, reach)) == pytest.approx(max(-reach, min(down, reach)), abs=1e-6)


def test_worked_special_rating() -> None:
    update = event_update(TODAY, 1500, 6, [1400, 1550, 1650], 1.5)
    assert update.formula == "special"
    assert round(update.rating) == 1511
    assert round(special_rating_approximation(1500, 6, [1400, 1550, 1650], 1.5)) == 1511


def test_no_bonus_for_many_games_with_one_opponent() -> None:
    assert event_update(TODAY, 1800, 100, FIELD, 4, most_games_with_one_opponent=3).bonus == 0
    assert event_update(TODAY, 1800, 100, FIELD, 4, most_games_with_one_opponent=2).bonus > 0
    assert event_update(TODAY, 1200, 100, [1700] * 3, 3, most_games_with_one_opponent=2).bonus == 0
    assert event_update(TODAY, 1200, 100, [1700] * 3, 3).bonus > 0


def test_days_on_which_sources_disagree_are_unknown() -> None:
    with pytest.raises(UnknownRuleError, match="January or June 2025"):
        event_update(date(2025, 3, 1), 1800, 100, FIELD, 4)
    with pytest.raises(UnknownRuleError, match="earliest known one holds from 2008-06-01"):
        event_update(date(2001, 3, 1), 1800, 100, FIELD, 4)
    assert event_update(date(2025, 3, 1), 1800, 100, FIELD[:2], 2).bonus == 0


def test_dual_rated_k_is_continuous_at_2200_and_2500() -> None:
    assert uscf_k(2200.001, 100, 5, dual_rated=True) == pytest.approx(uscf_k(2200, 100, 5, dual_rated=True), rel=1e-3)
    assert uscf_k(2499.999, 100, 5, dual_rated=True) == pytest.approx(uscf_k(2500, 100, 5, dual_rated=True), rel=1e-3)
    assert uscf_k(2500, 100, 5) == pytest.approx(800 / 55)
    with pytest.raises(ValueError, match="at least one game"):
        uscf_k(1500, 0, 0)


@given(ratings, st.integers(min_value=9, max_value=500), fields, st.data())
def test_the_new_rating_rises_with_the_score(own: int, games: int, field: list[int], data: st.DataObject) -> None:
    halves = data.draw(st.integers(min_value=0, max_value=2 * len(field) - 1))
    lower = event_update(TODAY, own, games, field, halves / 2)
    higher = event_update(TODAY, own, games, field, (halves + 1) / 2)
    assert 100 <= lower.rating <= higher.rating
    assert lower.bonus >= 0


@given(ratings, st.integers(min_value=0, max_value=8), fields, st.data())
def test_the_special_rating_solves_its_equation(own: int, games: int, field: list[int], data: st.DataObject) -> None:
    score = data.draw(st.integers(min_value=0, max_value=2 * len(field))) / 2
    found = special_rating(own, games, field, score)
    worth = float(effective_games(own, games))

    def surplus(points: float) -> float:
        def expectancy(difference: float) -> float:
            return min(1.0, max(0.0, 0.5 + difference / 800))

        left = worth * expectancy(points - own) + sum(expectancy(points - other) for other in field)
        return left - (score + worth / 2)

    assert 100 <= found <= 2700
    if 100 < found < 2700:
        assert surplus(found) == pytest.approx(0, abs=1e-6)
    elif found == 100:
        assert surplus(found) >= -1e-6
    else:
        assert surplus(found) <= 1e-6


def test_an_unrated_perfect_score_stands_400_above_the_best_opponent() -> None:
    assert special_rating(1300, 0, [1400, 1500], 2) == 1900
    assert special_rating(1300, 0, [1800, 1900], 0) == 1300
    assert special_rating(1300, 0, [1500, 1600], 0) == 1100
    assert special_rating(1300, 0, [2500, 2600], 2) == 2700


@pytest.mark.parametrize(("age", "start"), [(1, 100), (10, 500), (25, 1250), (26, 1300), (70, 1300)])
def test_age_start(age: int, start: int) -> None:
    assert age_start(age) == start


def test_floors() -> None:
    assert absolute_floor(0, 0, 0) == 100
    assert absolute_floor(5, 2, 3) == 127
    assert absolute_floor(50, 0, 20) == 150
    assert [peak_floor(peak) for peak in (1399, 1400, 1999, 2250, 2300, 2850)] == [None, 1200, 1700, 2000, 2100, 2100]


def test_impossible_scores_are_refused() -> None:
    for field, score in (([], 0), ([1500], 2)):
        with pytest.raises(ValueError, match="not possible"):
            event_update(TODAY, 1500, 100, field, score)
        with pytest.raises(ValueError, match="not possible"):
            special_rating(1500, 4, field, score)


def test_the_rule_calendar_states_the_thresholds() -> None:
    calendar = load("rule_changes").filter(load("rule_changes")["kind"] == "bonus")
    stated = [(rule.valid_from, str(rule.value)) for rule in BONUS_THRESHOLDS if rule.value is not None]
    assert list(zip(calendar["rule_date"], calendar["value"], strict=True)) == stated
