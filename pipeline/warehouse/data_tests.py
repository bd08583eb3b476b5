"""Tests of tables: queries that return the rows that should not be there.

They come from the descriptions (grain, data_tests) or are files of their own in ``dbt_like_sql/tests``.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pipeline.warehouse.sql_files import ModelError, relations, single_select
from pipeline.warehouse.tables import Column, Table

Severity = Literal["error", "warn"]


@dataclass(frozen=True, slots=True)
class ModelTest:
    """A query that returns the rows that should not be there.

    Attributes:
        name, model: what it is called and which table it is about.
        sql: the query.
        description: what it demands.
        severity: whether failing rows stop publication.
        list_by_list: whether rows of one list say nothing of another, so that lists tested before need no new look.
    """

    name: str
    model: str
    sql: str
    description: str
    severity: Severity = "error"
    list_by_list: bool = False


def generic_tests(tables: Iterable[tuple[Table, Path]]) -> Iterable[ModelTest]:
    """Tests that the descriptions of tables ask for; each table comes with the file that makes it."""
    for table, path in tables:
        name = table.qualified_name
        if grain := table.grain:
            keys = ", ".join(grain)
            yield ModelTest(
                f"{table.name}_grain",
                name,
                f"select {keys}, count(*) as rows from {name} group by {keys} having count(*) > 1",
                f"one row per {keys}",
            )
        for column in table.columns:
            for test in column.data_tests:
                yield _column_test(table, path, column, test)


def _column_test(described: Table, path: Path, column: Column, test: Any) -> ModelTest:
    kind, arguments = (test, {}) if isinstance(test, str) else next(iter(test.items()))
    table, name = described.qualified_name, column.name
    match kind:
        case "not_null":
            sql = f"select * from {table} where {name} is null"
        case "unique":
            sql = f"select {name}, count(*) as rows from {table} group by {name} having count(*) > 1"
        case "accepted_values":
            values = ", ".join("'" + str(value).replace("'", "''") + "'" for value in arguments["values"])
            sql = f"select distinct {name} from {table} where {name}::varchar not in ({values})"
        case "range":
            bounds = [f"{name} < {arguments['min']}"] if "min" in arguments else []
            bounds += [f"{name} > {arguments['max']}"] if "max" in arguments else []
            sql = f"select * from {table} where {' or '.join(bounds)}"
        case "relationships":
            sql = (
                f"select distinct {name} from {table} as child where {name} is not null and not exists "
                f"(select 1 from {arguments['to']} as parent where parent.{arguments['field']} = child.{name})"
            )
        case _:
            raise ModelError(f"{path.with_suffix('.yml')}: unknown test {kind} of column {name}")
    return ModelTest(f"{described.name}_{name}_{kind}", table, sql, f"{name}: {kind} {arguments or ''}".strip())


def singular_tests(root: Path, known: set[str]) -> Iterable[ModelTest]:
    """Tests of their own file. First comment line: ``-- model: marts.x``, then the description.

    After the model may stand ``; severity: warn`` and ``; list_by_list: true``.
    """
    for path in sorted(root.glob("*.sql")):
        text = path.read_text()
        comments = [line[2:].strip() for line in text.splitlines() if line.startswith("--")]
        settings = dict(part.strip().split(": ", 1) for part in (comments or [""])[0].split(";") if ": " in part)
        if settings.get("model") not in known:
            raise ModelError(f"{path}:1: the first line has to be '-- model: <schema.table>', of a known table")
        query = single_select(path)
        if unknown := sorted(relations(query) - known):
            raise ModelError(f"{path}: unknown relation {', '.join(unknown)}")
        severity: Severity = "warn" if settings.get("severity") == "warn" else "error"
        list_by_list = settings.get("list_by_list") == "true"
        yield ModelTest(path.stem, settings["model"], text, " ".join(comments[1:]), severity, list_by_list)
