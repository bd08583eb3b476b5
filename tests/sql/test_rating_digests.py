"""The digest of a list changes with everything it is of, and with nothing else."""

import duckdb
import pytest

from pipeline.warehouse.models import SQL_ROOT

DIGESTS = (SQL_ROOT / "intermediate" / "rating_digests.sql").read_text(encoding="utf-8")


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    """Three players on two lists, of whom one has no rating on the second, and a rating that does not stand."""
    made = duckdb.connect()
    made.execute("create schema core")
    made.execute("create schema intermediate")
    made.execute("""
        create table core.entries as
        select l::smallint as list_key, p::integer as player_id, (2400 + 10 * p)::smallint as rating, 9 as games
        from range(1, 3) as lists(l), range(1, 4) as players(p)
    """)
    made.execute("update core.entries set rating = null where list_key = 2 and player_id = 3")
    made.execute("""
        create table intermediate.disputed_ratings as
        select 1::smallint as list_key, 2::integer as player_id, 2425::smallint as rating
    """)
    return made


def digests(connection: duckdb.DuckDBPyConnection) -> dict[int, tuple[int, int]]:
    return {key: told for key, *told in connection.execute(DIGESTS).fetchall()}


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        ("update core.entries set rating = rating + 1 where list_key = 1 and player_id = 1", {1}),
        ("update core.entries set rating = 2440 - rating + 2400 where player_id in (1, 3) and list_key = 1", {1}),
        ("update core.entries set player_id = 7 where player_id = 1", {1, 2}),
        ("update core.entries set player_id = 4 - player_id where list_key = 1", {1}),
        ("update core.entries set rating = 2430 where list_key = 2 and player_id = 3", {2}),
        ("delete from core.entries where list_key = 1 and player_id = 3", {1}),
        ("update intermediate.disputed_ratings set rating = 2426", {1}),
        ("delete from intermediate.disputed_ratings", {1}),
        ("update core.entries set games = 0", set()),
        ("update core.entries set rating = 2000 where list_key = 1 and player_id = 2", set()),
        ("create or replace table core.entries as from core.entries order by rating desc", set()),
    ],
    ids=[
        "rating", "ratings exchanged", "person", "persons exchanged", "first rating", "entry gone", "disputed rating",
        "dispute gone", "games", "rating that does not stand", "order",
    ],
)  # fmt: skip
def test_what_changes_a_digest(connection: duckdb.DuckDBPyConnection, change: str, changed: set[int]) -> None:
    before = digests(connection)
    assert before.keys() == {1, 2}
    connection.execute(change)
    after = digests(connection)
    assert {key for key in before if before[key] != after[key]} == changed
