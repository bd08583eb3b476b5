"""Titles: holders of each title through time and by federation, and the ratings they hold."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.encode import span
from dashboards.page import RATING_TYPE, Caption, Column, Figure, Page, Switch

#: Of a list that prints the titles of a few only, counts would mislead.
_PRINTED_SQL = """
with printed as (
    select t.rating_type, t.list_date
    from marts.title_counts as t
    inner join marts.list_summary as s
        on t.publisher = s.publisher and t.rating_type = s.rating_type and t.list_date = s.list_date
    where t.publisher = 'fide' and t.federation = 'all'
    group by t.rating_type, t.list_date
    having sum(t.player_count) >= 0.02 * any_value(s.rows_count)
)
"""

_SQL = (
    _PRINTED_SQL
    + """
select
    rating_type, list_date, case federation when 'all' then 'World' else federation end as federation,
    case when title like 'W%' then 'women' else 'open' end as title_kind, title,
    player_count, active_count, women_count, round(mean_rating, 1) as mean_rating
from marts.title_counts
where
    publisher = 'fide' and title in ('GM', 'IM', 'FM', 'CM', 'WGM', 'WIM', 'WFM', 'WCM')
    and (rating_type, list_date) in (select (rating_type, list_date) from printed)
order by federation, rating_type, list_date, title
"""
)

_LEAGUE_SQL = (
    _PRINTED_SQL.rstrip()
    + """,

newest as (
    select rating_type, max(list_date) as list_date
    from printed
    group by rating_type
),

ranked as (
    select
        t.rating_type, t.list_date, t.federation, t.title, t.player_count, t.active_count,
        round(t.mean_rating, 1) as mean_rating,
        rank() over (partition by t.rating_type, t.title order by t.player_count desc) as place
    from marts.title_counts as t
    inner join newest as n on t.rating_type = n.rating_type and t.list_date = n.list_date
    where t.publisher = 'fide' and t.federation <> 'all'
)

select rating_type, list_date, title, place, federation, player_count, active_count, mean_rating
from ranked
where place <= 25
order by rating_type, title, place, federation
"""
)

NEEDS_TITLES = (
    "Needs complete lists that print titles (FIDE's own files since 1999). Add them with `ratings add FILE...`, then "
    "run `ratings build`."
)

_COLORS = alt.Scale(
    domain=["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"],
    range=["@c1", "@c2", "@c4", "@c5", "@c1", "@c2", "@c4", "@c5"],
)


def _lines(y: alt.Y) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    color = alt.Color("title:N", legend=None, scale=_COLORS)
    lines = chart.mark_line(point=alt.OverlayMarkDef(size=22)).encode(x=x, y=y, color=color)
    labels = charts.end_labels(chart, "when", y.shorthand.split(":")[0], "title", color)
    return charts.with_events(lines + charts.hover_points(chart, x, y, color) + labels)


def _counts(frame: pl.DataFrame) -> charts.Drawing:
    return _lines(alt.Y("player_count:Q", title="Holders", axis=alt.Axis(format=",d", tickCount=6)))


def _ratings(frame: pl.DataFrame) -> charts.Drawing:
    return _lines(charts.rating_axis("mean_rating", "Mean rating of the holders"))


def _alt(frame: pl.DataFrame) -> str:
    world = frame.filter(pl.col("federation") == "World", pl.col("rating_type") == frame["rating_type"][-1])
    newest = world.filter(pl.col("list_date") == world["list_date"].max())
    counts = ", ".join(f"{title} {n:,}" for title, n in newest.select("title", "player_count").iter_rows())
    return f"Lines of the holders of each title through time, {span(frame)}. Newest list of the world: {counts}."


COUNTS = Figure(
    name="counts",
    title="How many hold each title?",
    caption=Caption(
        what="Rated holders of each title on each list that prints titles.",
        population="All players of the list, inactive ones included; who holds two titles counts for the open one.",
        source="marts.title_counts",
        coverage=(
            "Lists that print titles of fewer than two in a hundred players are left out; holders who are not rated "
            "stand on no list."
        ),
    ),
    sql=_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("title", "Title"),
        Column("player_count", "Holders", "integer"),
        Column("active_count", "Active", "integer"),
        Column("women_count", "Women", "integer"),
        Column("mean_rating", "Mean rating", "decimal"),
        Column("federation", "Federation", hidden=True),
        Column("title_kind", "Kind", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.title_counts", "marts.list_summary"),
    needs=NEEDS_TITLES,
    alt=_alt,
    charts={"count": _counts, "rating": _ratings},
    switches=(
        Switch("titles", "Show", "variant", options=(("count", "Holders"), ("rating", "Mean rating"))),
        Switch(
            "kind",
            "Titles",
            column="title_kind",
            options=(("open", "Open titles"), ("women", "Women's titles")),
            default="open",
        ),
        Switch("federation", "Federation", "select", column="federation", default="World"),
    ),
    tooltip=("title", "list_date", "player_count", "active_count", "women_count", "mean_rating"),
    timeline=True,
    sort="-list_date",
    height=400,
    shard_by="federation",
)


def _league(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base()
    y = alt.Y(
        "federation:N",
        sort=alt.EncodingSortField("place", op="min"),
        title=None,
        axis=alt.Axis(labelColor="@ink", labelFontSize=13),
    )
    x = alt.X("player_count:Q", axis=None)
    return alt.layer(
        chart.mark_bar(height=alt.RelativeBandSize(band=0.68)).encode(x=x, y=y),
        chart.mark_text(align="left", dx=6).encode(x=x, y=y, text=alt.Text("player_count:Q", format=",d")),
    )


def _league_alt(frame: pl.DataFrame) -> str:
    first = frame.filter(pl.col("title") == "GM").head(3)
    names = "; ".join(f"{name} {n}" for name, n in first.select("federation", "player_count").iter_rows())
    return f"Bars of the holders of a title by federation, most first. Grandmasters: {names or 'none on the list'}."


LEAGUE = Figure(
    name="league",
    title="Where do the holders live?",
    caption=Caption(
        what="Rated holders of the title on the newest list that prints titles, by federation.",
        population="All players of the list, first 25 federations.",
        source="marts.title_counts",
    ),
    sql=_LEAGUE_SQL,
    columns=(
        Column("place", "Rank", "rating"),
        Column("federation", "Federation"),
        Column("player_count", "Holders", "integer"),
        Column("active_count", "Active", "integer"),
        Column("mean_rating", "Mean rating", "decimal"),
        Column("title", "Title"),
        Column("list_date", "List", "month", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.title_counts", "marts.list_summary"),
    needs=NEEDS_TITLES,
    alt=_league_alt,
    charts={"": _league},
    switches=(
        Switch(
            "title",
            "Title",
            column="title",
            options=tuple((t, t) for t in ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")),
            default="GM",
        ),
    ),
    tooltip=("federation", "title", "player_count", "active_count", "mean_rating"),
    sort="place",
    height=560,
)

PAGE = Page(
    name="titles",
    section="Groups",
    label="Titles",
    title="How many grandmasters are there?",
    lead="Titles are for life and come faster than they go. The counts grow, and the mean rating of each title moves.",
    figures=(COUNTS, LEAGUE),
    switches=(RATING_TYPE,),
    definitions=(
        ("Title", "As printed on the list; GM, IM, FM, CM are open, WGM, WIM, WFM, WCM are for women only."),
        ("Holder", "A rated player with the title. Who holds an open and a woman's title counts for the open one."),
        ("Active", "The list's own flag has no `i`; empty where the list has no flags."),
        ("World", "All federations together."),
    ),
)
