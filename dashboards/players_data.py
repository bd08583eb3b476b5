"""Files for the player page: who there is, the history of each player in small pieces, and the index to search.

The browser loads only what a search or a choice needs, by script element, so that it works from a folder as well as
from a server. No chart and no page here; how the index is divided is in ``dashboards/players_index.py``.

History: players in order of ``player_id``, ``SHARD_PLAYERS`` to a file; of each name, federation, year of birth, FIDE
ID and ratings. Ratings are runs over the held lists of a type, three numbers a run: index of its first list, number of
lists, rating. All texts are made column by column: on the whole history, hundreds of thousands of players, small Python
objects take many times as long.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl

from dashboards.encode import content_hash, json_column
from dashboards.players_index import PlayersIndex, words_of

SHARD_PLAYERS: Final = 400
#: Players whose ratings are read at once: few enough that memory stays small.
QUERY_PLAYERS: Final = 200 * SHARD_PLAYERS

#: Packed number of a rating: ratings are below the step of a list number, list numbers times it below that of a player.
_NEXT_LIST: Final = 1 << 12
_NEXT_PLAYER: Final = 1 << 28

#: Lists are numbered through all types, with a gap between two types, so that no run goes from one into the next.
_LISTS_SQL: Final = """
select
    rating_type, list_date,
    row_number() over (order by rating_type, list_date) + dense_rank() over (order by rating_type) as list_number,
    row_number() over (partition by rating_type order by list_date) - 1 as list_index
from marts.list_summary
where publisher = 'fide'
order by list_number
"""

#: Who is on these lists, and what else is known of them.
_PLAYERS_SQL: Final = f"""
with lists as ({_LISTS_SQL}),

rated as (
    select
        r.player_id,
        max(r.rating) filter (where r.rating_type = 'standard') as peak_rating,
        year(min(r.list_date)) as first_year,
        year(max(r.list_date)) as last_year
    from marts.player_ratings as r
    inner join lists on r.rating_type = lists.rating_type and r.list_date = lists.list_date
    where r.publisher = 'fide'
    group by r.player_id
),

spellings as (
    select player_id, string_agg(spelling, ' ' order by spelling) as other_spellings
    from marts.player_names
    where spelling <> player_name
    group by player_id
)

select
    rated.player_id, players.player_name, players.federation, players.birth_year, players.fide_id,
    rated.peak_rating, rated.first_year, rated.last_year, spellings.other_spellings
from rated
inner join marts.players as players on players.player_id = rated.player_id
left join spellings on spellings.player_id = rated.player_id
order by rated.player_id
"""

#: What ends the member of a player: the string of the last type, the types, the player.
_PLAYER_ENDS: Final = '"}]'

#: Player, list and rating in one number each: they are sorted, and compared with their neighbours, as one.
_RATINGS_SQL: Final = f"""
with lists as ({_LISTS_SQL})

select r.player_id * {_NEXT_PLAYER}::bigint + lists.list_number * {_NEXT_LIST} + r.rating as packed
from marts.player_ratings as r
inner join lists on r.rating_type = lists.rating_type and r.list_date = lists.list_date
where r.publisher = 'fide' and r.player_id between $first and $last
"""


def write_player_files(connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, Any]:
    """Write index and histories below ``folder``/data/players; return the manifest that the page needs."""
    target = folder / "data" / "players"
    target.mkdir(parents=True, exist_ok=True)
    lists = connection.sql(_LISTS_SQL).pl()
    players = connection.sql(_PLAYERS_SQL).pl()
    dates = {
        rating_type: part["list_date"].cast(pl.String).to_list()
        for (rating_type,), part in lists.group_by(["rating_type"], maintain_order=True)
    }
    # The index is work of Python, the histories are work of DuckDB and Polars: neither waits for the other.
    with ThreadPoolExecutor(max_workers=1) as beside:
        index = beside.submit(_write_index, players, target)
        shards = [
            (first, _write(target, "history", content))
            for first, content in _history_shards(connection, players, lists)
        ]
        return {"lists": dates, "players": players.height, "shards": shards, "index": index.result()}


def _write_index(players: pl.DataFrame, target: Path) -> dict[str, str]:
    """Files of the index, strongest players first in each; the file of each key."""
    spelled = pl.concat_str("player_name", "other_spellings", separator=" ", ignore_nulls=True)
    ranked = players.with_columns(words=words_of(players.select(spelled).to_series())).sort(
        pl.col("peak_rating").fill_null(0), "player_id", descending=[True, False]
    )
    row = _items(
        "player_id", json_column("player_name"), json_column("federation"), "birth_year", "peak_rating", "first_year",
        "last_year", json_column("words"),
    )  # fmt: skip
    rows = ranked.select(pl.format("[{}]", row).cast(pl.Binary)).to_series()
    return PlayersIndex(ranked["words"], rows, lambda part: _write(target, "index", b"[%b]" % part)).manifest


def _history_shards(
    connection: duckdb.DuckDBPyConnection, players: pl.DataFrame, lists: pl.DataFrame
) -> Iterator[tuple[int, bytes]]:
    """Per file: its first player, and a JSON object with a member per player."""
    for asked in players.iter_slices(QUERY_PLAYERS):
        between = {"first": asked["player_id"][0], "last": asked["player_id"][-1]}
        runs = _runs(connection.sql(_RATINGS_SQL, params=between).pl()["packed"])
        texts = _texts(runs, asked, lists)
        firsts = runs["player_id"].is_first_distinct().arg_true()[::SHARD_PLAYERS].to_list()
        for start, end in zip(firsts, [*firsts[1:], runs.height], strict=True):
            joined = texts[start:end].str.join("").item()
            yield runs["player_id"][start], f"{{{joined.removeprefix(_PLAYER_ENDS + ',')}{_PLAYER_ENDS}}}".encode()


def _runs(packed: pl.Series) -> pl.DataFrame:
    """Runs of the same rating, in order of player and list: player_id, list_number, lists_count, rating.

    The same rating on the next list of its type is the packed number with a list number more.
    """
    ratings = packed.sort().to_frame("packed").with_row_index("row")
    return ratings.filter(pl.col("packed").diff().ne_missing(_NEXT_LIST)).select(
        player_id=(pl.col("packed") // _NEXT_PLAYER).cast(pl.Int32),
        list_number=pl.col("packed") % _NEXT_PLAYER // _NEXT_LIST,
        lists_count=pl.col("row").shift(-1, fill_value=ratings.height) - pl.col("row"),
        rating=pl.col("packed") % _NEXT_LIST,
    )


def _texts(runs: pl.DataFrame, players: pl.DataFrame, lists: pl.DataFrame) -> pl.Series:
    """Per run what stands in the file between the end of the run before and its own.

    Most often that is a comma and three numbers. A new type closes a string and opens the next, a new player closes
    the member before as well. Joined they are the file: nothing is grouped by player, and few texts are long.
    """
    placed = (
        runs.join(lists, on="list_number", how="left", maintain_order="left")
        .with_row_index("row")
        .with_columns(
            new_player=pl.col("player_id").ne_missing(pl.col("player_id").shift()),
            new_type=pl.col("rating_type").ne_missing(pl.col("rating_type").shift()),
        )
    )
    facts = _items(json_column("player_name"), json_column("federation"), "birth_year", "fide_id")
    members = players.select(
        "player_id", member=pl.concat_str(pl.lit(_PLAYER_ENDS + ',"'), "player_id", pl.lit('":['), facts, pl.lit(",{"))
    )
    openings = (
        placed.filter(pl.col("new_player") | pl.col("new_type"))
        .join(members, on="player_id", how="left", maintain_order="left")
        .select(
            "row",
            opening=pl.concat_str(
                pl.when("new_player").then("member").otherwise(pl.lit('",')), json_column("rating_type"), pl.lit(':"')
            ),
        )
    )
    # The text of a number is looked up: that is cheaper than writing it again for every run.
    numbers = pl.Series([str(number) for number in range(max(_NEXT_LIST, lists.height + 1))])
    three = [
        pl.lit(numbers).gather(pl.col("list_index")),
        *(pl.lit("," + numbers).gather(pl.col(name)) for name in ("lists_count", "rating")),
    ]
    return (
        placed.join(openings, on="row", how="left", maintain_order="left")
        .select(pl.concat_str(pl.col("opening").fill_null(","), *three))
        .to_series()
    )


def _items(*columns: str | pl.Expr) -> pl.Expr:
    """Columns that are JSON already or numbers, with commas between them; null stays null."""
    texts = [(pl.col(c) if isinstance(c, str) else c).cast(pl.String).fill_null("null") for c in columns]
    return pl.concat_str(texts, separator=",")


def _write(target: Path, stem: str, json_text: bytes) -> str:
    content = b"Ratings.receive(%b);\n" % json_text
    name = f"{stem}-{content_hash(content)}.js"
    (target / name).write_bytes(content)
    return name
