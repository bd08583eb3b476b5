"""What identity needs to know of the lake, asked of the open database.

Belongs here: building ``players.evidence.Evidence`` from the temporary tables ``versions`` and ``edition_files`` and
the Parquet files they were made of. Not here: those tables (``entries``) and any decision (``players``).
"""

from collections.abc import Iterable, Sequence
from typing import Final

import duckdb
import polars as pl

from pipeline.lists.lake import Edition, Lake
from pipeline.players.evidence import (
    APPEARANCE_SCHEMA,
    DOUBLES_SCHEMA,
    REGISTER_SCHEMA,
    VERSION_COLUMNS,
    Evidence,
)
from pipeline.warehouse.content import LakeContent
from pipeline.warehouse.name_parts import kept_parts

_COLUMNS: Final = ", ".join(VERSION_COLUMNS)
#: 64-bit digest of the attributes; only compared between rows of one id, so that a collision cannot join persons.
VERSION_HASH: Final = f"hash({_COLUMNS})"


def gather(
    connection: duckdb.DuckDBPyConnection, lake: Lake, content: LakeContent, editions: Sequence[Edition], kept: bool
) -> Evidence:
    """Evidence on every version of the temporary table ``versions``.

    Args:
        connection: the database being filled.
        lake: where the editions lie.
        content: everything held.
        editions: those to be read from the lake.
        kept: whether the tables of entries hold the other editions.
    """
    files = {
        (edition.key, edition.sha256): str(lake.edition_path(edition.key, edition.sha256))
        for edition in content.editions()
    }
    numbers = {key.number for key, _ in files}
    unnumbered = _lists_without_numbers(connection, files.values())
    doubled = [files[edition.key, edition.sha256] for edition in content.editions() if edition.duplicates]

    def appearances(version_keys: pl.Series, every_list: bool) -> pl.DataFrame:
        wanted = numbers if every_list else unnumbered
        read = [files[edition.key, edition.sha256] for edition in editions if edition.key.number in wanted]
        return _appearances(connection, read, wanted if kept else set(), version_keys)

    versions = connection.sql(
        f"select version_key, {_COLUMNS}, first_list_date, last_list_date from versions order by version_key"
    ).pl()
    return Evidence(
        versions=versions.join(kept_parts(lake, versions["name"]), on="name", how="left", maintain_order="left"),
        appearances=appearances,
        doubles=_doubles(connection, doubled),
        register=_register(lake, content),
    )


def parquet(files: Iterable[str]) -> str:
    """Parquet files as a table function."""
    names = ", ".join("'" + file.replace("'", "''") + "'" for file in files)
    return f"read_parquet([{names}], filename = true, hive_partitioning = false)"


def _lists_without_numbers(connection: duckdb.DuckDBPyConnection, files: Iterable[str]) -> set[int]:
    """Keys of the lists some edition of which has an entry without any number."""
    rows = connection.execute(
        f"""
        select distinct list_key
        from {parquet(files)} join edition_files using (filename)
        where fide_id is null and uscf_id is null
        """
    ).fetchall()
    return {row[0] for row in rows}


def _appearances(
    connection: duckdb.DuckDBPyConnection, files: list[str], kept_lists: set[int], version_keys: pl.Series
) -> pl.DataFrame:
    """Where versions occur: in Parquet files, and in the tables of entries on the lists named."""
    wanted = pl.DataFrame({"version_key": version_keys})  # noqa: F841  (read by the query)
    found = []
    if files:
        found.append(
            f"""
            select version_key, list_key, source_key
            from (
                select fide_id, {VERSION_HASH} as version_hash, list_key, source_key
                from {parquet(files)} join edition_files using (filename)
                where duplicate_of is null and (fide_id is null or fide_id in (select fide_id from sought))
            ) as listed
            join sought on sought.version_hash = listed.version_hash
                and sought.fide_id is not distinct from listed.fide_id
            """
        )
    if kept_lists:
        lists = ", ".join(str(number) for number in sorted(kept_lists))
        found += [
            f"select version_key, list_key, source_key from core.{table} semi join wanted using (version_key) "
            f"where list_key in ({lists})"
            for table in ("entries", "superseded_entries")
        ]
    if not found or version_keys.is_empty():
        return pl.DataFrame(schema=APPEARANCE_SCHEMA)
    rows: pl.DataFrame = connection.sql(
        f"""
        with sought as (
            select version_key, version_hash, fide_id from versions semi join wanted using (version_key)
        )
        {" union all ".join(found)}
        order by all
        """
    ).pl()
    return rows


def _doubles(connection: duckdb.DuckDBPyConnection, files: list[str]) -> pl.DataFrame:
    """Versions of two lines on one FIDE number on one edition."""
    if not files:
        return pl.DataFrame(schema=DOUBLES_SCHEMA)
    found: pl.DataFrame = connection.sql(
        f"""
        with listed as (
            select filename, line_number, duplicate_of, version_key
            from (select *, {VERSION_HASH} as version_hash from {parquet(files)}) as entries
            join versions on versions.version_hash = entries.version_hash and versions.fide_id = entries.fide_id
        )
        select distinct others.version_key, standing.version_key as other_version_key
        from listed as others
        join listed as standing
            on standing.filename = others.filename and standing.line_number = others.duplicate_of
        where others.version_key <> standing.version_key
        order by all
        """
    ).pl()
    return found


def _register(lake: Lake, content: LakeContent) -> pl.DataFrame:
    """Persons and spellings that source files state beside their lists."""
    found = [
        pl.read_parquet(path).with_columns(source_key=pl.lit(key, pl.Int32))
        for sha256, key in content.source_keys.items()
        if (path := lake.source_dir(sha256) / "register.parquet").is_file()
    ]
    return pl.concat(found).select(REGISTER_SCHEMA.keys()) if found else pl.DataFrame(schema=REGISTER_SCHEMA)
