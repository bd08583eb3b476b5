from datetime import date
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.catalogue.tables import load
from pipeline.domain.dated import DatedRule, UnknownRuleError, rule_on
from pipeline.domain.fide_regulations import (
    DIFFERENCE_CAPS,
    INITIAL_RATINGS,
    RAPID_BLITZ_K,
    STANDARD_K,
    difference_cap_on,
    initial_rating_on,
    k_factors_on,
)
from pipeline.domain.fide_rules import (
    compressed_rating,
    compressed_rating_expr,
    counted_difference_expr,
    counted_differences,
    expected_percent,
    initial_rating,
    k_factor,
    k_factor_expr,
    k_for_period,
    rating_change,
    rounded_rating,
)

OCT_2025 = date(2025, 10, 1)
MAR_2024 = date(2024, 3, 1)
ratings = st.integers(min_value=1000, max_value=2900)
days = st.dates(min_value=date(2003, 1, 1), max_value=date(2030, 1, 1))


# --- differences and changes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "own", "opponent", "percent"),
    [
        (date(2008, 6, 1), 2550, 2000, 89),  # 350 counts
        (date(2010, 1, 1), 2550, 2000, 92),  # 400 counts
        (date(2025, 9, 30), 2700, 2200, 92),
        (OCT_2025, 2700, 2200, 96),
        (OCT_2025, 2200, 2700, 8),
        (OCT_2025, 2649, 2100, 92),
        (OCT_2025, 2650, 2100, 97),
        (MAR_2024, 2400, 2500, 36),
        (MAR_2024, 2200, 1950, 81),
    ],
)
def test_expected_score_of_one_game(day: date, own: int, opponent: int, percent: int) -> None:
    assert expected_percent(own, [opponent], day).tolist() == [percent]


def test_from_october_2025_two_expectancies_need_not_add_to_one() -> None:
    both = expected_percent(2700, [2200], OCT_2025) + expected_percent(2200, [2700], OCT_2025)
    assert both.tolist() == [104]


def test_a_2200_meets_a_1000_as_if_an_1800() -> None:
    assert counted_differences(2200, [1000], MAR_2024).tolist() == [400]
    assert expected_percent(2200, [1000], MAR_2024).tolist() == expected_percent(2200, [1800], MAR_2024).tolist()


def test_in_2022_one_game_of_an_event_is_capped() -> None:
    assert counted_differences(2600, [2000, 1900, 2100, 2500], date(2022, 6, 1)).tolist() == [600, 400, 500, 100]
    assert counted_differences(2600, [2000, 1900, 2100, 2500], date(2024, 6, 1)).tolist() == [400, 400, 400, 100]
    assert counted_differences(2100, [2600, 2550], date(2022, 6, 1)).tolist() == [-400, -450]


@given(days, ratings, st.lists(ratings, min_size=1, max_size=9))
def test_a_cap_only_shortens_differences(day: date, own: int, opponents: list[int]) -> None:
    true = own - np.array(opponents)
    counted = counted_differences(own, opponents, day)
    cap = difference_cap_on(day).value
    assert (np.abs(counted) <= np.abs(true)).all()
    assert (np.sign(counted) == np.sign(true)).all()
    beyond = int((np.abs(counted) > cap.points).sum())
    if cap.uncapped_from is not None and own >= cap.uncapped_from:
        assert (counted == true).all()
    elif cap.games_per_event is None:
        assert beyond == 0
    else:
        assert beyond == max(0, int((np.abs(true) > cap.points).sum()) - cap.games_per_event)


@given(days, ratings, ratings)
def test_columns_and_arrays_count_a_single_game_alike(day: date, own: int, opponent: int) -> None:
    frame = pl.DataFrame({"own": [own], "opponent": [opponent]}, schema_overrides={"own": pl.Int16()})
    found = frame.select(counted_difference_expr(pl.col("own"), pl.col("opponent"), day)).item()
    assert found == counted_differences(own, [opponent], day)[0]


@pytest.mark.parametrize(
    ("own", "k", "opponent", "score", "change"),
    [
        (2400, 10, 2500, 1, 6.4),
        (1600, 20, 1725, 1, 13.4),
        (1600, 20, 1725, 0, -6.6),
        (2400, 10, 2200, 1, 2.4),
        (2400, 10, 2200, 0, -7.6),
    ],
)
def test_worked_changes(own: int, k: int, opponent: int, score: float, change: float) -> None:
    assert rating_change(MAR_2024, own, [opponent], [score], k) == change


def test_the_uncapped_win_of_a_2700() -> None:
    assert rating_change(OCT_2025, 2700, [2200], [1], 10) == 0.4
    assert rating_change(date(2025, 9, 1), 2700, [2200], [1], 10) == 0.8


def test_changes_add_up_over_games() -> None:
    # 2200 against 2300 and 1950: 0.36 + 0.81 expected.
    assert rating_change(MAR_2024, 2200, [2300, 1950], [1, 0.5], 20) == pytest.approx(20 * (1.5 - 1.17))
    assert rating_change(MAR_2024, 2200, [], [], 20) == 0


@given(ratings, ratings, st.sampled_from([10, 15, 20, 25, 30, 40]))
def test_below_the_exempt_what_one_wins_the_other_loses(own: int, opponent: int, k: int) -> None:
    won = rating_change(MAR_2024, own, [opponent], [1], k)
    lost = rating_change(MAR_2024, opponent, [own], [0], k)
    assert won == -lost
    assert 0 <= won <= k


def test_broken_events_are_refused() -> None:
    with pytest.raises(ValueError, match="2 opponents but 1 scores"):
        rating_change(MAR_2024, 2000, [2000, 2100], [1], 20)
    with pytest.raises(ValueError, match=r"1, 0\.5 or 0"):
        rating_change(MAR_2024, 2000, [2000], [0.7], 20)


@pytest.mark.parametrize(("value", "whole"), [(0.5, 1), (-0.5, -1), (2.49, 2), (-2.5, -3), (1.5, 2), (0.0, 0)])
def test_halves_are_rounded_away_from_zero(value: float, whole: int) -> None:
    assert rounded_rating(value) == whole


# --- K -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "new", "middle", "top"),
    [
        (date(2003, 1, 1), 25, 15, 10),
        (date(2011, 6, 30), 25, 15, 10),
        (date(2011, 7, 1), 30, 15, 10),
        (date(2014, 6, 30), 30, 15, 10),
        (date(2014, 7, 1), 40, 20, 10),
        (date(2026, 1, 1), 40, 20, 10),
    ],
)
def test_k_by_date(day: date, new: int, middle: int, top: int) -> None:
    assert k_factor(day, 2100, 29) == new
    assert k_factor(day, 2100, 30) == middle
    assert k_factor(day, 2400, 500) == top
    assert k_factor(day, 2350, 500, reached_2400=True) == top


@given(
    days,
    st.lists(
        st.tuples(ratings, st.integers(0, 60), st.booleans(), st.none() | st.integers(1980, 2020)),
        min_size=1,
        max_size=20,
    ),
)
def test_k_of_a_whole_list_is_that_of_each_player(day: date, rows: list[tuple[int, int, bool, int | None]]) -> None:
    schema = {"rating": pl.Int16, "games": pl.Int16, "reached": pl.Boolean, "born": pl.Int16}
    columns = (pl.col(name) for name in schema)
    found = pl.DataFrame(rows, schema, orient="row").select(k_factor_expr(day, *columns)).to_series().to_list()

    def one(rating: int, games: int, reached: bool, born: int | None) -> int | None:
        try:
            return k_factor(day, rating, games, reached_2400=reached, born=born)
        except ValueError:  # the year alone does not decide
            return None

    assert found == [one(*row) for row in rows]


def test_k_of_an_unrated_player_is_unknown() -> None:
    frame = pl.DataFrame({"rating": [None], "games": [3], "reached": [False], "born": [None]}, strict=False)
    columns = (pl.col(name).cast(pl.Int16 if name != "reached" else pl.Boolean) for name in frame.columns)
    assert frame.select(k_factor_expr(MAR_2024, *columns)).item() is None


def test_juniors_until_the_birthday_then_until_the_year_ends() -> None:
    born = date(2000, 6, 15)
    assert k_factor(date(2018, 6, 14), 2200, 100, born=born) == 40
    assert k_factor(date(2018, 6, 15), 2200, 100, born=born) == 20
    assert k_factor(date(2018, 6, 14), 2300, 100, born=born) == 20
    later = date(2007, 6, 15)
    assert k_factor(date(2025, 12, 31), 2200, 100, born=later) == 40
    assert k_factor(date(2026, 1, 1), 2200, 100, born=later) == 20
    assert k_factor(date(2013, 1, 1), 2200, 100, born=born) == 15


def test_a_year_of_birth_decides_where_it_can() -> None:
    assert k_factor(date(2017, 6, 1), 2200, 100, born=2000) == 40
    assert k_factor(date(2019, 6, 1), 2200, 100, born=2000) == 20
    assert k_factor(date(2025, 6, 1), 2200, 100, born=2007) == 40
    with pytest.raises(ValueError, match="give the date"):
        k_factor(date(2018, 6, 1), 2200, 100, born=2000)


def test_k_of_rapid_and_blitz() -> None:
    assert k_factor(date(2012, 10, 1), 2700, 500, rating_type="rapid") == 20
    assert k_factor(date(2025, 2, 1), 2700, 500, reached_2400=True, rating_type="blitz") == 10
    with pytest.raises(UnknownRuleError, match="2014-10-01 to 2024-12-31"):
        k_factor(date(2019, 1, 1), 2700, 500, rating_type="rapid")


@pytest.mark.parametrize(
    ("k", "games", "expected"), [(40, 100, 7), (40, 17, 40), (40, 18, 38), (20, 35, 20), (10, 70, 10)]
)
def test_k_times_games_is_limited(k: int, games: int, expected: int) -> None:
    assert k_for_period(MAR_2024, k, games) == expected
    assert k_for_period(date(2012, 1, 1), k, games) == k


@given(st.sampled_from([10, 20, 40]), st.integers(min_value=1, max_value=700))
def test_the_limit_is_kept_and_not_lower_than_needed(k: int, games: int) -> None:
    lowered = k_for_period(MAR_2024, k, games)
    assert lowered * games <= 700
    assert lowered == k or (lowered + 1) * games > 700


# --- initial ratings and the change of 2024 ----------------------------------------------------------------


def test_initial_rating_of_2014() -> None:
    assert initial_rating(date(2016, 1, 1), [1300, 2000, 2100, 2200, 2300], 5) == 2080
    assert initial_rating(date(2016, 1, 1), [2000] * 6, 3) == 2000
    assert initial_rating(date(2016, 1, 1), [2000] * 5, 2) == 2000 - 72


def test_initial_rating_of_2003_and_2011() -> None:
    assert initial_rating(date(2005, 1, 1), [2000] * 10, 6) == 2025
    assert initial_rating(date(2012, 1, 1), [2000] * 10, 6) == 2030
    with pytest.raises(ValueError, match="9 games against rated opponents are needed"):
        initial_rating(date(2005, 1, 1), [2000] * 8, 6)


def test_initial_rating_of_2024() -> None:
    assert initial_rating(MAR_2024, [1800] * 5, 5) == 2109
    assert initial_rating(MAR_2024, [2300] * 9, 9) == 2200
    with pytest.raises(ValueError, match="5 games"):
        initial_rating(MAR_2024, [1800] * 4, 4)
    with pytest.raises(ValueError, match="not possible in 5 games"):
        initial_rating(MAR_2024, [1800] * 5, 6)


@pytest.mark.parametrize(("before", "after"), [(1000, 1400), (1500, 1700), (1600, 1760), (1950, 1970), (1999, 1999)])
def test_the_compression_of_2024(before: int, after: int) -> None:
    assert compressed_rating(before) == after


@given(st.lists(ratings, min_size=1))
def test_the_compression_keeps_order_and_agrees_on_columns(values: list[int]) -> None:
    values.sort()
    compressed = [compressed_rating(value) for value in values]
    assert compressed == sorted(compressed)
    assert all(new >= old for new, old in zip(compressed, values, strict=True))
    assert all(new == old for new, old in zip(compressed, values, strict=True) if old >= 2000)
    frame = pl.DataFrame({"r": [*values, None]}, schema={"r": pl.Int16()})
    assert frame.select(compressed_rating_expr(pl.col("r"))).to_series().to_list() == [*compressed, None]


# --- dates -------------------------------------------------------------------------------------------------


def test_before_the_first_known_rule_nothing_is_guessed() -> None:
    day = date(1985, 1, 1)
    for ask in (difference_cap_on, k_factors_on, initial_rating_on):
        with pytest.raises(UnknownRuleError, match="unknown; the earliest known one holds from 2003-01-01"):
            ask(day)


def test_a_rule_knows_its_days() -> None:
    rule = difference_cap_on(date(2023, 5, 5))
    assert (rule.valid_from, rule.valid_to) == (date(2022, 1, 1), date(2024, 2, 29))
    assert difference_cap_on(OCT_2025).valid_to is None


@pytest.mark.parametrize("rules", [DIFFERENCE_CAPS, STANDARD_K, RAPID_BLITZ_K, INITIAL_RATINGS])
def test_rules_stand_in_order(rules: tuple[DatedRule[object], ...]) -> None:
    assert all(earlier.valid_from < later.valid_from for earlier, later in pairwise(rules))
    assert all(rule_on(rules, rule.valid_from, "it").text == rule.text for rule in rules if rule.value is not None)


@pytest.mark.parametrize(
    ("rules", "kind", "rating_type"),
    [
        (DIFFERENCE_CAPS, "difference_cap", "all"),
        (STANDARD_K, "k_factor", "standard"),
        (RAPID_BLITZ_K, "k_factor", "rapid"),
        (RAPID_BLITZ_K, "k_factor", "blitz"),
        (INITIAL_RATINGS, "initial_rating", "standard"),
    ],
)
def test_the_rule_calendar_states_the_rules_of_the_code(
    rules: tuple[DatedRule[object], ...], kind: str, rating_type: str
) -> None:
    calendar = load("rule_changes").filter(
        (pl.col("publisher") == "fide") & (pl.col("kind") == kind) & (pl.col("rating_type") == rating_type)
    )
    stated = [(rule.valid_from, rule.certainty) for rule in rules if rule.value is not None]
    assert list(zip(calendar["rule_date"], calendar["certainty"], strict=True)) == stated
