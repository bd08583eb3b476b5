"""Glickman's systems: rating with a deviation (Glicko-1) and with a volatility too (Glicko-2).

Belongs here: one rating period of one player, where deviations are known. Rating lists state none; Lichess and
other sites do. Source: M. Glickman, "The Glicko system" and "Example of the Glicko-2 system".
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_Q: Final = math.log(10) / 400
#: Points per unit of the Glicko-2 scale, and the rating that is its zero.
_SCALE: Final = 400 / math.log(10)
_CENTRE: Final = 1500
MAX_DEVIATION: Final = 350.0
_CONVERGENCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class GlickoRating:
    """A rating and its standard deviation, in points; ``volatility`` is used by Glicko-2 alone."""

    rating: float
    deviation: float
    volatility: float = 0.06


def glicko1(player: GlickoRating, opponents: Sequence[GlickoRating], scores: Sequence[float]) -> GlickoRating:
    """The player after one rating period (Glicko-1); the growth of the deviation before it is not included.

    Raises:
        ValueError: games and scores differ in number.
    """
    games = _games(opponents, scores)
    inverse_d2 = 0.0
    surplus = 0.0
    for opponent, score in games:
        weight = _g(_Q * opponent.deviation)
        expected = 1 / (1 + 10 ** (-weight * (player.rating - opponent.rating) / 400))
        inverse_d2 += (_Q * weight) ** 2 * expected * (1 - expected)
        surplus += weight * (score - expected)
    variance = 1 / (1 / player.deviation**2 + inverse_d2)
    return GlickoRating(player.rating + _Q * variance * surplus, math.sqrt(variance), player.volatility)


def grown_deviation(deviation: float, growth: float, periods: int = 1) -> float:
    """Deviation after rating periods without a game (Glicko-1): sqrt(RD^2 + c^2 t), at most 350."""
    return min(math.sqrt(deviation**2 + growth**2 * periods), MAX_DEVIATION)


def glicko2(
    player: GlickoRating, opponents: Sequence[GlickoRating], scores: Sequence[float], tau: float = 0.5
) -> GlickoRating:
    """The player after one rating period (Glicko-2); without games only the deviation grows.

    Args:
        player: before the period.
        opponents: before the period.
        scores: 1, 0.5 or 0 for each game.
        tau: how far the volatility may move; 0.3 to 1.2 is usual.

    Raises:
        ValueError: games and scores differ in number.
    """
    games = _games(opponents, scores)
    phi = player.deviation / _SCALE
    if not games:
        return GlickoRating(player.rating, _SCALE * math.hypot(phi, player.volatility), player.volatility)
    mu = (player.rating - _CENTRE) / _SCALE
    precision = 0.0
    surplus = 0.0
    for opponent, score in games:
        weight = _g(opponent.deviation / _SCALE)
        expected = 1 / (1 + math.exp(-weight * (mu - (opponent.rating - _CENTRE) / _SCALE)))
        precision += weight**2 * expected * (1 - expected)
        surplus += weight * (score - expected)
    volatility = _new_volatility(player.volatility, surplus / precision, phi, 1 / precision, tau)
    variance = 1 / (1 / (phi**2 + volatility**2) + precision)
    return GlickoRating(_SCALE * (mu + variance * surplus) + _CENTRE, _SCALE * math.sqrt(variance), volatility)


def _games(opponents: Sequence[GlickoRating], scores: Sequence[float]) -> list[tuple[GlickoRating, float]]:
    if len(opponents) != len(scores):
        raise ValueError(f"{len(opponents)} opponents but {len(scores)} scores")
    return list(zip(opponents, scores, strict=True))


def _g(deviation: float) -> float:
    """How much a result against an opponent of this deviation (on the logistic scale) says."""
    return 1 / math.sqrt(1 + 3 * deviation**2 / math.pi**2)


def _new_volatility(sigma: float, delta: float, phi: float, v: float, tau: float) -> float:
    """Step 5 of the Glicko-2 example: the root of f by the Illinois variant of regula falsi."""
    start = math.log(sigma**2)

    def f(x: float) -> float:
        spread = phi**2 + v + math.exp(x)
        return math.exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - start) / tau**2

    low = start
    if delta**2 > phi**2 + v:
        high = math.log(delta**2 - phi**2 - v)
    else:
        steps = 1
        while f(start - steps * tau) < 0:
            steps += 1
        high = start - steps * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _CONVERGENCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
