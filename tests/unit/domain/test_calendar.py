from datetime import date

import polars as pl
import pytest

from pipeline.catalogue.tables import load
from pipeline.domain.calendar import PublicationCalendar, extend_rows, next_month
from pipeline.domain.list_key import ListKey


@pytest.fixture(scope="module")
def calendar() -> PublicationCalendar:
    return PublicationCalendar.from_frame(load("rating_list_calendar"))


def months(calendar: PublicationCalendar, year: int) -> list[int]:
    dates = calendar.list_dates("standard", until=date(year, 12, 31), since=date(year, 1, 1))
    return [day.month for day in dates]


@pytest.mark.parametrize(
    ("year", "expected"),
    [
        (1971, [7]),
        (1974, [5]),
        (1977, [1]),
        (1978, [1, 7]),
        (1995, [1, 7]),
        (2000, [1, 7, 10]),
        (2005, [1, 4, 7, 10]),
        (2009, [1, 4, 7, 9, 11]),
        (2011, [1, 3, 5, 7, 9, 11]),
        (2012, [1, 3, 5, 7, 8, 9, 10, 11, 12]),
        (2020, list(range(1, 13))),
        (2031, list(range(1, 13))),
    ],
)
def test_lists_of_a_year(calendar: PublicationCalendar, year: int, expected: list[int]) -> None:
    assert months(calendar, year) == expected


def test_fide_counted_146_lists_from_2001_to_april_2020(calendar: PublicationCalendar) -> None:
    assert len(calendar.list_dates("standard", until=date(2020, 4, 1), since=date(2001, 1, 1))) == 146


def test_unofficial_lists_stand_apart(calendar: PublicationCalendar) -> None:
    assert len(calendar.unofficial) == 5
    assert calendar.list_dates("standard", until=date(1971, 6, 30)) == ()
    assert not calendar.has_list("standard", date(1971, 1, 1))
    assert calendar.has_list("standard", date(1971, 7, 15))


def test_the_calendar_has_no_end(calendar: PublicationCalendar) -> None:
    last = calendar.known["rapid"][-1]
    assert calendar.next_list_date("rapid", last) == next_month(last)
    assert calendar.next_list_date("rapid", date(2041, 12, 5)) == date(2042, 1, 1)
    assert calendar.has_list("rapid", date(2042, 1, 1))
    assert calendar.newest_due("rapid", date(2042, 1, 1)) == date(2042, 1, 1)


def test_next_list_skips_months_without_one(calendar: PublicationCalendar) -> None:
    assert calendar.next_list_date("standard", date(2009, 7, 1)) == date(2009, 9, 1)
    assert calendar.next_list_date("standard", date(1900, 1, 1)) == date(1971, 7, 1)
    assert calendar.next_list_date("blitz", date(2001, 1, 1)) == date(2012, 9, 1)


def test_nothing_is_due_before_the_first_list(calendar: PublicationCalendar) -> None:
    assert calendar.newest_due("blitz", date(2012, 8, 31)) is None
    assert calendar.newest_due("standard", date(2012, 6, 30)) == date(2012, 5, 1)


def test_expected_lists_name_the_series(calendar: PublicationCalendar) -> None:
    expected = calendar.expected_lists(date(2012, 9, 1))
    assert ListKey("fide", "rapid", date(2012, 9, 1)) in expected
    assert sum(key.rating_type == "blitz" for key in expected) == 1


@pytest.mark.parametrize(
    ("today", "expected"),
    [
        (date(2030, 4, 27), "future"),
        (date(2030, 4, 28), "may_be_out"),
        (date(2030, 4, 30), "may_be_out"),
        (date(2030, 5, 1), "due"),
        (date(2030, 5, 3), "due"),
        (date(2030, 5, 4), "late"),
    ],
)
def test_status_of_a_list_that_is_not_held(calendar: PublicationCalendar, today: date, expected: str) -> None:
    assert calendar.status("standard", date(2030, 5, 1), today) == expected


def test_a_month_without_a_list_is_never_late(calendar: PublicationCalendar) -> None:
    assert calendar.status("standard", date(2010, 2, 1), date(2030, 1, 1)) == "unpublished"


def test_unknown_rating_type_is_refused(calendar: PublicationCalendar) -> None:
    with pytest.raises(ValueError, match="unknown rating type 'bullet'"):
        calendar.has_list("bullet", date(2020, 1, 1))


def test_rows_are_cut_and_continued() -> None:
    rows = load("rating_list_calendar")
    last = rows["list_date"].max()
    assert isinstance(last, date)
    following = next_month(last)
    extended = extend_rows(rows, next_month(following))
    assert extended.height == rows.height + 6
    assert extended.columns == rows.columns
    added = extended.filter(pl.col("list_date") > last)
    assert added["official"].all()
    assert added["publication_note"].null_count() == 6
    assert extend_rows(rows, date(1974, 1, 1)).height == 8


def test_a_calendar_must_be_whole() -> None:
    rows = load("rating_list_calendar")
    with pytest.raises(ValueError, match="no list of type blitz"):
        PublicationCalendar.from_frame(rows.filter(pl.col("rating_type") != "blitz"))
    shifted = rows.with_columns(pl.col("list_date").dt.offset_by("26d"))
    with pytest.raises(ValueError, match="first of a month"):
        PublicationCalendar.from_frame(shifted)
