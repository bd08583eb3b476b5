"""Loading the core and catalogue tables from the lake into an open DuckDB database.

Not here: what the models make of them (``build.py``), and where the database lies (``publish.py``).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any, Final

import duckdb
import polars as pl

from pipeline.catalogue.tables import TABLES, load
from pipeline.domain.list_key import ListKey
from pipeline.lists.lake import Edition, Lake, SourceSummary
from pipeline.lists.raw_store import SourceFile
from pipeline.players.identity import VERSION_COLUMNS, resolve
from pipeline.warehouse.models import Column, Project, Table

_SQL_TYPES: Final[dict[pl.DataType, str]] = {
    pl.String(): "varchar",
    pl.Date(): "date",
    pl.Int16(): "smallint",
    pl.Int32(): "integer",
    pl.Int64(): "bigint",
    pl.Float64(): "double",
    pl.Boolean(): "boolean",
}

#: 64-bit digest of the attributes; only compared between rows of one id, so that a collision cannot join persons.
_VERSION_HASH: Final = f"hash({', '.join(VERSION_COLUMNS)})"
_ENTRY_COLUMNS: Final = "rating, games, k_factor, active, rating_change, provisional_games, printed_flag, line_number"


@dataclass(frozen=True, slots=True)
class LakeContent:
    """What is to be loaded: source files in order, their summaries, and the current edition of every list."""

    sources: Sequence[SourceFile]
    summaries: Mapping[str, SourceSummary]
    current: Mapping[ListKey, Edition]

    @property
    def source_keys(self) -> dict[str, int]:
        """Number of each source file, by digest; in order of retrieval, so that new files come last."""
        return {source.sha256: number for number, source in enumerate(self.sources, 1)}

    def editions(self) -> list[Edition]:
        """Every edition held, by list, then source file."""
        found = [edition for summary in self.summaries.values() for edition in summary.editions]
        return sorted(found, key=lambda edition: (edition.key, edition.sha256))

    def is_current(self, edition: Edition) -> bool:
        """Whether this is the edition that counts."""
        return self.current[edition.key].sha256 == edition.sha256


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


def create_tables(connection: duckdb.DuckDBPyConnection, project: Project) -> None:
    """Make the schemas and the empty loaded tables, every table and column with its comment."""
    for schema in ("core", "catalogue", "staging", "intermediate", "marts"):
        connection.execute(f"create schema if not exists {schema}")
    for table in project.loaded:
        connection.execute(table.create_sql)
        comment(connection, table, "table")


def comment(connection: duckdb.DuckDBPyConnection, table: Table, kind: str) -> None:
    """Put the descriptions of a table and its columns into the database."""
    connection.execute(f"comment on {kind} {table.qualified_name} is {_literal(table.description)}")
    for column in table.columns:
        connection.execute(f"comment on column {table.qualified_name}.{column.name} is {_literal(column.description)}")


def load_catalogue(connection: duckdb.DuckDBPyConnection) -> None:
    """Load every catalogue table."""
    for table in TABLES.values():
        _insert(connection, f"catalogue.{table.name}", load(table.name))


def load_core(connection: duckdb.DuckDBPyConnection, lake: Lake, content: LakeContent) -> None:
    """Load every core table except ``core.publication``."""
    _load_sources(connection, content)
    _load_editions(connection, content)
    _load_lists(connection, content)
    _stage_editions(connection, lake, content)
    _load_versions(connection)
    _load_entries(connection)
    connection.execute("drop table temp.staged; drop table temp.witness_floor; drop table temp.witness")
    _load_players(connection)


def _load_sources(connection: duckdb.DuckDBPyConnection, content: LakeContent) -> None:
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
    _insert_rows(connection, "core.source_files", rows)


def _load_editions(connection: duckdb.DuckDBPyConnection, content: LakeContent) -> None:
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
    _insert_rows(connection, "core.editions", rows)


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
    _insert_rows(connection, "core.lists", rows)


def _activity_basis(edition: Edition, content: LakeContent) -> str:
    """What tells active players from inactive ones on the current edition of a list."""
    if edition.has_flags:
        return "flag" if edition.coverage != "top" else "top list"
    witnessed = any(other.key == edition.key and other.coverage == "top" for other in content.editions())
    return "top list" if witnessed else "none"


def _stage_editions(connection: duckdb.DuckDBPyConnection, lake: Lake, content: LakeContent) -> None:
    """All editions as one temporary table, with keys for lists and source files."""
    keys = content.source_keys
    files: list[dict[str, Any]] = [
        {
            "filename": str(lake.edition_path(edition.key, edition.sha256)),
            "list_key": edition.key.number,
            "source_key": keys[edition.sha256],
            "is_current": content.is_current(edition),
            "is_top": edition.coverage == "top",
        }
        for edition in content.editions()
    ]
    edition_files = pl.DataFrame(files)  # noqa: F841  (read by the query)
    columns = ", ".join(VERSION_COLUMNS)
    connection.execute(
        f"""
        create temp table staged as
        select {columns}, {_VERSION_HASH} as version_hash, {_ENTRY_COLUMNS}, duplicate_of,
            edition_files.list_key::smallint as list_key, edition_files.source_key::integer as source_key,
            edition_files.is_current, edition_files.is_top
        from read_parquet({_sql_list(file["filename"] for file in files)}, filename = true,
            hive_partitioning = false) as entries
        join edition_files using (filename)
        """
    )
    for name in ("rejects", "notes"):
        for source in content.sources:
            path = lake.source_dir(source.sha256) / f"{name}.parquet"
            columns = "line_number, reason, line_text" if name == "rejects" else "code, line_number, fide_id, detail"
            connection.execute(
                f"insert into core.{name} select {keys[source.sha256]}, {columns} from read_parquet(?)",
                [str(path)],
            )


def _load_versions(connection: duckdb.DuckDBPyConnection) -> None:
    """Distinct attribute combinations and the person of each."""
    columns = ", ".join(VERSION_COLUMNS)
    firsts = ", ".join(f"any_value({name}) as {name}" for name in VERSION_COLUMNS if name != "fide_id")
    connection.execute(
        f"""
        create temp table versions as
        select (row_number() over (order by {columns}))::integer as version_key, *
        from (select fide_id, {firsts}, version_hash from staged group by fide_id, version_hash)
        """
    )
    links = resolve(connection.sql("select * exclude (version_hash) from versions").pl())  # noqa: F841
    connection.execute(
        f"""
        insert into core.player_versions
        select version_key, player_id, {columns}, link_method, link_confidence
        from versions join links using (version_key)
        order by version_key
        """
    )


def _load_entries(connection: duckdb.DuckDBPyConnection) -> None:
    """Entries, with activity from the publisher's top list where the list itself has no flags.

    A publisher's top list shows active players only: whoever is rated above its last place and is not on it
    was inactive; whoever is on it was active. Below its last place nothing is known.
    """
    connection.execute(
        """
        create temp table witness as
        select list_key, fide_id, any_value(rating) as rating from staged
        where is_top and not is_current and fide_id is not null group by all;
        create temp table witness_floor as
        select list_key, min(rating) as floor from staged where is_top and not is_current group by all;
        """
    )
    entry_columns = _ENTRY_COLUMNS.replace(
        "active",
        "case when staged.active is not null or staged.rating is null or floor is null then staged.active "
        "when witness.fide_id is not null then true when staged.rating > floor then false end as active",
    ).replace("rating,", "staged.rating,", 1)
    source = f"""
        select player_id, versions.version_key, staged.list_key, {entry_columns}, source_key
        from staged
        join versions on versions.version_hash = staged.version_hash
            and versions.fide_id is not distinct from staged.fide_id
        join core.player_versions as persons on persons.version_key = versions.version_key
        left join witness_floor on witness_floor.list_key = staged.list_key
        left join witness on witness.list_key = staged.list_key and witness.fide_id = staged.fide_id
            and staged.rating >= floor
        where staged.duplicate_of is null and {{condition}}
        order by player_id, staged.list_key, line_number
    """
    connection.execute(f"insert into core.entries {source.format(condition='is_current')}")
    connection.execute(f"insert into core.superseded_entries {source.format(condition='not is_current')}")
    connection.execute(
        """
        insert into core.duplicate_entries
        select player_id, versions.version_key, list_key, rating, games, line_number, duplicate_of, source_key
        from staged
        join versions on versions.version_hash = staged.version_hash
            and versions.fide_id is not distinct from staged.fide_id
        join core.player_versions as persons on persons.version_key = versions.version_key
        where duplicate_of is not null
        order by all
        """
    )
    connection.execute("drop table temp.versions")


def _load_players(connection: duckdb.DuckDBPyConnection) -> None:
    """One row per person: the attributes of the latest list that states them."""
    connection.execute(
        """
        insert into core.players
        with spans as (
            select entries.version_key, min(lists.list_date) as first_list_date, max(lists.list_date) as last_list_date
            from (
                select version_key, list_key from core.entries
                union all
                select version_key, list_key from core.superseded_entries
                union all
                select version_key, list_key from core.duplicate_entries
            ) as entries
            join core.lists as lists on lists.list_key = entries.list_key
            group by entries.version_key
        ),
        dated as (
            select versions.*, first_list_date, last_list_date
            from core.player_versions as versions join spans on spans.version_key = versions.version_key
        )
        select
            player_id,
            max_by(name, (last_list_date, version_key)) filter (where name is not null),
            max_by(fide_id, (last_list_date, version_key)) filter (where fide_id is not null),
            max_by(uscf_id, (last_list_date, version_key)) filter (where uscf_id is not null),
            max_by(federation, (last_list_date, version_key)) filter (where federation is not null),
            max_by(sex, (last_list_date, version_key)) filter (where sex is not null),
            max_by(birth_year, (last_list_date, version_key)) filter (where birth_year is not null),
            max_by(title, (last_list_date, version_key)) filter (where title is not null),
            max_by(w_title, (last_list_date, version_key)) filter (where w_title is not null),
            min(first_list_date),
            max(last_list_date)
        from dated
        group by player_id
        order by player_id
        """
    )


def _insert_rows(connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, object]]) -> None:
    _insert(connection, table, pl.DataFrame(rows, infer_schema_length=None))


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: pl.DataFrame) -> None:
    if rows.height:
        connection.execute(f"insert into {table} by name select * from rows")


def _sql_list(values: Iterable[str]) -> str:
    return "[" + ", ".join(_literal(value) for value in values) + "]"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
