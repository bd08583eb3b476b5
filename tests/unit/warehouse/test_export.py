"""Marts as files: in order of the grain, also where a table has several parts that DuckDB writes side by side."""

import csv
from pathlib import Path

import duckdb
import pytest

from pipeline.settings import Settings
from pipeline.warehouse.export import export_marts
from pipeline.warehouse.models import Model, Project
from pipeline.warehouse.tables import Column, Table

#: Four row groups of 122,880.
ROWS = 400_000


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    columns = (Column("player_id", "integer", "Number."), Column("player_name", "varchar", "Name."))
    table = Table("marts", "large", "Invented people.", columns, grain=("player_id",))
    model = Model(table, "select 1", Path("large.sql"), "table", frozenset(), exported=True)
    settings = Settings(data_dir=tmp_path)
    with duckdb.connect(str(settings.database)) as connection:
        connection.execute("create schema marts")
        connection.execute(
            f"create table marts.large as select (range * 7919 % {ROWS})::integer as player_id, "
            "case when range % 1000 = 0 then '=' else '' end || 'Inventedov ' || range as player_name "
            f"from range({ROWS})"
        )
    export_marts(Project((), (model,), ()), settings, "mark")
    return settings.marts_dir


def test_files_are_in_order_of_the_grain(exported: Path) -> None:
    with (exported / "large.csv").open(newline="") as file:
        numbers = [int(row["player_id"]) for row in csv.DictReader(file)]
    assert numbers == list(range(ROWS))
    parquet = duckdb.execute(f"select player_id from '{exported / 'large.parquet'}'").fetchall()
    assert [number for (number,) in parquet] == numbers


def test_text_that_a_spreadsheet_would_compute_is_quoted_in_csv_alone(exported: Path) -> None:
    def formulas(name: str, start: str) -> int:
        query = f"select count(*) from '{exported / name}' where starts_with(player_name, $start)"
        (row,) = duckdb.execute(query, {"start": start}).fetchall()
        return int(row[0])

    assert formulas("large.csv", "'=") == formulas("large.parquet", "=") == ROWS // 1000
