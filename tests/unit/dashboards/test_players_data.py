"""Files of the player page: everybody is found by every word of every spelling, histories come back as they were."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards import players_histories, players_index
from dashboards.players_data import write_player_files
from dashboards.players_index import fold, words_of


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    """Sixty invented players on twelve lists: absent from some, unchanged on others, two spellings each.

    The lists of 2000 are closed, those of 2001 open; rapid is on open lists alone, blitz on a closed one. Number 11 is
    on closed lists alone, 12 on open ones, 13 on that of blitz.
    """
    made = duckdb.connect()
    made.execute("create schema marts")
    made.execute("""
        create table lists as
        select 'fide' as publisher, 'standard' as rating_type, unnest(generate_series(
            date '2000-01-01', date '2001-06-01', interval 3 month))::date as list_date
        union all
        select 'fide', 'rapid', unnest(generate_series(
            date '2001-01-01', date '2001-06-01', interval 3 month))::date
        union all
        select 'fide', 'blitz', date '2000-10-01'
        union all
        select 'uscf', 'regular', date '2001-01-01'
    """)
    made.execute("""
        create table marts.player_ratings as
        select
            l.publisher, l.rating_type, l.list_date, n as player_id,
            'Müller ' || chr((97 + n % 26)::integer) || 'x, Player' as player_name,
            case when month(l.list_date) < 6 then 'Mueller ' || n else 'Müller' end as printed_name,
            n + 1000 as fide_id, 'AAA' as federation, 'M' as sex, 1960 + n as birth_year,
            2000 + n + (month(l.list_date) // (n % 3 + 1)) as rating
        from lists as l, range(60) as t(n)
        where
            (n + month(l.list_date)) % 7 > 0
            and not (n = 11 and year(l.list_date) = 2001 or n = 12 and year(l.list_date) = 2000)
            and (n <> 13 or l.rating_type = 'blitz')
    """)
    made.execute("""
        create view marts.list_summary as
        select
            publisher, rating_type, list_date,
            case year(list_date) when 2003 then 'top' else 'complete' end as coverage,
            bit_xor(hash(player_id * 4096 + rating))::varchar as ratings_digest
        from lists
        inner join marts.player_ratings using (publisher, rating_type, list_date)
        group by all
    """)
    made.execute("""
        create view marts.players as
        select player_id, player_name, fide_id, birth_year, arg_max(federation, list_date) as federation
        from marts.player_ratings
        where publisher = 'fide'
        group by all
    """)
    made.execute("""
        create view marts.player_names as
        select player_id, player_name, printed_name as spelling from marts.player_ratings group by all
        union all
        select 5, 'Müller fx, Player', 'Known-Otherwise'
    """)
    return made


NO_SITE = Path("nowhere")


def loaded(folder: Path, name: str) -> Any:
    text = (folder / "data" / "players" / name).read_text(encoding="utf-8")
    return json.loads(re.fullmatch(r"Ratings\.receive\((.*)\);\n", text, re.S)[1])


def keys(word: str, others: list[str]) -> list[str]:
    """Keys under which everybody with ``word`` may stand, as the page looks them up."""
    beginnings = [word[:length] for length in range(len(word), -1, -1)]
    pairs = (f"{word} {other[:letters]}" for other in others for letters in (2, 1) if other != word)
    return [*beginnings, word + " ", *pairs]


@pytest.mark.parametrize("limit", [2, 5, 10_000])
def test_everybody_is_found_by_every_word(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(players_index, "INDEX_LIMIT", limit)
    manifest = write_player_files(connection, tmp_path, NO_SITE)
    assert (len(manifest["index"]) == 1) == (limit == 10_000)
    spelled = connection.execute(
        "select player_id, string_agg(distinct player_name || ' ' || printed_name, ' ') "
        "from marts.player_ratings group by player_id"
    )
    for number, text in spelled.fetchall():
        words = [word for word in fold(text).split() if len(word) > 1]
        for word in words:
            key = next(key for key in keys(word, words) if key in manifest["index"])
            assert number in {row[0] for row in loaded(tmp_path, manifest["index"][key])}, (word, key)


def test_of_many_the_strongest_come_first(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players_index, "INDEX_LIMIT", 5)
    monkeypatch.setattr(players_index, "STRONGEST", 3)
    manifest = write_player_files(connection, tmp_path, NO_SITE)
    strongest = connection.execute(
        "select player_id from marts.player_ratings group by player_id order by max(rating) desc, player_id limit 3"
    ).fetchall()
    assert [row[0] for row in loaded(tmp_path, manifest["index"]["mull*"])] == [number for (number,) in strongest]


def runs_of(folder: Path, manifest: dict[str, Any]) -> Iterator[tuple[str, int, str, list[int]]]:
    """Whether of a closed or an open file, player, type and numbers of each history."""
    for kind in ("closed", "open"):
        shards = manifest[kind]
        for position, (first, name) in enumerate(shards):
            content = loaded(folder, name)
            told = content if kind == "closed" else content[1]
            histories = content if kind == "closed" else content[0]
            assert min(map(int, told)) == first
            assert all(int(number) < at[0] for number in told for at in shards[position + 1 : position + 2])
            assert histories.keys() <= told.keys()
            for number, history in histories.items():
                for rating_type, text in history.items():
                    yield kind, int(number), rating_type, [int(one) for one in text.split(",")]


def ratings_of(folder: Path, manifest: dict[str, Any]) -> list[tuple[int, str, str, int]]:
    """Every rating that the files hold: player, type, date, rating."""
    found = []
    for kind, number, rating_type, runs in runs_of(folder, manifest):
        for first_list, count, rating in zip(runs[::3], runs[1::3], runs[2::3], strict=True):
            for date in manifest["lists"][rating_type][first_list : first_list + count]:
                assert (kind == "closed") == (date < max(max(manifest["lists"].values(), key=max))[:4])
                found.append((number, rating_type, date, rating))
    return found


def ratings_in(connection: duckdb.DuckDBPyConnection) -> list[tuple[int, str, str, int]]:
    return connection.execute(
        "select player_id, rating_type, list_date::varchar, rating from marts.player_ratings where publisher = 'fide' "
        "order by all"
    ).fetchall()


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "data" / "players").iterdir())}


@pytest.fixture(params=[(400, 400, 20_000_000, 200), (7, 5, 30, 2), (7, 60, 1, 1)], ids=["one", "many", "smallest"])
def sizes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Players in a closed file and in an open one; how much is done at once differs too."""
    for name, size in zip(
        ("CLOSED_PLAYERS", "OPEN_PLAYERS", "RATINGS_AT_ONCE", "FILES_AT_ONCE"), request.param, strict=True
    ):
        monkeypatch.setattr(players_histories, name, size)
    return request.param[:2]


def test_histories_come_back_as_they_were(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, sizes: tuple[int, int]
) -> None:
    manifest = write_player_files(connection, tmp_path, NO_SITE)
    rows = ratings_in(connection)
    assert sorted(ratings_of(tmp_path, manifest)) == rows
    closed = {row[0] for row in rows if row[2] < "2001"}
    assert len(manifest["closed"]) == -(-len(closed) // sizes[0])
    assert len(manifest["open"]) == -(-len({row[0] for row in rows}) // sizes[1])
    told = {number: player for _, name in manifest["open"] for number, player in loaded(tmp_path, name)[1].items()}
    assert list(told) == [str(number) for number in sorted({row[0] for row in rows})]
    assert {11, 13} <= closed
    assert 12 not in closed


@pytest.mark.parametrize("condition", ["list_date < '2001-01-01'", "list_date > '2001-01-01'", "false"])
def test_lists_of_one_year_and_none_at_all(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, condition: str
) -> None:
    connection.execute(f"delete from marts.player_ratings where not ({condition})")
    manifest = write_player_files(connection, tmp_path / "one", NO_SITE)
    assert manifest["closed"] == []
    assert sorted(ratings_of(tmp_path / "one", manifest)) == ratings_in(connection)
    assert write_player_files(connection, tmp_path / "two", tmp_path / "one") == manifest
    assert written(tmp_path / "one") == written(tmp_path / "two")


def closed_names(folder: Path) -> set[str]:
    return {name for name in written(folder) if name.startswith("closed-")}


def taken_over(folder: Path) -> set[str]:
    return {path.name for path in (folder / "data" / "players").iterdir() if path.stat().st_nlink > 1}


def test_closed_files_are_taken_from_the_previous_site(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, sizes: tuple[int, int]
) -> None:
    """A new list of the same year, with somebody new in the middle, writes none of them again."""
    write_player_files(connection, tmp_path / "one", NO_SITE)
    connection.execute("insert into lists values ('fide', 'standard', '2001-07-01')")
    connection.execute(
        "insert into marts.player_ratings by name "
        "select * replace (date '2001-07-01' as list_date, rating + 3 as rating, 'BBB' as federation) "
        "from marts.player_ratings where list_date = '2001-04-01' and rating_type = 'standard' union all by name "
        "select * replace (date '2001-07-01' as list_date, -1 as player_id, 2900 as rating) "
        "from marts.player_ratings where list_date = '2001-04-01' and player_id = 30 and rating_type = 'standard'"
    )
    manifest = write_player_files(connection, tmp_path / "two", tmp_path / "one")
    assert taken_over(tmp_path / "two") == closed_names(tmp_path / "one") == closed_names(tmp_path / "two")
    assert sorted(ratings_of(tmp_path / "two", manifest)) == ratings_in(connection)
    assert write_player_files(connection, tmp_path / "anew", NO_SITE) == manifest
    assert written(tmp_path / "anew") == written(tmp_path / "two")


def test_without_hard_links_they_are_copied(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_link(source: Path, target: Path) -> None:
        raise PermissionError(source, target)

    def written_again(*arguments: object) -> None:
        raise AssertionError("closed files are written again")

    write_player_files(connection, tmp_path / "one", NO_SITE)
    monkeypatch.setattr(os, "link", no_link)
    monkeypatch.setattr(players_histories, "_write_closed", written_again)
    write_player_files(connection, tmp_path / "two", tmp_path / "one")
    assert written(tmp_path / "one") == written(tmp_path / "two")


@pytest.mark.parametrize("pattern", ["closed-????????????.js", "closed-*.json", "closed-rated-*.parquet"])
@pytest.mark.parametrize("damage", ["cut off", "changed", "gone"])
def test_nothing_is_taken_over_where_a_file_is_damaged(
    connection: duckdb.DuckDBPyConnection,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pattern: str,
    damage: str,
) -> None:
    monkeypatch.setattr(players_histories, "CLOSED_PLAYERS", 20)
    write_player_files(connection, tmp_path / "one", NO_SITE)
    before = written(tmp_path / "one")
    damaged = max((tmp_path / "one" / "data" / "players").glob(pattern))
    if damage == "gone":
        damaged.unlink()
    else:
        content = damaged.read_bytes()
        damaged.write_bytes(content[:-9] if damage == "cut off" else content.replace(b"0", b"1", 1) + b" ")
    write_player_files(connection, tmp_path / "two", tmp_path / "one")
    assert written(tmp_path / "two") == before
    assert taken_over(tmp_path / "two") == set()


@pytest.mark.parametrize(
    "change",
    [
        "update marts.player_ratings set rating = rating + 1 where player_id = 7 and list_date = '2000-04-01'",
        "update marts.player_ratings set player_id = 60 where player_id = 11",
        "update marts.player_ratings set rating = rating + 1 where rating_type = 'blitz'",
        "insert into marts.player_ratings by name select * replace (2 as player_id) from marts.player_ratings "
        "where player_id = 13",
        "insert into lists values ('fide', 'rapid', '2000-10-01'); insert into marts.player_ratings by name "
        "select * replace ('rapid' as rating_type) from marts.player_ratings where rating_type = 'blitz'",
    ],
    ids=["rating", "person", "other type", "one more", "one more list"],
)
def test_nothing_is_taken_over_where_something_old_has_changed(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, change: str
) -> None:
    write_player_files(connection, tmp_path / "one", NO_SITE)
    connection.execute(change)
    manifest = write_player_files(connection, tmp_path / "two", tmp_path / "one")
    assert taken_over(tmp_path / "two") == set()
    assert sorted(ratings_of(tmp_path / "two", manifest)) == ratings_in(connection)


def test_in_a_new_year_the_year_before_is_closed(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    write_player_files(connection, tmp_path / "one", NO_SITE)
    connection.execute("insert into lists values ('fide', 'standard', '2002-01-01')")
    connection.execute(
        "insert into marts.player_ratings by name select * replace (date '2002-01-01' as list_date) "
        "from marts.player_ratings where list_date = '2001-04-01' and rating_type = 'standard'"
    )
    manifest = write_player_files(connection, tmp_path / "two", tmp_path / "one")
    assert taken_over(tmp_path / "two") == set()
    assert sorted(ratings_of(tmp_path / "two", manifest)) == ratings_in(connection)


def test_top_lists_of_later_years_leave_the_year_of_the_newest_complete_list_open(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    before = write_player_files(connection, tmp_path / "one", NO_SITE)
    connection.execute("insert into lists values ('fide', 'standard', '2003-01-01')")
    connection.execute(
        "insert into marts.player_ratings by name select * replace (date '2003-01-01' as list_date) "
        "from marts.player_ratings where list_date = '2001-04-01' and rating_type = 'standard' and player_id > 50"
    )
    manifest = write_player_files(connection, tmp_path / "two", tmp_path / "one")
    assert manifest["closed"] == before["closed"]
    assert taken_over(tmp_path / "two") == closed_names(tmp_path / "one")
    assert manifest["lists"]["standard"][-1] == "2003-01-01"


def test_a_player_is_told_as_in_the_table_of_players_under_every_spelling(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    connection.execute("update marts.player_ratings set federation = 'BBB' where list_date = '2001-04-01'")
    connection.execute("update marts.player_ratings set federation = null where player_id = 4 and federation = 'BBB'")
    connection.execute("update marts.player_ratings set printed_name = 'Quote \"<\", Zoë' where player_id = 4")
    manifest = write_player_files(connection, tmp_path, NO_SITE)
    told = {row[0]: row for row in loaded(tmp_path, manifest["index"][""])}
    _, facts = loaded(tmp_path, manifest["open"][0][1])
    last = dict(
        connection.execute(
            "select player_id, arg_max(federation, list_date) from marts.player_ratings where publisher = 'fide' "
            "group by player_id"
        ).fetchall()
    )
    assert {number: row[2] for number, row in told.items()} == last
    assert set(last.values()) == {"AAA", "BBB"}
    assert told[4][7] == "ex muller player quote zoe"
    assert told[5][7] == "5 fx known mueller muller otherwise player", "a spelling that no list printed"
    assert facts["4"] == ["Müller ex, Player", "AAA", 1964, 1004]
    assert told[4][5:7] == [2000, 2001]


def test_peaks_and_years_are_of_closed_and_open_lists(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    manifest = write_player_files(connection, tmp_path, NO_SITE)
    expected = connection.execute(
        "select player_id, max(rating) filter (where rating_type = 'standard'), year(min(list_date)), "
        "year(max(list_date)) from marts.player_ratings where publisher = 'fide' group by player_id"
    ).fetchall()
    told = [(row[0], *row[4:7]) for row in loaded(tmp_path, manifest["index"][""])]
    assert sorted(told) == sorted(expected)
    assert {row[1:] for row in told if row[0] in (11, 12, 13)} >= {(None, 2000, 2000)}
    assert len({row[2:] for row in told}) == 3


def test_files_are_the_same_every_time(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    first = write_player_files(connection, tmp_path / "one", NO_SITE)
    second = write_player_files(connection, tmp_path / "two", NO_SITE)
    assert first == second
    assert written(tmp_path / "one") == written(tmp_path / "two")


@given(st.lists(st.one_of(st.text(), st.text("aB, _-9Ä"))))
def test_words_of_many_texts_are_those_of_each(texts: list[str]) -> None:
    expected = [" ".join(sorted(set(fold(text).split(" ")))) for text in texts]
    assert words_of(pl.Series(texts, dtype=pl.String)).to_list() == expected


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Müller, Jürgen", "muller jurgen"),
        ("O'Kelly de Galway, A.", "o kelly de galway a"),
        ("Łukasz Ołdak-Øye", "lukasz oldak oye"),
        ("  GROẞE   Straße ", "grosse strasse"),
        ("", ""),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded
