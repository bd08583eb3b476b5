"""SQL models: what is wrong with them is said when they are loaded, with file and line."""

from pathlib import Path

import pytest

from pipeline.warehouse import refresh
from pipeline.warehouse.models import Project, load_project
from pipeline.warehouse.sql_files import ModelError, relations

GOOD = "select 1 as list_key"


def write_project(
    root: Path, models: dict[str, str], *, columns: str = "list_key: Key.", described: bool = True
) -> Path:
    (root / "columns.yml").write_text(columns)
    (root / "core.yml").write_text(
        "models:\n  - name: lists\n    description: Lists.\n    columns: [{name: list_key, data_type: integer}]\n"
    )
    for name, sql in models.items():
        schema, table = name.split(".")
        folder = root / schema
        folder.mkdir(exist_ok=True)
        (folder / f"{table}.sql").write_text(sql)
        if described:
            (folder / f"{table}.yml").write_text(
                f"models:\n  - name: {table}\n    description: T.\n    meta: {{grain: [list_key]}}\n"
                "    columns: [{name: list_key, data_type: integer, data_tests: [not_null]}]\n"
            )
    return root


def test_order_and_tests_come_from_the_sql(tmp_path: Path) -> None:
    root = write_project(
        tmp_path,
        {
            "marts.a": "with b as (select list_key from intermediate.b) select list_key from b",
            "intermediate.b": "select list_key from core.lists",
        },
    )
    project = load_project(root)
    assert [model.qualified_name for model in project.models] == ["intermediate.b", "marts.a"]
    assert {test.name for test in project.tests_of("marts.a")} == {"a_grain", "a_list_key_not_null"}


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ({"marts.a": "select list_key\nfrom core.lists where\n"}, r"a\.sql:\d+:\d+: "),
        ({"marts.a": "select 1 as list_key; select 2 as list_key"}, "exactly one SELECT, found 2"),
        ({"marts.a": "drop table core.lists"}, "exactly one SELECT"),
        ({"marts.a": "select list_key from core.nothing"}, r"a\.sql: unknown relation core\.nothing"),
        (
            {"marts.a": "select list_key from marts.b", "marts.b": "select list_key from marts.a"},
            r"cycle: .*marts\.[ab] -> marts\.[ab] -> marts\.[ab]",
        ),
    ],
)
def test_mistakes_are_errors_at_load(tmp_path: Path, models: dict[str, str], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        load_project(write_project(tmp_path, models))


def test_a_model_needs_a_description_and_every_column_a_meaning(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"a\.yml beside it"):
        load_project(write_project(tmp_path, {"marts.a": GOOD}, described=False))
    (tmp_path / "second").mkdir()
    with pytest.raises(ModelError, match=r"column list_key of lists is not described"):
        load_project(write_project(tmp_path / "second", {"marts.a": GOOD}, columns="other: Other."))


def test_a_singular_test_names_its_model(tmp_path: Path) -> None:
    root = write_project(tmp_path, {"marts.a": GOOD})
    (root / "tests").mkdir()
    (root / "tests" / "t.sql").write_text(
        "-- model: marts.a; severity: warn\n-- Never.\nselect 1 from marts.a where false\n"
    )
    (test,) = [test for test in load_project(root).tests if test.name == "t"]
    assert (test.model, test.severity, test.description) == ("marts.a", "warn", "Never.")
    (root / "tests" / "t.sql").write_text("select 1\n")
    with pytest.raises(ModelError, match=r"t\.sql:1: the first line has to be"):
        load_project(root)


@pytest.fixture(scope="module")
def project() -> Project:
    return refresh.project()


def test_every_mart_has_a_grain_or_is_a_view_of_the_entries(project: Project) -> None:
    without = [
        model.qualified_name
        for model in project.models
        if model.table.schema == "marts" and not model.table.grain and model.materialized == "table"
    ]
    assert without == []


def test_no_mart_selects_everything(project: Project) -> None:
    from sqlglot import exp, parse_one

    for model in project.models:
        if model.table.schema == "marts":
            final = parse_one(model.sql, read="duckdb")
            assert not any(isinstance(column, exp.Star) for column in final.selects), model.path


def test_every_described_column_name_is_used(project: Project) -> None:
    import yaml

    from pipeline.warehouse.models import SQL_ROOT

    described = yaml.safe_load((SQL_ROOT / "columns.yml").read_text())
    used = {column.name for table in project.loaded for column in table.columns}
    used |= {column.name for model in project.models for column in model.table.columns}
    assert sorted(described.keys() - used) == []
    assert list(described) == sorted(described)


def test_relations_are_those_of_other_tables() -> None:
    import sqlglot

    query = sqlglot.parse_one("with a as (select 1 from core.x) select * from a join marts.y on true", read="duckdb")
    assert relations(query) == {"core.x", "marts.y"}
