"""Rows and settings inside a page: nothing ends a script element, nothing is lost on the way."""

import datetime
import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.encode import content_hash, encode_frame, json_column, script_json, span


@given(st.text() | st.lists(st.text()) | st.dictionaries(st.text(), st.text()))
def test_script_json_is_json_without_markup(value: object) -> None:
    text = script_json(value)
    assert json.loads(text) == value
    assert not set(text) & set("<\u2028\u2029")


def test_script_json_refuses_what_is_not_json() -> None:
    with pytest.raises(ValueError):
        script_json(float("nan"))


@given(st.lists(st.text() | st.none(), min_size=1))
def test_a_column_of_text_is_the_same_json(values: list[str | None]) -> None:
    frame = pl.DataFrame({"name": values}, schema={"name": pl.String()})
    found = frame.select(json_column("name")).to_series().to_list()
    assert found == [None if value is None else script_json(value) for value in values]


def decode(encoded: dict) -> list[dict]:
    columns = {
        name: c if isinstance(c, list) else [None if code < 0 else c["u"][code] for code in c["i"]]
        for name, c in encoded["c"].items()
    }
    return [{name: column[row] for name, column in columns.items()} for row in range(encoded["n"])]


@given(st.lists(st.tuples(st.text() | st.none(), st.integers(-9999, 9999) | st.none(), st.booleans()), max_size=30))
def test_frames_survive(rows: list[tuple[str | None, int | None, bool]]) -> None:
    schema = {"name": pl.String(), "rating": pl.Int16(), "active": pl.Boolean()}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    assert decode(json.loads(script_json(encode_frame(frame)))) == frame.to_dicts()


def test_dates_are_iso_text_and_floats_are_short() -> None:
    frame = pl.DataFrame({"list_date": [datetime.date(1971, 7, 1), None], "mean": [2700.0, 1 / 3]})
    assert decode(encode_frame(frame)) == [
        {"list_date": "1971-07-01", "mean": 2700},
        {"list_date": None, "mean": 0.333333},
    ]


def test_span_names_first_and_last_list() -> None:
    frame = pl.DataFrame({"list_date": [datetime.date(2024, 9, 1), datetime.date(1971, 7, 1)]})
    assert span(frame) == "July 1971 to September 2024"
    assert span(frame.clear()) == "no list"


def test_content_hash_is_of_the_content() -> None:
    assert content_hash("a") == content_hash(b"a") != content_hash("b")
