"""What a rating difference promises: FIDE's integer tables, and the logistic curve of US Chess.

Belongs here: difference to expected score and back, without dates. Caps on the difference are
``fide_rules.py``. FIDE's expectancy is its published table, never the logistic curve: the two differ for 460
of the 736 differences from 0 to 735.

The table (Handbook B.02, 8.1; Elo, "The Rating of Chessplayers", 2.11) is a normal curve with a standard
deviation of 2000/7 points, rounded: pd = round(100 Phi(7 D / 2000)) for every D from 0 to 735 but six. D = 54,
392 and 620 are halves that the table rounds up, 343, 344 and 358 an old irregularity of the bands 0.88 to 0.90.
For p = 0.51 to 0.99, dp is the middle of its pd band, rounded down; dp of a full score is 800 by decree.
"""

from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

#: Table 8.1.2: smallest difference at which the higher rated player's expectancy is 0.51, 0.52, ... 1.00.
PD_LIMITS: Final = (
    4, 11, 18, 26, 33, 40, 47, 54, 62, 69, 77, 84, 92, 99, 107, 114, 122, 130, 138, 146, 154, 163, 171, 180, 189,
    198, 207, 216, 226, 236, 246, 257, 268, 279, 291, 303, 316, 329, 345, 358, 375, 392, 412, 433, 457, 485, 518,
    560, 620, 736,
)  # fmt: skip
#: Table 8.1.1: difference that goes with a fractional score of 0.50, 0.51, ... 1.00.
DP_OF_PERCENT: Final = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184,
    193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501,
    538, 589, 677, 800,
)  # fmt: skip

_LIMITS: Final = np.array(PD_LIMITS)
_DP: Final = np.array(DP_OF_PERCENT)


def fide_expected_percent(difference: npt.ArrayLike) -> IntArray:
    """FIDE's expected score in hundredths of a point, from own minus opponent's rating (whole points)."""
    points = np.asarray(difference, dtype=np.int64)
    higher = 50 + np.searchsorted(_LIMITS, np.abs(points), side="right")
    return np.where(points >= 0, higher, 100 - higher).astype(np.int64)


def fide_expected_score(difference: npt.ArrayLike) -> FloatArray:
    """FIDE's expected score of one game, 0.00 to 1.00, from own minus opponent's rating (whole points)."""
    return fide_expected_percent(difference) / 100.0


def fide_expected_score_expr(difference: pl.Expr) -> pl.Expr:
    """``fide_expected_score`` for a column of differences; null for null."""
    # Beyond the last limit the table is flat, so 2 x 736 + 1 values hold all of it.
    limit = PD_LIMITS[-1]
    table = pl.lit(pl.Series(fide_expected_score(np.arange(-limit, limit + 1))))
    place = difference.clip(-limit, limit).fill_null(0).cast(pl.Int32) + limit
    return pl.when(difference.is_not_null()).then(table.gather(place)).otherwise(None)


def fide_rating_difference(fractional_score: npt.ArrayLike) -> IntArray:
    """FIDE's dp in points, from a fractional score 0 to 1, which is read to the nearest hundredth (half up).

    Raises:
        ValueError: a fractional score is not between 0 and 1.
    """
    score = np.asarray(fractional_score, dtype=np.float64)
    if not bool(np.all((score >= 0) & (score <= 1))):
        raise ValueError("a fractional score lies between 0 and 1")
    # A tiny step up, so that quotients such as 0.285 (stored a little below) still count as halves.
    percent = np.floor(score * 100 + 0.5 + 1e-9).astype(np.int64)
    return np.where(percent >= 50, _DP[np.abs(percent - 50)], -_DP[np.abs(50 - percent)]).astype(np.int64)


def logistic_expected_score(difference: npt.ArrayLike) -> FloatArray:
    """Expected score of one game on the logistic curve, 1 / (1 + 10^(-D/400)): US Chess, never FIDE."""
    points = np.asarray(difference, dtype=np.float64)
    return np.asarray(1.0 / (1.0 + np.power(10.0, -points / 400.0)))


def logistic_expected_score_expr(difference: pl.Expr) -> pl.Expr:
    """``logistic_expected_score`` for a column of differences; null for null."""
    return 1.0 / (1.0 + pl.lit(10.0).pow(-difference / 400.0))
