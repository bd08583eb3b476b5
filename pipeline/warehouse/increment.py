"""Building on what is published: a new month is a small part of half a century.

A build may start from a copy of the published file where that holds all but some last lists. Everything from the first
changed list on is loaded again and everything before it stays, so that the result is, table by table, that of a build
from nothing. Who is who is always decided anew, on everybody; entries of older lists then follow their persons.

Belongs here: whether a build may continue the published file, and making the copy ready. Where it may not, there is
always the build from nothing.
"""

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

import duckdb
import polars as pl

from pipeline.settings import Settings
from pipeline.warehouse import publish
from pipeline.warehouse.content import LakeContent
from pipeline.warehouse.entries import ACTIVITY_TOLD
from pipeline.warehouse.load import edition_rows, source_rows
from pipeline.warehouse.models import Model, Project

#: Entries stand in order of player and list, which keeps the file small and questions about one player quick. Those of
#: a continued build come behind the others; at this share of all, a build from nothing puts them in order.
MOST_APPENDED: Final = 0.2

#: Tables of entries: in a copy they keep the lists before the first changed one.
ENTRY_TABLES: Final = ("core.entries", "core.superseded_entries", "core.duplicate_entries")


class StartOverError(Exception):
    """The published file cannot be continued after all; the message says why. Build from nothing."""


@dataclass(frozen=True, slots=True)
class Increment:
    """The published file to continue.

    Attributes:
        base: version file to be copied.
        since: date of the first changed list; lists from then on are loaded again. The last possible day where no
            list has changed.
        appended: entries that will stand behind those in order.
    """

    base: Path
    since: date
    appended: int


def increment(settings: Settings, content: LakeContent, code_fingerprint: str) -> Increment | None:
    """What of the published file can be kept; None where everything has to be made anew.

    It is made anew if the code, the catalogue or a library has changed, if the file is not as it was published, if a
    source file or an edition that it holds is gone, or if too little of it would stay.
    """
    base = publish.intact_version(settings)
    if base is None:
        return None
    try:
        with duckdb.connect(str(base), read_only=True) as connection:
            built_by, appended, total = connection.execute(
                "select code_fingerprint, appended_count, entry_count from core.publication"
            ).fetchall()[0]
            if built_by != code_fingerprint:
                return None
            held_sources, held_editions = _rows(connection, "core.source_files"), _rows(connection, "core.editions")
            dates = dict(connection.execute("select list_key, list_date from core.lists where held").fetchall())
    except duckdb.Error:  # somebody has it open for writing
        return None
    sources = source_rows(content).cast(held_sources.schema)
    if not sources.head(held_sources.height).equals(held_sources):
        return None
    editions = edition_rows(content).cast(held_editions.schema)
    keys = ["list_key", "source_key"]
    if held_editions.join(editions, on=keys, how="anti").height:
        return None
    dates |= {key.number: key.list_date for key in content.current}
    changed = editions.join(held_editions, on=editions.columns, how="anti", nulls_equal=True)["list_key"]
    since = min((dates[key] for key in changed), default=date.max)
    again = editions.filter("is_current", pl.col("list_key").is_in([key for key in dates if dates[key] >= since]))
    appended += again["edition_rows"].sum()
    return Increment(base, since, appended) if appended <= MOST_APPENDED * total else None


def _rows(connection: duckdb.DuckDBPyConnection, table: str) -> pl.DataFrame:
    rows: pl.DataFrame = connection.sql(f"select * from {table}").pl()
    return rows


def copy_base(found: Increment, path: Path) -> None:
    """Copy the published file to where the next version is built."""
    shutil.copyfile(found.base, path)


def keep_unchanged(connection: duckdb.DuckDBPyConnection, project: Project, since: date) -> frozenset[str]:
    """Leave in the copied file only what stays: entries of lists before ``since``, and incremental models.

    The versions of those entries go to the temporary table ``kept_versions``, the persons on the lists that are loaded
    again to ``persons_to_renew``: what is known of them may come from these lists.

    Returns:
        Names of the tables that stay.
    """
    connection.execute(
        "create temp table kept_versions as select * from core.player_versions where first_list_date < ?", [since]
    )
    connection.execute(
        "create temp table persons_to_renew as select distinct player_id from core.entries "
        "where list_key in (select list_key from core.lists where list_date >= ?)",
        [since],
    )
    for table in ENTRY_TABLES:
        connection.execute(
            f"delete from {table} where list_key in (select list_key from core.lists where list_date >= ?)", [since]
        )
    kept = {*ENTRY_TABLES, *(model.qualified_name for model in project.models if model.incremental)}
    relations = connection.execute(
        "select schema_name || '.' || table_name, 'table' from duckdb_tables() where not temporary and not internal "
        "union all "
        "select schema_name || '.' || view_name, 'view' from duckdb_views() where not temporary and not internal"
    ).fetchall()
    for name, kind in relations:
        if name not in kept:
            connection.execute(f"drop {kind} {name}")
    # Only now the space of what is gone can be used again.
    connection.execute("checkpoint")
    return frozenset(kept)


def follow_persons(connection: duckdb.DuckDBPyConnection) -> bool:
    """Give the entries that stayed the persons decided now. Whether any person, or the way of linking one, changed.

    Raises:
        StartOverError: the entries cannot just follow: combinations of attributes changed their number, or somebody
            turns out to have been active, or not, on a list where a top list tells so.
    """
    connection.execute(
        """
        create temp table moved as
        select
            kept.version_key, kept.player_id as earlier_player_id, versions.player_id,
            kept.player_id <> versions.player_id as is_other_person,
            versions.version_key is null as is_lost
        from kept_versions as kept
        left join core.player_versions as versions
            on versions.version_key = kept.version_key
            and versions.name is not distinct from kept.name
            and versions.fide_id is not distinct from kept.fide_id
        where versions.version_key is null
            or versions.player_id <> kept.player_id
            or versions.link_method is distinct from kept.link_method
        """
    )
    connection.execute("drop table kept_versions")
    if _count(connection, "moved where is_lost"):
        raise StartOverError("combinations of printed attributes have other numbers now")
    for table in ENTRY_TABLES:
        connection.execute(
            f"update {table} set player_id = moved.player_id from moved "
            f"where {table.split('.')[1]}.version_key = moved.version_key and moved.is_other_person"
        )
    for table in ("core.entries", "core.superseded_entries"):
        if _count(connection, f"({_OTHER_ACTIVITY.format(table=table)})"):
            raise StartOverError("who was active on older lists, as top lists tell, has changed")
    changed = _count(connection, "moved") > 0
    connection.execute("drop table moved")
    return changed


#: Entries of persons in ``moved`` whose activity is not what a top list, kept behind another edition, tells now.
_OTHER_ACTIVITY: Final = f"""
with
tops as (
    select list_key, source_key
    from core.editions
    where coverage = 'top' and not is_current
),
listed as (
    select list_key, player_id, rating from core.superseded_entries semi join tops using (list_key, source_key)
    union all
    select list_key, player_id, rating from core.duplicate_entries semi join tops using (list_key, source_key)
),
floors as (
    select list_key, min(rating) as floor
    from listed
    group by list_key
),
persons as (
    select unnest([earlier_player_id, player_id]) as player_id
    from moved
    where is_other_person
)
select entries.list_key, entries.player_id
from {{table}} as entries
semi join persons on persons.player_id = entries.player_id
join core.editions as editions
    on editions.list_key = entries.list_key and editions.source_key = entries.source_key and not editions.has_flags
join floors on floors.list_key = entries.list_key
left join (select distinct list_key, player_id from listed) as witness
    on witness.list_key = entries.list_key and witness.player_id = entries.player_id
where entries.rating is not null and floors.floor is not null
    and entries.active is distinct from {ACTIVITY_TOLD.format(entry="entries", person="entries")}
"""


def _count(connection: duckdb.DuckDBPyConnection, source: str) -> int:
    (row,) = connection.execute(f"select count(*) from {source}").fetchall()
    return int(row[0])


_ROWS_SINCE: Final = {
    "list_date": "list_date >= $since",
    "list_key": "list_key in (select list_key from core.lists where list_date >= $since)",
}


class Window:
    """The lists loaded again, for models and tests that can look at one list after the other.

    Attributes:
        since: date of the first of them.
        persons_changed: whether entries of earlier lists changed their person.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, project: Project, since: date, persons_changed: bool):
        """Make a temporary table of the entries of these lists and of those just before them, to compare with."""
        self.since = since
        self.persons_changed = persons_changed
        self._connection = connection
        self._recent = {"core.entries": "temp.recent_entries"}
        connection.execute(
            """
            create temp table recent_lists as
            select list_key from core.lists where list_date >= $since
            union all
            select max_by(list_key, list_date)
            from core.lists
            where held and list_date < $since
            group by publisher, rating_type, coverage, official
            """,
            {"since": since},
        )
        connection.execute(
            "create temp table recent_entries as from core.entries where list_key in (from recent_lists)"
        )
        connection.execute(
            """
            create temp table merged_entries as
            from core.entries
            where list_key in (select list_key from core.lists where list_date >= ?)
                or player_id in (from persons_to_renew)
            """,
            [since],
        )
        for model in project.models:
            if model.incremental and model.incremental.unique_key == ("list_key",):
                recent = f"recent_{model.table.name}"
                self._recent[model.qualified_name] = f"temp.{recent}"
                connection.execute(
                    f"create temp view {recent} as from {model.qualified_name} where list_key in (from recent_lists)"
                )

    def covers(self, model: Model) -> bool:
        """Whether the table can be brought up to date with these lists alone."""
        follows = model.incremental is not None and model.incremental.follows_persons
        return model.incremental is not None and not (follows and self.persons_changed)

    def renew(self, model: Model) -> None:
        """Bring the table up to date."""
        assert model.incremental is not None
        name = model.qualified_name
        if model.incremental.merges:
            self._connection.execute(f"delete from {name} where player_id in (from persons_to_renew)")
            merging = _replaced(model.sql, {"core.entries": "temp.merged_entries"})
            self._connection.execute(f"create or replace table {name} as\n{merging}")
            return
        condition, since = _ROWS_SINCE[model.incremental.unique_key[0]], {"since": self.since}
        self._connection.execute(f"delete from {name} where {condition}", since)
        self._connection.execute(
            f"insert into {name} select * from (\n{self.narrowed(model.sql)}\n) where {condition}", since
        )

    def narrowed(self, sql: str) -> str:
        """The query on these lists instead of all."""
        return _replaced(sql, self._recent)


def _replaced(sql: str, relations: Mapping[str, str]) -> str:
    names = "|".join(re.escape(name) for name in relations)
    return re.sub(rf"\b(?:{names})\b", lambda found: relations[found[0]], sql)
