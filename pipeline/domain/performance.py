"""Performance ratings: what rating a result would be the expected one for, in three definitions.

Belongs here: results against known opponents. FIDE's own is the mean of the opponents plus the table's dp.
"""

from collections.abc import Sequence
from typing import Final

from pipeline.domain.expectancy import fide_rating_difference
from pipeline.domain.fide_rules import rounded_rating

#: Points between no and a full score in Chessmetrics' linear performance.
LINEAR_SPREAD: Final = 850


def fide_performance(opponents: Sequence[int], score: float) -> int:
    """FIDE's performance rating: mean of the opponents plus dp of the fractional score (800 for a full one).

    Raises:
        ValueError: no games, or a score outside 0 ... games.
    """
    mean, fraction = _mean_and_fraction(opponents, score)
    return rounded_rating(mean + int(fide_rating_difference(fraction)))


def algorithm_of_400(opponents: Sequence[int], score: float) -> float:
    """US Chess's rule of thumb: mean of the opponents plus 400 (wins - losses) / games; draws count nothing.

    Raises:
        ValueError: no games, or a score outside 0 ... games.
    """
    mean, fraction = _mean_and_fraction(opponents, score)
    # Wins minus losses of a score S in n games is 2 S - n, however many of them were draws.
    return mean + 400 * (2 * fraction - 1)


def linear_performance(opponents: Sequence[int], score: float) -> float:
    """Chessmetrics' performance: mean of the opponents plus 850 (fractional score - 0.5).

    Raises:
        ValueError: no games, or a score outside 0 ... games.
    """
    mean, fraction = _mean_and_fraction(opponents, score)
    return mean + LINEAR_SPREAD * (fraction - 0.5)


def _mean_and_fraction(opponents: Sequence[int], score: float) -> tuple[float, float]:
    games = len(opponents)
    if games == 0:
        raise ValueError("a performance needs at least one game")
    if not 0 <= score <= games:
        raise ValueError(f"a score of {score} is not possible in {games} games")
    return sum(opponents) / games, score / games
