"""Elo's rating system in its plain form: logistic expectancy and update with a constant K.

Belongs here: the textbook formulas. The rules of a publisher are in ``fide_rules.py`` and ``uscf_rules.py``.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pipeline.domain.expectancy import FloatArray, logistic_expected_score


def expected_scores(own: float, opponents: npt.ArrayLike) -> FloatArray:
    """Expected score against each opponent, 1 / (1 + 10^((opponent - own) / 400))."""
    return logistic_expected_score(own - np.asarray(opponents, dtype=np.float64))


def updated_rating(own: float, opponents: Sequence[float], score: float, k: float) -> float:
    """Rating after a number of games: own + K (score - expected score), not rounded.

    Raises:
        ValueError: a score outside 0 ... games.
    """
    if not 0 <= score <= len(opponents):
        raise ValueError(f"a score of {score} is not possible in {len(opponents)} games")
    return own + k * (score - float(expected_scores(own, opponents).sum()))
