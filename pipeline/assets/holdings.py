"""What is held of one month, as the metadata of its partitions tells it. Pure; nothing of Dagster is imported."""

from collections.abc import Iterable
from datetime import date
from itertools import groupby
from typing import Final

from pipeline.domain.calendar import PublicationCalendar
from pipeline.domain.entry import RATING_TYPES
from pipeline.domain.list_key import ListKey
from pipeline.lists.lake import Edition
from pipeline.lists.raw_store import SourceFile

NOTHING: Final = "no list"


def source_files_held(sources: Iterable[SourceFile], months: set[date]) -> dict[str, int]:
    """Raw files of these months' lists, and those that hold lists of many months, whichever these are."""
    sources = list(sources)
    dated = [source for source in sources if source.list_date in months]
    return {
        "files": len(dated),
        "bytes": sum(source.byte_size for source in dated),
        "collections_of_many_months": sum(source.list_date is None for source in sources),
    }


def by_month(editions: Iterable[Edition]) -> dict[date, list[Edition]]:
    """Editions by the month of their list."""
    ordered = sorted(editions, key=lambda edition: (edition.key.list_date, edition.key, edition.collection))
    return {month: list(group) for month, group in groupby(ordered, lambda edition: edition.key.list_date)}


def editions_held(editions: list[Edition], calendar: PublicationCalendar, months: set[date]) -> dict[str, int | str]:
    """Editions of these months' lists, and which of the calendar's lists are not held in full.

    A month of which nothing is held says so; that is no failure.
    """
    complete = {edition.key for edition in editions if edition.coverage == "complete"}
    published = [
        ListKey("fide", rating_type, month)
        for month in sorted(months)
        for rating_type in RATING_TYPES
        if calendar.has_list(rating_type, month)
    ]
    return {
        "editions": len(editions),
        "entries": sum(edition.rows for edition in editions),
        "held": _lines(f"{e.key} of {e.collection}: {e.coverage}, {e.rows:,} entries" for e in editions),
        "not_held_in_full": _lines(str(key) for key in published if key not in complete),
    }


def _lines(lines: Iterable[str]) -> str:
    return "; ".join(lines) or NOTHING
