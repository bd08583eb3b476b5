"""When rating lists are published: those that exist, the rule for those to come, what is due and late.

Belongs here: pure questions to the publication calendar. Not here: the calendar's rows (the catalogue
holds them; callers pass the frame) and what is held of it (``lists``).

All dates are list dates, that is first days of months, or days in UTC. A list of month M appears at the
end of month M-1 and is due on the first of M. Since July 2012 there is a list every month, so the calendar
has no end: after its last row it continues monthly.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

import polars as pl

from pipeline.domain.entry import RATING_TYPES
from pipeline.domain.list_key import ListKey

#: Days before its list date from which a list may be out (around the last day of the month before).
EARLY_DAYS: Final = 3
#: Days after its list date from which an absent list is late, not merely due.
LATE_AFTER_DAYS: Final = 3

#: ``unpublished``: no such list was or will be published; ``future``: not before the end of the
#: month before; ``may_be_out``: asking is allowed, absence is no failure; ``due``: should be there;
#: ``late``: somebody must look.
ListStatus = Literal["unpublished", "future", "may_be_out", "due", "late"]


def month_start(day: date) -> date:
    """First day of the month of ``day``."""
    return day.replace(day=1)


def next_month(day: date) -> date:
    """First day of the month after that of ``day``."""
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)


@dataclass(frozen=True, slots=True)
class PublicationCalendar:
    """Published lists of FIDE, and the rule that continues them.

    Attributes:
        known: list dates of the official lists by rating type, ascending, as far as the calendar's rows go.
        unofficial: list dates before FIDE adopted the system in July 1971, which no result mixes in unasked.
    """

    known: dict[str, tuple[date, ...]]
    unofficial: tuple[date, ...]

    @classmethod
    def from_frame(cls, rows: pl.DataFrame) -> "PublicationCalendar":
        """The calendar of a frame with the columns list_date, rating_type and official.

        Raises:
            ValueError: a rating type has no list, or a list date is not the first of a month.
        """
        stray = rows.filter(pl.col("list_date").dt.day() != 1)
        if not stray.is_empty():
            raise ValueError(f"a list date is the first of a month, not {stray['list_date'][0]}")
        official = rows.filter("official").sort("list_date")
        known = {
            rating_type: tuple(official.filter(pl.col("rating_type") == rating_type)["list_date"].to_list())
            for rating_type in RATING_TYPES
        }
        if missing := [rating_type for rating_type, dates in known.items() if not dates]:
            raise ValueError(f"the publication calendar has no list of type {', '.join(missing)}")
        unofficial = rows.filter(~pl.col("official")).sort("list_date")["list_date"].to_list()
        return cls(known, tuple(unofficial))

    def list_dates(self, rating_type: str, until: date, since: date = date.min) -> tuple[date, ...]:
        """Official lists of a rating type with ``since`` <= list date <= ``until``, ascending."""
        dates = list(self._known(rating_type))
        while (following := next_month(dates[-1])) <= until:
            dates.append(following)
        return tuple(day for day in dates if since <= day <= until)

    def has_list(self, rating_type: str, month: date) -> bool:
        """Whether there is an official list of this type in the month of ``month``, past or to come."""
        known = self._known(rating_type)
        start = month_start(month)
        return start > known[-1] or start in known

    def next_list_date(self, rating_type: str, after: date) -> date:
        """List date of the first official list later than ``after``."""
        known = self._known(rating_type)
        if after >= known[-1]:
            return next_month(after)
        return next(day for day in known if day > after)

    def newest_due(self, rating_type: str, today: date) -> date | None:
        """List date of the list that is in force on ``today``; None before the first one."""
        dates = self.list_dates(rating_type, until=today)
        return dates[-1] if dates else None

    def expected_lists(self, today: date) -> tuple[ListKey, ...]:
        """Every official list that should exist on ``today``, by rating type and date."""
        return tuple(
            ListKey("fide", rating_type, day)
            for rating_type in RATING_TYPES
            for day in self.list_dates(rating_type, until=today)
        )

    def status(self, rating_type: str, list_date: date, today: date) -> ListStatus:
        """Where a list that is not held stands on ``today`` (the calendar does not know what is held)."""
        if not self.has_list(rating_type, list_date):
            return "unpublished"
        days = (today - list_date).days
        if days < -EARLY_DAYS:
            return "future"
        if days < 0:
            return "may_be_out"
        return "due" if days < LATE_AFTER_DAYS else "late"

    def _known(self, rating_type: str) -> tuple[date, ...]:
        if rating_type not in self.known:
            raise ValueError(f"unknown rating type {rating_type!r}; known are {', '.join(self.known)}")
        return self.known[rating_type]


def extend_rows(rows: pl.DataFrame, until: date) -> pl.DataFrame:
    """Calendar rows up to the list date ``until``: later rows are cut, months after the last row are added.

    Added rows are official and ``full``; columns that only a published list can fill are null.
    """
    calendar = PublicationCalendar.from_frame(rows)
    kept = rows.filter(pl.col("list_date") <= until)
    added = [
        {"list_date": day, "rating_type": rating_type, "official": True, "kind": "full"}
        for rating_type, known in calendar.known.items()
        for day in calendar.list_dates(rating_type, until, since=next_month(known[-1]))
    ]
    if not added:
        return kept
    return pl.concat([kept, pl.DataFrame(added, schema_overrides={"list_date": pl.Date()})], how="diagonal")
