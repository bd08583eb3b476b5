"""Histories of players in small files, those of years that are over apart, so that they need not be written again.

Closed are the lists dated before the year of the newest complete list, open are those from then on: top lists that are
held of later years are small. Both have files of runs, a
member per player, in order of ``player_id``: ``{"7": {"standard": "0,3,2400"}}`` says that player 7 stood at 2400 on
the first three standard lists. A run is three numbers: index of its first list among all of its type, number of lists,
rating. One that goes on over the border of the years is two. An open file holds two objects: the runs of the players
who have one, and what is known of each of its players today (name, federation, year of birth, FIDE ID).

Closed files are taken from the previous site where it has them whole and they are what would be written. Their
signature decides that: it is made of the digests of the closed lists (``marts.list_summary.ratings_digest``) and of the
code that writes them. A listing beside them, named by signature and content, tells which they are, and which file has
what they tell of each player: highest rating, first and last year.

Who there is, and the index to search, are in ``dashboards/players_data.py``. All texts are made column by column: on
the whole history, hundreds of thousands of players, small Python objects take many times as long.
"""

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl

from dashboards import encode
from dashboards.encode import content_hash, json_column, json_items, whole_content

#: Players to a file: about a hundred kilobytes each on the whole history.
CLOSED_PLAYERS: Final = 500
OPEN_PLAYERS: Final = 1000
#: At most so many ratings are read, and files made, at once: few enough that memory stays small.
RATINGS_AT_ONCE: Final = 20_000_000
FILES_AT_ONCE: Final = 200

#: Packed number of a rating: ratings are below the step of a list number, list numbers times it below that of a player.
_NEXT_LIST: Final = 1 << 12
_NEXT_PLAYER: Final = 1 << 28

#: Lists are numbered through all types, with a gap between two types, and between the closed and the open lists of a
#: type, so that no run goes from one into the next.
_LISTS_SQL: Final = """
with held as (
    select
        rating_type, list_date, ratings_digest,
        year(list_date) < max(year(list_date)) filter (where coverage = 'complete') over () is true as is_closed
    from marts.list_summary
    where publisher = 'fide'
)

select
    rating_type, list_date, ratings_digest, is_closed,
    row_number() over (order by rating_type, list_date)
    + dense_rank() over (order by rating_type, is_closed desc) as list_number,
    row_number() over (partition by rating_type order by list_date) - 1 as list_index
from held
order by list_number
"""

#: Player, list and rating in one number each: they are sorted, and compared with their neighbours, as one.
_RATINGS_SQL: Final = f"""
with lists as ({_LISTS_SQL})

select r.player_id * {_NEXT_PLAYER}::bigint + lists.list_number * {_NEXT_LIST} + r.rating as packed
from marts.player_ratings as r
inner join lists on r.rating_type = lists.rating_type and r.list_date = lists.list_date
where r.publisher = 'fide' and r.player_id between $first and $last
"""
#: There is no such condition for closed lists: where it is expected to leave few rows, as most conditions are, DuckDB
#: plans the joins of millions of ratings the wrong way round.
_OPEN_ONLY: Final = "and not lists.is_closed"


@dataclass(frozen=True)
class Closed:
    """Files of closed lists.

    Attributes:
        shards: first player and name of each file.
        rated: what they tell of each player: ``player_id``, ``peak_rating`` (standard, null where there is none),
            ``first_year``, ``last_year``.
    """

    shards: list[tuple[int, str]]
    rated: pl.DataFrame


class Histories:
    """Reads the ratings that have to be written, to tell who is rated at all, and writes them.

    Attributes:
        lists: FIDE's lists in order of type and date.
        rated: what all of them tell of each player, as ``Closed.rated`` has it, in order of player.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, persons: pl.Series, folder: Path, previous: Path) -> None:
        """Read, and take from the folder ``previous`` to ``folder`` what need not be written again.

        ``persons`` are the numbers of all persons in order.
        """
        self.lists: pl.DataFrame = connection.sql(_LISTS_SQL).pl()
        self._folder = folder
        self._kept = _keep_closed(previous, folder, self.lists)
        runs = _read_runs(connection, self.lists, persons, only_open=self._kept is not None)
        is_closed = pl.lit(_by_list_number(self.lists, pl.col("is_closed"))).gather("list_number")
        self._open_runs, self._closed_runs = runs.filter(~is_closed), runs.filter(is_closed)
        self._closed_rated = self._kept.rated if self._kept else _rated_by(self._closed_runs, self.lists)
        both = pl.concat([self._closed_rated, _rated_by(self._open_runs, self.lists)]).group_by("player_id")
        peak, first, last = pl.col("peak_rating").max(), pl.col("first_year").min(), pl.col("last_year").max()
        self.rated = both.agg(peak, first, last).sort("player_id")

    def write(self, players: pl.DataFrame) -> dict[str, list[tuple[int, str]]]:
        """Write the files; first player and name of each, of closed and open lists.

        ``players`` are the rated ones in order of ``player_id``, with what is known of them today.
        """
        closed = self._kept or _write_closed(self._closed_runs, self.lists, self._folder, self._closed_rated)
        return {"closed": closed.shards, "open": _write_open(self._open_runs, self.lists, self._folder, players)}


def _read_runs(
    connection: duckdb.DuckDBPyConnection, lists: pl.DataFrame, persons: pl.Series, *, only_open: bool
) -> pl.DataFrame:
    """Runs in order of player and list: player_id, list_number, lists_count, rating."""
    count = lists.filter(~pl.col("is_closed")).height if only_open else lists.height
    at_once = max(1, RATINGS_AT_ONCE // max(1, count))
    sql = _RATINGS_SQL + (_OPEN_ONLY if only_open else "")
    runs = [_runs(pl.Series([], dtype=pl.Int64))]
    for start in range(0, len(persons), at_once):
        asked = persons[start : start + at_once]
        packed = connection.sql(sql, params={"first": asked[0], "last": asked[-1]}).pl()["packed"]
        runs.append(_runs(packed))
    return pl.concat(runs)


def _runs(packed: pl.Series) -> pl.DataFrame:
    """The same rating on the next list of its type is the packed number with a list number more."""
    ratings = packed.sort().to_frame("packed").with_row_index("row")
    return ratings.filter(pl.col("packed").diff().ne_missing(_NEXT_LIST)).select(
        player_id=(pl.col("packed") // _NEXT_PLAYER).cast(pl.Int32),
        list_number=(pl.col("packed") % _NEXT_PLAYER // _NEXT_LIST).cast(pl.Int16),
        lists_count=(pl.col("row").shift(-1, fill_value=ratings.height) - pl.col("row")).cast(pl.Int16),
        rating=(pl.col("packed") % _NEXT_LIST).cast(pl.Int16),
    )


def _rated_by(runs: pl.DataFrame, lists: pl.DataFrame) -> pl.DataFrame:
    """What runs tell of each player, as ``Closed.rated`` has it, in order of player."""
    year = pl.lit(_by_list_number(lists, pl.col("list_date").dt.year().cast(pl.Int16)))
    is_standard = pl.lit(_by_list_number(lists, pl.col("rating_type") == "standard"))
    last = pl.col("list_number") + pl.col("lists_count") - 1
    return (
        runs.select(
            "player_id",
            standard=pl.when(is_standard.gather("list_number")).then("rating"),
            first_year=year.gather("list_number"),
            last_year=year.gather(last),
        )
        .group_by("player_id")
        .agg(
            peak_rating=pl.col("standard").max(),
            first_year=pl.col("first_year").min(),
            last_year=pl.col("last_year").max(),
        )
        .sort("player_id")
    )


def write_script(folder: Path, stem: str, json_text: bytes) -> str:
    """Write a file that hands ``json_text`` to the page, and return its name, which its content decides."""
    return _write(folder, stem, "js", b"Ratings.receive(%b);\n" % json_text)


def _write(folder: Path, stem: str, suffix: str, content: bytes) -> str:
    name = f"{stem}-{content_hash(content)}.{suffix}"
    (folder / name).write_bytes(content)
    return name


def _closed_signature(lists: pl.DataFrame) -> str:
    """Equal where the closed files, as this code writes them, are equal."""
    written_by = [content_hash(Path(module).read_bytes()) for module in (__file__, encode.__file__)]
    told = lists.filter("is_closed").select("rating_type", pl.col("list_date").cast(pl.String), "ratings_digest")
    return content_hash(json.dumps([pl.__version__, *written_by, CLOSED_PLAYERS, told.rows()]))


def _keep_closed(previous: Path, folder: Path, lists: pl.DataFrame) -> Closed | None:
    """Take the closed files over from the folder ``previous``; None where it has not all of them, whole."""
    for listing in previous.glob(f"closed-{_closed_signature(lists)}-*.json"):
        content = whole_content(listing)
        if content is None:
            continue
        told: dict[str, Any] = json.loads(content)
        rated = whole_content(previous / told["rated"])
        names = [name for _, name in told["shards"]]
        if rated is None or any(whole_content(previous / name) is None for name in names):
            continue
        for name in [*names, told["rated"], listing.name]:
            try:
                os.link(previous / name, folder / name)
            except OSError:  # no hard links here
                shutil.copyfile(previous / name, folder / name)
        return Closed([(first, name) for first, name in told["shards"]], pl.read_parquet(BytesIO(rated)))
    return None


def _write_closed(runs: pl.DataFrame, lists: pl.DataFrame, folder: Path, rated: pl.DataFrame) -> Closed:
    """Write the closed files from all ``runs`` on closed lists, and ``rated``, what they tell of each player."""
    firsts = rated["player_id"].gather_every(CLOSED_PLAYERS)
    shards = [(first, write_script(folder, "closed", text)) for first, text in _shards(runs, lists, firsts)]
    table = BytesIO()
    rated.write_parquet(table, row_group_size=max(1, rated.height))
    listing = {"shards": shards, "rated": _write(folder, "closed-rated", "parquet", table.getvalue())}
    _write(folder, f"closed-{_closed_signature(lists)}", "json", json.dumps(listing).encode())
    return Closed(shards, rated)


def _write_open(runs: pl.DataFrame, lists: pl.DataFrame, folder: Path, players: pl.DataFrame) -> list[tuple[int, str]]:
    """Write the open files of all ``players``; first player and name of each."""
    facts = json_items(json_column("player_name"), json_column("federation"), "birth_year", "fide_id")
    members = players.select(pl.concat_str(pl.lit('"'), "player_id", pl.lit('":['), facts, pl.lit("]"))).to_series()
    told = [
        members[start : start + OPEN_PLAYERS].str.join(",").item() for start in range(0, len(members), OPEN_PLAYERS)
    ]
    texts = _shards(runs, lists, players["player_id"].gather_every(OPEN_PLAYERS))
    return [
        (first, write_script(folder, "open", b"[%b,{%b}]" % (text, facts.encode())))
        for (first, text), facts in zip(texts, told, strict=True)
    ]


#: What ends the member of a player: the string of the last type, the types.
_PLAYER_ENDS: Final = '"}'


def _shards(runs: pl.DataFrame, lists: pl.DataFrame, firsts: pl.Series) -> Iterator[tuple[int, bytes]]:
    """Per file: its first player, and a JSON object with a member per player who has a run."""
    starts = [*runs["player_id"].search_sorted(firsts, side="left"), runs.height]
    for at in range(0, len(firsts), FILES_AT_ONCE):
        bounds = starts[at : at + FILES_AT_ONCE + 1]
        texts = _texts(runs[bounds[0] : bounds[-1]], lists)
        for first, start, end in zip(firsts[at : at + FILES_AT_ONCE], bounds, bounds[1:], strict=False):
            joined = texts[start - bounds[0] : end - bounds[0]].str.join("").item()
            members = joined.removeprefix(_PLAYER_ENDS + ",") + _PLAYER_ENDS if joined else ""
            yield first, f"{{{members}}}".encode()


def _texts(runs: pl.DataFrame, lists: pl.DataFrame) -> pl.Series:
    """Per run what stands in the file between the end of the run before and its own.

    Most often that is a comma and three numbers. A new type closes a string and opens the next, a new player closes
    the member before as well. Joined they are the file: nothing is grouped by player, and few texts are long.
    """
    # The text of a number is looked up: that is cheaper than writing it again for every run.
    numbers = pl.Series([str(number) for number in range(max(_NEXT_LIST, lists.height + 1))])
    rating_type = pl.lit(_by_list_number(lists, json_column("rating_type")))
    type_number = pl.lit(_by_list_number(lists, pl.col("rating_type").rank("dense")))
    list_index = pl.lit(_by_list_number(lists, pl.col("list_index").cast(pl.String)))
    placed = runs.with_columns(
        pl.int_range(pl.len()).alias("row"),
        new_player=pl.col("player_id").ne_missing(pl.col("player_id").shift()),
        type_number=type_number.gather("list_number"),
    ).with_columns(new_type=pl.col("type_number").ne_missing(pl.col("type_number").shift()))
    openings = placed.filter(pl.col("new_player") | pl.col("new_type")).select(
        "row",
        opening=pl.concat_str(
            pl.when("new_player")
            .then(pl.concat_str(pl.lit(_PLAYER_ENDS + ',"'), "player_id", pl.lit('":{')))
            .otherwise(pl.lit('",')),
            rating_type.gather("list_number"),
            pl.lit(':"'),
        ),
    )
    return (
        placed.join(openings, on="row", how="left", maintain_order="left")
        .select(
            pl.concat_str(
                pl.col("opening").fill_null(","),
                list_index.gather("list_number"),
                *(pl.lit("," + numbers).gather(name) for name in ("lists_count", "rating")),
            )
        )
        .to_series()
    )


def _by_list_number(lists: pl.DataFrame, value: pl.Expr) -> pl.Series:
    """``value`` of each list, at the place that is its number; null where no list has the number."""
    numbers: list[int] = lists["list_number"].to_list()
    places = pl.DataFrame({"list_number": range(1 + max(numbers, default=0))}, schema={"list_number": pl.Int64})
    told = lists.select(pl.col("list_number").cast(pl.Int64), value=value)
    return places.join(told, on="list_number", how="left", maintain_order="left")["value"]
