"""Marts as Parquet and CSV beside the database: the same bytes for the same content."""

import shutil
from pathlib import Path
from typing import Final

import duckdb

from pipeline.settings import Settings
from pipeline.warehouse.models import Model, Project

#: Holds the fingerprint of the publication the files were written from.
MARK_NAME: Final = "FINGERPRINT"


def exported_fingerprint(settings: Settings) -> str | None:
    """Fingerprint of the publication that the files in the folder were written from."""
    mark = settings.marts_dir / MARK_NAME
    return mark.read_text().strip() if mark.is_file() else None


def export_marts(project: Project, settings: Settings, fingerprint: str) -> list[Path]:
    """Write every exported mart of the published file; a reader sees the old folder or the new one.

    Rows are in order of the grain, which the checks before publication hold to be unique: equal content gives equal
    bytes. Text fields that a spreadsheet would take for a formula are quoted in the CSV (a leading apostrophe).
    """
    target = settings.marts_dir
    fresh = target.with_name(f".{target.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    with duckdb.connect(str(settings.database.resolve()), read_only=True) as connection:
        for model in project.models:
            if model.exported:
                _export(connection, model, fresh)
    (fresh / MARK_NAME).write_text(f"{fingerprint}\n")
    old = target.with_name(f".{target.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    fresh.rename(target)
    shutil.rmtree(old, ignore_errors=True)
    return sorted(target.iterdir())


def _export(connection: duckdb.DuckDBPyConnection, model: Model, folder: Path) -> None:
    path = folder / model.table.name
    # Sorted once for both files.
    connection.execute(
        f"create or replace temp table ordered as from {model.qualified_name} order by {', '.join(model.table.grain)}"
    )
    connection.execute(f"copy ordered to '{_quoted(path)}.parquet' (format parquet, compression zstd)")
    columns = ", ".join(_csv_column(column.name, column.data_type) for column in model.table.columns)
    # With expressions DuckDB 2 writes the parts of a large table as they come, unless the query has an order itself.
    connection.execute(f"copy (select {columns} from ordered order by rowid) to '{_quoted(path)}.csv' (format csv)")


def _csv_column(name: str, data_type: str) -> str:
    if data_type != "varchar":
        return name
    return f"case when {name}[1] in ('=', '+', '-', '@', chr(9), chr(13)) then '''' || {name} else {name} end as {name}"


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
