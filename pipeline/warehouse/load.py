"""Loading the core and catalogue tables from the lake into an open DuckDB database.

Not here: what the models make of them (``build.py``), and where the database lies (``publish.py``).
"""

from collections.abc import Container
from datetime import date
from itertools import pairwise
from typing import Final

import duckdb
import polars as pl

from pipeline.catalogue.tables import TABLES, load
from pipeline.domain.list_key import ListKey
from pipeline.lists.lake import Edition, Lake
from pipeline.warehouse.content import LakeContent
from pipeline.warehouse.entries import load_entries
from pipeline.warehouse.models import Project
from pipeline.warehouse.tables import Column, Table
from pipeline.warehouse.us_members import load_us_members

_SQL_TYPES: Final[dict[pl.DataType, str]] = {
    pl.String(): "varchar",
    pl.Date(): "date",
    pl.Int16(): "smallint",
    pl.Int32(): "integer",
    pl.Int64(): "bigint",
    pl.Float64(): "double",
    pl.Boolean(): "boolean",
}


def catalogue_tables() -> list[Table]:
    """The catalogue's tables as the models see them."""
    return [
        Table(
            schema="catalogue",
            name=table.name,
            description=f"{table.description} Source: {table.source}.",
            columns=tuple(
                Column(column.name, _SQL_TYPES[column.dtype], column.description) for column in table.columns
            ),
            grain=table.key,
        )
        for table in TABLES.values()
    ]


def create_tables(connection: duckdb.DuckDBPyConnection, project: Project, kept: Container[str] = ()) -> None:
    """Make the schemas and the empty loaded tables but those kept, every table and column with its comment."""
    for schema in ("core", "catalogue", "staging", "intermediate", "marts"):
        connection.execute(f"create schema if not exists {schema}")
    for table in project.loaded:
        if table.qualified_name not in kept:
            connection.execute(table.create_sql)
            comment(connection, table, "table")


def comment(connection: duckdb.DuckDBPyConnection, table: Table, kind: str) -> None:
    """Put the descriptions of a table and its columns into the database."""
    statements = [f"comment on {kind} {table.qualified_name} is {_literal(table.description)}"]
    statements += [
        f"comment on column {table.qualified_name}.{column.name} is {_literal(column.description)}"
        for column in table.columns
    ]
    connection.execute("begin; " + "; ".join(statements) + "; commit")


def load_catalogue(connection: duckdb.DuckDBPyConnection) -> None:
    """Load every catalogue table."""
    for table in TABLES.values():
        _insert(connection, f"catalogue.{table.name}", load(table.name))


def load_core(
    connection: duckdb.DuckDBPyConnection, lake: Lake, content: LakeContent, since: date | None = None
) -> None:
    """Load every core table except ``core.publication``; of the entries only those ``since`` a list, if told so."""
    _insert(connection, "core.source_files", source_rows(content))
    _insert(connection, "core.editions", edition_rows(content))
    _load_lists(connection, content)
    _load_remarks(connection, lake, content)
    load_entries(connection, lake, content, since)
    load_us_members(connection, lake, content)


def source_rows(content: LakeContent) -> pl.DataFrame:
    """Rows of ``core.source_files``."""
    keys = content.source_keys
    rows = [
        {
            "source_key": keys[source.sha256],
            "source_sha256": source.sha256,
            "file_name": source.file_name,
            "collection": source.collection,
            "origin": source.origin,
            "retrieved_at": source.retrieved_at.replace(tzinfo=None),
            "byte_size": source.byte_size,
            "layout": summary.layout,
            "parser_version": summary.parser_version,
            "lines_read": summary.lines_read,
            "lines_kept": summary.lines_read - summary.rejects - summary.lines_without_entry,
            "lines_rejected": summary.rejects,
            "lines_without_entry": summary.lines_without_entry,
            "note_count": summary.notes,
            "stated_month": summary.stated_month,
        }
        for source in content.sources
        if (summary := content.summaries.get(source.sha256))
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def edition_rows(content: LakeContent) -> pl.DataFrame:
    """Rows of ``core.editions``."""
    keys = content.source_keys
    rows = [
        {
            "list_key": edition.key.number,
            "source_key": keys[edition.sha256],
            "coverage": edition.coverage,
            "edition_rows": edition.rows,
            "duplicate_rows": edition.duplicates,
            "unrated_rows": edition.unrated,
            "has_flags": edition.has_flags,
            "is_current": content.is_current(edition),
        }
        for edition in content.editions()
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def _load_lists(connection: duckdb.DuckDBPyConnection, content: LakeContent) -> None:
    calendar = {
        ListKey("fide", row["rating_type"], row["list_date"]): row
        for row in load("rating_list_calendar").iter_rows(named=True)
    }
    keys = sorted(calendar.keys() | content.current.keys())
    following: dict[ListKey, date] = {
        key: later.list_date
        for key, later in pairwise(keys)
        if (key.publisher, key.rating_type) == (later.publisher, later.rating_type)
    }
    rows = []
    for key in keys:
        known, edition = calendar.get(key), content.current.get(key)
        rows.append(
            {
                "list_key": key.number,
                "publisher": key.publisher,
                "rating_type": key.rating_type,
                "list_date": key.list_date,
                "official": known["official"] if known else True,
                "list_kind": known["kind"] if known else None,
                "publication_note": known["publication_note"] if known else None,
                "next_list_date": following.get(key),
                "held": edition is not None,
                "source_key": content.source_keys[edition.sha256] if edition else None,
                "coverage": edition.coverage if edition else None,
                "activity_basis": _activity_basis(edition, content) if edition else None,
            }
        )
    _insert(connection, "core.lists", pl.DataFrame(rows, infer_schema_length=None))


def _activity_basis(edition: Edition, content: LakeContent) -> str:
    """What tells active players from inactive ones on the current edition of a list."""
    if edition.has_flags:
        return "flag" if edition.coverage != "top" else "top list"
    witnessed = any(other.key == edition.key and other.coverage == "top" for other in content.editions())
    return "top list" if witnessed else "none"


def _load_remarks(connection: duckdb.DuckDBPyConnection, lake: Lake, content: LakeContent) -> None:
    """Rejects and notes of every source file."""
    for name, columns in (
        ("rejects", "line_number, reason, line_text"),
        ("notes", "code, line_number, fide_id, detail"),
    ):
        for sha256, key in content.source_keys.items():
            path = lake.source_dir(sha256) / f"{name}.parquet"
            if path.is_file():
                connection.execute(f"insert into core.{name} select {key}, {columns} from read_parquet(?)", [str(path)])


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: pl.DataFrame) -> None:
    if rows.height:
        connection.execute(f"insert into {table} by name select * from rows")


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
