"""Players: search by any spelling, the history of one, up to five compared against date or age."""

from pathlib import Path
from typing import Any

import altair as alt
import duckdb
import polars as pl

from dashboards import charts, theme
from dashboards.encode import span
from dashboards.page import NEEDS_LISTS, RATING_TYPE, Caption, Column, Figure, Page, Switch
from dashboards.players_data import write_player_files

#: The players shown until the reader chooses: the first three of the newest list.
_CHOSEN = """
    select player_id
    from marts.top_list
    where
        publisher = 'fide' and rating_type = 'standard'
        and list_date = (
            select max(list_date) from marts.list_summary where publisher = 'fide' and rating_type = 'standard'
        )
    order by world_rank, player_id
    limit 3
"""

_SQL = """
select
    player_name, list_date, rating, federation,
    year(list_date) + (month(list_date) - 1) / 12 - birth_year as age,
    birth_year, rating_type, player_id, fide_id,
    dense_rank() over (order by player_id)::varchar as series
from marts.player_ratings
where publisher = 'fide' and player_id in ({chosen})
order by rating_type, player_id, list_date
"""


def _lines(chart: alt.Chart, x: alt.X, x_field: str, *, dated: bool) -> alt.LayerChart:
    y = charts.rating_axis("rating")
    domain = [str(series) for series in range(1, len(theme.SERIES) + 1)]
    color = alt.Color("series:N", legend=None, scale=alt.Scale(domain=domain, range=list(theme.SERIES)))
    lines: alt.Chart = chart.mark_line().encode(x=x, y=y, color=color, detail="player_id:N")
    names = charts.end_labels(chart, x_field, "rating", "player_name", color, group="player_id", dated=dated)
    return alt.LayerChart(layer=[lines, charts.hover_points(chart, x, y, color), names])


def _by_date(frame: pl.DataFrame) -> charts.Drawing:
    return charts.with_events(_lines(charts.dated(), charts.time_axis(), "when", dated=True))


def _by_age(frame: pl.DataFrame) -> charts.Drawing:
    x = alt.X("age:Q", title="Age", scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(format="d"))
    return _lines(charts.base(), x, "age", dated=False)


def _alt(frame: pl.DataFrame) -> str:
    names = "; ".join(frame["player_name"].unique(maintain_order=True))
    return f"Lines of the ratings of the players chosen through time; at first {names}, {span(frame)}."


HISTORY = Figure(
    name="history",
    title="Ratings, list by list",
    caption=Caption(
        what="Rating of each chosen player on each list held; until you choose, the first three of the newest list.",
        population="Players on the lists held.",
        source="marts.player_ratings",
        coverage="Where only top lists are held, a line has gaps when the player was outside them.",
    ),
    sql=_SQL.format(chosen=_CHOSEN),
    columns=(
        Column("player_name", "Player"),
        Column("list_date", "List", "month"),
        Column("rating", "Rating", "rating"),
        Column("federation", "Federation"),
        Column("age", "Age", "decimal"),
        Column("birth_year", "Born", "year"),
        Column("rating_type", "Rating type", hidden=True),
        Column("player_id", "Player number", "rating", hidden=True),
        Column("fide_id", "FIDE ID", "rating", hidden=True),
        Column("series", "Series", hidden=True),
    ),
    marts=("marts.player_ratings", "marts.top_list", "marts.list_summary"),
    needs=NEEDS_LISTS,
    alt=_alt,
    charts={"date": _by_date, "age": _by_age},
    required={"age": "age"},
    switches=(Switch("against", "Against", "variant", options=(("date", "Date"), ("age", "Age"))),),
    tooltip=("player_name", "list_date", "rating", "age", "federation"),
    timeline=True,
    sort="-list_date",
    height=440,
    source="players",
)


def _context(connection: duckdb.DuckDBPyConnection, folder: Path, previous: Path) -> dict[str, Any]:
    try:
        manifest = write_player_files(connection, folder, previous)
    except duckdb.CatalogException:
        return {"manifest": None}
    manifest["sql"] = _SQL.format(chosen="{players}").strip()
    return {"manifest": manifest}


PAGE = Page(
    name="players",
    section="Elite",
    label="Players",
    title="How did a player's rating run?",
    lead="Search by any spelling, printed or known otherwise. Compare up to five players, against the date or age.",
    figures=(HISTORY,),
    switches=(RATING_TYPE,),
    definitions=(
        ("Player", "Who is who across lists is decided by id, name and the run of ratings; see the data dictionary."),
        ("Age", "List date minus year of birth; birth days are not kept, so it can be a year too high."),
        ("Search", "Accents and case do not matter, words in any order, from their beginning: `karp ana`."),
    ),
    template="players.html.j2",
    context=_context,
)
