"""Case 13: a member file of US Chess exported from its dBase edition."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.formats.parsed import ParsedFile
from pipeline.formats.uscf_members import read_delimited_members, sniff_delimited
from pipeline.formats.uscf_membership import membership_on
from pipeline.lists.duplicates import mark_duplicates

pytestmark = pytest.mark.shared
AS_OF = date(2016, 6, 1)


@pytest.fixture(scope="module")
def case(shared_dir: Path) -> Path:
    return shared_dir / "cases/13_us_members_file"


@pytest.fixture(scope="module")
def must(case: Path) -> dict[str, Any]:
    return json.loads((case / "expected.json").read_text())["must"]


@pytest.fixture(scope="module")
def read(case: Path) -> tuple[ParsedFile, pl.DataFrame]:
    data = (case / "us_members_2016-06.csv").read_bytes()
    assert sniff_delimited(data, "us_members_2016-06.csv")
    return read_delimited_members(data)


def _standing(parsed: ParsedFile, rating_type: str) -> pl.DataFrame:
    entries = mark_duplicates(parsed.entries.filter(rating_type=rating_type))
    return entries.filter(pl.col("duplicate_of").is_null())


def test_every_line_is_accounted_for(read: tuple[ParsedFile, pl.DataFrame], must: dict[str, Any]) -> None:
    parsed, members = read
    assert parsed.lines_read == must["rows_in_file"]
    assert members.height == must["distinct_member_ids"]
    assert members["is_person"].sum() == must["people"]
    retired = members.filter(status="retired_id")["uscf_id"].to_list()
    assert retired == must["retired_ids"]
    assert parsed.rejects.height == 0


def test_ratings(read: tuple[ParsedFile, pl.DataFrame], must: dict[str, Any]) -> None:
    for rating_type in ("regular", "quick"):
        standing = _standing(read[0], rating_type)
        assert standing["uscf_id"].n_unique() == standing.height == must["people"]
        found = {str(row["uscf_id"]): row for row in standing.iter_rows(named=True)}
        assert {key: found[key]["rating"] for key in must[rating_type]} == must[rating_type]
        games = must[f"{rating_type}_provisional_games"]
        assert {key: row["provisional_games"] for key, row in found.items() if row["provisional_games"]} == games
    regular = _standing(read[0], "regular").filter(pl.col("rating").is_not_null())
    assert regular.height == must["rated_regular"]
    assert regular["provisional_games"].null_count() == must["established_regular"]
    provisional = regular.filter(pl.col("provisional_games").is_not_null())["uscf_id"].to_list()
    assert sorted(provisional) == must["provisional_regular"]


def test_membership_and_names(read: tuple[ParsedFile, pl.DataFrame], must: dict[str, Any]) -> None:
    members = read[1].with_columns(membership_on(AS_OF))
    found = {str(row["uscf_id"]): row for row in members.iter_rows(named=True)}
    for key, text in must["membership"].items():
        row = found[key]
        words = {"life": "life", "unknown": "not known"}.get(row["membership"])
        if words is None:
            joint = "current to" if row["membership"] == "current" else "expired"
            words = f"{joint} {row['expires']}"
        assert text.startswith(words)
    assert {key: found[key]["name"] for key in must["name"]} == must["name"]


def test_what_ought_to_be_reported(read: tuple[ParsedFile, pl.DataFrame], case: Path) -> None:
    should = json.loads((case / "expected.json").read_text())["should"]
    codes = read[0].notes["code"].value_counts()
    found = dict(codes.iter_rows())
    reported = should["issues_reported"]
    assert found["repeated_member_id"] == reported["repeated member id"]
    assert found["rating_marker_unknown"] == reported["rating marker of unknown meaning (*)"]
    regular = read[0].entries.filter(rating_type="regular", uscf_id=19900004)
    assert regular["printed_rating"].to_list() == [should["raw_rating_text_kept"]["19900004"]]
