"""The structural offset: how far apart the two scales are for players of the same strength.

Belongs here: the hinged errors-in-variables fit and the strengths it gives to players. Not here: bands,
bootstrap loops and tables of results.

Model. A player of strength t (on FIDE's scale) has the FIDE rating t + e and the US rating g(t) + f, both
errors being independent; g is piecewise linear with a knot at 2000, where both publishers' own conversions
bend. A plain regression of one rating on the other mistakes the errors for a slope, and a cut on one of the
ratings (a floor, a band) bends it further. Hence distances are measured across the line in units of both
errors (Deming), and players near FIDE's floor are left out by their *projected* strength, whose error is
uncorrelated with the distance.

How large the errors are to each other decides the slope. What is assumed of that is weighed with what the scatter of
the pairs on both sides of the bend says (``offset_errors.py``).

What it can do, on simulated pairs of known truth (3,000 persons, 1500 to 2400, means of 60 runs): within 5 points
with the right ratio of the errors, with errors of 60 and 75 or of 90 and 60; with 2 % wrong links; and with a FIDE
error thought 30 % too large, which held against the scatter costs 8 at 2400. What it cannot: with a ratio of 1 assumed
where it is 0.44 (errors of 90 and 60) it is 19 off at 2400, and held 23; where both errors are 30 % larger below the
bend than above, of a hundred thousand pairs 13, and held 2. Hence the range over held ratios beside every estimate.
"""

from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np

from pipeline.analytics.offset_errors import (
    ASSUMED,
    BendContrast,
    ErrorAssumption,
    ErrorSizes,
    sum_of_products,
    weighed_ratio,
)
from pipeline.analytics.offset_pairs import Flags, Floats

#: FIDE rating at which the line may bend.
KNOT: Final = 2000.0
#: Distances beyond this many standard deviations count linearly (soft-L1), so that wrong links pull little.
ROBUST_SCALE: Final = 1.5
#: Players whose projected strength is within this many FIDE standard errors of the floor are left out.
FLOOR_MARGIN: Final = 2.5
#: A line is not fitted to fewer pairs.
MINIMUM_PAIRS: Final = 30

# The set of players above the floor margin settles within these steps; then it is kept, so that the fit ends.
_CUTTING_STEPS: Final = 12
_MAXIMUM_STEPS: Final = 60
# So does, sooner, who is on which side of the knot and who may be a wrong link: of that the ratio depends little.
_SORTING_STEPS: Final = 4
_RESCALING_STEPS: Final = 8
# What a change of the log ratio by 1 does to the line 400 points from the knot, about.
_POINTS_PER_LOG_RATIO: Final = 20
# Median of |z| of a normal deviate.
_NORMAL_MAD: Final = 0.6745


class TooFewPairsError(ValueError):
    """Fewer pairs than a line can be fitted to."""


@dataclass(frozen=True, slots=True)
class HingedLine:
    """US rating as a function of strength on FIDE's scale.

    Attributes:
        level: US rating at strength 2000.
        slope_below: US points per FIDE point below 2000.
        slope_above: the same above 2000.
    """

    level: float
    slope_below: float
    slope_above: float

    def uscf_at(self, strength: Floats) -> Floats:
        """US rating at each strength."""
        beyond = strength - KNOT
        below, above = np.minimum(beyond, 0.0), np.maximum(beyond, 0.0)
        return self.level + self.slope_below * below + self.slope_above * above

    def offset(self, strength: Floats) -> Floats:
        """US rating minus FIDE rating at each strength, in points."""
        return self.uscf_at(strength) - strength


@dataclass(frozen=True, slots=True)
class HingedFit:
    """A fitted line with what it says about each pair.

    Attributes:
        line: the fitted line.
        errors: the error sizes in use, given or estimated.
        strength: strength of each player, projected on the line.
        used: players far enough above the floor to have been fitted.
        converged: whether the last step was below the tolerance.
    """

    line: HingedLine
    errors: ErrorSizes
    strength: Floats
    used: Flags
    converged: bool


def fit_hinged(
    fide: Floats,
    uscf: Floats,
    *,
    assumed: ErrorAssumption = ASSUMED,
    errors: ErrorSizes | None = None,
    persons: int | None = None,
    fide_floor: float | None = None,
) -> HingedFit:
    """Fit the hinged line to pairs of ratings.

    Args:
        fide: FIDE ratings.
        uscf: US ratings of the same players.
        assumed: what is thought of the errors. Their sizes are estimated from the scatter about the line, their
            ratio from this assumption and the scatter on both sides of the bend.
        errors: both error sizes, where they are known; ``assumed`` is then not used.
        persons: number of different persons, where some have several pairs: so many errors are known, not more.
        fide_floor: lowest rating of the FIDE list; null where no player is missing for want of rating.

    Raises:
        TooFewPairsError: fewer than 30 pairs, or fewer than 30 far enough above the floor.
    """
    _demand(len(fide), "pairs")
    weights = np.full(len(fide), 1.0 if persons is None else persons / len(fide))
    if errors is not None:
        assumed = ErrorAssumption.holding(errors.ratio)
    start = deming_line(fide, uscf, assumed.ratio)
    sizes = errors or _scaled(ErrorSizes(1.0, assumed.ratio**0.5), fide, uscf, start, np.ones(len(fide), bool))
    for _ in range(_RESCALING_STEPS):
        fit = refit(fide, uscf, start, sizes, weights, assumed, fide_floor=fide_floor)
        _demand(int(fit.used.sum()), "pairs above the floor margin")
        rescaled = errors or _scaled(fit.errors, fide, uscf, fit.line, fit.used)
        if abs(rescaled.fide - fit.errors.fide) < 0.01:
            break
        start, sizes = fit.line, rescaled
    return fit


def refit(
    fide: Floats,
    uscf: Floats,
    start: HingedLine,
    errors: ErrorSizes,
    weights: Floats,
    assumed: ErrorAssumption,
    *,
    fide_floor: float | None = None,
    tolerance: float = 0.001,
) -> HingedFit:
    """Fit with weights from a line and error sizes near the solution: one draw of a bootstrap.

    Each step solves the weighted least squares of the linearised distances (Gauss-Newton), the weights being
    those of the robust loss, judges anew who is far enough above the floor, and weighs the assumed ratio of the
    errors with the scatter, unless it is held. The scatter below the knot stays what the given sizes make it.

    Args:
        fide: FIDE ratings.
        uscf: US ratings of the same players.
        start: a line near the solution.
        errors: error sizes near the solution.
        weights: how many persons each pair stands for.
        assumed: what is thought of the errors.
        fide_floor: lowest rating of the FIDE list; null where no player is missing for want of rating.
        tolerance: the fit ends when no step moves the line by more, in points.
    """
    line = start
    converged = False
    used = np.ones(len(fide), dtype=bool)
    for step in range(_MAXIMUM_STEPS):
        strength, distance, gain = _project(fide, uscf, line, errors)
        if step < _CUTTING_STEPS:
            used = strength >= lowest_fitted(fide_floor, errors)
        beyond, counted = strength - KNOT, weights * used
        change = _step(beyond, distance, gain, counted)
        level, below, above = (float(value) for value in change)
        # A slope matters through what it does 500 points away from the knot.
        moved = max(abs(level), 500 * abs(below), 500 * abs(above))
        if assumed.ratio_doubt > 0:
            slopes = line.slope_below, line.slope_above
            if step < _SORTING_STEPS:
                contrast = BendContrast.between_sides(beyond, distance, counted)
            ratio = weighed_ratio(assumed, errors, slopes, contrast.jump(distance), contrast.variance)
            moved = max(moved, _POINTS_PER_LOG_RATIO * abs(log(ratio / errors.ratio)))
            errors = errors.with_ratio(ratio, line.slope_below)
        line = HingedLine(line.level + level, line.slope_below + below, line.slope_above + above)
        if moved < tolerance:
            converged = True
            break
    return HingedFit(line, errors, strength, used, converged)


def lowest_fitted(fide_floor: float | None, errors: ErrorSizes) -> float:
    """Projected strength from which on players are fitted, given the floor of the FIDE list."""
    return -np.inf if fide_floor is None else fide_floor + FLOOR_MARGIN * errors.fide


def deming_line(fide: Floats, uscf: Floats, error_ratio: float) -> HingedLine:
    """The straight errors-in-variables line in closed form, as a hinged line without a bend."""
    x, y = fide - fide.mean(), uscf - uscf.mean()
    sxx, syy, sxy = sum_of_products(x, x), sum_of_products(y, y), sum_of_products(x, y)
    difference = syy - error_ratio * sxx
    slope = (difference + float(np.sqrt(difference**2 + 4 * error_ratio * sxy**2))) / (2 * sxy)
    return HingedLine(float(uscf.mean() + slope * (KNOT - fide.mean())), slope, slope)


def _demand(found: int, what: str) -> None:
    if found < MINIMUM_PAIRS:
        raise TooFewPairsError(f"expected at least {MINIMUM_PAIRS} {what} for a fitted line, found {found}")


def _project(fide: Floats, uscf: Floats, line: HingedLine, errors: ErrorSizes) -> tuple[Floats, Floats, Floats]:
    """Nearest point of the line for each pair: its strength, the signed distance, the derivative of that.

    Distances are in standard errors; the derivative is by the height of the line (with the sign turned).
    """
    x, y = fide - KNOT, uscf - line.level
    beyond, distance, gain_below = _foot(x, y, line.slope_below, errors)
    gain = np.full(len(x), gain_below)
    nearest_is_below = beyond <= 0
    # Only pairs in this half-plane have a nearest point on the upper segment; the others need no second look.
    upper = np.flatnonzero(errors.uscf**2 * x + line.slope_above * errors.fide**2 * y >= 0)
    beyond_above, distance_above, gain_above = _foot(x[upper], y[upper], line.slope_above, errors)
    closer = ~nearest_is_below[upper] | (np.abs(distance_above) < np.abs(distance[upper]))
    taken = upper[closer]
    beyond[taken], distance[taken], gain[taken] = beyond_above[closer], distance_above[closer], gain_above
    nearest_is_knot = ~nearest_is_below
    nearest_is_knot[upper] = False
    knot = np.flatnonzero(nearest_is_knot)
    to_knot = np.hypot(x[knot] / errors.fide, y[knot] / errors.uscf)
    beyond[knot] = 0.0
    distance[knot] = np.copysign(to_knot, y[knot])
    gain[knot] = np.abs(y[knot]) / errors.uscf**2 / to_knot
    return beyond + KNOT, distance, gain


def _foot(x: Floats, y: Floats, slope: float, errors: ErrorSizes) -> tuple[Floats, Floats, float]:
    """Projection on the straight line y = slope x: position, signed distance, derivative by the height."""
    variance = errors.uscf**2 + (slope * errors.fide) ** 2
    position = x * (errors.uscf**2 / variance) + y * (slope * errors.fide**2 / variance)
    gain = 1.0 / float(np.sqrt(variance))
    return position, (y - slope * x) * gain, gain


def _step(beyond: Floats, distance: Floats, gain: Floats, weights: Floats) -> Floats:
    """Change of (level, slope below, slope above) that minimises the linearised, reweighted distances."""
    robust = weights / np.sqrt(1.0 + (distance / ROBUST_SCALE) ** 2)
    pull = robust * gain
    curvature = pull * gain
    pull *= distance
    below = np.minimum(beyond, 0.0)
    above = beyond - below
    curvature_below, curvature_above = sum_of_products(curvature, below), sum_of_products(curvature, above)
    normal = np.array(
        [
            [curvature.sum(), curvature_below, curvature_above],
            [curvature_below, sum_of_products(curvature * below, below), 0.0],
            [curvature_above, 0.0, sum_of_products(curvature * above, above)],
        ]
    )
    # The pseudo-inverse leaves a slope alone that no player speaks for.
    scale = np.array([1.0, 0.002, 0.002])
    solved = np.linalg.pinv(normal * np.outer(scale, scale), rcond=1e-10, hermitian=True)
    return np.asarray(
        scale * (solved @ (scale * np.array([pull.sum(), sum_of_products(pull, below), sum_of_products(pull, above)])))
    )


def _scaled(errors: ErrorSizes, fide: Floats, uscf: Floats, line: HingedLine, used: Flags) -> ErrorSizes:
    """Error sizes of the same ratio that explain the scatter about the line (median absolute distance)."""
    distance = _project(fide, uscf, line, errors)[1]
    spread = float(np.median(np.abs(distance[used]))) / _NORMAL_MAD
    # Ratings are printed in whole points: no error is smaller than one of them.
    factor = max(spread, 1.0 / min(errors.fide, errors.uscf))
    return ErrorSizes(errors.fide * factor, errors.uscf * factor)
