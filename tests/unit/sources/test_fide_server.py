"""Which lists FIDE's server has, what they are called, and when they are asked for. No network."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest

from pipeline.catalogue.tables import load
from pipeline.domain.calendar import PublicationCalendar
from pipeline.domain.list_key import ListKey
from pipeline.sources.errors import NotFoundError
from pipeline.sources.fide import FideServer, archive_names

BASE = "https://ratings.example.org"


@pytest.fixture(scope="module")
def calendar() -> PublicationCalendar:
    return PublicationCalendar.from_frame(load("rating_list_calendar"))


def server(calendar: PublicationCalendar, today: date) -> FideServer:
    return FideServer(calendar, today, BASE)


@dataclass
class PageSession:
    """Stands in for the session: answers with one page."""

    page_text: str | None
    asked: list[str] = field(default_factory=list)

    def page(self, url: str) -> str:
        self.asked.append(url)
        if self.page_text is None:
            raise NotFoundError(url, "no such page", "")
        return self.page_text


def candidates(calendar: PublicationCalendar, key: ListKey, session: PageSession) -> Sequence[str]:
    (wanted,) = server(calendar, date(2026, 11, 30)).wanted([key])
    return wanted.candidates(session)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("list_date", "rating_type", "names"),
    [
        (date(2001, 1, 1), "standard", ("jan01frl.zip",)),
        (date(2009, 9, 1), "standard", ("sep09frl.zip",)),
        (date(2012, 7, 1), "standard", ("jul12frl.zip",)),
        (date(2012, 8, 1), "standard", ("aug12frl.zip", "standard_aug12frl_xml.zip")),
        (date(2012, 9, 1), "standard", ("standard_sep12frl.zip", "standard_sep12frl_xml.zip")),
        (date(2026, 5, 1), "blitz", ("blitz_may26frl.zip", "blitz_may26frl_xml.zip")),
    ],
)
def test_names_by_era(list_date: date, rating_type: str, names: tuple[str, ...]) -> None:
    assert archive_names(list_date, rating_type) == names


@pytest.mark.shared
def test_the_archives_of_2001_to_2013(shared_dir: Path, calendar: PublicationCalendar) -> None:
    case = json.loads((shared_dir / "cases/16_publication_calendar/expected.json").read_text())["must"]
    keys = server(calendar, date(2014, 1, 5)).lists(["standard"], until=date(2013, 12, 1))
    found = [
        {"period": f"{key.list_date:%Y-%m}", "archive": archive_names(key.list_date, "standard")[0]} for key in keys
    ]
    assert found == case["lists"]
    assert len(found) == case["number_of_lists"]


def test_a_list_is_asked_for_from_the_end_of_the_month_before(calendar: PublicationCalendar) -> None:
    def newest(today: date) -> date:
        return server(calendar, today).lists(["standard"])[-1].list_date

    assert newest(date(2013, 12, 20)) == date(2013, 12, 1)
    assert newest(date(2013, 12, 31)) == date(2014, 1, 1)
    assert newest(date(2014, 1, 5)) == date(2014, 1, 1)


def test_months_without_a_list_are_never_asked_for(calendar: PublicationCalendar) -> None:
    keys = [ListKey("fide", "standard", day) for day in (date(2001, 2, 1), date(2009, 10, 1), date(2012, 6, 1))]
    assert server(calendar, date(2026, 11, 30)).wanted(keys) == []
    rapid = server(calendar, date(2013, 1, 1)).lists(["rapid"])
    assert rapid[0].list_date == date(2012, 9, 1)


def test_lists_come_by_date_and_within_the_range(calendar: PublicationCalendar) -> None:
    keys = server(calendar, date(2026, 11, 30)).lists(since=date(2015, 2, 1), until=date(2015, 3, 1))
    assert [str(key) for key in keys] == [
        f"fide {kind} 2015-0{month}" for month in (2, 3) for kind in ("standard", "rapid", "blitz")
    ]


def test_a_refresh_asks_for_what_is_missing_and_for_the_newest_again(calendar: PublicationCalendar) -> None:
    today = server(calendar, date(2026, 11, 10))
    held = set(today.lists(["standard"]))
    assert [str(key) for key in today.to_refresh(held, ["standard"])] == ["fide standard 2026-11"]
    held.remove(ListKey("fide", "standard", date(2003, 7, 1)))
    assert [str(key) for key in today.to_refresh(held, ["standard"])] == [
        "fide standard 2003-07",
        "fide standard 2026-11",
    ]
    later = server(calendar, date(2026, 11, 29))
    assert [str(key) for key in later.to_refresh(held, ["standard"])][1:] == [
        "fide standard 2026-11",
        "fide standard 2026-12",
    ]


def test_only_the_newest_list_may_be_absent(calendar: PublicationCalendar) -> None:
    today = server(calendar, date(2026, 11, 29))
    wanted = today.wanted(today.lists(["standard"], since=date(2026, 9, 1)))
    assert [(item.list_date, item.may_be_absent) for item in wanted] == [
        (date(2026, 9, 1), False),
        (date(2026, 10, 1), False),
        (date(2026, 11, 1), True),
        (date(2026, 12, 1), True),
    ]


def test_links_of_the_page_come_before_names_by_rule(calendar: PublicationCalendar) -> None:
    page = PageSession(
        '<li><a href="http://ratings.example.org/download/standard_mar25frl_xml.zip">XML</a>'
        "<li><a class=x href=/download/standard_mar25frl_v2.zip>TXT</a>"
        '<a href="https://elsewhere.example.com/download/standard_mar25frl.zip">'
        '<a href="/download/rapid_mar25frl.zip"><a href="/download/standard_feb25frl.zip"><a><p'
    )
    assert candidates(calendar, ListKey("fide", "standard", date(2025, 3, 1)), page) == [
        f"{BASE}/download/standard_mar25frl_v2.zip",
        f"{BASE}/download/standard_mar25frl.zip",
        f"{BASE}/download/standard_mar25frl_xml.zip",
    ]
    assert page.asked == [f"{BASE}/a_download.php?period=2025-03-01"]


def test_the_newest_list_is_asked_for_as_text_since_xml_names_no_month(calendar: PublicationCalendar) -> None:
    today = server(calendar, date(2026, 11, 10))
    (wanted,) = today.wanted([ListKey("fide", "standard", date(2026, 11, 1))])
    assert wanted.candidates(PageSession("")) == [f"{BASE}/download/standard_nov26frl.zip"]  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [None, "", "\0<<a href"])
def test_without_a_page_names_by_rule_are_left(text: str | None, calendar: PublicationCalendar) -> None:
    assert candidates(calendar, ListKey("fide", "blitz", date(2025, 3, 1)), PageSession(text)) == [
        f"{BASE}/download/blitz_mar25frl.zip",
        f"{BASE}/download/blitz_mar25frl_xml.zip",
    ]


def test_the_page_is_asked_once_a_month_and_not_before_2015(calendar: PublicationCalendar) -> None:
    page = PageSession("")
    today = server(calendar, date(2026, 11, 30))
    for wanted in today.wanted(today.lists(since=date(2014, 12, 1), until=date(2015, 3, 1))):
        wanted.candidates(page)  # type: ignore[arg-type]
    assert page.asked == [f"{BASE}/a_download.php?period=2015-0{month}-01" for month in (2, 3)]


def test_the_current_lists(calendar: PublicationCalendar) -> None:
    wanted = FideServer(calendar, date(2026, 11, 30), "http://127.0.0.1:1").wanted_current()
    session = PageSession("")
    assert [item.candidates(session)[0] for item in wanted] == [  # type: ignore[arg-type]
        f"http://127.0.0.1:1/download/{name}.zip"
        for name in ("standard_rating_list", "rapid_rating_list", "blitz_rating_list", "players_list")
    ]
    assert {item.list_date for item in wanted} == {date(2026, 11, 1)}
    assert session.asked == []
