"""US Chess files become editions like those of FIDE: one per rating type and month."""

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from us_member_files import GOLDEN, dbase

from pipeline.formats.parsed import FormatError
from pipeline.lists.editions import normalise
from pipeline.lists.lake import Lake, SourceSummary
from pipeline.lists.raw_store import RawStore

ROWS = [
    (str(19900000 + number), f"{chr(65 + number % 26)}PERSON, INVENTED", "12/31/27", "MA", str(1000 + number), "")
    for number in range(30)
]


def added(folder: Path, data: bytes, name: str, list_date: date | None = None) -> SourceSummary:
    store, lake = RawStore(folder / "raw"), Lake(folder / "lake")
    when = datetime(2026, 3, 15, tzinfo=UTC)
    source, _ = store.add(data, name, collection="uscf_td", origin="test", retrieved_at=when, list_date=list_date)
    return normalise(source, store, lake)


def test_a_golden_database_is_a_complete_list_of_each_rating_type(tmp_path: Path) -> None:
    summary = added(tmp_path, dbase(GOLDEN, ROWS), "TARATSUP.DBF", date(2026, 3, 1))
    assert [(str(edition.key), edition.coverage, edition.rows) for edition in summary.editions] == [
        ("uscf quick 2026-03", "complete", 30),
        ("uscf regular 2026-03", "complete", 30),
    ]


def test_a_golden_database_without_a_month_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="--list-date"):
        added(tmp_path, dbase(GOLDEN, ROWS), "TARATSUP.DBF")


def test_a_history_from_the_api_is_an_edition_of_every_month(tmp_path: Path) -> None:
    member = {"id": "19900001", "lastName": "QUILLFEATHER", "fideId": "2999001"}
    months = [
        {"ratingSupplementDate": month, "ratings": [{"source": "R", "rating": 1500}, {"source": "B", "rating": 1400}]}
        for month in ("2024-02-01", "2024-03-01")
    ]
    lines = [{"member": member}, {"member_id": "19900001", "supplements": months}]
    summary = added(tmp_path, "\n".join(map(json.dumps, lines)).encode(), "api.jsonl")
    assert sorted(str(edition.key) for edition in summary.editions) == [
        "uscf blitz 2024-02",
        "uscf blitz 2024-03",
        "uscf regular 2024-02",
        "uscf regular 2024-03",
    ]
    assert {edition.coverage for edition in summary.editions} == {"extract"}
    assert (summary.lines_read, summary.lines_without_entry, summary.rejects) == (2, 1, 0)
