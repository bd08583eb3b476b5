"""Loading entries: distinct attribute combinations, the person of each, then one narrow row per player and list.

The lake is read straight from Parquet twice (once for attributes, once for ratings) and never copied whole, so
that 24 million rows fit a small memory limit. Where the database is a copy of a published one (``increment.py``), only
the lists from some day on are read; what was found for the others stays.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

import duckdb
import polars as pl

from pipeline.lists.lake import Edition, Lake
from pipeline.players.evidence import VERSION_COLUMNS
from pipeline.players.identity import FIRST_NAMED_PLAYER, alternative_names, resolve
from pipeline.warehouse.content import LakeContent
from pipeline.warehouse.evidence import VERSION_HASH, gather

_COLUMNS: Final = ", ".join(VERSION_COLUMNS)
#: Activity that a publisher's top list tells of an entry without a flag. It shows active players only: whoever is rated
#: above its last place and is not on it was inactive; whoever is on it was active. Below its last place nothing is
#: known, nor of persons without any number: there a link that was missed looks like inactivity.
ACTIVITY_TOLD: Final = f"""
case
    when witness.player_id is not null then true
    when {{entry}}.rating > floor and {{person}}.player_id < {FIRST_NAMED_PLAYER} then false
end"""


def load_entries(
    connection: duckdb.DuckDBPyConnection, lake: Lake, content: LakeContent, since: date | None = None
) -> None:
    """Fill core.player_versions, core.entries, core.superseded_entries, core.duplicate_entries, core.players.

    With ``since`` the three tables of entries hold those of earlier lists, and the temporary table ``kept_versions``
    their versions.
    """
    editions = [edition for edition in content.editions() if since is None or edition.key.list_date >= since]
    _edition_files(connection, lake, content)
    _load_versions(connection, lake, content, editions, kept=since is not None)
    _witness(connection, lake, [edition for edition in editions if _is_witness(edition, content)])
    current = [edition for edition in editions if content.is_current(edition)]
    superseded = [edition for edition in editions if not content.is_current(edition)]
    _load_ratings(connection, "core.entries", _parquet(lake, current))
    _load_ratings(connection, "core.superseded_entries", _parquet(lake, superseded))
    _load_duplicates(connection, _parquet(lake, [edition for edition in editions if edition.duplicates]))
    for table in ("edition_files", "versions", "witness", "witness_floor"):
        connection.execute(f"drop table temp.{table}")
    _load_players(connection)


def _is_witness(edition: Edition, content: LakeContent) -> bool:
    """A top list that stands behind another edition still tells who was active."""
    return edition.coverage == "top" and not content.is_current(edition)


def _edition_files(connection: duckdb.DuckDBPyConnection, lake: Lake, content: LakeContent) -> None:
    """Which list and source file each Parquet file belongs to."""
    keys, editions = content.source_keys, content.editions()
    rows = pl.DataFrame(  # noqa: F841  (read by the query)
        {
            "filename": [str(lake.edition_path(edition.key, edition.sha256)) for edition in editions],
            "list_key": [edition.key.number for edition in editions],
            "list_date": [edition.key.list_date for edition in editions],
            "source_key": [keys[edition.sha256] for edition in editions],
        },
        schema={"filename": pl.String, "list_key": pl.Int16, "list_date": pl.Date, "source_key": pl.Int32},
    )
    connection.execute("create temp table edition_files as select * from rows")


def _parquet(lake: Lake, editions: Iterable[Edition]) -> str | None:
    """The Parquet files of editions as a table function; None for no files."""
    names = [str(lake.edition_path(edition.key, edition.sha256)).replace("'", "''") for edition in editions]
    if not names:
        return None
    files = ", ".join(f"'{name}'" for name in names)
    return f"read_parquet([{files}], filename = true, hive_partitioning = false)"


def _load_versions(
    connection: duckdb.DuckDBPyConnection, lake: Lake, content: LakeContent, editions: Sequence[Edition], kept: bool
) -> None:
    """Distinct attribute combinations, in order of their first list, and the person of each.

    So numbered, combinations first printed later never change the number of an earlier one.
    """
    # In a build from nothing the table of all is still empty.
    _number_versions(connection, _parquet(lake, editions), "kept_versions" if kept else "core.player_versions")
    evidence = gather(connection, lake, content, editions, kept)
    links = resolve(evidence)
    spellings = alternative_names(evidence, links)  # noqa: F841  (read by the query)
    connection.execute(
        f"""
        insert into core.player_versions
        select version_key, player_id, {_COLUMNS}, first_list_date, last_list_date, link_method, link_confidence
        from versions join links using (version_key)
        order by version_key;
        insert into core.alternative_names by name select * from spellings;
        create or replace temp table versions as
        select versions.version_hash, versions.fide_id, versions.version_key, persons.player_id
        from versions
        join core.player_versions as persons on persons.version_key = versions.version_key
        """
    )


def _number_versions(connection: duckdb.DuckDBPyConnection, source: str | None, earlier: str) -> None:
    """The temporary table ``versions``: those of the table ``earlier``, and those printed in ``source`` behind them.

    What is kept was first printed before all that is read, so that its numbers are those that a build from nothing
    would give.
    """
    firsts = ", ".join(f"any_value({name}) as {name}" for name in VERSION_COLUMNS if name != "fide_id")
    same = "printed.version_hash = kept.version_hash and printed.fide_id is not distinct from kept.fide_id"
    connection.execute(f"create temp table kept as select *, {VERSION_HASH} as version_hash from {earlier}")
    connection.execute(
        f"""
        create temp table printed as
        select fide_id, {firsts}, version_hash, min(list_date) as first_list_date, max(list_date) as last_list_date
        from (
            select {_COLUMNS}, list_date, {VERSION_HASH} as version_hash
            from {source} join edition_files using (filename)
        )
        group by fide_id, version_hash
        """
        if source
        else "create temp table printed as from kept limit 0"
    )
    connection.execute(
        f"""
        create temp table versions as
        select
            kept.version_key, {", ".join(f"kept.{name}" for name in VERSION_COLUMNS)}, kept.version_hash,
            kept.first_list_date, greatest(kept.last_list_date, printed.last_list_date) as last_list_date
        from kept
        left join printed on {same}
        union all
        select
            ((select count(*) from kept) + row_number() over (order by first_list_date, {_COLUMNS}))::integer,
            {_COLUMNS}, version_hash, first_list_date, last_list_date
        from printed
        anti join kept on {same};
        drop table kept;
        drop table printed
        """
    )


def _witness(connection: duckdb.DuckDBPyConnection, lake: Lake, tops: Sequence[Edition]) -> None:
    """Who is on the publisher's top list of a month, and where that list ends.

    By person, not by number: the lists before 1990 print no numbers, the top lists of then were given some later.
    """
    source = _parquet(lake, tops)
    chosen = (
        f"""
        select edition_files.list_key, versions.player_id, listed.rating
        from (select {VERSION_HASH} as version_hash, fide_id, rating, filename from {source}) as listed
        join edition_files using (filename)
        join versions on versions.version_hash = listed.version_hash
            and versions.fide_id is not distinct from listed.fide_id
        """
        if source
        else "select null::smallint as list_key, null::integer as player_id, null::smallint as rating where false"
    )
    connection.execute(
        f"""
        create temp table witness as select distinct list_key, player_id from ({chosen});
        create temp table witness_floor as select list_key, min(rating) as floor from ({chosen}) group by list_key
        """
    )


def _load_ratings(connection: duckdb.DuckDBPyConnection, table: str, source: str | None) -> None:
    """One narrow row per player and list, with activity from a top list where the list itself has no flags."""
    if source is None:
        return
    connection.execute(
        f"""
        insert into {table}
        with listed as (
            select {VERSION_HASH} as version_hash, fide_id, rating, games, k_factor, active, rating_change,
                provisional_games, printed_flag, line_number, list_key, source_key
            from {source}
            join edition_files using (filename)
            where duplicate_of is null
        )
        select
            versions.player_id, versions.version_key, listed.list_key, listed.rating, games, k_factor,
            case
                when listed.active is not null or listed.rating is null or floor is null then listed.active
                else {ACTIVITY_TOLD.format(entry="listed", person="versions")}
            end,
            rating_change, provisional_games, printed_flag, line_number, source_key
        from listed
        join versions on versions.version_hash = listed.version_hash
            and versions.fide_id is not distinct from listed.fide_id
        left join witness_floor on witness_floor.list_key = listed.list_key
        left join witness on witness.list_key = listed.list_key and witness.player_id = versions.player_id
        order by versions.player_id, listed.list_key, line_number
        """
    )


def _load_duplicates(connection: duckdb.DuckDBPyConnection, source: str | None) -> None:
    """Lines on an id that another line of the same edition stands for."""
    if source is None:
        return
    connection.execute(
        f"""
        insert into core.duplicate_entries
        with listed as (
            select {VERSION_HASH} as version_hash, fide_id, rating, games, line_number, duplicate_of, list_key,
                source_key
            from {source}
            join edition_files using (filename)
            where duplicate_of is not null
        )
        select player_id, version_key, list_key, rating, games, line_number, duplicate_of, source_key
        from listed
        join versions on versions.version_hash = listed.version_hash
            and versions.fide_id is not distinct from listed.fide_id
        order by all
        """
    )


def _load_players(connection: duckdb.DuckDBPyConnection) -> None:
    """One row per person: the attributes of the latest list that states them.

    The FIDE number is the one that names the person, not one that has since been given to somebody else.
    """
    latest = "(last_list_date, version_key)"

    def last_stated(*names: str) -> str:
        return ", ".join(f"max_by({name}, {latest}) filter (where {name} is not null)" for name in names)

    connection.execute(
        f"""
        insert into core.players
        select
            player_id,
            {last_stated("name")},
            case when player_id < {FIRST_NAMED_PLAYER} then player_id end,
            {last_stated("uscf_id", "federation", "sex", "birth_year", "title", "w_title")},
            min(first_list_date),
            max(last_list_date)
        from core.player_versions
        group by player_id
        order by player_id
        """
    )
