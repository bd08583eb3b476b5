"""The key of a rating list: publisher, rating type and list date, and one small number for the three.

A list is valid from the first day of a month, so the month names it.
"""

from dataclasses import dataclass
from datetime import date
from typing import Final

from pipeline.domain.entry import RATING_TYPES, USCF_RATING_TYPES

#: Every (publisher, rating type), in the order of their codes. Append only: the codes are stored.
LIST_SERIES: Final = tuple([("fide", kind) for kind in RATING_TYPES] + [("uscf", kind) for kind in USCF_RATING_TYPES])
_FIRST_YEAR: Final = 1960
_YEARS: Final = 120
_MONTHS_PER_SERIES: Final = 1500


@dataclass(frozen=True, slots=True, order=True)
class ListKey:
    """One rating list. ``number`` is unique, orders lists of a series by date and fits 16 bits."""

    publisher: str
    rating_type: str
    list_date: date

    def __post_init__(self) -> None:
        if (self.publisher, self.rating_type) not in LIST_SERIES:
            known = ", ".join(f"{publisher} {kind}" for publisher, kind in LIST_SERIES)
            raise ValueError(f"there are no {self.publisher} {self.rating_type} lists; known are {known}")
        if self.list_date.day != 1:
            raise ValueError(f"a list is valid from the first day of a month, not from {self.list_date}")
        if not _FIRST_YEAR <= self.list_date.year < _FIRST_YEAR + _YEARS:
            raise ValueError(
                f"lists are held from {_FIRST_YEAR} to {_FIRST_YEAR + _YEARS - 1}, found {self.list_date:%Y-%m}"
            )

    @property
    def number(self) -> int:
        """The list key stored with every entry."""
        series = LIST_SERIES.index((self.publisher, self.rating_type))
        return series * _MONTHS_PER_SERIES + (self.list_date.year - _FIRST_YEAR) * 12 + self.list_date.month

    @classmethod
    def from_number(cls, number: int) -> "ListKey":
        """The list of a key."""
        series, months = divmod(number, _MONTHS_PER_SERIES)
        year, month = divmod(months - 1, 12)
        publisher, rating_type = LIST_SERIES[series]
        return cls(publisher, rating_type, date(_FIRST_YEAR + year, month + 1, 1))

    def __str__(self) -> str:
        return f"{self.publisher} {self.rating_type} {self.list_date:%Y-%m}"
