"""Number ones: reigns, days at the top, the gap to the second."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.page import NEEDS_LISTS, RATING_TYPE, Caption, Column, Figure, Page

_REIGNS_SQL = """
select
    rating_type, reign_number, player_names, first_list_date, last_list_date,
    (first_list_date + to_days(days))::date as until_date,
    is_shared, lists_count, days, min_rating, max_rating, min_gap, max_gap, contradicted_by
from marts.number_ones
where publisher = 'fide'
order by rating_type, reign_number
"""

_DAYS_SQL = """
with led as (
    select
        rating_type, unnest(string_split(player_names, ' & ')) as player_name,
        is_shared, days, lists_count, max_rating
    from marts.number_ones
    where publisher = 'fide'
)
select
    rating_type, player_name, sum(days)::integer as days,
    coalesce(sum(days) filter (where is_shared), 0)::integer as shared_days,
    sum(lists_count)::integer as lists_count, count(*)::integer as reigns, max(max_rating) as best_rating
from led
group by rating_type, player_name
order by rating_type, days desc, player_name
"""

_GAP_SQL = """
select rating_type, list_date, rating_rank_1, gap_1_2, coverage
from marts.list_summary
where publisher = 'fide' and gap_1_2 is not null
order by rating_type, list_date
"""


def reign_bars(frame: pl.DataFrame) -> charts.Drawing:
    """One lane a player, one bar a reign; shared reigns are outlined in every lane they belong to."""
    chart = (
        charts.base()
        .transform_calculate(
            player="split(datum.player_names, ' & ')",
            start="toDate(datum.first_list_date)",
            until="toDate(datum.until_date)",
        )
        .transform_flatten(["player"])
    )
    x = charts.time_axis("start", orient="bottom")
    y = alt.Y(
        "player:N",
        sort=alt.EncodingSortField("first_list_date", op="min"),
        title=None,
        axis=alt.Axis(labelColor="@ink", labelLimit=170, labelFontSize=13, grid=True, gridColor="@grid"),
    )
    fill = alt.condition("datum.is_shared", alt.value("@paper"), alt.value("@c1"))
    bars: alt.Chart = chart.mark_bar(height=13, stroke="@c1", strokeWidth=1.5).encode(x=x, x2="until:T", y=y, fill=fill)
    return bars


def lanes_height(frame: pl.DataFrame) -> int:
    """Room for one lane for each player who ever led, within reason."""
    most = max(
        len({name for names in part["player_names"] for name in names.split(" & ")})
        for _, part in frame.group_by("rating_type")
    )
    return min(1200, max(160, 60 + 34 * most if most < 10 else 60 + 22 * most))


def _reigns_alt(frame: pl.DataFrame) -> str:
    names = dict.fromkeys(name for names in frame["player_names"] for name in names.split(" & "))
    return f"Timeline of {frame.height} reigns at the head of the list, in order of the first: {'; '.join(names)}."


def _days(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base().transform_calculate(
        shared="datum.shared_days > 0 ? ' (' + format(datum.shared_days, ',') + ' shared)' : ''",
        label="format(datum.days, ',') + datum.shared",
        room="datum.days * 1.25",  # the label of the longest bar stands behind it
    )
    y = alt.Y(
        "player_name:N",
        sort=alt.EncodingSortField("days", op="max", order="descending"),
        title=None,
        axis=alt.Axis(labelColor="@ink", labelLimit=170, labelFontSize=13),
    )
    x = alt.X("days:Q", axis=None)
    return alt.layer(
        chart.mark_bar(height=14).encode(x=x, y=y),
        chart.mark_text(align="left", dx=7).encode(x=x, y=y, text="label:N"),
        chart.mark_point(opacity=0).encode(x="room:Q", y=y),
    )


def _days_alt(frame: pl.DataFrame) -> str:
    first = "; ".join(f"{name} {days:,}" for name, days in frame.head(3).select("player_name", "days").iter_rows())
    return f"Bars of days as number one, most first: {first}."


def _gap(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    headroom = alt.Scale(domain=[0, round(1.15 * max(frame["gap_1_2"].to_list()))])
    y = alt.Y("gap_1_2:Q", title="Points ahead of the second", scale=headroom, axis=alt.Axis(format="d", tickCount=6))
    line = chart.mark_line(interpolate="step-after").encode(x=x, y=y)
    area = chart.mark_area(interpolate="step-after", color="@s2", opacity=0.7).encode(x=x, y=y)
    widest = (
        charts.placed(chart, "gap_1_2", "list_date")
        .transform_filter("datum.place == 1")
        .transform_calculate(label="datum.gap_1_2 + ' points, ' + utcFormat(datum.when, '%b %Y')")
        .mark_text(align="left", dx=2, dy=-9)
        .encode(x=x, y=y, text="label:N")
    )
    return charts.with_events(area + line + charts.hover_points(chart, x, y) + widest)


def _gap_alt(frame: pl.DataFrame) -> str:
    widest = frame.sort("gap_1_2", descending=True).row(0, named=True)
    return (
        f"Gap between first and second on each list. The widest: {widest['gap_1_2']} points on "
        f"{widest['list_date']:%B %Y}; none on {frame.filter(pl.col('gap_1_2') == 0).height} lists."
    )


REIGNS = Figure(
    name="reigns",
    title="Who has led the list?",
    caption=Caption(
        what=(
            "Each bar is a reign, from its first list to the list on which the next one begins; an "
            "outlined bar is shared."
        ),
        population="Players not known to be inactive.",
        source="marts.number_ones",
        coverage=(
            "A list that is not held cannot end a reign: see the coverage page for gaps. Where editions of a list "
            "contradict each other about the lead, the table says what the others state."
        ),
    ),
    sql=_REIGNS_SQL,
    columns=(
        Column("player_names", "Number one"),
        Column("first_list_date", "From", "month"),
        Column("last_list_date", "Last list", "month"),
        Column("lists_count", "Lists", "integer"),
        Column("days", "Days", "integer"),
        Column("is_shared", "Shared", "flag"),
        Column("min_rating", "Lowest rating", "rating"),
        Column("max_rating", "Highest rating", "rating"),
        Column("min_gap", "Smallest gap", "integer"),
        Column("max_gap", "Widest gap", "integer"),
        Column("contradicted_by", "Other editions say"),
        Column("until_date", "Until", "month", hidden=True),
        Column("reign_number", "Reign", "rating", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.number_ones",),
    needs=NEEDS_LISTS,
    alt=_reigns_alt,
    charts={"": reign_bars},
    tooltip=("player_names", "first_list_date", "last_list_date", "lists_count", "days", "max_rating", "max_gap"),
    table_open=True,
    sort="first_list_date",
    height=lanes_height,
)

DAYS = Figure(
    name="days",
    title="Who led longest?",
    caption=Caption(
        what="Days as number one, from a list's date to the next list's, shared days included.",
        population="Players not known to be inactive.",
        source="marts.number_ones",
    ),
    sql=_DAYS_SQL,
    columns=(
        Column("player_name", "Player"),
        Column("days", "Days", "integer"),
        Column("shared_days", "Of them shared", "integer"),
        Column("lists_count", "Lists", "integer"),
        Column("reigns", "Reigns", "integer"),
        Column("best_rating", "Best rating as number one", "rating"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.number_ones",),
    needs=NEEDS_LISTS,
    alt=_days_alt,
    charts={"": _days},
    tooltip=("player_name", "days", "shared_days", "lists_count", "reigns", "best_rating"),
    sort="-days",
    height=300,
)

GAP = Figure(
    name="gap",
    title="How far ahead of the second?",
    caption=Caption(
        what="Rating of the first minus rating of the second; 0 when the lead is shared.",
        population="Players the list shows (top lists: active players).",
        source="marts.list_summary",
    ),
    sql=_GAP_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("gap_1_2", "Gap", "integer"),
        Column("rating_rank_1", "Rating of the first", "rating"),
        Column("coverage", "Coverage of the list"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.list_summary",),
    needs=NEEDS_LISTS,
    alt=_gap_alt,
    charts={"": _gap},
    tooltip=("list_date", "gap_1_2", "rating_rank_1"),
    timeline=True,
    sort="-list_date",
    height=300,
)

PAGE = Page(
    name="number_ones",
    section="Elite",
    label="Number ones",
    title="Who was number one, and for how long?",
    lead=(
        "Every leader of the official list, shared leads included, with the days each reign lasted and "
        "how far ahead it was."
    ),
    figures=(REIGNS, DAYS, GAP),
    switches=(RATING_TYPE,),
    definitions=(
        (
            "Number one",
            (
                "The highest rating among players not known to be inactive. Equal ratings share the lead;"
                " no tie-break is used."
            ),
        ),
        ("Reign", "Consecutive lists held with the same leader, or the same shared lead."),
        (
            "Days",
            (
                "From the date of the reign's first list to the date of the list that ends it; the "
                "running reign ends with the newest list held."
            ),
        ),
        ("Gap", "Rating of the first minus rating of the second."),
    ),
)
