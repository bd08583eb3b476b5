"""Answers of the US Chess ratings API: the fetcher's raw file, saved answers, and what is refused."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pipeline.formats.parsed import FormatError, UnknownLayoutError
from pipeline.formats.uscf_api import parse_api, read_api, sniff


def member(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "id": str(number),
        "firstName": "ODESSA",
        "lastName": "QUILLFEATHER",
        "status": "Active",
        "ratings": [
            {"rating": 1874, "ratingSystem": "R", "isProvisional": False, "floor": 1600},
            {"rating": 1802, "ratingSystem": "Q", "isProvisional": True, "gamesPlayed": 7},
            {"ratingSystem": "B", "isProvisional": True},
            {"rating": 1900, "ratingSystem": "OQ", "isProvisional": False},
        ],
    } | fields


def supplements(number: int, *months: tuple[str, int, int | None]) -> dict[str, Any]:
    return {
        "member_id": str(number),
        "supplements": [
            {
                "ratingSupplementDate": month,
                "ratings": [{"source": "R", "rating": rating} | ({"provisionalGameCount": games} if games else {})],
            }
            for month, rating, games in months
        ],
    }


def lines(*records: dict[str, Any]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def test_member_lines_are_ratings_of_the_month_of_retrieval() -> None:
    data = lines({"member": member(19900001, fideId="2999001", fideCountry="usa"), "retrieved": "2026-03-15"})
    assert sniff(data, "")
    parsed, members = read_api(data)
    assert parsed.entries.select("rating_type", "rating", "provisional_games", "list_date", "fide_id").rows() == [
        ("regular", 1874, None, date(2026, 3, 1), 2999001),
        ("quick", 1802, 7, date(2026, 3, 1), 2999001),
        ("blitz", None, None, date(2026, 3, 1), 2999001),
    ]
    assert members.select("name", "federation", "status", "regular_floor", "quick_floor").rows() == [
        ("QUILLFEATHER, ODESSA", "USA", "active", 1600, None)
    ]
    assert parsed.notes.select("code", "detail").rows() == [("rating_system_not_used", "OQ")]


def test_supplements_are_the_ratings_where_a_member_has_them() -> None:
    parsed, members = read_api(
        lines(
            {"member": member(19900001, fideId="2999001", fideCountry="USA"), "retrieved": "2026-03-15"},
            supplements(19900001, ("2024-02-01", 1850, None), ("2012-06-01", 1450, 12), ("2012-05-01", 0, None)),
            {"member": member(19900002), "retrieved": "2026-03-15"},
            supplements(19900002),
        )
    )
    history = parsed.entries.filter(uscf_id=19900001)
    assert history.select("list_date", "rating", "provisional_games", "name", "fide_id", "federation").rows() == [
        (date(2024, 2, 1), 1850, None, "QUILLFEATHER, ODESSA", 2999001, None),
        (date(2012, 6, 1), 1450, 12, "QUILLFEATHER, ODESSA", 2999001, None),
        (date(2012, 5, 1), None, None, "QUILLFEATHER, ODESSA", 2999001, None),
    ]
    assert parsed.entries.filter(uscf_id=19900002)["rating_type"].to_list() == ["regular", "quick", "blitz"]
    assert (parsed.lines_read, parsed.lines_without_entry, members.height) == (4, 2, 2)


def test_numbers_that_are_no_rating_and_supplements_without_a_month_are_noted() -> None:
    absurd = member(19900001, ratings=[{"rating": 99999, "ratingSystem": "R", "floor": 99999}])
    parsed, members = read_api(
        lines(
            {"member": absurd},
            supplements(19900002, ("soon", 1500, None), ("2024-02-01", 1510, None)),
        )
    )
    assert parsed.entries.select("uscf_id", "rating").rows() == [(19900001, None), (19900002, 1510)]
    assert parsed.notes.select("code", "line_number").rows() == [
        ("rating_unreadable", 1),
        ("supplement_without_month", 2),
    ]
    assert members["regular_floor"].to_list() == [None]


def test_duplicate_ids_have_facts_but_no_entries() -> None:
    parsed, members = read_api(lines({"member": member(19900003, status="DuplicateId")}))
    assert parsed.entries.height == 0
    assert members.select("status", "is_person").rows() == [("duplicate_id", False)]
    assert parsed.notes["code"].to_list() == ["duplicate_member_id"]


def test_absent_fields_long_system_names_and_odd_ids() -> None:
    bare = {"id": "19900004", "lastName": "THORNEBARROW"}
    long = member(19900005, ratings=[{"rating": 1500, "ratingSystem": "OverTheBoardRegular", "isProvisional": True}])
    odd = {"id": "T-1", "lastName": "TEST"}
    parsed, members = read_api(lines(*({"member": record} for record in (bare, long, odd))))
    assert parsed.entries.select("uscf_id", "rating_type", "rating").rows() == [(19900005, "regular", 1500)]
    assert parsed.notes["code"].to_list() == ["provisional_without_games"]
    assert parsed.rejects.select("line_number", "reason").rows() == [
        (3, "member id: expected 1 to 8 digits, found 'T-1'")
    ]
    assert members["name"].to_list() == ["THORNEBARROW", "QUILLFEATHER, ODESSA"]
    assert parsed.lines_without_entry == 1


def test_saved_pages_of_members_with_a_member_on_two_pages() -> None:
    pages = [
        {"items": [member(19900001), member(19900002)], "offset": 0, "pageSize": 2, "hasNextPage": True},
        {"items": [member(19900002), member(19900003)], "offset": 2, "pageSize": 2, "hasNextPage": False},
    ]
    parsed, members = read_api(lines(*pages))
    assert members["uscf_id"].to_list() == [19900001, 19900002, 19900003]
    assert parsed.lines_read == 4
    assert parsed.notes.filter(code="repeated_member_id")["line_number"].to_list() == [3]


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b"", FormatError, "empty file"),
        (lines({"member": member(1)})[:-20], FormatError, "unexpected type|cut"),
        (b'{"items": [', FormatError, "not JSON"),
        (b'{"member":' * 50_000, FormatError, "not JSON"),
        (b'{"items": []}', FormatError, "page without members"),
        (b'{"items": [{"ratingSupplementDate": "2024-02-01"}]}', UnknownLayoutError, "whose they are"),
        (b'{"openapi": "3.0"}', UnknownLayoutError, "found the fields openapi"),
        (b"[1, 2]", UnknownLayoutError, "another kind of JSON"),
        (lines({"member": member(1, ratings=[{"rating": "high"}])}), FormatError, "unexpected type"),
    ],
)
def test_what_is_no_answer_is_refused(data: bytes, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        parse_api(data)


@pytest.mark.shared
def test_real_answer(shared_dir: Path) -> None:
    data = (shared_dir / "lists/uscf/api_member_sample.json").read_bytes()
    assert sniff(data, "")
    parsed, members = read_api(data)
    assert parsed.entries.select("rating_type", "rating").rows() == [
        ("regular", 1060),
        ("quick", 1116),
        ("blitz", None),
    ]
    assert members.select("uscf_id", "fide_id", "regular_floor", "expires").rows() == [
        (12910923, 566008093, 150, date(2027, 7, 31))
    ]


@pytest.mark.shared
def test_the_fields_read_are_those_of_the_published_schema(shared_dir: Path) -> None:
    from pipeline.formats import uscf_api

    schemas = json.loads((shared_dir / "lists/uscf/api_v1_swagger.json").read_text())["components"]["schemas"]
    for name, struct in (
        ("MemberDetailDto", uscf_api._MEMBER),
        ("MemberRatingDto", uscf_api._RATING),
        ("RatingSupplementDto", uscf_api._SUPPLEMENT),
    ):
        assert {field.name for field in struct.fields} <= set(schemas[name]["properties"])
