"""Which edition of a list is current: complete, then the publisher's own and latest, then the collections' order."""

from datetime import UTC, date, datetime
from pathlib import Path

import polars as pl
import pytest

from pipeline.domain.list_key import ListKey
from pipeline.lists.current import choose_current, link_current
from pipeline.lists.lake import EDITION_SCHEMA, Edition, Lake
from pipeline.lists.raw_store import SourceFile

KEY = ListKey("fide", "standard", date(2001, 1, 1))


def edition(
    sha256: str, collection: str, coverage: str = "complete", key: ListKey = KEY, rows: int = 10, unrated: int = 0
) -> Edition:
    return Edition(key, sha256, collection, coverage, rows=rows, duplicates=0, unrated=unrated, has_flags=True)


def source(sha256: str, collection: str, day: int = 1) -> SourceFile:
    return SourceFile(sha256, f"{sha256}.txt", collection, "test", datetime(2026, 1, day, tzinfo=UTC), 1)


@pytest.mark.parametrize(
    ("first", "second", "wins"),
    [
        (("a", "bundled", "top", 1), ("b", "weeks", "complete", 1), "b"),
        (("a", "fide", "complete", 1), ("b", "fide", "complete", 2), "b"),
        (("a", "fide", "complete", 1), ("b", "scid", "complete", 9), "a"),
        (("a", "fide", "extract", 9), ("b", "scid", "complete", 1), "b"),
        (("a", "weeks", "complete", 1), ("b", "olimpbase", "complete", 1), "b"),
        (("a", "weeks", "complete", 9), ("b", "scid", "complete", 1), "a"),
        (("a", "nobody knows", "complete", 9), ("b", "mapped", "complete", 1), "b"),
        (("a", "scid", "complete", 1), ("b", "scid", "complete", 1), "a"),
    ],
)
def test_precedence(first: tuple[str, str, str, int], second: tuple[str, str, str, int], wins: str) -> None:
    editions = [edition(*first[:3]), edition(*second[:3])]
    sources = {sha256: source(sha256, collection, day) for sha256, collection, _, day in (first, second)}
    assert choose_current(editions, sources)[KEY].sha256 == wins
    assert choose_current(reversed(editions), sources)[KEY].sha256 == wins


@pytest.mark.parametrize(
    ("own_rows", "own_unrated", "other_rows", "other_unrated", "wins"),
    [
        (49, 0, 100, 0, "other"),  # the publisher's file was cut off
        (50, 0, 100, 0, "own"),
        (50, 0, 900, 800, "own"),  # a combined list with 800 players who have no rating
        (60, 40, 100, 0, "other"),
        (900, 0, 100, 0, "own"),
    ],
)
def test_a_file_with_less_than_half_of_a_list_is_not_preferred(
    own_rows: int, own_unrated: int, other_rows: int, other_unrated: int, wins: str
) -> None:
    editions = [
        edition("own", "fide", rows=own_rows, unrated=own_unrated),
        edition("other", "scid", rows=other_rows, unrated=other_unrated),
    ]
    sources = {"own": source("own", "fide", day=9), "other": source("other", "scid")}
    assert choose_current(editions, sources)[KEY].sha256 == wins


def test_only_complete_editions_of_the_same_list_tell_that_a_file_was_cut_off() -> None:
    later = ListKey("fide", "standard", date(2001, 4, 1))
    editions = [
        edition("own", "fide", rows=10),
        edition("top", "bundled", "top", rows=100),
        edition("next", "scid", key=later, rows=100),
    ]
    sources = {"own": source("own", "fide"), "top": source("top", "bundled"), "next": source("next", "scid")}
    assert choose_current(editions, sources)[KEY].sha256 == "own"


def test_the_folder_of_current_lists_holds_exactly_them(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    later = ListKey("fide", "standard", date(2001, 4, 1))
    one, other, gone = edition("a", "fide"), edition("b", "scid"), edition("a", "fide", key=later)
    for held in (one, other, gone):
        path = lake.edition_path(held.key, held.sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        pl.DataFrame({"name": [held.sha256]}, schema_overrides=EDITION_SCHEMA).write_parquet(path)
    link_current(lake, {KEY: other, later: gone})
    link_current(lake, {KEY: one})
    assert pl.read_parquet(lake.current_path(KEY))["name"].to_list() == ["a"]
    assert not lake.current_path(later).exists()
