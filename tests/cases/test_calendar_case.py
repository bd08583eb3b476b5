"""Case 16: which standard lists exist from 2001 to 2013, and which months must not be asked for."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pipeline.catalogue.tables import load
from pipeline.domain.calendar import PublicationCalendar

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def calendar() -> PublicationCalendar:
    return PublicationCalendar.from_frame(load("rating_list_calendar"))


@pytest.fixture(scope="module")
def must(shared_dir: Path) -> dict[str, Any]:
    text = (shared_dir / "cases" / "16_publication_calendar" / "expected.json").read_text()
    expected: dict[str, Any] = json.loads(text)["must"]
    return expected


def first_of(period: str) -> date:
    return date.fromisoformat(f"{period}-01")


def test_the_lists_of_2001_to_2013(calendar: PublicationCalendar, must: dict[str, Any]) -> None:
    dates = calendar.list_dates("standard", until=date(2013, 12, 31), since=date(2001, 1, 1))
    assert [f"{day:%Y-%m}" for day in dates] == [row["period"] for row in must["lists"]]
    assert len(dates) == must["number_of_lists"]


def test_months_never_published(calendar: PublicationCalendar, must: dict[str, Any]) -> None:
    for period in must["never_published_examples"]:
        assert not calendar.has_list("standard", first_of(period)), period
        assert calendar.status("standard", first_of(period), date(2014, 1, 5)) == "unpublished", period


def test_rapid_and_blitz_start(calendar: PublicationCalendar, must: dict[str, Any]) -> None:
    start = first_of(must["rapid_and_blitz_lists_start"])
    assert calendar.known["rapid"][0] == start
    assert calendar.known["blitz"][0] == start


def test_due_on_the_first_of_its_own_month(calendar: PublicationCalendar) -> None:
    january = date(2014, 1, 1)
    assert calendar.newest_due("standard", date(2014, 1, 5)) == january
    assert calendar.newest_due("standard", date(2013, 12, 31)) == date(2013, 12, 1)
    assert calendar.status("standard", january, date(2013, 12, 31)) == "may_be_out"
