"""Pairs of a FIDE and a US Chess rating of one person: their schema and what every estimator demands of them.

Belongs here: the columns of a pair, the border of March 2024, validation. Not here: which pairs are fit for
use (``offset_filters.py``), estimates, and how persons were linked (``pipeline.players``).
"""

from datetime import date
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

#: One row per person and month. Ratings are US Chess regular and FIDE standard; null = not known.
OFFSET_PAIR_SCHEMA: Final[dict[str, pl.DataType]] = {
    "person_id": pl.String(),
    "list_date": pl.Date(),  # date of the FIDE list
    "uscf_list_date": pl.Date(),  # date of the US Chess supplement
    "fide_rating": pl.Int16(),
    "uscf_rating": pl.Int16(),
    "fide_games": pl.Int16(),  # FIDE-rated standard games in the twelve months before the list
    "uscf_games": pl.Int16(),  # US-rated regular games in the twelve months before the supplement
    "uscf_games_24_months": pl.Int16(),
    "uscf_provisional": pl.Boolean(),  # true up to 25 games
    "uscf_floor": pl.Int16(),  # the person's own floor, below which US Chess does not let the rating fall
    "active": pl.Boolean(),  # false where the FIDE list flags the player inactive
    "birth_year": pl.Int16(),
    "federation": pl.String(),
    "link_method": pl.String(),  # "fide_id" where the US record states the FIDE id
}

#: From this list on FIDE ratings below 2000 are compressed: new = old + 0.40 (2000 - old), FIDE QC 2024.
COMPRESSION: Final = date(2024, 3, 1)


class PairsError(ValueError):
    """Pairs that no estimate can be made from. The message says what was expected and what was found."""


def after_compression(column: str) -> pl.Expr:
    """True for dates on the scale that FIDE uses since March 2024."""
    return pl.col(column) >= COMPRESSION


def check_pairs(pairs: pl.DataFrame) -> None:
    """Demand the columns of ``OFFSET_PAIR_SCHEMA`` and one row per person and month.

    Raises:
        PairsError: a column is missing or of another type, or a person occurs twice on one list.
    """
    for name, dtype in OFFSET_PAIR_SCHEMA.items():
        found = pairs.schema.get(name)
        if found != dtype:
            raise PairsError(
                f"pairs: expected the column {name} of type {dtype}, found {found or 'no such column'}; "
                "bring the frame into OFFSET_PAIR_SCHEMA"
            )
    for name in ("person_id", "list_date"):
        if pairs[name].null_count():
            raise PairsError(f"pairs: {pairs[name].null_count()} rows have no {name}; it is required")
    repeated = pairs.filter(pl.struct("person_id", "list_date").is_duplicated())
    if repeated.height:
        person, on = repeated.sort("person_id", "list_date").select("person_id", "list_date").row(0)
        raise PairsError(
            f"pairs: expected one row per person and month, found {person} more than once on {on} "
            f"({repeated.height} such rows); choose one rating per person and list"
        )


def check_one_scale(pairs: pl.DataFrame) -> None:
    """Refuse pairs from both sides of March 2024, whichever of the two dates tells.

    Raises:
        PairsError: naming the first and the last date met.
    """
    dates = pl.concat([pairs["list_date"], pairs["uscf_list_date"]]).drop_nulls()
    first, last = dates.min(), dates.max()
    if not (isinstance(first, date) and isinstance(last, date)):
        return
    if first < COMPRESSION <= last:
        raise PairsError(
            f"pairs run from {first} to {last}: FIDE changed its scale on {COMPRESSION}, so lists before and "
            "from that day on must be estimated apart; filter the pairs to one side"
        )


def ratings(pairs: pl.DataFrame) -> tuple[Integers, Integers]:
    """FIDE and US ratings as arrays, in row order.

    Raises:
        PairsError: a rating is missing; an unrated player is no pair.
    """
    for name in ("fide_rating", "uscf_rating"):
        if pairs[name].null_count():
            raise PairsError(
                f"pairs: expected a {name} in every row, found {pairs[name].null_count()} without; "
                "an estimate takes only pairs that passed the filters"
            )
    return pairs["fide_rating"].to_numpy().astype(np.int64), pairs["uscf_rating"].to_numpy().astype(np.int64)


def person_numbers(pairs: pl.DataFrame) -> Integers:
    """Persons numbered from 0 in the order of their first row."""
    return pairs["person_id"].rank("dense").to_numpy().astype(np.int64) - 1
