from datetime import date

import polars as pl
import pytest

from pipeline.catalogue.tables import load
from pipeline.domain import rule_book
from pipeline.domain.dated import UnknownRuleError

MAR_2024 = date(2024, 3, 1)


def test_k_names_rule_days_and_source() -> None:
    answer = rule_book.k_factor(date(2012, 5, 1), 2100, 10)
    assert answer.value == 30
    assert (answer.valid_from, answer.valid_to) == (date(2011, 7, 1), date(2014, 6, 30))
    assert answer.certainty == "inferred"
    assert answer.source


def test_expected_score_shows_what_the_cap_did() -> None:
    answer = rule_book.expected_score(MAR_2024, 2550, 2000)
    assert answer.value == 0.92
    assert answer.steps == ("difference +550 counts as +400", "table: 0.92")


def test_change_shows_a_lowered_k() -> None:
    answer = rule_book.rating_change(MAR_2024, 2000, [2000] * 100, [0.5] * 99 + [1], 40)
    assert answer.value == 3.5
    assert answer.steps[1] == "K 7 (lowered from 40: K times games is at most 700)"
    assert rule_book.rating_change(MAR_2024, 2400, [2500], [1], 10).value == 6.4
    assert rule_book.rating_change(MAR_2024, 2400, [], [], 10).value == 0


def test_initial_rating_and_performances() -> None:
    assert rule_book.initial_rating(MAR_2024, [1800] * 5, 5).value == 2109
    assert rule_book.performance([1500] * 6, 3.5).value == 1557
    assert rule_book.performance([2400] * 5, 3, "linear").value == pytest.approx(2485)
    assert rule_book.performance([2400] * 4, 3, "400").value == 2600
    with pytest.raises(ValueError, match="known are fide, 400, linear"):
        rule_book.performance([2400], 1, "guess")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("on", "sex", "floor", "valid_to"),
    [
        ("1971-07-01", "M", 2200, "1992-12-31"),
        ("1972-07-01", "F", None, "1974-04-30"),
        ("1980-01-01", "F", 1800, "1985-12-31"),
        ("1990-01-01", "F", 2000, "1998-12-31"),
        ("1995-01-01", "M", 2000, "1998-12-31"),
        ("2001-01-01", "M", 2000, "2002-09-30"),
        ("2003-01-01", "F", 1800, "2004-09-30"),
        ("2005-01-01", "M", 1600, "2006-06-30"),
        ("2008-01-01", "M", 1400, "2009-08-31"),
        ("2012-07-01", "M", 1200, "2012-07-31"),
        ("2020-01-01", "M", 1000, "2024-02-29"),
        ("2026-01-01", "F", 1400, None),
    ],
)
def test_floors_by_date(on: str, sex: str, floor: int | None, valid_to: str | None) -> None:
    answer = rule_book.floor(date.fromisoformat(on), sex, load("rating_floors"))  # type: ignore[arg-type]
    assert answer.value == floor
    assert answer.valid_to == (date.fromisoformat(valid_to) if valid_to else None)


def test_there_is_no_floor_before_there_are_lists() -> None:
    with pytest.raises(UnknownRuleError, match="the first is of 1971-07-01"):
        rule_book.floor(date(1970, 1, 1), "M", load("rating_floors"))


def test_floors_are_in_the_rule_calendar() -> None:
    calendar = load("rule_changes").filter(pl.col("kind") == "floor")
    floors = load("rating_floors").select("from_list", "floor").drop_nulls()
    for day, value in zip(calendar["rule_date"], calendar["value"], strict=True):
        assert (day, int(value)) in floors.rows()


def test_compression_and_plain_elo() -> None:
    assert rule_book.compression(1500).value == 1700
    answer = rule_book.elo_update(1613, [1609, 1477, 1388, 1586, 1720], 2.5, 32)
    assert answer.value is not None
    assert round(answer.value) == 1601
    assert answer.steps == ("expected 0.506 0.686 0.785 0.539 0.351", "sum 2.867, scored 2.5 of 5")


def test_us_chess() -> None:
    answer = rule_book.uscf_update(date(2018, 1, 1), 1800, 100, [1700, 1750, 1800, 1850, 1900], 4)
    assert answer.value == pytest.approx(1856.64, abs=0.005)
    assert answer.steps[0] == "K 29.316"
    assert answer.valid_from == date(2017, 5, 1)
    special = rule_book.uscf_update(date(1999, 1, 1), 1500, 6, [1400, 1550, 1650], 1.5)
    assert special.value == pytest.approx(1511.11, abs=0.01)
    assert special.valid_from is None
    single = rule_book.uscf_update(date(1999, 1, 1), 1250, 30, [1400], 1)
    assert single.value == pytest.approx(1288.5, abs=0.05)
    assert rule_book.uscf_expected_score(1800, 1800).value == 0.5


def test_unknown_days_stay_unknown() -> None:
    with pytest.raises(UnknownRuleError):
        rule_book.k_factor(date(1990, 1, 1), 2500, 100)
    with pytest.raises(UnknownRuleError):
        rule_book.expected_score(date(1990, 1, 1), 2500, 2400)
