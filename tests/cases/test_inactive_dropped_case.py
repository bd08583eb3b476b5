"""Case 12: a list that leaves out inactive players once. Counted, compared and explained by a whole build."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest
from building import build_folder, read_only


@pytest.fixture(scope="module")
def must(shared_dir: Path) -> dict[str, Any]:
    folder = shared_dir / "cases" / "12_inactive_dropped_for_one_period"
    expected: dict[str, Any] = json.loads((folder / "expected.json").read_text())["must"]
    return expected


@pytest.fixture(scope="module")
def connection(shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    folder = shared_dir / "cases" / "12_inactive_dropped_for_one_period"
    return read_only(build_folder(tmp_path_factory.mktemp("case12"), sorted(folder.glob("*.TXT"))))


def band_counts(connection: duckdb.DuckDBPyConnection, month: str, population: str) -> dict[str, int]:
    """The case's bands out of the steps of a hundred points."""
    rows = connection.execute(
        "select case when band_low >= 2700 then '2700+' when band_low >= 2200 then band_label else 'below 2200' end, "
        "sum(player_count)::integer from marts.rank_band_counts "
        "where band_system = 'hundreds' and list_date = ? and population = ? group by 1",
        [date.fromisoformat(f"{month}-01"), population],
    ).fetchall()
    return dict(rows)


@pytest.mark.parametrize("population", ["active", "all"])
def test_bands(connection: duckdb.DuckDBPyConnection, must: dict[str, Any], population: str) -> None:
    for month, expected in must[f"bands_{population}"].items():
        assert band_counts(connection, month, population) == expected, month


def test_who_is_absent_once_is_not_new_later(connection: duckdb.DuckDBPyConnection, must: dict[str, Any]) -> None:
    ids = {
        month: {
            row[0]
            for row in connection.execute(
                "select fide_id from staging.entries where list_date = ?", [date.fromisoformat(f"{month}-01")]
            ).fetchall()
        }
        for month in ("2001-10", "2002-01", "2002-04")
    }
    absent_once = (ids["2001-10"] & ids["2002-04"]) - ids["2002-01"]
    assert absent_once == set(must["ids_absent_in_2002-01_only"])
    new = ids["2002-04"] - ids["2001-10"] - ids["2002-01"]
    assert new == set(must["new_players_2002-04"])
    assert connection.execute(
        "select newcomers from marts.list_summary where list_date = date '2002-04-01'"
    ).fetchone() == (len(new),)


def test_peak(connection: duckdb.DuckDBPyConnection, must: dict[str, Any]) -> None:
    expected = must["peak_of_9901202"]
    assert connection.execute(
        "select peak_rating, strftime(peak_list_date, '%Y-%m') from marts.top_player_peaks where fide_id = 9901202"
    ).fetchone() == (expected["rating"], expected["first_period"])


def test_the_hole_is_reported(connection: duckdb.DuckDBPyConnection) -> None:
    found = dict(
        connection.execute(
            "select anomaly_code, detail from marts.list_anomalies "
            "where list_date = date '2002-01-01' and anomaly_origin = 'comparison'"
        ).fetchall()
    )
    assert "inactive_missing" in found
    assert found["players_gone_and_back"].startswith("4 players are on the lists before and after")
    assert "33.3 %" in found["players_gone_and_back"]
