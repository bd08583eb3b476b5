"""Simulated pairs of ratings whose true offset is known, for tests of the estimators.

The truth is that of the published rule of March 2024: 2060 at FIDE 2000, slope 1.5667 below and 1.02 above. Strength
is normal; each rating has an error of its own; who is below FIDE's floor is not on its list.
"""

from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl

from pipeline.analytics.offset_pairs import OFFSET_PAIR_SCHEMA, Floats, Integers
from pipeline.analytics.offset_structural import HingedLine
from pipeline.domain.entry import conform

TRUTH = HingedLine(2060.0, 1.5667, 1.02)
FLOOR = 1400


@dataclass(frozen=True)
class Pairs:
    """Ratings of the players on both lists, and their true strength."""

    fide: Integers
    uscf: Integers
    strength: Floats


def simulate(
    seed: int,
    *,
    persons: int = 3000,
    fide_error: float = 60,
    uscf_error: float = 75,
    wrong_links: float = 0.0,
) -> Pairs:
    """Draw persons; about one in nine is below the floor and leaves the sample."""
    random = np.random.default_rng(seed)
    strength = random.normal(1750, 280, persons)
    fide = np.rint(strength + random.normal(0, fide_error, persons)).astype(np.int64)
    uscf = np.rint(TRUTH.uscf_at(strength) + random.normal(0, uscf_error, persons)).astype(np.int64)
    wrong = random.choice(persons, round(wrong_links * persons), replace=False)
    uscf[wrong] = uscf[random.permutation(wrong)]
    listed = fide >= FLOOR
    return Pairs(fide[listed], uscf[listed], strength[listed])


def frame(fide: Integers, uscf: Integers, *, on: date = date(2024, 9, 1), **columns: object) -> pl.DataFrame:
    """Pairs of one month as a frame; persons are numbered, further columns are constants."""
    rows = pl.DataFrame(
        {"person_id": [f"p{number:06d}" for number in range(len(fide))], "fide_rating": fide, "uscf_rating": uscf}
    ).with_columns(
        pl.lit(on).alias("list_date"),
        pl.lit(on).alias("uscf_list_date"),
        *(pl.lit(value).alias(name) for name, value in columns.items()),
    )
    return conform(rows, OFFSET_PAIR_SCHEMA)
