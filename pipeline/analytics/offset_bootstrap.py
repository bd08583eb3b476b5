"""Resampling of persons, and the intervals that come from it.

A person occurs on many lists, and the errors of one person's ratings persist from list to list. Hence persons
are drawn, not rows: rows would make the intervals far too short.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from pipeline.analytics.offset_pairs import Floats, Integers

#: Draws behind a published interval.
DRAWS: Final = 1000
#: Share of the draws that an interval holds. Simulated coverage of the structural estimate is 93 to 95 %: about 90 at
#: the low end; above 2000, where the ratio of the errors matters most and the doubt about it is in the interval, near
#: 100 if the assumed ratio is right and 92 to 98 if the FIDE error was thought 30 % too large.
CONFIDENCE: Final = 0.95


def resample_persons(statistic: Callable[[Floats], Floats], person: Integers, *, draws: int, seed: int) -> Floats:
    """The statistic of ``draws`` samples of persons, drawn with replacement.

    Args:
        statistic: takes one weight per row (how often the row's person was drawn), returns a vector.
        person: number of the person of each row, 0 to number of persons - 1.
        draws: number of samples.
        seed: the same seed and rows give the same samples.

    Returns:
        Array of shape (draws, length of the statistic).
    """
    generator = np.random.default_rng(seed)
    persons = int(person.max()) + 1
    found = []
    for _ in range(draws):
        drawn = np.bincount(generator.integers(0, persons, persons), minlength=persons)
        found.append(statistic(drawn.astype(np.float64)[person]))
    return np.array(found)


def percentile_interval(sample: Floats) -> tuple[Floats, Floats]:
    """Both ends of the interval of each column; draws in which a value does not exist are left out."""
    if not sample.size:
        return np.empty(0), np.empty(0)
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.nanpercentile(sample, [tail, 100 - tail], axis=0)
    return low, high
