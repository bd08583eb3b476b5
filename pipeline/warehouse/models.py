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

from pipeline.warehouse.computed import SCHEMA as COMPUTED_SCHEMA
from pipeline.warehouse.computed import ComputedTable
from pipeline.warehouse.data_tests import ModelTest, generic_tests, singular_tests
from pipeline.warehouse.sql_files import ModelError, read_yaml, relations, single_select
from pipeline.warehouse.tables import Column, Table

SQL_ROOT: Final = Path(__file__).resolve().parent.parent.parent / "dbt_like_sql"
MODEL_SCHEMAS: Final = ("staging", "intermediate", "marts")


@dataclass(frozen=True, slots=True)
class Incremental:
    """How a table is brought up to date without looking at all lists again.

    Attributes:
        unique_key: columns that tell which rows to exchange.
        strategy: with ``delete+insert`` the one column of the key, ``list_key`` or ``list_date``, tells which list a
            row is of. Its rows come from the entries of that list and of the one before it only; what they are made
            of beside ``core.entries`` must be of those lists too, or never change. With ``merge`` the rows
            are of persons, and the query adds what entries tell to what the table itself holds (nothing at first).
            Then it gets the entries of new lists only; of persons on lists that are not new, all entries and no row.
        follows_persons: whether the rows also depend on who is who, so that they are all made again when entries of
            older lists change their person.
    """

    unique_key: tuple[str, ...]
    strategy: Literal["delete+insert", "merge"]
    follows_persons: bool

    @property
    def merges(self) -> bool:
        """Whether the query reads the table it makes."""
        return self.strategy == "merge"


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
    incremental: Incremental | None = None

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
    descriptions = read_yaml(root / "columns.yml")
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
    tests = (*generic_tests((model.table, model.path) for model in ordered), *singular_tests(root / "tests", known))
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
    metadata: Mapping[str, Any] = read_yaml(metadata_path)[kind][0]
    if metadata["name"] != path.stem:
        raise ModelError(f"{metadata_path}: describes {metadata['name']}, expected {path.stem}")
    return metadata


def _model(path: Path, schema: str, descriptions: Mapping[str, str]) -> Model:
    metadata = _metadata(path)
    query = single_select(path)
    config = metadata.get("config", {})
    incremental = _incremental(config)
    itself = {f"{schema}.{path.stem}"} if incremental and incremental.merges else set()
    return Model(
        table=_table(metadata, schema, descriptions, path.with_suffix(".yml")),
        sql=path.read_text().strip().removesuffix(";"),
        path=path,
        materialized="view" if config.get("materialized") == "view" else "table",
        depends_on=relations(query) - itself,
        exported=schema == "marts" and config.get("exported", True),
        example=metadata.get("meta", {}).get("example"),
        incremental=incremental,
    )


def _incremental(config: Mapping[str, Any]) -> Incremental | None:
    if config.get("materialized") != "incremental":
        return None
    key = config["unique_key"]
    return Incremental(
        unique_key=(key,) if isinstance(key, str) else tuple(key),
        strategy=config.get("incremental_strategy", "delete+insert"),
        follows_persons=config.get("follows_persons", False),
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
    if unknown := sorted(relations(single_select(path)) - known):
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


def _tables(path: Path, schema: str, descriptions: Mapping[str, str]) -> list[Table]:
    return [_table(metadata, schema, descriptions, path) for metadata in read_yaml(path)["models"]]


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
