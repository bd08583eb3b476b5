"""Files for the player page: who there is, the history of each player in small pieces, and the index to search.

The browser loads only what a search or a choice needs, by script element, so that it works from a folder as well as
from a server. No chart and no page here; how the index is divided is in ``dashboards/players_index.py``.

History: players in order of ``player_id``, ``SHARD_PLAYERS`` to a file; ratings as runs over the held lists of a type,
three numbers a run: index of its first list, number of lists, rating. All texts are made column by column: on the
whole history, hundreds of thousands of players, small Python objects take many times as long.
"""

from collections.abc import Iterator
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

#: Different printed attributes first: they are about as many as players, ratings seventy times as many.
_PLAYERS_SQL: Final = f"""
with lists as ({_LISTS_SQL}),

printed as (
    select
        r.player_id, r.player_name, r.printed_name, r.fide_id, r.federation, r.sex, r.birth_year,
        max(r.rating) filter (where r.rating_type = 'standard') as peak_rating,
        min(r.list_date) as first_date, max(r.list_date) as last_date
    from marts.player_ratings as r
    inner join lists on r.rating_type = lists.rating_type and r.list_date = lists.list_date
    where r.publisher = 'fide'
    group by r.player_id, r.player_name, r.printed_name, r.fide_id, r.federation, r.sex, r.birth_year
)

select
    player_id,
    any_value(player_name) as player_name,
    first(federation order by last_date desc, federation) filter (where federation is not null) as federation,
    max(sex) as sex,
    max(birth_year) as birth_year,
    max(fide_id) as fide_id,
    max(peak_rating) as peak_rating,
    year(min(first_date)) as first_year,
    year(max(last_date)) as last_year,
    list(printed_name) filter (where printed_name is not null) as spellings
from printed
group by player_id
order by player_id
"""

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
    shards = [
        (first, _write(target, "history", f"{{{content}}}"))
        for first, content in _history_shards(connection, players, lists)
    ]
    return {"lists": dates, "players": players.height, "shards": shards, "index": _write_index(players, target)}


def _write_index(players: pl.DataFrame, target: Path) -> dict[str, str]:
    """Files of the index, strongest players first in each; the file of each key."""
    names = players.select("player_id", "peak_rating", spelling=pl.col("spellings").list.concat("player_name"))
    ranked = players.join(words_of(names), on="player_id", how="left", maintain_order="left").sort(
        pl.col("peak_rating").fill_null(0), "player_id", descending=[True, False]
    )
    row = _array(
        "player_id", json_column("player_name"), json_column("federation"), "birth_year", "peak_rating", "first_year",
        "last_year", json_column("words"),
    )  # fmt: skip
    return PlayersIndex(
        ranked["words"], ranked.select(row).to_series(), lambda text: _write(target, "index", f"[{text}]")
    ).manifest


def _history_shards(
    connection: duckdb.DuckDBPyConnection, players: pl.DataFrame, lists: pl.DataFrame
) -> Iterator[tuple[int, str]]:
    """Per file: its first player, and members of a JSON object, one per player."""
    for asked in players.iter_slices(QUERY_PLAYERS):
        between = {"first": asked["player_id"][0], "last": asked["player_id"][-1]}
        ratings = connection.sql(_RATINGS_SQL, params=between).pl()["packed"]
        facts = _array(
            json_column("player_name"), json_column("federation"), json_column("sex"), "birth_year", "fide_id",
            pl.concat_str(pl.lit("{"), "histories", pl.lit("}")),
        )  # fmt: skip
        members = asked.join(_histories(ratings, lists), on="player_id", how="left", maintain_order="left").select(
            "player_id", member=pl.format('"{}":{}', "player_id", facts)
        )
        for shard in members.iter_slices(SHARD_PLAYERS):
            yield shard["player_id"][0], ",".join(shard["member"].to_list())


def _histories(packed: pl.Series, lists: pl.DataFrame) -> pl.DataFrame:
    """Per player, members of a JSON object: rating type and its runs.

    The same rating on the next list of its type is the packed number with a list number more.
    """
    ratings = packed.sort().to_frame("packed").with_row_index("row")
    runs = ratings.filter(pl.col("packed").diff().ne_missing(_NEXT_LIST)).select(
        player_id=(pl.col("packed") // _NEXT_PLAYER).cast(pl.Int32),
        list_number=pl.col("packed") % _NEXT_PLAYER // _NEXT_LIST,
        lists_count=pl.col("row").shift(-1, fill_value=ratings.height) - pl.col("row"),
        rating=pl.col("packed") % _NEXT_LIST,
    )
    return (
        runs.join(lists, on="list_number", how="left", maintain_order="left")
        .select("player_id", "rating_type", run=pl.format("{},{},{}", "list_index", "lists_count", "rating"))
        .group_by("player_id", "rating_type", maintain_order=True)
        .agg(pl.col("run").str.join(","))
        .select("player_id", history=pl.format('{}:"{}"', json_column("rating_type"), "run"))
        .group_by("player_id", maintain_order=True)
        .agg(histories=pl.col("history").str.join(","))
    )


def _array(*columns: str | pl.Expr) -> pl.Expr:
    """JSON array of columns that are JSON already or numbers; null stays null."""
    texts = [(pl.col(c) if isinstance(c, str) else c).cast(pl.String).fill_null("null") for c in columns]
    return pl.format("[{}]", pl.concat_str(texts, separator=","))


def _write(target: Path, stem: str, json_text: str) -> str:
    content = f"Ratings.receive({json_text});\n".encode()
    name = f"{stem}-{content_hash(content)}.js"
    (target / name).write_bytes(content)
    return name
