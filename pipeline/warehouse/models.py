"""The SQL models: one SELECT a file with a ``.yml`` of the same stem, read, checked and put in order.

Nothing here opens a database. Dependencies come from the SQL itself (sqlglot), never from a hand-kept list; a
mistake is an error at load with file and line. ``dbt_like_sql/README.md`` describes the files. Tables that Python
computes (``computed.py``) stand in the same order, described in the same way.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, Final, Literal

import sqlglot
import yaml
from sqlglot import exp

from pipeline.warehouse.computed import SCHEMA as COMPUTED_SCHEMA
from pipeline.warehouse.computed import ComputedTable

SQL_ROOT: Final = Path(__file__).resolve().parent.parent.parent / "dbt_like_sql"
MODEL_SCHEMAS: Final = ("staging", "intermediate", "marts")
#: Schemas whose tables are loaded, not modelled.
LOADED_SCHEMAS: Final = ("core", "catalogue")

Severity = Literal["error", "warn"]


class ModelError(Exception):
    """A model, its metadata or a test that cannot be used; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Column:
    """A documented column."""

    name: str
    data_type: str
    description: str
    data_tests: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A documented table: schema, name, meaning, columns, and the columns that identify a row."""

    schema: str
    name: str
    description: str
    columns: tuple[Column, ...]
    grain: tuple[str, ...] = ()

    @property
    def qualified_name(self) -> str:
        """Name as SQL writes it."""
        return f"{self.schema}.{self.name}"

    @property
    def create_sql(self) -> str:
        """The empty table."""
        columns = ", ".join(f"{column.name} {column.data_type}" for column in self.columns)
        return f"create table {self.qualified_name} ({columns})"


@dataclass(frozen=True)
class Model:
    """A table or view made by one SELECT, or a table made by a function (then ``sql`` only names it)."""

    table: Table
    sql: str
    path: Path
    materialized: Literal["table", "view"]
    depends_on: frozenset[str]
    exported: bool
    example: str | None = None
    computed: ComputedTable | None = None

    @property
    def qualified_name(self) -> str:
        """Name as SQL writes it."""
        return self.table.qualified_name

    @cached_property
    def create_sql(self) -> str:
        """The statement that makes it."""
        return f"create or replace {self.materialized} {self.qualified_name} as\n{self.sql}"


@dataclass(frozen=True, slots=True)
class Macro:
    """A table macro: one SELECT with parameters, for the questions everybody asks."""

    name: str
    description: str
    parameters: tuple[Column, ...]
    sql: str
    path: Path
    example: str

    @property
    def create_sql(self) -> str:
        """The statement that makes it; no catalog is named, so that the file may be attached under any name."""
        names = ", ".join(parameter.name for parameter in self.parameters)
        return f"create or replace macro main.{self.name}({names}) as table\n{self.sql}"

    @property
    def comment_sql(self) -> str:
        """The statement that puts the description into the database."""
        description = self.description.replace("'", "''")
        return f"comment on macro table main.{self.name} is '{description}'"


@dataclass(frozen=True, slots=True)
class ModelTest:
    """A query that returns the rows that should not be there."""

    name: str
    model: str
    sql: str
    description: str
    severity: Severity = "error"


@dataclass(frozen=True)
class Project:
    """All tables, models and tests, models in the order they can be built."""

    loaded: tuple[Table, ...]
    models: tuple[Model, ...]
    tests: tuple[ModelTest, ...]
    macros: tuple[Macro, ...] = ()

    def tests_of(self, model: str) -> list[ModelTest]:
        """The tests that run after a model is built."""
        return [test for test in self.tests if test.model == model]


def load_project(
    root: Path = SQL_ROOT, catalogue: Iterable[Table] = (), computed: Iterable[ComputedTable] = ()
) -> Project:
    """Read every model, table description, macro and test below ``root``.

    Args:
        catalogue: tables of schema ``catalogue``, described elsewhere.
        computed: tables that Python computes, described in ``root/computed``.

    Raises:
        ModelError: syntax error, second statement, unknown relation, cycle, undocumented column.
    """
    descriptions = _yaml(root / "columns.yml")
    loaded = (*_tables(root / "core.yml", "core", descriptions), *catalogue)
    models = [
        _model(path, schema, descriptions) for schema in MODEL_SCHEMAS for path in sorted((root / schema).glob("*.sql"))
    ]
    models += [_computed_model(table, root / "computed", descriptions) for table in computed]
    known = {table.qualified_name for table in loaded} | {model.qualified_name for model in models}
    for model in models:
        if unknown := sorted(model.depends_on - known):
            raise ModelError(f"{model.path}: unknown relation {', '.join(unknown)}")
    ordered = _in_order(models)
    tests = (*_generic_tests(ordered), *_singular_tests(root / "tests", known))
    macros = tuple(_macro(path, known) for path in sorted((root / "macros").glob("*.sql")))
    return Project(loaded, ordered, tests, macros)


def _in_order(models: list[Model]) -> tuple[Model, ...]:
    by_name = {model.qualified_name: model for model in models}
    graph = {name: sorted(model.depends_on & by_name.keys()) for name, model in sorted(by_name.items())}
    try:
        return tuple(by_name[name] for name in TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise ModelError(f"the models form a cycle: {' -> '.join(error.args[1])}") from error


def _metadata(path: Path, kind: str = "models") -> Mapping[str, Any]:
    metadata_path = path.with_suffix(".yml")
    if not metadata_path.is_file():
        raise ModelError(f"{path}: has no {metadata_path.name} beside it that describes it")
    metadata: Mapping[str, Any] = _yaml(metadata_path)[kind][0]
    if metadata["name"] != path.stem:
        raise ModelError(f"{metadata_path}: describes {metadata['name']}, expected {path.stem}")
    return metadata


def _model(path: Path, schema: str, descriptions: Mapping[str, str]) -> Model:
    metadata = _metadata(path)
    query = _single_select(path)
    config = metadata.get("config", {})
    return Model(
        table=_table(metadata, schema, descriptions, path.with_suffix(".yml")),
        sql=path.read_text().strip().removesuffix(";"),
        path=path,
        materialized=config.get("materialized", "table"),
        depends_on=relations(query),
        exported=schema == "marts" and config.get("exported", True),
        example=metadata.get("meta", {}).get("example"),
    )


def _computed_model(computed: ComputedTable, folder: Path, descriptions: Mapping[str, str]) -> Model:
    path = folder / f"{computed.name}.yml"
    metadata = _metadata(path)
    return Model(
        table=_table(metadata, COMPUTED_SCHEMA, descriptions, path),
        sql=f"-- computed by {computed.origin}",
        path=path,
        materialized="table",
        depends_on=computed.reads,
        exported=False,
        example=metadata.get("meta", {}).get("example"),
        computed=computed,
    )


def _macro(path: Path, known: set[str]) -> Macro:
    metadata = _metadata(path, "macros")
    if unknown := sorted(relations(_single_select(path)) - known):
        raise ModelError(f"{path}: unknown relation {', '.join(unknown)}")
    return Macro(
        name=metadata["name"],
        description=" ".join(metadata["description"].split()),
        parameters=tuple(
            Column(argument["name"], argument["type"], argument["description"]) for argument in metadata["arguments"]
        ),
        sql=path.read_text().strip().removesuffix(";"),
        path=path,
        example=metadata["meta"]["example"],
    )


def _single_select(path: Path) -> exp.Query:
    try:
        statements = [found for found in sqlglot.parse(path.read_text(), read="duckdb") if found]
    except sqlglot.errors.ParseError as error:
        where = error.errors[0]
        raise ModelError(
            f"{path}:{where.get('line')}:{where.get('col')}: {where.get('description')} near {where.get('highlight')!r}"
        ) from error
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        raise ModelError(f"{path}: expected exactly one SELECT, found {len(statements)} statement(s)")
    return statements[0]


def relations(query: exp.Expr) -> frozenset[str]:
    """Qualified names of the tables a query reads; names of its own CTEs are not tables."""
    return frozenset(f"{table.db}.{table.name}" for table in query.find_all(exp.Table) if table.db)


def _tables(path: Path, schema: str, descriptions: Mapping[str, str]) -> list[Table]:
    return [_table(metadata, schema, descriptions, path) for metadata in _yaml(path)["models"]]


def _table(metadata: Mapping[str, Any], schema: str, descriptions: Mapping[str, str], path: Path) -> Table:
    columns = []
    for column in metadata["columns"]:
        description = column.get("description") or descriptions.get(column["name"])
        if not description:
            raise ModelError(f"{path}: column {column['name']} of {metadata['name']} is not described in columns.yml")
        columns.append(Column(column["name"], column["data_type"], description, tuple(column.get("data_tests", ()))))
    return Table(
        schema=schema,
        name=metadata["name"],
        description=" ".join(metadata["description"].split()),
        columns=tuple(columns),
        grain=tuple(metadata.get("meta", {}).get("grain", ())),
    )


def _generic_tests(models: Iterable[Model]) -> Iterable[ModelTest]:
    for model in models:
        name = model.qualified_name
        if grain := model.table.grain:
            keys = ", ".join(grain)
            yield ModelTest(
                f"{model.table.name}_grain",
                name,
                f"select {keys}, count(*) as rows from {name} group by {keys} having count(*) > 1",
                f"one row per {keys}",
            )
        for column in model.table.columns:
            for test in column.data_tests:
                yield _column_test(model, column, test)


def _column_test(model: Model, column: Column, test: Any) -> ModelTest:
    kind, arguments = (test, {}) if isinstance(test, str) else next(iter(test.items()))
    table, name = model.qualified_name, column.name
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
            raise ModelError(f"{model.path.with_suffix('.yml')}: unknown test {kind} of column {name}")
    return ModelTest(f"{model.table.name}_{name}_{kind}", table, sql, f"{name}: {kind} {arguments or ''}".strip())


def _singular_tests(root: Path, known: set[str]) -> Iterable[ModelTest]:
    """Tests of their own file. First comment line: ``-- model: marts.x; severity: warn``; then the description."""
    for path in sorted(root.glob("*.sql")):
        text = path.read_text()
        comments = [line[2:].strip() for line in text.splitlines() if line.startswith("--")]
        settings = dict(part.strip().split(": ", 1) for part in (comments or [""])[0].split(";") if ": " in part)
        if settings.get("model") not in known:
            raise ModelError(f"{path}:1: the first line has to be '-- model: <schema.table>', of a known table")
        query = _single_select(path)
        if unknown := sorted(relations(query) - known):
            raise ModelError(f"{path}: unknown relation {', '.join(unknown)}")
        severity: Severity = "warn" if settings.get("severity") == "warn" else "error"
        yield ModelTest(path.stem, settings["model"], text, " ".join(comments[1:]), severity)


def _yaml(path: Path) -> Any:
    try:
        return yaml.safe_load(path.read_text())
    except (OSError, yaml.YAMLError) as error:
        raise ModelError(f"{path}: {error}") from error
