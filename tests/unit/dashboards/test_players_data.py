"""Files of the player page: everybody is found by every word of every spelling, histories come back as they were."""

import json
import re
from collections import defaultdict
from pathlib import Path

import duckdb
import pytest

from dashboards import players_data
from dashboards.players_data import fold, write_player_files


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    """Sixty invented players on six lists: absent from some, unchanged on others, two spellings each."""
    made = duckdb.connect()
    made.execute("create schema marts")
    made.execute("""
        create table marts.list_summary as
        select 'fide' as publisher, 'standard' as rating_type, unnest(generate_series(
            date '2000-01-01', date '2001-06-01', interval 3 month))::date as list_date
    """)
    made.execute("""
        create table marts.player_history as
        select
            'fide' as publisher, 'standard' as rating_type, l.list_date, n as player_id,
            'Müller ' || chr((97 + n % 26)::integer) || 'x, Player' as player_name,
            case when month(l.list_date) < 6 then 'Mueller ' || n else 'Müller' end as printed_name,
            n + 1000 as fide_id, 'AAA' as federation, 'M' as sex, 1960 + n as birth_year,
            2000 + n + (month(l.list_date) // (n % 3 + 1)) as rating
        from marts.list_summary as l, range(60) as t(n)
        where (n + month(l.list_date)) % 7 > 0
    """)
    made.execute("create table marts.top_player_peaks as select distinct player_id from marts.player_history")
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
    monkeypatch.setattr(players_data, "INDEX_LIMIT", limit)
    manifest = write_player_files(connection, tmp_path)
    assert (len(manifest["index"]) == 1) == (limit == 10_000)
    spelled = connection.execute(
        "select player_id, string_agg(distinct player_name || ' ' || printed_name, ' ') "
        "from marts.player_history group by player_id"
    )
    for number, text in spelled.fetchall():
        words = [word for word in fold(text).split() if len(word) > 1]
        for word in words:
            key = next(key for key in keys(word, words) if key in manifest["index"])
            assert number in {row[0] for row in loaded(tmp_path, manifest["index"][key])}, (word, key)


def test_of_many_the_strongest_come_first(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players_data, "INDEX_LIMIT", 5)
    monkeypatch.setattr(players_data, "STRONGEST", 3)
    manifest = write_player_files(connection, tmp_path)
    strongest = connection.execute(
        "select player_id from marts.player_history group by player_id order by max(rating) desc, player_id limit 3"
    ).fetchall()
    assert [row[0] for row in loaded(tmp_path, manifest["index"]["mull*"])] == [number for (number,) in strongest]


def test_histories_come_back_as_they_were(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    manifest = write_player_files(connection, tmp_path)
    dates = manifest["lists"]["standard"]
    found = defaultdict(dict)
    for _, name in manifest["shards"]:
        for number, player in loaded(tmp_path, name).items():
            runs = [int(number) for number in player[5]["standard"].split(",")]
            for first, count, rating in zip(runs[::3], runs[1::3], runs[2::3], strict=True):
                for index in range(first, first + count):
                    assert dates[index] not in found[int(number)]
                    found[int(number)][dates[index]] = rating
    rows = connection.execute("select player_id, list_date::varchar, rating from marts.player_history").fetchall()
    expected = defaultdict(dict)
    for number, date, rating in rows:
        expected[number][date] = rating
    assert found == expected


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
