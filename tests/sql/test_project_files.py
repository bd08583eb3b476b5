"""Macros and computed tables are loaded with the models, and mistakes in them are errors that name the file."""

from pathlib import Path

import duckdb
import polars as pl
import pytest

from pipeline.warehouse.build import build_models, create_macros
from pipeline.warehouse.computed import ComputedTable, reading
from pipeline.warehouse.models import ModelError, Project, load_project

COLUMNS = "value: A number.\nwhole: A whole number.\n"
SOURCE = """
models:
  - name: numbers
    description: Numbers.
    columns:
      - {name: value, data_type: integer}
"""
DOUBLED = """
models:
  - name: doubled
    description: Twice.
    meta: {grain: [value], example: "select max(value) from intermediate.doubled"}
    columns:
      - {name: value, data_type: integer, data_tests: ["not_null"]}
"""
ABOVE = """
macros:
  - name: above
    description: Numbers above another's.
    arguments:
      - {name: lowest, type: integer, description: The other.}
    meta: {example: select value from above(2)}
"""


def double(numbers: pl.DataFrame) -> pl.DataFrame:
    return numbers.select(pl.col("value") * 2)


def computed(query: str = "select value from core.numbers") -> ComputedTable:
    return ComputedTable("doubled", frozenset({"core.numbers"}), reading(query, double))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("staging", "intermediate", "marts", "computed", "macros", "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "columns.yml").write_text(COLUMNS)
    (tmp_path / "core.yml").write_text(SOURCE)
    (tmp_path / "computed" / "doubled.yml").write_text(DOUBLED)
    (tmp_path / "macros" / "above.yml").write_text(ABOVE)
    (tmp_path / "macros" / "above.sql").write_text(
        "-- Everything above.\nselect value from marts.sums where value > lowest::integer\n"
    )
    (tmp_path / "marts" / "sums.sql").write_text("select value + 1 as value from intermediate.doubled\n")
    (tmp_path / "marts" / "sums.yml").write_text(DOUBLED.replace("doubled", "sums"))
    return tmp_path


def built(project: Project, file: str = ":memory:") -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(file)
    for schema in ("core", "intermediate", "marts"):
        connection.execute(f"create schema {schema}")
    connection.execute("create table core.numbers as select unnest([1, 2, 3])::integer as value")
    assert not any(result.blocked for result in build_models(connection, project))
    create_macros(connection, project)
    return connection


def test_a_computed_table_is_built_before_what_reads_it_and_tested(root: Path) -> None:
    project = load_project(root, computed=[computed()])
    assert [model.qualified_name for model in project.models] == ["intermediate.doubled", "marts.sums"]
    connection = built(project)
    assert connection.execute("select value from marts.sums order by 1").fetchall() == [(3,), (5,), (7,)]
    comment = connection.execute("select comment from duckdb_tables() where table_name = 'doubled'").fetchone()
    assert comment == ("Twice.",)


def test_a_macro_answers_when_the_file_is_attached_under_another_name(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "built.duckdb"
    built(load_project(root, computed=[computed()]), str(file)).close()
    connection = duckdb.connect()
    connection.execute(f"attach '{file}' as anything (read_only); use anything")
    assert connection.execute("select value from above(4) order by 1").fetchall() == [(5,), (7,)]
    comments = connection.execute("select comment from duckdb_functions() where function_name = 'above'").fetchall()
    assert comments == [("Numbers above another's.",)]


def test_undocumented_columns_of_a_computed_table_are_refused(root: Path) -> None:
    (root / "computed" / "doubled.yml").write_text(DOUBLED.replace("name: value", "name: whole"))
    with pytest.raises(ModelError, match=r"doubled\.yml: describes the columns whole; .*double gives value"):
        built(load_project(root, computed=[computed()]))


def test_a_computed_table_without_description_is_refused(root: Path) -> None:
    (root / "computed" / "doubled.yml").unlink()
    with pytest.raises(ModelError, match=r"doubled\.yml"):
        load_project(root, computed=[computed()])


def test_a_macro_on_an_unknown_relation_is_refused(root: Path) -> None:
    (root / "macros" / "above.sql").write_text("select value from marts.nothing where value > lowest\n")
    with pytest.raises(ModelError, match=r"above\.sql: unknown relation marts\.nothing"):
        load_project(root, computed=[computed()])


def test_a_macro_on_an_unknown_column_is_refused_when_created(root: Path) -> None:
    (root / "macros" / "above.sql").write_text("select value from marts.sums where weight > lowest\n")
    with pytest.raises(ModelError, match=r"above\.sql: .*weight"):
        built(load_project(root, computed=[computed()]))


def test_a_cycle_through_a_computed_table_is_refused(root: Path) -> None:
    table = ComputedTable("doubled", frozenset({"marts.sums"}), reading("select value from marts.sums", double))
    with pytest.raises(ModelError, match="cycle"):
        load_project(root, computed=[table])
