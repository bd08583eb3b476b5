"""The warehouse: core tables, one asset per SQL model with its checks, the published file, the marts as files.

All of it is one step: one connection, one process, one writer. A failed blocking check skips what depends on it
and stops publication (Dagster alone would go on inside one step).
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import dagster as dg

from pipeline.assets.instance import WRITER_POOL
from pipeline.assets.lists import current_lists
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore
from pipeline.lists.sync import sync
from pipeline.settings import Settings
from pipeline.warehouse import refresh
from pipeline.warehouse.build import CheckResult, ModelResult
from pipeline.warehouse.content import LakeContent
from pipeline.warehouse.data_tests import ModelTest
from pipeline.warehouse.lineage import column_lineage
from pipeline.warehouse.models import Model
from pipeline.warehouse.publish import build_lock
from pipeline.warehouse.tables import Table

PUBLISHED: Final = dg.AssetKey("published_database")
MART_FILES: Final = dg.AssetKey("mart_files")


def asset_key(qualified_name: str) -> dg.AssetKey:
    """Key of a table: its schema and name."""
    return dg.AssetKey(qualified_name.split("."))


def _table_spec(table: Table) -> dg.AssetSpec:
    return dg.AssetSpec(
        asset_key(table.qualified_name),
        deps=[current_lists.key] if table.schema == "core" else [],
        group_name=table.schema,
        kinds={"duckdb"},
        description=table.description,
        metadata={"dagster/column_schema": _schema(table)},
    )


def _model_spec(model: Model) -> dg.AssetSpec:
    return dg.AssetSpec(
        asset_key(model.qualified_name),
        deps=[asset_key(name) for name in sorted(model.depends_on)],
        group_name=model.table.schema,
        kinds={"duckdb", "python" if model.computed else "sql"},
        description=f"{model.table.description}\n\n```sql\n{model.sql}\n```",
        metadata={"dagster/column_schema": _schema(model.table)},
    )


def _schema(table: Table) -> dg.TableSchema:
    return dg.TableSchema(
        columns=[
            dg.TableColumn(column.name, column.data_type, description=column.description) for column in table.columns
        ]
    )


def _check_spec(test: ModelTest) -> dg.AssetCheckSpec:
    return dg.AssetCheckSpec(
        test.name,
        asset=asset_key(test.model),
        description=test.description,
        blocking=test.severity == "error",
        metadata={"sql": dg.MetadataValue.md(f"```sql\n{test.sql}\n```")},
    )


def _specs() -> list[dg.AssetSpec]:
    marts = [asset_key(model.qualified_name) for model in refresh.project().models if model.table.schema == "marts"]
    return [
        *(_table_spec(table) for table in refresh.project().loaded),
        *(_model_spec(model) for model in refresh.project().models),
        dg.AssetSpec(
            PUBLISHED,
            deps=marts,
            group_name="published",
            kinds={"duckdb"},
            description="ratings.duckdb, moved to the new version in one step after every blocking check passed.",
        ),
        dg.AssetSpec(
            MART_FILES,
            deps=[PUBLISHED],
            group_name="published",
            kinds={"parquet", "csv"},
            description="The marts as Parquet and CSV files.",
        ),
    ]


class BuildConfig(dg.Config):
    """``force`` builds and publishes even where the published file has the same content already."""

    force: bool = False


def _build(context: dg.AssetExecutionContext, config: BuildConfig) -> Iterator[object]:
    """Build, check, publish."""
    settings = Settings.from_env()
    # The marts are written beside while Dagster records what was built: each takes seconds, on different processors.
    with build_lock(settings), ThreadPoolExecutor(max_workers=1) as beside:
        synced = sync(RawStore(settings.raw_dir), Lake(settings.lake_dir))
        content = LakeContent(synced.sources, synced.summaries, synced.current)
        try:
            report = refresh.build(settings, content, force=config.force, progress=context.log.info)
        except refresh.ChecksFailedError as error:
            yield from _failed(error.results)
            raise dg.Failure(str(error), allow_retries=False) from error
        exporting = beside.submit(refresh.export, settings, report.fingerprint)
        yield from _recorded(settings, report)
        exporting.result()
    yield dg.MaterializeResult(asset_key=MART_FILES, metadata={"path": dg.MetadataValue.path(str(settings.marts_dir))})


def _recorded(settings: Settings, report: refresh.BuildReport) -> Iterator[object]:
    if report.published:
        for table, rows in report.loaded_rows.items():
            yield dg.MaterializeResult(asset_key=asset_key(table), metadata={"dagster/row_count": rows})
        lineage = column_lineage(refresh.project(), settings.dagster_home / "column_lineage.json")
        for result in report.results:
            yield _materialized(result, lineage.get(result.model.qualified_name))
    else:
        for spec in _specs()[:-2]:
            yield dg.MaterializeResult(asset_key=spec.key, metadata={"unchanged": True})
        for test in refresh.project().tests:
            yield _check(CheckResult(test, 0), unchanged=True)
    yield dg.MaterializeResult(
        asset_key=PUBLISHED,
        metadata={
            "fingerprint": report.fingerprint,
            "published_now": report.published,
            "path": dg.MetadataValue.path(str(report.database)),
        },
    )


def _failed(results: list[ModelResult]) -> Iterator[object]:
    for result in results:
        if result.skipped_because is None:
            yield _materialized(result)


def _materialized(
    result: ModelResult, lineage: dict[str, list[tuple[str, str]]] | None = None
) -> dg.MaterializeResult[None]:
    metadata: dict[str, float | int | dg.TableColumnLineage] = {"seconds": round(result.seconds, 3)}
    if result.rows is not None:
        metadata["dagster/row_count"] = result.rows
    if lineage:
        metadata["dagster/column_lineage"] = dg.TableColumnLineage(
            {
                column: [dg.TableColumnDep(asset_key(table), name) for table, name in sources]
                for column, sources in lineage.items()
            }
        )
    return dg.MaterializeResult(
        asset_key=asset_key(result.model.qualified_name),
        metadata=metadata,
        check_results=[_check(check) for check in result.checks],
    )


def _check(result: CheckResult, unchanged: bool = False) -> dg.AssetCheckResult:
    error = result.test.severity == "error"
    return dg.AssetCheckResult(
        check_name=result.test.name,
        asset_key=asset_key(result.test.model),
        passed=result.passed,
        severity=dg.AssetCheckSeverity.ERROR if error else dg.AssetCheckSeverity.WARN,
        metadata={"failing_rows": result.failing_rows, "sample": result.sample, "unchanged": unchanged},
    )


def warehouse_assets(pool: str | None) -> dg.AssetsDefinition:
    """The step; ``pool`` limits how many runs that hold it are started at once. The lock in it does so anyway."""

    @dg.multi_asset(
        name="warehouse",
        specs=_specs(),
        check_specs=[_check_spec(test) for test in refresh.project().tests],
        pool=pool,
    )
    def warehouse(context: dg.AssetExecutionContext, config: BuildConfig) -> Iterator[object]:
        """Build, check, publish."""
        yield from _build(context, config)

    return warehouse


warehouse = warehouse_assets(WRITER_POOL)
