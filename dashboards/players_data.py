"""Files for the player page: who there is, the history of each player in small pieces, and the index to search.

The browser loads only what a search or a choice needs, by script element, so that it works from a folder as well as
from a server. No chart and no page here; how histories are written is in ``dashboards/players_histories.py``, how the
index is divided in ``dashboards/players_index.py``.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl

from dashboards.encode import json_column, json_items
from dashboards.players_histories import Histories, write_script
from dashboards.players_index import PlayersIndex, words_of

_PERSONS_SQL: Final = """
select player_id, player_name, federation, birth_year, fide_id
from marts.players
order by player_id
"""

#: In no order: the index puts the words of all spellings in order.
_SPELLINGS_SQL: Final = """
select player_id, string_agg(spelling, ' ') as other_spellings
from marts.player_names
where spelling <> player_name
group by player_id
"""


def write_player_files(connection: duckdb.DuckDBPyConnection, folder: Path, previous: Path) -> dict[str, Any]:
    """Write index and histories below ``folder``/data/players; return the manifest that the page needs.

    ``previous`` is the site that is replaced; it need not be there. What it has of histories is not written again.
    """
    target, earlier = folder / "data" / "players", previous / "data" / "players"
    target.mkdir(parents=True, exist_ok=True)
    persons = connection.sql(_PERSONS_SQL).pl()
    spellings = connection.sql(_SPELLINGS_SQL).pl()
    histories = Histories(connection, persons["player_id"], target, earlier)
    players = histories.rated.join(persons, on="player_id", maintain_order="left").join(
        spellings, on="player_id", how="left", maintain_order="left"
    )
    dates = {
        rating_type: part["list_date"].cast(pl.String).to_list()
        for (rating_type,), part in histories.lists.group_by(["rating_type"], maintain_order=True)
    }
    # The index is work of Python, the texts of histories are work of Polars: neither waits for the other.
    with ThreadPoolExecutor(max_workers=1) as beside:
        index = beside.submit(_write_index, players, target)
        shards = histories.write(players)
        return {"lists": dates, "players": players.height, **shards, "index": index.result()}


def _write_index(players: pl.DataFrame, target: Path) -> dict[str, str]:
    """Files of the index, strongest players first in each; the file of each key."""
    spelled = pl.concat_str("player_name", "other_spellings", separator=" ", ignore_nulls=True)
    ranked = players.with_columns(words=words_of(players.select(spelled).to_series())).sort(
        pl.col("peak_rating").fill_null(0), "player_id", descending=[True, False]
    )
    row = json_items(
        "player_id", json_column("player_name"), json_column("federation"), "birth_year", "peak_rating", "first_year",
        "last_year", json_column("words"),
    )  # fmt: skip
    rows = ranked.select(pl.format("[{}]", row).cast(pl.Binary)).to_series()
    return PlayersIndex(ranked["words"], rows, lambda part: write_script(target, "index", b"[%b]" % part)).manifest
