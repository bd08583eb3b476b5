"""Files for the player page: a search index by beginnings of names, and the history of each player, in small pieces.

The browser loads only what a search or a choice needs, by script element, so that it works from a folder as well as
from a server. No chart and no page here.

Index: a beginning of a word leads to the players who have such a word. Where they are more than ``INDEX_LIMIT``,
the next letter divides them, and a word too common to divide is divided by the beginnings of the other words of a
name. Keys of the manifest: "karp" everybody with a word that begins so; "karp*" only the strongest of many; "kumar "
everybody with exactly this word; "kumar a" or "kumar am" those of them with another word that begins so.
History: players in order of ``player_id``, ``SHARD_PLAYERS`` to a file; ratings as runs over the held lists of a type,
three numbers a run: index of its first list, number of lists, rating.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import duckdb

from dashboards.encode import content_hash, script_json

INDEX_LIMIT: Final = 2500
SHARD_PLAYERS: Final = 400
QUERY_PLAYERS: Final = 50 * SHARD_PLAYERS
STRONGEST: Final = 100
#: Shorter words (initials) lead nowhere of their own.
SHORTEST: Final = 2

_LETTERS: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)

_LISTS_SQL: Final = """
select rating_type, list(strftime(list_date, '%Y-%m-%d') order by list_date)
from marts.list_summary
where publisher = 'fide'
group by rating_type
order by rating_type
"""

_PLAYERS_SQL: Final = """
with lists as (
    select rating_type, list_date, row_number() over (partition by rating_type order by list_date) - 1 as list_index
    from marts.list_summary
    where publisher = 'fide'
),

entries as (
    select
        h.player_id, h.player_name, h.printed_name, h.fide_id, h.federation, h.sex, h.birth_year, h.rating_type,
        h.rating, h.list_date, l.list_index
    from marts.player_history as h
    inner join lists as l on h.rating_type = l.rating_type and h.list_date = l.list_date
    where h.publisher = 'fide' and h.rating is not null and h.player_id between ? and ?
),

numbered as (
    select
        player_id, rating_type, rating, list_index,
        list_index - row_number() over (partition by player_id, rating_type, rating order by list_index) as island
    from entries
),

runs as (
    select player_id, rating_type, rating, min(list_index) as first_index, count(*) as lists_count
    from numbered
    group by player_id, rating_type, rating, island
),

histories as (
    select
        player_id, rating_type,
        string_agg(first_index || ',' || lists_count || ',' || rating, ',' order by first_index) as history
    from runs
    group by player_id, rating_type
),

gathered as (
    select player_id, list(rating_type order by rating_type) as types, list(history order by rating_type) as histories
    from histories
    group by player_id
),

players as (
    select
        player_id, any_value(player_name) as player_name, max(fide_id) as fide_id,
        arg_max(federation, list_date) as federation, max(sex) as sex, max(birth_year) as birth_year,
        max(rating) filter (where rating_type = 'standard') as peak_rating,
        min(year(list_date)) as first_year, max(year(list_date)) as last_year,
        list_sort(list_distinct(list(printed_name))) as spellings
    from entries
    group by player_id
)

select
    p.player_id, p.player_name, p.federation, p.sex, p.birth_year, p.fide_id, p.peak_rating, p.first_year, p.last_year,
    p.spellings, g.types, g.histories
from players as p
inner join gathered as g on p.player_id = g.player_id
order by p.player_id
"""

_NUMBERS_SQL: Final = "select distinct player_id from marts.top_player_peaks order by player_id"

IndexRow = tuple[int, str, str | None, int | None, int | None, int, int, str]


def fold(text: str) -> str:
    """Letters without marks and case, words by single blanks; the browser folds what is typed in the same way."""
    plain = "".join(
        c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.category(c).startswith("M")
    )
    return re.sub(r"[\W_]+", " ", plain.translate(_LETTERS)).strip()


def write_player_files(connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, Any]:
    """Write index and histories below ``folder``/data/players; return the manifest that the page needs."""
    target = folder / "data" / "players"
    target.mkdir(parents=True, exist_ok=True)
    lists = dict(connection.execute(_LISTS_SQL).fetchall())
    numbers = [number for (number,) in connection.execute(_NUMBERS_SQL).fetchall()]
    rows: list[IndexRow] = []
    shards: list[tuple[int, str]] = []
    for batch in _batches(connection, numbers):
        histories = {}
        for number, name, federation, sex, born, fide_id, peak, first, last, spellings, types, runs in batch:
            histories[number] = [name, federation, sex, born, fide_id, dict(zip(types, runs, strict=True))]
            words = sorted(set(fold(" ".join([name, *filter(None, spellings)])).split()))
            rows.append((number, name, federation, born, peak, first, last, " ".join(words)))
        shards.append((batch[0][0], _write(target, "history", histories)))
    rows.sort(key=lambda row: (-(row[4] or 0), row[0]))
    return {"lists": lists, "players": len(rows), "shards": shards, "index": _Index(target, rows).manifest}


def _batches(connection: duckdb.DuckDBPyConnection, numbers: list[int]) -> Iterator[list[tuple[Any, ...]]]:
    """Players by ``SHARD_PLAYERS``; asked for in larger ranges, so that memory stays small and queries few."""
    for start in range(0, len(numbers), QUERY_PLAYERS):
        asked = numbers[start : start + QUERY_PLAYERS]
        cursor = connection.execute(_PLAYERS_SQL, [asked[0], asked[-1]])
        while batch := cursor.fetchmany(SHARD_PLAYERS):
            yield batch


def _write(target: Path, stem: str, content: Any) -> str:
    text = f"Ratings.receive({script_json(content)});\n"
    name = f"{stem}-{content_hash(text)}.js"
    (target / name).write_text(text, encoding="utf-8")
    return name


class _Index:
    """Divides players, strongest first, by the words of their names, and writes a file for each part."""

    def __init__(self, target: Path, rows: list[IndexRow]) -> None:
        self.manifest: dict[str, str] = {}
        self._target = target
        self._rows = rows
        self._holders: defaultdict[str, list[int]] = defaultdict(list)
        for place, row in enumerate(rows):
            for word in row[7].split():
                if len(word) >= SHORTEST:
                    self._holders[word].append(place)
        self._divide("", sorted(self._holders))

    def _put(self, key: str, places: set[int], most: int | None = None) -> None:
        self.manifest[key] = _write(self._target, "index", [self._rows[place] for place in sorted(places)[:most]])

    def _divide(self, beginning: str, words: list[str]) -> None:
        places = {place for word in words for place in self._holders[word]}
        if len(places) <= INDEX_LIMIT:
            self._put(beginning, places)
            return
        if len(beginning) >= SHORTEST:
            self._put(beginning + "*", places, STRONGEST)
        by_next: defaultdict[str, list[str]] = defaultdict(list)
        for word in words:
            if word == beginning:
                self._divide_word(word)
            else:
                by_next[word[: len(beginning) + 1]].append(word)
        for longer, part in by_next.items():
            self._divide(longer, part)

    def _divide_word(self, word: str) -> None:
        places = set(self._holders[word])
        if len(places) <= INDEX_LIMIT:
            self._put(word + " ", places)
            return
        for first, part in self._by_other_words(word, places, "").items():
            if len(part) <= INDEX_LIMIT:
                self._put(f"{word} {first}", part)
            else:
                for longer, smaller in self._by_other_words(word, part, first).items():
                    self._put(f"{word} {longer}", smaller)

    def _by_other_words(self, word: str, places: set[int], beginning: str) -> dict[str, set[int]]:
        """Players of ``places`` by one more letter of their other words that begin so."""
        parts: defaultdict[str, set[int]] = defaultdict(set)
        for place in sorted(places):
            for other in self._rows[place][7].split():
                if other != word and len(other) >= SHORTEST and other.startswith(beginning):
                    parts[other[: len(beginning) + 1]].add(place)
        return parts
