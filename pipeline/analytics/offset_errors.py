"""How large the errors of the two ratings are to each other: what is assumed, and what the scatter of pairs adds.

Belongs here: error sizes, the assumption about their ratio and the doubt about it, the evidence in the scatter. Not
here: the line (``offset_structural.py``).

A straight line through pairs leaves the ratio open. One that bends does not: across a slope b the pairs scatter with
the variance b^2 fide^2 + uscf^2, which drops at the bend, by more the larger the FIDE error is. But errors may also
change with strength, as those who play most are the best and are rated most precisely. Hence only the *jump* of the
scatter at the bend is evidence; a steady change with strength is fitted beside it and says nothing.

Errors that themselves jump at the bend look like another ratio. FIDE's compression of March 2024 made such a jump,
since it shrank the errors below 2000 with the ratings; nobody has measured how long it lasts. So the scatter does
not replace the assumption: both are weighed by their precision, and however many the pairs, four tenths of the
assumption stands. Where the line hardly bends, as before March 2024, or few players are on one side, all of it does.
"""

from dataclasses import dataclass, replace
from math import exp, log, sqrt
from typing import Final

import numpy as np

from pipeline.analytics.offset_pairs import Floats

# Pairs farther from the line than this many standard errors do not count as scatter: they may be wrong links.
_FARTHEST: Final = 3.0
# Of z^2 where |z| is smaller, z being a normal deviate: rise of its mean by the log variance; its variance over the
# square of that rise.
_RISE: Final = 0.86633
_VARIANCE: Final = 2.3086


@dataclass(frozen=True, slots=True)
class ErrorSizes:
    """Standard errors of the two ratings as measures of strength, in points of each scale."""

    fide: float
    uscf: float

    @property
    def ratio(self) -> float:
        """Variance of the US error over that of the FIDE error."""
        return (self.uscf / self.fide) ** 2

    def with_ratio(self, ratio: float, slope: float) -> "ErrorSizes":
        """Sizes of another ratio that give the same scatter across a line of this slope."""
        fide = sqrt(((slope * self.fide) ** 2 + self.uscf**2) / (slope**2 + ratio))
        return ErrorSizes(fide, fide * sqrt(ratio))


@dataclass(frozen=True, slots=True)
class ErrorAssumption:
    """What is thought of the errors before any pair is seen; the doubts are judgements, not estimates.

    Attributes:
        ratio: variance of the US error over that of the FIDE error. US Chess's effective numbers of games and FIDE's
            K give 0.5 to 2.
        ratio_doubt: standard deviation of its logarithm. With 0.5, a ratio thought to be 1 is between 0.6 and 1.65
            two times in three, between 0.37 and 2.7 nineteen times in twenty. With 0 it is held, whatever the pairs
            say.
        jump: by how much the log variance of the errors themselves jumps at the bend.
        jump_doubt: standard deviation of that. 0.08 is what errors 4 % larger on one side would make.
    """

    ratio: float = 1.0
    ratio_doubt: float = 0.5
    jump: float = 0.0
    jump_doubt: float = 0.08

    @classmethod
    def holding(cls, ratio: float) -> "ErrorAssumption":
        """This ratio and no doubt about it."""
        return cls(ratio, ratio_doubt=0.0)

    def drawn(self, generator: np.random.Generator) -> "ErrorAssumption":
        """Ratio and jump drawn anew within their doubts: for one draw of a bootstrap."""
        ratio, jump = generator.normal(size=2) * (self.ratio_doubt, self.jump_doubt)
        return replace(self, ratio=self.ratio * exp(ratio), jump=self.jump + float(jump))


#: The assumption behind published estimates.
ASSUMED: Final = ErrorAssumption()


@dataclass(frozen=True, slots=True)
class BendContrast:
    """What to weigh the squared distances with to see by how much their variance jumps at the bend.

    Attributes:
        weights: one per pair; they sum to 0, and so do their products with the strengths.
        variance: of the jump so estimated, where errors are normal. Infinite where nothing can be seen.
    """

    weights: Floats
    variance: float

    @classmethod
    def between_sides(cls, beyond: Floats, distance: Floats, weights: Floats) -> "BendContrast":
        """Difference between the means of both sides, less a trend with strength that both share.

        Args:
            beyond: strength of each player less that of the bend; who is exactly at the bend belongs to no side.
            distance: distances from the line in standard errors; far pairs are not counted.
            weights: how many persons each pair stands for.
        """
        counted = weights * ((np.abs(distance) < _FARTHEST) & (beyond != 0))
        above = np.flatnonzero(beyond > 0)
        counted_above, beyond_above = counted[above], beyond[above]
        weight_above = float(counted_above.sum())
        weight_below = float(counted.sum()) - weight_above
        nothing = cls(np.zeros(len(beyond)), np.inf)
        if min(weight_below, weight_above) < 1:
            return nothing
        total_above = sum_of_products(counted_above, beyond_above)
        mean_above = total_above / weight_above
        mean_below = (sum_of_products(counted, beyond) - total_above) / weight_below
        centred = beyond - mean_below
        centred[above] = beyond_above - mean_above
        leverage = counted * centred
        within = sum_of_products(leverage, centred)
        if within <= 0:
            return nothing
        apart = mean_above - mean_below
        contrast = leverage * (-apart / within) - counted / weight_below
        contrast[above] += counted_above * (1 / weight_above + 1 / weight_below)
        return cls(contrast, _VARIANCE * (1 / weight_below + 1 / weight_above + apart**2 / within))

    def jump(self, distance: Floats) -> float:
        """Log variance above the bend minus that below it; to first order, for distances near 1 standard error."""
        return sum_of_products(self.weights * distance, distance) / _RISE


def weighed_ratio(
    assumed: ErrorAssumption, errors: ErrorSizes, slopes: tuple[float, float], jump: float, variance: float
) -> float:
    """The ratio that assumption and scatter make most probable together.

    Args:
        assumed: the assumption; its doubt is not 0.
        errors: sizes in whose units the distances were.
        slopes: of the line below and above the bend. Where they are alike, no ratio makes the scatter jump.
        jump: what of the jump these sizes do not explain.
        variance: of the estimate of this jump; infinite where nothing is known.
    """
    below, above = (errors.ratio / (slope**2 + errors.ratio) for slope in slopes)
    rise = above - below
    precision = 1 / (variance + assumed.jump_doubt**2)
    assumed_step = log(assumed.ratio / errors.ratio) / assumed.ratio_doubt**2
    step = (assumed_step + rise * precision * (jump - assumed.jump)) / (
        1 / assumed.ratio_doubt**2 + rise**2 * precision
    )
    # The rise holds nearby only.
    return errors.ratio * exp(min(max(step, -assumed.ratio_doubt), assumed.ratio_doubt))


def sum_of_products(left: Floats, right: Floats) -> float:
    """In one thread: BLAS would split long sums by the number of cores, and so would the result."""
    return float(np.einsum("i,i->", left, right))
