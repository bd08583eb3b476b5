"""Computing with the FIDE rules of a day: differences, K, rating changes, first ratings, the change of 2024.

Belongs here: what follows from the regulations (``fide_regulations.py``) and the expectancy table
(``expectancy.py``). Not here: floors (the catalogue's ``rating_floors``, asked in ``rule_book.py``) and
performance ratings (``performance.py``). Days without a known rule raise ``UnknownRuleError``.
"""

import math
from collections.abc import Sequence
from datetime import date
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from pipeline.domain.expectancy import IntArray, fide_expected_percent, fide_rating_difference
from pipeline.domain.fide_regulations import KFactors, difference_cap_on, initial_rating_on, k_factors_on

COMPRESSION_DATE: Final = date(2024, 3, 1)
_COMPRESSION_BELOW: Final = 2000
#: Games after which a player is no longer new, for K.
NEW_PLAYER_GAMES: Final = 30
_K_10_FROM: Final = 2400
_JUNIOR_BELOW: Final = 2300
#: K times games of a period may not exceed this, since the rules of July 2014 (the day is unconfirmed).
K_TIMES_GAMES_LIMIT: Final = 700
_K_LIMIT_FROM: Final = date(2014, 7, 1)


def counted_differences(own: int, opponents: npt.ArrayLike, day: date) -> IntArray:
    """Own minus opponents' ratings of one event as they count on ``day``, that is with the cap applied."""
    cap = difference_cap_on(day).value
    true = own - np.asarray(opponents, dtype=np.int64)
    if cap.uncapped_from is not None and own >= cap.uncapped_from:
        return true
    capped = np.clip(true, -cap.points, cap.points)
    if cap.games_per_event is None:
        return capped
    largest = np.argsort(-np.abs(true), kind="stable")[: cap.games_per_event]
    counted = true.copy()
    counted[largest] = capped[largest]
    return counted


def counted_difference_expr(own: pl.Expr, opponent: pl.Expr, day: date) -> pl.Expr:
    """Own minus opponent's rating as it counts on ``day`` for a game that is the only one of its event."""
    cap = difference_cap_on(day).value
    true = own.cast(pl.Int32) - opponent.cast(pl.Int32)
    capped = true.clip(-cap.points, cap.points)
    if cap.uncapped_from is None:
        return capped
    return pl.when(own >= cap.uncapped_from).then(true).otherwise(capped)


def expected_percent(own: int, opponents: npt.ArrayLike, day: date) -> IntArray:
    """FIDE's expected scores of an event on ``day``, game by game, in hundredths of a point."""
    return fide_expected_percent(counted_differences(own, opponents, day))


def k_factor(
    day: date,
    rating: int,
    games: int,
    *,
    reached_2400: bool = False,
    born: date | int | None = None,
    rating_type: str = "standard",
) -> int:
    """K of one player on ``day``.

    Args:
        day: day of the game.
        rating: published rating on that day.
        games: rated games so far.
        reached_2400: whether 2400 was ever reached (permanent, also after falling below).
        born: birth date, or the year alone; None = not a junior.
        rating_type: standard, rapid or blitz.

    Raises:
        UnknownRuleError: no rule is known for that day.
        ValueError: the year of birth alone does not decide whether the player is a junior on that day.
    """
    factors = k_factors_on(day, rating_type).value
    if games < NEW_PLAYER_GAMES:
        return factors.new
    if reached_2400 or rating >= _K_10_FROM:
        return factors.reached_2400
    if factors.junior is not None and rating < _JUNIOR_BELOW and _is_junior(day, born, factors):
        return factors.junior
    return factors.below_2400


def k_factor_expr(
    day: date,
    rating: pl.Expr,
    games: pl.Expr,
    reached_2400: pl.Expr,
    birth_year: pl.Expr,
    rating_type: str = "standard",
) -> pl.Expr:
    """``k_factor`` for columns of a list, by year of birth (null = not a junior).

    Null where the rating or the games are, and where the year of birth alone does not decide.

    Raises:
        UnknownRuleError: no rule is known for that day.
    """
    factors = k_factors_on(day, rating_type).value
    others: pl.Expr = pl.lit(factors.below_2400)
    if factors.junior is not None:
        candidate, turns_18 = rating < _JUNIOR_BELOW, birth_year + 18
        is_junior = turns_18 >= day.year if factors.junior_to_year_end else turns_18 > day.year
        undecided = (turns_18 == day.year) & (not factors.junior_to_year_end)
        juniors = pl.when(candidate & is_junior).then(factors.junior)
        others = juniors.when(candidate & undecided).then(None).otherwise(others)
    new = pl.when(games < NEW_PLAYER_GAMES).then(factors.new)
    k = new.when(reached_2400 | (rating >= _K_10_FROM)).then(factors.reached_2400).otherwise(others)
    return pl.when(rating.is_not_null() & games.is_not_null()).then(k).cast(pl.Int16)


def k_for_period(day: date, k: int, games: int) -> int:
    """K lowered to the largest whole number with K times games <= 700 (from July 2014, else unchanged)."""
    if day < _K_LIMIT_FROM or k * games <= K_TIMES_GAMES_LIMIT:
        return k
    return K_TIMES_GAMES_LIMIT // games


def rating_change(
    day: date, own: int, opponents: Sequence[int], scores: Sequence[float], k: int, games_of_period: int | None = None
) -> float:
    """Change of rating from the games of one event: K times the sum of score minus expected score.

    Args:
        day: day on which the event is rated.
        own: rating of the player.
        opponents: ratings of the opponents.
        scores: 1, 0.5 or 0 for each game.
        k: the player's K.
        games_of_period: games of the whole period, for the limit on K; None = the games given.

    Returns:
        Points, exact to hundredths, not rounded: FIDE rounds the sum of a period (``rounded_rating``).

    Raises:
        UnknownRuleError: the cap on differences is unknown for that day.
        ValueError: games and scores differ in number, or a score is none.
    """
    if len(opponents) != len(scores):
        raise ValueError(f"{len(opponents)} opponents but {len(scores)} scores")
    if any(score not in (0, 0.5, 1) for score in scores):
        raise ValueError("a game is scored 1, 0.5 or 0")
    if not opponents:
        return 0.0
    k = k_for_period(day, k, games_of_period or len(opponents))
    hundredths = np.asarray(scores) * 100 - expected_percent(own, opponents, day)
    return k * int(hundredths.sum()) / 100


def rounded_rating(value: float) -> int:
    """A rating or change in whole points, halves away from zero (so written since 2024)."""
    return int(math.copysign(math.floor(abs(value) + 0.5 + 1e-9), value))


def initial_rating(day: date, opponents: Sequence[int], score: float) -> int:
    """First rating from the pooled games of an unrated player.

    The floor is not applied: a result below it is not published. Conditions on single events (a point scored,
    a number of rated opponents) are not checked.

    Raises:
        UnknownRuleError: no rule is known for that day.
        ValueError: too few games for the rule of that day, or a score outside 0 ... games.
    """
    rule = initial_rating_on(day).value
    games = len(opponents)
    if games < rule.minimum_games:
        raise ValueError(f"{rule.minimum_games} games against rated opponents are needed on {day}, not {games}")
    if not 0 <= score <= games:
        raise ValueError(f"a score of {score} is not possible in {games} games")
    everybody = [*opponents, *rule.hypothetical_opponents]
    points = score + len(rule.hypothetical_opponents) / 2
    mean = sum(everybody) / len(everybody)
    half_points_over = 2 * points - len(everybody)
    if rule.per_half_point is not None and half_points_over > 0:
        result = mean + rule.per_half_point * half_points_over
    else:
        result = mean + int(fide_rating_difference(points / len(everybody)))
    rounded = rounded_rating(result)
    return rounded if rule.limit is None else min(rounded, rule.limit)


def compressed_rating(rating: int) -> int:
    """Standard rating after the one-off change of 1 March 2024: below 2000, R + 0.40 (2000 - R).

    Rounded to the nearest point (no result is a half). FIDE does not state the rounding; the ratings of players
    who did not play between April 2021 and February 2025 show it.
    """
    if rating >= _COMPRESSION_BELOW:
        return rating
    return rounded_rating(rating + 0.4 * (_COMPRESSION_BELOW - rating))


def compressed_rating_expr(rating: pl.Expr) -> pl.Expr:
    """``compressed_rating`` for a column of ratings; null for null."""
    gap = pl.lit(_COMPRESSION_BELOW) - rating.cast(pl.Int32)
    # In whole fifths of a point: 0.4 = 2/5, and (2 gap + 2) // 5 rounds to nearest, no half occurs.
    return pl.when(gap > 0).then(rating + (2 * gap + 2) // 5).otherwise(rating).cast(pl.Int16)


def _is_junior(day: date, born: date | int | None, factors: KFactors) -> bool:
    """Whether the player is a junior under the rule in force."""
    if born is None:
        return False
    turns_18 = (born if isinstance(born, int) else born.year) + 18
    if factors.junior_to_year_end or day.year != turns_18:
        return day.year <= turns_18 if factors.junior_to_year_end else day.year < turns_18
    if isinstance(born, int):
        raise ValueError(f"born {born}: in {turns_18} K depends on the day of the 18th birthday; give the date")
    return (day.month, day.day) < (born.month, born.day)
