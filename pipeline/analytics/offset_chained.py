"""The offset over time: changes of the same persons from list to list, chained.

Belongs here: the chained index and the plain cross-section that is shown beside it only. Not here: the level
of the offset by strength.

A mean over whoever is on a list moves when weaker players join, although nobody's ratings moved apart. Hence
only persons on two consecutive lists tell the change between them, and the changes are added up from the
first list on.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from pipeline.analytics.offset_bootstrap import DRAWS, percentile_interval, resample_persons
from pipeline.analytics.offset_pairs import (
    Flags,
    Floats,
    Integers,
    check_one_scale,
    check_pairs,
    person_numbers,
    ratings,
)

#: The change of one person between two lists counts at most this much, in points.
WINSOR_LIMIT: Final = 100
#: Persons on both of two lists, below whom the chain is not carried on but starts anew.
MINIMUM_MATCHED: Final = 20

CHAINED_SCHEMA: Final[dict[str, pl.DataType]] = {
    "estimator": pl.String(),  # chained, cross_section
    "list_date": pl.Date(),
    "uscf_minus_fide_estimate": pl.Float64(),
    "ci_low": pl.Float64(),
    "ci_high": pl.Float64(),
    # chained: persons who were on the list before too (on the first list: who are on it); else who are on it
    "sample_size": pl.Int64(),
    "chain": pl.Int64(),  # lists of one number are linked; a new number is a new start
    "caveat": pl.String(),
}


@dataclass(frozen=True, slots=True)
class _Panel:
    """Rows sorted by person and list, with the change since the list before where the person was on that."""

    lists: pl.Series
    number: Integers  # of the row's list
    person: Integers
    difference: Floats
    matched: Flags
    change: Floats
    starts: Flags  # lists at which a chain starts

    def counts(self, weights: Floats) -> tuple[Floats, Floats]:
        """Weight on each list, and of those who were on the list before as well."""
        size = len(self.lists)
        present = np.bincount(self.number, weights=weights, minlength=size)
        matched = np.bincount(self.number, weights=weights * self.matched, minlength=size)
        return present.astype(np.float64), matched.astype(np.float64)

    def index(self, weights: Floats) -> Floats:
        """Chained index on each list, then the plain mean on each list."""
        size = len(self.lists)
        present, matched = self.counts(weights)
        with np.errstate(invalid="ignore"):
            mean = np.bincount(self.number, weights=weights * self.difference, minlength=size) / present
            step = np.bincount(self.number, weights=weights * self.change, minlength=size) / matched
        chained = np.empty(size)
        for number in range(size):
            chained[number] = mean[number] if self.starts[number] else chained[number - 1] + step[number]
        return np.concatenate([chained, mean])


def chained_offsets(pairs: pl.DataFrame, *, draws: int = DRAWS, seed: int = 0) -> pl.DataFrame:
    """US minus FIDE rating on each list: chained over matched persons, and the plain mean of each list.

    The level of the chain is the mean of its first list; it describes that list's players and no strength.
    Intervals are those of a bootstrap over persons and contain the uncertainty of that first level.

    Args:
        pairs: pairs that passed the filters, on one side of March 2024.
        draws: bootstrap samples.
        seed: of the bootstrap.

    Returns:
        Frame of ``CHAINED_SCHEMA``, sorted by estimator and list.

    Raises:
        PairsError: columns or ratings are missing, persons repeated, or both sides of March 2024 are present.
    """
    check_pairs(pairs)
    check_one_scale(pairs)
    if pairs.is_empty():
        return pl.DataFrame(schema=CHAINED_SCHEMA)
    panel = _panel(pairs)
    everybody = np.ones(pairs.height)
    estimate = panel.index(everybody)
    low, high = percentile_interval(resample_persons(panel.index, panel.person, draws=draws, seed=seed))
    present, matched = panel.counts(everybody)
    chain = np.cumsum(panel.starts)
    caveat = ["level is the mean of the first list of the chain, not an offset at equal strength"] * len(chain)
    for number in np.flatnonzero(panel.starts)[1:]:
        caveat[number] = f"chain starts anew: fewer than {MINIMUM_MATCHED} persons were on the list before too"
    mixes = "mixes change with who is on the list; shown only beside the chained index"
    return pl.DataFrame(
        {
            "estimator": ["chained"] * len(chain) + ["cross_section"] * len(chain),
            "list_date": pl.concat([panel.lists, panel.lists]),
            "uscf_minus_fide_estimate": estimate.round(1),
            "ci_low": low.round(1),
            "ci_high": high.round(1),
            "sample_size": np.concatenate([np.where(panel.starts, present, matched), present]),
            "chain": np.concatenate([chain, chain]),
            "caveat": caveat + [mixes] * len(chain),
        }
    ).cast(CHAINED_SCHEMA)  # type: ignore[arg-type]


def last_list_of_each_year(offsets: pl.DataFrame) -> pl.DataFrame:
    """The rows of the last list of each calendar year, with a column ``year`` in front."""
    return (
        offsets.with_columns(pl.col("list_date").dt.year().cast(pl.Int16).alias("year"))
        .filter(pl.col("list_date") == pl.col("list_date").max().over("estimator", "year"))
        .select("year", *offsets.columns)
        .sort("estimator", "year")
    )


def _panel(pairs: pl.DataFrame) -> _Panel:
    ordered = pairs.sort("person_id", "list_date")
    lists = ordered["list_date"].unique().sort()
    fide, uscf = ratings(ordered)
    difference = (uscf - fide).astype(np.float64)
    number = ordered["list_date"].rank("dense").to_numpy().astype(np.int64) - 1
    person = person_numbers(ordered)
    matched = np.zeros(len(number), dtype=bool)
    matched[1:] = (person[1:] == person[:-1]) & (number[1:] == number[:-1] + 1)
    change = np.zeros(len(number))
    change[1:] = np.clip(difference[1:] - difference[:-1], -WINSOR_LIMIT, WINSOR_LIMIT) * matched[1:]
    starts = np.bincount(number, weights=matched, minlength=len(lists)) < MINIMUM_MATCHED
    return _Panel(lists, number, person, difference, matched, change, starts)
