"""The real lists of 2001-2004 against counts made independently on the same files; July 1971 in full."""

import csv
from pathlib import Path
from typing import Any

import duckdb
import pytest
from building import read_only

from pipeline.settings import Settings

pytestmark = pytest.mark.shared
REFERENCE = Path("pipeline/catalogue/data/full_list_2001_2004_summary.csv")
HELD = ("2001-01", "2001-04", "2001-10", "2002-01", "2002-07", "2002-10", "2003-01", "2003-04", "2003-10", "2004-01")
#: Column of the reference -> column of marts.list_summary.
COLUMNS = {
    "rows": "rows_count",
    "women": "women_count",
    "federations": "federation_count",
    "min_rating": "min_rating",
    "median": "median_rating",
    "gm": "gm_count",
    "im": "im_count",
    "fm": "fm_count",
    "n2700_all": "count_ge_2700",
    "n2700_active": "active_ge_2700",
    "n2600_all": "count_ge_2600",
    "n2600_active": "active_ge_2600",
    "n2500_all": "count_ge_2500",
    "n2500_active": "active_ge_2500",
    "active_rows": "active_count",
    "rows_games_gt0": "played_count",
}
#: The reference counts the codes ``g`` and ``w``; these two players are told otherwise on the list itself.
EXPLAINED = {
    ("2001-04", "gm"): "Herrera, Irisberto is printed with the title gm instead of g",
    ("2001-10", "women"): "Papp, Judit is F in the SEX column and has no w in the flag",
}


@pytest.fixture(scope="module")
def summary(real_lists: Settings) -> dict[str, dict[str, Any]]:
    with read_only(real_lists) as connection:
        cursor = connection.execute("select * from marts.list_summary where rating_type = 'standard'")
        names = [column[0] for column in cursor.description or []]
        return {
            f"{row[names.index('list_date')]:%Y-%m}": dict(zip(names, row, strict=True)) for row in cursor.fetchall()
        }


@pytest.mark.parametrize("month", HELD)
def test_counts_equal_the_reference(summary: dict[str, dict[str, Any]], month: str) -> None:
    with REFERENCE.open() as file:
        (reference,) = [row for row in csv.DictReader(file) if row["list_date"].startswith(month)]
    held = summary[month]
    # The reference counts rows; players on an id that another row stands for are counted once here.
    twice = held["rows_count"] - held["player_count"]
    differing = {
        name: (float(reference[name]), float(held[column]))
        for name, column in COLUMNS.items()
        if abs(float(reference[name]) - float(held[column])) > (0 if name == "rows" else twice)
    }
    unexplained = {name: values for name, values in differing.items() if (month, name) not in EXPLAINED}
    assert unexplained == {}
    assert all(held_count - reference_count == 1 for reference_count, held_count in differing.values())
    assert abs(float(reference["mean"]) - held["mean_rating"]) <= (0.05 if not twice else 0.2)


def test_january_2001(summary: dict[str, dict[str, Any]]) -> None:
    held = summary["2001-01"]
    assert (held["rows_count"], held["count_ge_2700"], held["active_ge_2700"]) == (36978, 14, 12)


@pytest.fixture
def connection(real_lists: Settings) -> duckdb.DuckDBPyConnection:
    return read_only(real_lists)


def test_rows_are_kept_or_rejected(connection: duckdb.DuckDBPyConnection) -> None:
    rows = connection.execute(
        "select file_name, lines_read, lines_kept + lines_rejected from core.source_files order by file_name"
    ).fetchall()
    assert len(rows) == 12
    assert all(read == accounted for _, read, accounted in rows), rows


def test_the_full_list_of_july_1971_replaces_the_top_hundred_and_both_are_held(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    assert connection.execute(
        "select collection, coverage, rows_read, edition_count from marts.list_coverage where list_date = '1971-07-01'"
    ).fetchall() == [("weeks", "complete", 592, 2)]
    assert connection.execute(
        "select sources.collection, is_current, edition_rows from core.editions as editions "
        "join core.source_files as sources using (source_key) join core.lists as lists using (list_key) "
        "where list_date = '1971-07-01' order by collection"
    ).fetchall() == [("bundled", False, 105), ("weeks", True, 592)]


def test_editions_are_compared(connection: duckdb.DuckDBPyConnection) -> None:
    """The download file of April 2001 and the top-100 page differ for Kasparov: 2822 and 2827."""
    assert connection.execute(
        "select current_rating, other_rating, current_collection, other_collection from marts.edition_differences "
        "where list_date = '2001-04-01' and player_name like 'Kasparov%' and difference = 'ratings differ'"
    ).fetchall() == [(2822, 2827, "fide", "bundled")]
