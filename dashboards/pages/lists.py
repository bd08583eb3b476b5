"""The list itself at any date: the top 100 with the change since the list before."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.encode import span
from dashboards.page import NEEDS_LISTS, RATING_TYPE, Caption, Column, Figure, Page, Switch

_SQL = """
select
    t.rating_type, t.list_date, t.world_rank, t.player_name, t.federation, t.rating,
    t.change_since_previous_list as change, year(t.list_date) - t.birth_year as age, t.sex, p.fide_id,
    t.contradicted_by
from marts.top_list as t
inner join marts.players as p on t.player_id = p.player_id
where t.publisher = 'fide'
order by t.rating_type, t.list_date, t.world_rank, t.player_name, t.player_id
"""


def _dots(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base().transform_calculate(
        before="isValid(datum.change) ? datum.rating - datum.change : datum.rating"
    )
    x = alt.X(
        "world_rank:Q",
        title="World rank",
        scale=alt.Scale(domain=[0, 101], nice=False),
        axis=alt.Axis(values=[1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]),
    )
    y = charts.rating_axis("rating")
    names = (
        chart.transform_filter("datum.world_rank == 1")
        .mark_text(align="left", dx=9, fontSize=12)
        .encode(x=x, y=y, text="player_name:N")
    )
    return alt.layer(
        chart.mark_rule(color="@c4", strokeWidth=2).encode(x=x, y=alt.Y("before:Q"), y2=alt.Y2("rating:Q")),
        chart.mark_circle(size=46).encode(x=x, y=y),
        names,
    )


def _alt(frame: pl.DataFrame) -> str:
    return (
        f"Rating against world rank for the top 100 of one list; {frame['list_date'].n_unique()} list dates to choose "
        f"from, {span(frame)}."
    )


LIST = Figure(
    name="list",
    title="The top 100",
    caption=Caption(
        what="Each dot is a player; the line leads from the rating on the list before.",
        population="Players the list ranks, first 100 places, ties kept.",
        source="marts.top_list, marts.players",
    ),
    sql=_SQL,
    columns=(
        Column("world_rank", "Rank", "rating"),
        Column("player_name", "Player"),
        Column("federation", "Federation"),
        Column("rating", "Rating", "rating"),
        Column("change", "Change", "signed"),
        Column("age", "Age", "year"),
        Column("sex", "Sex"),
        Column("contradicted_by", "Other editions say"),
        Column("list_date", "List", "month", hidden=True),
        Column("fide_id", "FIDE ID", "rating", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.top_list", "marts.players"),
    needs=NEEDS_LISTS,
    alt=_alt,
    charts={"": _dots},
    tooltip=("player_name", "federation", "world_rank", "rating", "change", "age"),
    table_open=True,
    sort="world_rank",
    height=320,
    shard_by="rating_type",
)

PAGE = Page(
    name="lists",
    section="Elite",
    label="Any list",
    title="Who stood where on a given day?",
    lead="Every list held, its first hundred. Pick a day: the list that was valid then is shown.",
    figures=(LIST,),
    switches=(RATING_TYPE, Switch("list", "Rating list", "list_date", column="list_date")),
    definitions=(
        ("Valid", "A list is valid from its date until the next one: on 15 August 1971 the list of July 1971 is."),
        ("Rank", "Standard competition ranking on rating: equal ratings share a rank and the next is skipped."),
        ("Change", "Rating minus the rating on the list before; empty for players who were not on it."),
    ),
)
