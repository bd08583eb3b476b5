"""Building the models in an open database and running their tests. No Dagster; nothing is published here."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import duckdb

from pipeline.warehouse.computed import ComputedTable
from pipeline.warehouse.data_tests import ModelTest
from pipeline.warehouse.increment import Window
from pipeline.warehouse.load import comment
from pipeline.warehouse.models import Model, Project
from pipeline.warehouse.sql_files import ModelError

#: Failing rows shown with a failed test.
SAMPLE_ROWS = 5


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a test found; it passed when there is no failing row."""

    test: ModelTest
    failing_rows: int
    sample: str = ""

    @property
    def passed(self) -> bool:
        """Whether the model is as the test says."""
        return self.failing_rows == 0


@dataclass(frozen=True, slots=True)
class ModelResult:
    """A built model, or a skipped one (``skipped_because`` names what failed before)."""

    model: Model
    rows: int | None
    seconds: float
    checks: list[CheckResult] = field(default_factory=list)
    skipped_because: str | None = None

    @property
    def blocked(self) -> bool:
        """Whether models that depend on this one must not be built."""
        failed = any(not check.passed and check.test.severity == "error" for check in self.checks)
        return failed or self.skipped_because is not None


def build_models(
    connection: duckdb.DuckDBPyConnection, project: Project, window: Window | None = None
) -> Iterator[ModelResult]:
    """Build every model in order, test it, and skip what depends on a failure.

    Where the build continues a published file, incremental models are made for the lists of ``window`` only.

    Raises:
        ModelError: a model cannot be run, or its columns are not the documented ones.
    """
    blocked: dict[str, str] = {}
    for model in project.models:
        if failed := sorted(model.depends_on & blocked.keys()):
            result = ModelResult(model, None, 0.0, skipped_because=blocked[failed[0]])
        else:
            result = _build(connection, project, model, window)
        if result.blocked:
            blocked[model.qualified_name] = result.skipped_because or f"{model.qualified_name} failed its checks"
        yield result


def _build(connection: duckdb.DuckDBPyConnection, project: Project, model: Model, window: Window | None) -> ModelResult:
    started = time.perf_counter()
    try:
        if model.computed:
            _insert_computed(connection, model, model.computed)
        elif window and window.covers(model):
            window.renew(model)
        else:
            if model.incremental and model.incremental.merges:
                connection.execute(f"drop table if exists {model.qualified_name}")
                connection.execute(model.table.create_sql)
            connection.execute(model.create_sql)
    except duckdb.Error as error:
        raise ModelError(f"{model.path}: {error}") from error
    _require_documented_columns(connection, model)
    comment(connection, model.table, model.materialized)
    rows = None
    if model.materialized == "table":
        (rows,) = _one(connection, f"select count(*) from {model.qualified_name}")
    checks = [
        run_test(connection, test, window if test.list_by_list or model.incremental else None)
        for test in project.tests_of(model.qualified_name)
    ]
    return ModelResult(model, rows, time.perf_counter() - started, checks)


def _insert_computed(connection: duckdb.DuckDBPyConnection, model: Model, computed: ComputedTable) -> None:
    rows = computed.compute(connection)
    documented = [column.name for column in model.table.columns]
    if rows.columns != documented:
        raise ModelError(
            f"{model.path}: describes the columns {', '.join(documented)}; "
            f"{computed.origin} gives {', '.join(rows.columns)}"
        )
    connection.execute(f"drop table if exists {model.qualified_name}")
    connection.execute(model.table.create_sql)
    connection.execute(f"insert into {model.qualified_name} select * from rows")


def create_macros(connection: duckdb.DuckDBPyConnection, project: Project) -> None:
    """Create the table macros, with their comments. Call it when the models are built.

    Raises:
        ModelError: a macro does not fit the models.
    """
    for macro in project.macros:
        try:
            connection.execute(macro.create_sql)
            connection.execute(macro.comment_sql)
        except duckdb.Error as error:
            raise ModelError(f"{macro.path}: {error}") from error


def _require_documented_columns(connection: duckdb.DuckDBPyConnection, model: Model) -> None:
    found = [
        (name, kind.lower()) for name, kind, *_ in connection.execute(f"describe {model.qualified_name}").fetchall()
    ]
    documented = [(column.name, column.data_type.lower()) for column in model.table.columns]
    if found != documented:
        metadata = model.path.with_suffix(".yml")
        lines = "\n".join(f"      - {{name: {name}, data_type: {kind}}}" for name, kind in found)
        raise ModelError(f"{metadata}: the columns described are not those of the SELECT, which are\n{lines}")


def run_test(connection: duckdb.DuckDBPyConnection, test: ModelTest, window: Window | None = None) -> CheckResult:
    """Count the rows a test returns and show a few of them; on the lists of ``window`` only, if there is one."""
    sql = test.sql.strip().removesuffix(";")
    if window and not window.persons_changed:
        sql = window.narrowed(sql)
    try:
        (failing,) = _one(connection, f"select count(*) from (\n{sql}\n)")
        sample = ""
        if failing:
            cursor = connection.execute(f"select * from (\n{sql}\n) limit {SAMPLE_ROWS}")
            names = [column[0] for column in cursor.description or []]
            sample = "; ".join(
                ", ".join(f"{name}={value}" for name, value in zip(names, row, strict=True))
                for row in cursor.fetchall()
            )
    except duckdb.Error as error:
        raise ModelError(f"test {test.name} of {test.model}: {error}") from error
    return CheckResult(test, failing, sample)


def _one(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[int, ...]:
    # To the end: a result that is read in part would bar the next relation on the connection.
    (row,) = connection.execute(sql).fetchall()
    return row
