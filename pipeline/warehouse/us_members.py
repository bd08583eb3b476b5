"""Loading what US Chess says about its members, the links to FIDE's players, and ready pairs of ratings.

Not here: ratings (``entries.py``), how links are judged (``players.us_links``), what is made of pairs (``offsets.py``).
"""

from typing import Final

import duckdb
import polars as pl

from pipeline.formats.uscf_membership import MEMBER_SCHEMA
from pipeline.lists.lake import Lake
from pipeline.players.us_links import link_us_players
from pipeline.warehouse.content import LakeContent

#: What is published of a member. Sex and birth year only help to link; no file's addresses were ever read.
_PUBLISHED: Final = (
    "uscf_id, fide_id, name, state, federation, fide_title, status as member_status, is_person, "
    "expires as expires_on, is_life, regular_floor, quick_floor, blitz_floor, source_key, line_number"
)


def load_us_members(connection: duckdb.DuckDBPyConnection, lake: Lake, content: LakeContent) -> None:
    """Fill core.uscf_members, core.us_links, core.us_link_reviews and core.uscf_pairs_stated.

    Call it when the entries are loaded: links need the players of FIDE's lists.
    """
    _load_stated_pairs(connection, lake, content)
    records = _records(lake, content)
    if records.is_empty():
        return
    latest = _latest(records)  # noqa: F841  (read by the query)
    connection.execute(f"insert into core.uscf_members select {_PUBLISHED} from latest order by uscf_id")
    found = link_us_players(records, _fide_players(connection, records))
    for table, rows in zip(("core.us_links", "core.us_link_reviews"), found, strict=True):
        connection.register("linked_rows", rows)
        connection.execute(f"insert into {table} by name select * from linked_rows")
        connection.unregister("linked_rows")


def _records(lake: Lake, content: LakeContent) -> pl.DataFrame:
    """Member records of all source files, older files first."""
    found = [
        pl.read_parquet(path).with_columns(source_key=pl.lit(key, pl.Int32))
        for sha256, key in content.source_keys.items()
        if (path := lake.source_dir(sha256) / "members.parquet").is_file()
    ]
    return pl.concat(found) if found else pl.DataFrame(schema={**MEMBER_SCHEMA, "source_key": pl.Int32()})


def _latest(records: pl.DataFrame) -> pl.DataFrame:
    """One row per member: the latest record, with the FIDE number that was stated last."""
    stated = records.drop_nulls("fide_id").group_by("uscf_id").agg(pl.col("fide_id").last())
    return records.drop("fide_id").unique("uscf_id", keep="last").join(stated, on="uscf_id", how="left")


def _fide_players(connection: duckdb.DuckDBPyConnection, records: pl.DataFrame) -> pl.DataFrame:
    """Players of FIDE's lists that a member could be: of federation USA, or with a number that a record states.

    Name, federation and sex are those of the latest FIDE list with the player.
    """
    stated = records.select("fide_id").drop_nulls().unique()  # noqa: F841  (read by the query)
    found: pl.DataFrame = connection.sql(
        """
        with candidates as (
            select version_key, fide_id, name, federation, sex
            from core.player_versions
            where
                fide_id is not null and uscf_id is null
                and (federation = 'USA' or fide_id in (select fide_id from stated))
        ),

        listed as (
            select entries.version_key, max(lists.list_date) as list_date
            from core.entries as entries
            inner join core.lists as lists on lists.list_key = entries.list_key and lists.publisher = 'fide'
            where entries.version_key in (select version_key from candidates)
            group by entries.version_key
        )

        select candidates.fide_id, candidates.name, candidates.federation, candidates.sex
        from candidates
        inner join listed on listed.version_key = candidates.version_key
        qualify row_number() over (
            partition by candidates.fide_id order by listed.list_date desc, candidates.version_key desc
        ) = 1
        order by candidates.fide_id
        """
    ).pl()
    return found


def _load_stated_pairs(connection: duckdb.DuckDBPyConnection, lake: Lake, content: LakeContent) -> None:
    for sha256, key in content.source_keys.items():
        path = lake.source_dir(sha256) / "pairs.parquet"
        if path.is_file():
            connection.execute(
                """
                insert into core.uscf_pairs_stated
                select
                    person_id, list_date, uscf_list_date, fide_id, uscf_id, name, federation, fide_rating, uscf_rating,
                    active, link, source_note, ?, line_number
                from read_parquet(?)
                order by line_number
                """,
                [key, str(path)],
            )
