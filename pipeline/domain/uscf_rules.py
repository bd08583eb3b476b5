"""US Chess's rules for regular over-the-board ratings: effective games, K, bonus by date, special formula, floors.

Belongs here: formulas of "The US Chess Rating System" (M. Glickman and M. Doan, 2020 and 2025). Not here:
conversions from other systems (the catalogue's ``published_conversions``).

What is not established and therefore not done: the bonus before June 2008. What rests on a secondary source and says
so: the special formula for records of wins or losses only. Days without a known rule raise ``UnknownRuleError``.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from pipeline.domain.dated import DatedRule, RuleInForce, rule_on
from pipeline.domain.expectancy import FloatArray, logistic_expected_score

#: Games from which a rating is established.
ESTABLISHED_FROM_GAMES: Final = 26
#: Up to so many earlier games the special formula is used.
SPECIAL_UP_TO_GAMES: Final = 8
LOWEST_RATING: Final = 100
#: What all earlier games of a player were: wins only and losses only say nothing of how far up or down he belongs.
Record = Literal["mixed", "wins", "losses"]
_ONE_SIDED_SHIFT: Final = 400
_HIGHEST_SPECIAL: Final = 2700
_MOST_EFFECTIVE_GAMES: Final = 50.0
_ALL_GAMES_COUNT_ABOVE: Final = 2355
_DUAL_FROM: Final = 2200
_DUAL_FLAT_FROM: Final = 2500
#: What the shift and the right side for one-sided records rest on: the document was not read for this case.
ONE_SIDED_SOURCE: Final = "a secondary source, not Glickman & Doan's own text: how one-sided records enter the formula"
_SOURCE: Final = "Glickman & Doan, The US Chess Rating System, and its list of changes"

BONUS_THRESHOLDS: Final[tuple[DatedRule[int], ...]] = (
    DatedRule(date(2008, 6, 1), 6, "bonus beyond 6 sqrt(games)", _SOURCE),
    DatedRule(date(2012, 8, 1), 8, "bonus beyond 8 sqrt(games)", _SOURCE),
    DatedRule(date(2014, 3, 1), 10, "bonus beyond 10 sqrt(games)", _SOURCE),
    DatedRule(date(2015, 6, 1), 12, "bonus beyond 12 sqrt(games)", _SOURCE),
    DatedRule(date(2017, 5, 1), 14, "bonus beyond 14 sqrt(games), for events ending from this day", _SOURCE),
    DatedRule(date(2023, 2, 1), 12, "bonus beyond 12 sqrt(games), announced in October 2023", _SOURCE),
    DatedRule(date(2025, 1, 1), None, "sources put the change from 12 to 10 at January or June 2025", _SOURCE),
    DatedRule(date(2025, 6, 1), 10, "bonus beyond 10 sqrt(games)", _SOURCE),
)


@dataclass(frozen=True, slots=True)
class UscfUpdate:
    """Result of one event.

    Attributes:
        rating: new rating, not rounded.
        formula: ``standard`` or ``special``.
        k: K of the standard formula; None for the special one.
        expected: expected score of the standard formula; None for the special one.
        bonus: bonus points contained in ``rating``.
    """

    rating: float
    formula: str
    k: float | None = None
    expected: float | None = None
    bonus: float = 0.0


def bonus_threshold_on(day: date) -> RuleInForce[int]:
    """The factor B of the bonus for an event that ends on ``day``; raises ``UnknownRuleError``."""
    return rule_on(BONUS_THRESHOLDS, day, "the US Chess bonus")


def effective_games(rating: npt.ArrayLike, games: npt.ArrayLike) -> FloatArray:
    """N', the number of games a rating is worth: never more than were played, at most 50.

    50 / sqrt(0.662 + 0.00000739 (2569 - R)^2) up to 2355, 50 above.
    """
    points = np.asarray(rating, dtype=np.float64)
    curve = _MOST_EFFECTIVE_GAMES / np.sqrt(0.662 + 0.00000739 * (2569 - points) ** 2)
    most = np.where(points > _ALL_GAMES_COUNT_ABOVE, _MOST_EFFECTIVE_GAMES, curve)
    return np.asarray(np.minimum(np.asarray(games, dtype=np.float64), most))


def uscf_k(rating: float, games: int, games_in_event: int, *, dual_rated: bool = False) -> float:
    """K of an event, 800 / (N' + m); smaller above 2200 where it counts for quick ratings too.

    Args:
        rating: rating before the event.
        games: games before the event.
        games_in_event: m.
        dual_rated: time control of 30 to 65 minutes, rated regular and quick.

    Raises:
        ValueError: no game at all.
    """
    worth = float(effective_games(rating, games)) + games_in_event
    if worth <= 0:
        raise ValueError("K needs at least one game, before the event or in it")
    if not dual_rated or rating <= _DUAL_FROM:
        return 800 / worth
    if rating < _DUAL_FLAT_FROM:
        return 800 * (6.5 - 0.0025 * rating) / worth
    return 200 / worth


def event_update(
    day: date,
    rating: float,
    games: int,
    opponents: Sequence[float],
    score: float,
    *,
    most_games_with_one_opponent: int = 1,
    dual_rated: bool = False,
    record: Record = "mixed",
) -> UscfUpdate:
    """Rating after one event, before floors.

    Players with eight or fewer games, and those who only ever won or only ever lost, are rated by the special
    formula, all others by the standard one with bonus.

    Args:
        day: last day of the event.
        rating: rating before the event (age start or conversion for unrated players).
        games: games that rating rests on.
        opponents: their ratings before the event, one for each game.
        score: points scored.
        most_games_with_one_opponent: for the bonus; at most two (one, in an event of three games) keep it.
        dual_rated: see ``uscf_k``.
        record: what all games before were.

    Raises:
        UnknownRuleError: the bonus of that day is unknown (standard formula only).
        ValueError: no games, or a score outside 0 ... games.
    """
    _check_score(opponents, score)
    played = len(opponents)
    if games <= SPECIAL_UP_TO_GAMES or record != "mixed":
        return UscfUpdate(special_rating(rating, games, opponents, score, record), "special")
    k = uscf_k(rating, games, played, dual_rated=dual_rated)
    expected = float(logistic_expected_score(rating - np.asarray(opponents, dtype=np.float64)).sum())
    gain = k * (score - expected)
    allowed = 1 if played == 3 else 2
    bonus = 0.0
    if played >= 3 and most_games_with_one_opponent <= allowed:
        bonus = max(0.0, gain - bonus_threshold_on(day).value * math.sqrt(max(played, 4)))
    return UscfUpdate(max(rating + gain + bonus, LOWEST_RATING), "standard", k, expected, bonus)


def special_rating(
    rating: float, games: int, opponents: Sequence[float], score: float, record: Record = "mixed"
) -> float:
    """The special formula: the R with N' PWe(R, R0) + sum PWe(R, Ri) = S + N'/2, within 100 ... 2700.

    PWe is the provisional expectancy, 0 below a difference of -400, 1 above 400, linear between. Earlier games that
    were all won stand for N' wins against R0 - 400 (right side S + N'), all lost for N' losses against R0 + 400
    (right side S): the rating can then only be proved too low, or too high. This treatment of one-sided records is
    known from a secondary source only (``ONE_SIDED_SOURCE``). Where a whole range of ratings solves it, the solution
    nearest to the rating before is taken.

    Args:
        rating: rating before the event, R0 (its weight N' is 0 for unrated players).
        games: games that rating rests on.
        opponents: ratings of the opponents, one for each game.
        score: points scored.
        record: what all games before were.

    Raises:
        ValueError: no games, or a score outside 0 ... games.
    """
    _check_score(opponents, score)
    weight = float(effective_games(rating, games))
    field = np.asarray(opponents, dtype=np.float64)
    share, shift = {"mixed": (0.5, 0), "wins": (1.0, -_ONE_SIDED_SHIFT), "losses": (0.0, _ONE_SIDED_SHIFT)}[record]
    target, anchor = score + weight * share, rating + shift

    def scored(points: FloatArray) -> FloatArray:
        against_field = _provisional_expectancy(points[:, None] - field).sum(axis=1)
        return np.asarray(against_field + weight * _provisional_expectancy(points - anchor))

    # The left side is a rising broken line with corners 400 points from each rating: exact between corners.
    centres = np.append(field, anchor) if weight > 0 else field
    corners = np.unique(np.concatenate([centres - 400, centres + 400]))
    heights = scored(corners)
    below, above = heights < target - 1e-9, heights > target + 1e-9
    low = _crossing(corners, heights, target, int(below.sum())) if below.any() else -math.inf
    high = _crossing(corners, heights, target, int((~above).sum())) if above.any() else math.inf
    return float(np.clip(np.clip(rating, low, high), LOWEST_RATING, _HIGHEST_SPECIAL))


def special_rating_approximation(rating: float, games: int, opponents: Sequence[float], score: float) -> float:
    """Its rule of thumb, (N R + m mean + 400 (wins - losses)) / (N + m): exact while nobody is 400 apart."""
    played = len(opponents)
    return (games * rating + sum(opponents) + 400 * (2 * score - played)) / (games + played)


def age_start(age: int) -> int:
    """Starting rating of an unrated player without any other rating: 50 per year below 26, else 1300."""
    return max(50 * age, LOWEST_RATING) if age < 26 else 1300


def absolute_floor(wins: int, draws: int, events: int) -> int:
    """Floor of everybody: min(100 + 4 wins + 2 draws + events, 150)."""
    return min(100 + 4 * wins + 2 * draws + events, 150)


def peak_floor(peak_established_rating: int) -> int | None:
    """Floor from the highest established rating: 200 below, down to a hundred, 1200 to 2100; None below."""
    floor = (peak_established_rating - 200) // 100 * 100
    return min(floor, 2100) if floor >= 1200 else None


def _check_score(opponents: Sequence[float], score: float) -> None:
    # Without a game the special formula has no corner to start from, and K no event.
    if not opponents or not 0 <= score <= len(opponents):
        raise ValueError(f"a score of {score} is not possible in {len(opponents)} games")


def _provisional_expectancy(difference: FloatArray) -> FloatArray:
    return np.asarray(np.clip(0.5 + difference / 800, 0.0, 1.0))


def _crossing(corners: FloatArray, heights: FloatArray, target: float, after: int) -> float:
    """Where the line reaches ``target`` between the corners ``after - 1`` and ``after``."""
    before = after - 1
    share = (target - heights[before]) / (heights[after] - heights[before])
    return float(corners[before] + share * (corners[after] - corners[before]))
