"""Months with a rating list, as Dagster partitions that grow by themselves."""

from datetime import date, datetime
from functools import cache
from typing import Final

import dagster as dg

from pipeline.catalogue.tables import load

FIRST_MONTH: Final = date(1971, 7, 1)


@cache
def list_months() -> dg.MonthlyPartitionsDefinition:
    """Every month with an official list of any type since July 1971; from the calendar's end on every month.

    The current month exists from its first day (``end_offset``), when its list is valid.
    """
    known = load("rating_list_calendar").filter(official=True)["list_date"].unique().to_list()
    last = max(known)
    every = [
        datetime(year, month, 1)
        for year in range(FIRST_MONTH.year, last.year + 1)
        for month in range(1, 13)
        if FIRST_MONTH <= date(year, month, 1) <= last
    ]
    without = [month for month in every if month.date() not in set(known)]
    return dg.MonthlyPartitionsDefinition(start_date="1971-07", fmt="%Y-%m", end_offset=1, exclusions=without)


def month_of(partition_key: str) -> date:
    """First day of the month of a partition key such as ``2001-01``."""
    return date.fromisoformat(f"{partition_key}-01")
