"""Offsets without a line: medians by band, and ratings of equal rank.

Belongs here: bands of 100 points (of either rating or of projected strength), equipercentile matching, and
the counts of persons that stand behind a number. Not here: the structural line, which gives the strengths.

Medians by a band of one *rating* answer "what is the other rating, typically?" and contain selection and
regression to the mean; medians by a band of projected *strength* answer "how far apart are the scales?". The
two questions have different answers, in simulation by 20 to 80 points at the ends.

Published ratings are whole numbers, so that a weighted sample is a table of counts and every quantile is read
from cumulated counts: exact, and fast enough for a thousand resamples of a hundred thousand pairs.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from pipeline.analytics.offset_pairs import Floats, Integers

BAND_WIDTH: Final = 100
QUARTILES: Final = (0.25, 0.5, 0.75)


@dataclass(frozen=True, slots=True)
class Bands:
    """Bands of 100 points that cover some ratings; band k starts at ``first + 100 k``."""

    first: int
    count: int

    @classmethod
    def covering(cls, ratings: Floats | Integers) -> "Bands":
        """The bands from that of the lowest to that of the highest rating."""
        low = int(np.min(ratings)) // BAND_WIDTH
        return cls(low * BAND_WIDTH, int(np.max(ratings)) // BAND_WIDTH - low + 1)

    @property
    def lows(self) -> Integers:
        """Lowest rating of each band."""
        return np.arange(self.first, self.first + self.count * BAND_WIDTH, BAND_WIDTH)

    def labels(self) -> list[str]:
        """Each band as shown: ``1600-1699``."""
        return [f"{low}-{low + BAND_WIDTH - 1}" for low in self.lows]

    def of(self, ratings: Floats | Integers) -> Integers:
        """Number of the band of each rating; what lies outside goes to the first or the last band."""
        number = (ratings - self.first) // BAND_WIDTH
        return np.clip(number, 0, self.count - 1).astype(np.int64)


def quantiles_by_band(
    band: Integers,
    count: int,
    difference: Integers,
    weights: Floats,
    probabilities: tuple[float, ...] = (0.5,),
) -> Floats:
    """Weighted quantiles of whole-number differences in each band; NaN where a band has no weight.

    Where the cumulated weight hits a probability exactly, the two neighbouring values are averaged: with
    whole weights the median is that of the sample in which every value is repeated that often.

    Returns:
        Array of shape (number of probabilities, number of bands).
    """
    lowest = int(difference.min())
    width = int(difference.max()) - lowest + 1
    counts = np.bincount(band * width + (difference - lowest), weights=weights, minlength=count * width)
    cumulated = counts.reshape(count, width).cumsum(axis=1)
    total = cumulated[:, -1:]
    found = np.empty((len(probabilities), count))
    for row, probability in enumerate(probabilities):
        target = probability * total
        at_least = (cumulated >= target).argmax(axis=1)
        beyond = (cumulated > target).argmax(axis=1)
        found[row] = (at_least + beyond) / 2 + lowest
    found[:, total[:, 0] == 0] = np.nan
    return found


def equipercentile_offsets(fide: Integers, uscf: Integers, weights: Floats, at: Integers) -> Floats:
    """US rating of equal rank minus FIDE rating, at each FIDE rating of ``at`` (all weights positive in sum).

    Needs no assumption on the size of the errors, but takes the two ratings to be equally reliable. Ranks are
    those of classic equating: a whole-number rating stands for the unit interval around it.
    """
    ranks = _share_below(fide, weights, at)
    edges = np.arange(int(uscf.min()), int(uscf.max()) + 2, dtype=np.float64) - 0.5
    shares = _share_below(uscf, weights, edges)
    # Where nobody is rated the share stands still: a rank is sought between the two edges at which it differs.
    top = np.searchsorted(shares, shares[-1])
    right = np.minimum(np.searchsorted(shares, ranks, side="right"), top)
    within = (ranks - shares[right - 1]) / (shares[right] - shares[right - 1])
    return np.asarray(edges[right - 1] + within - at)


def _share_below(ratings: Integers, weights: Floats, at: Floats | Integers) -> Floats:
    """Share of the weight below each value, spread evenly over the unit interval around each rating."""
    lowest = int(ratings.min())
    counts = np.bincount(ratings - lowest, weights=weights)
    cumulated = np.concatenate([[0.0], counts.cumsum()]) / counts.sum()
    edges = np.arange(len(cumulated)) + lowest - 0.5
    return np.asarray(np.interp(at, edges, cumulated))


def persons_by_band(band: Integers, count: int, person: Integers) -> Integers:
    """Number of different persons in each band."""
    occupied = np.unique(band * (int(person.max(initial=0)) + 1) + person)
    return np.bincount(occupied // (int(person.max(initial=0)) + 1), minlength=count)


def persons_near(values: Floats | Integers, person: Integers, at: Integers, within: int = 100) -> Integers:
    """Number of different persons with a value at most ``within`` points from each point."""
    return np.array([len(np.unique(person[np.abs(values - point) <= within])) for point in at], dtype=np.int64)
