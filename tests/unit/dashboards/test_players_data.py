"""Files of the player page: everybody is found by every word of every spelling, histories come back as they were."""

import json
import re
from pathlib import Path

import duckdb
import pytest

from dashboards import players_data, players_index
from dashboards.players_data import write_player_files
from dashboards.players_index import fold


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    """Sixty invented players on ten lists: absent from some, unchanged on others, two spellings each."""
    made = duckdb.connect()
    made.execute("create schema marts")
    made.execute("""
        create table marts.list_summary as
        select 'fide' as publisher, 'standard' as rating_type, unnest(generate_series(
            date '2000-01-01', date '2001-06-01', interval 3 month))::date as list_date
        union all
        select 'fide', 'rapid', unnest(generate_series(
            date '2001-01-01', date '2001-06-01', interval 3 month))::date
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
        from marts.list_summary as l, range(60) as t(n)
        where (n + month(l.list_date)) % 7 > 0
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


def loaded(folder: Path, name: str) -> object:
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
    manifest = write_player_files(connection, tmp_path)
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
    manifest = write_player_files(connection, tmp_path)
    strongest = connection.execute(
        "select player_id from marts.player_ratings group by player_id order by max(rating) desc, player_id limit 3"
    ).fetchall()
    assert [row[0] for row in loaded(tmp_path, manifest["index"]["mull*"])] == [number for (number,) in strongest]


@pytest.mark.parametrize(("in_file", "at_once"), [(400, 400), (7, 14), (7, 7)])
def test_histories_come_back_as_they_were(
    connection: duckdb.DuckDBPyConnection,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    in_file: int,
    at_once: int,
) -> None:
    monkeypatch.setattr(players_data, "SHARD_PLAYERS", in_file)
    monkeypatch.setattr(players_data, "QUERY_PLAYERS", at_once)
    manifest = write_player_files(connection, tmp_path)
    found = set()
    for position, (first, name) in enumerate(manifest["shards"]):
        players = {int(number): player for number, player in loaded(tmp_path, name).items()}
        assert min(players) == first
        assert all(number < at[0] for number in players for at in manifest["shards"][position + 1 : position + 2])
        for number, player in players.items():
            for rating_type, text in player[4].items():
                runs = [int(number) for number in text.split(",")]
                for first_list, count, rating in zip(runs[::3], runs[1::3], runs[2::3], strict=True):
                    for date in manifest["lists"][rating_type][first_list : first_list + count]:
                        assert (number, rating_type, date) not in {row[:3] for row in found if row[0] == number}
                        found.add((number, rating_type, date, rating))
    rows = connection.execute(
        "select player_id, rating_type, list_date::varchar, rating from marts.player_ratings where publisher = 'fide'"
    ).fetchall()
    assert len(manifest["shards"]) == -(-len({row[0] for row in rows}) // in_file)
    assert len(found) == len(rows)
    assert found == set(rows)


def test_a_player_is_told_as_in_the_table_of_players_under_every_spelling(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    connection.execute("update marts.player_ratings set federation = 'BBB' where list_date = '2001-04-01'")
    connection.execute("update marts.player_ratings set federation = null where player_id = 4 and federation = 'BBB'")
    connection.execute("update marts.player_ratings set printed_name = 'Quote \"<\", Zoë' where player_id = 4")
    manifest = write_player_files(connection, tmp_path)
    told = {row[0]: row for row in loaded(tmp_path, manifest["index"][""])}
    history = loaded(tmp_path, manifest["shards"][0][1])
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
    assert history["4"][:4] == ["Müller ex, Player", "AAA", 1964, 1004]
    assert told[4][5:7] == [2000, 2001]


def test_files_are_the_same_every_time(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    first = write_player_files(connection, tmp_path / "one")
    second = write_player_files(connection, tmp_path / "two")
    assert first == second


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
