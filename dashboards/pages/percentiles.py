"""Percentiles, looked up both ways and through time, and the distribution behind them."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.encode import span
from dashboards.page import NEEDS_COMPLETE, RATING_TYPE, Caption, Column, Figure, Page, Switch

_BELOW_SQL = """
select
    rating_type, list_date, population, method, rating, round(percentile, 4) as percentile,
    (100 - percentile) / 100 as share_above, lowest_counted, round(hidden_fraction, 4) as hidden_fraction,
    round(fit_distance, 4) as fit_distance
from marts.percentiles
where publisher = 'fide' and look_up = 'rating' and rating >= 1000
order by rating, rating_type, list_date, population, method
"""

_REACH_SQL = """
select
    rating_type, list_date, population, method, 'Better than ' || printf('%g', percentile) || ' %' as standing,
    percentile, rating, lowest_counted
from marts.percentiles
where publisher = 'fide' and look_up = 'percentile' and percentile >= 10
order by rating_type, list_date, population, method, percentile
"""

#: One list a year, the first; and the newest.
_DISTRIBUTION_SQL = """
with yearly as (
    select *, min(list_date) over (partition by rating_type, population, year(list_date)) as first_list_date,
        max(list_date) over (partition by rating_type, population) as newest_list_date
    from marts.rating_distribution
    where publisher = 'fide'
)

select
    rating_type, list_date, population, bin_low, bin_high, player_count, player_fraction, list_floor, above_common_cut
from yearly
where list_date in (first_list_date, newest_list_date)
order by rating_type, list_date, population, bin_low
"""

METHODS = ("everybody", "common cut", "floor corrected")

METHOD = Switch(
    "method",
    "Compared with",
    column="method",
    options=(("everybody", "Everybody listed"), ("common cut", "Common cut"), ("floor corrected", "Floor corrected")),
    default="everybody",
)

WHO = Switch(
    "population",
    "Players",
    column="population",
    options=(("all", "All listed"), ("active", "Active"), ("women", "Women")),
    default="all",
)

BELOW = Figure(
    name="below",
    title="What is a rating worth?",
    caption=Caption(
        what="Percent of the players rated strictly below the rating, on each list.",
        population="As switched above.",
        source="marts.percentiles",
        coverage=(
            "Among everybody the line falls and rises with the floor of the list; the common cut compares over time, "
            "the floor correction only as well as its fit."
        ),
    ),
    sql=_BELOW_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("rating", "Rating", "rating"),
        Column("percentile", "Percent below", "hundredths"),
        Column("share_above", "At it or above", "percent"),
        Column("lowest_counted", "Counted from", "rating"),
        Column("hidden_fraction", "Hidden by the floor", "percent"),
        Column("fit_distance", "Distance of the fit", "hundredths"),
        Column("method", "Compared with"),
        Column("population", "Players", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.percentiles",),
    needs=NEEDS_COMPLETE,
    charts={"": lambda frame: _below(frame)},
    alt=lambda frame: _alt(frame),
    switches=(Switch("rating", "Rating", "select", column="rating", default="2000"),),
    tooltip=("list_date", "rating", "percentile", "share_above", "method", "lowest_counted", "hidden_fraction"),
    timeline=True,
    table_open=True,
    sort="-list_date",
    height=340,
    shard_by="rating",
)


def _below(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    y = alt.Y("percentile:Q", title="Percent below", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=6))
    lines = chart.mark_line(point=alt.OverlayMarkDef(size=14)).encode(x=x, y=y)
    newest = (
        charts.placed(chart, "list_date", "rating")
        .transform_filter("datum.place === 1")
        .transform_calculate(label="format(datum.percentile, '.2f') + ' %'")
        .mark_text(align="left", dx=7, dy=-8)
        .encode(x=x, y=y, text="label:N")
    )
    return charts.with_events(lines + charts.hover_points(chart, x, y) + newest)


def _alt(frame: pl.DataFrame) -> str:
    rows = frame.filter(
        pl.col("rating") == 2000,
        pl.col("method") == "everybody",
        pl.col("population") == "all",
        pl.col("rating_type") == "standard",
    )
    newest = rows.filter(pl.col("list_date") == rows["list_date"].max())["percentile"].to_list()
    stated = f" Rating 2000 on the newest standard list: {newest[0]:.2f} percent below." if newest else ""
    return f"Line of the percent of players below a rating through time, {span(frame)}.{stated}"


def _reach(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    y = charts.rating_axis("rating")
    color = alt.Color("percentile:Q", legend=None, scale=alt.Scale(range=["@s4", "@s7"]))
    lines = chart.mark_line().encode(x=x, y=y, color=color, detail="standing:N")
    labels = charts.end_labels(
        chart.transform_calculate(label="datum.percentile + ' %'"), "when", "rating", "label", group="standing"
    )
    return charts.with_events(lines + charts.hover_points(chart, x, y, color) + labels)


def _reach_alt(frame: pl.DataFrame) -> str:
    return (
        f"Lines of the rating it takes to be above {frame['percentile'].n_unique()} shares of the players through time,"
        f" {span(frame)}."
    )


REACH = Figure(
    name="reach",
    title="Which rating does it take?",
    caption=Caption(
        what="Lowest rating with at least this percent of the players at it or below, on each list.",
        population="As switched above; not given with the floor correction.",
        source="marts.percentiles",
    ),
    sql=_REACH_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("standing", "Standing"),
        Column("rating", "Rating", "rating"),
        Column("lowest_counted", "Counted from", "rating"),
        Column("percentile", "Percent", "decimal", hidden=True),
        Column("method", "Compared with"),
        Column("population", "Players", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.percentiles",),
    needs=NEEDS_COMPLETE,
    alt=_reach_alt,
    charts={"": _reach},
    switches=(Switch("percent", "Standing", "select", column="standing", all_label="All"),),
    tooltip=("standing", "list_date", "rating", "method", "lowest_counted"),
    timeline=True,
    sort="-list_date",
    height=380,
)


def _bars(y: alt.Y) -> charts.Drawing:
    chart = charts.base().transform_calculate(until="datum.bin_low + 48")
    x = alt.X("bin_low:Q", title="Rating", scale=alt.Scale(nice=False, zero=False, padding=4),
              axis=alt.Axis(format="d", tickCount=10))  # fmt: skip
    fill = alt.condition("datum.above_common_cut", alt.value("@c1"), alt.value("@s3"))
    return alt.layer(chart.mark_bar().encode(x=x, x2="until:Q", y=y, y2=alt.Y2Datum(0), color=fill))


def _distribution(frame: pl.DataFrame) -> charts.Drawing:
    return _bars(alt.Y("player_count:Q", title="Players in 50 points", axis=alt.Axis(format=",d", tickCount=6)))


def _distribution_log(frame: pl.DataFrame) -> charts.Drawing:
    axis = alt.Axis(format=",d", values=[1, 10, 100, 1000, 10_000, 100_000])
    scale = alt.Scale(type="symlog", constant=1)
    return _bars(alt.Y("player_count:Q", title="Players in 50 points, log scale", axis=axis, scale=scale))


def _distribution_alt(frame: pl.DataFrame) -> str:
    rows = frame.filter(pl.col("population") == "all", pl.col("rating_type") == frame["rating_type"][-1])
    newest = rows.filter(pl.col("list_date") == rows["list_date"].max())
    most = newest.sort("player_count", descending=True).head(1)
    stated = f" Most on the newest list stand at {most['bin_low'][0]} to {most['bin_high'][0]}." if most.height else ""
    return f"Histogram of the ratings of one list in steps of 50 points, a year a list, {span(frame)}.{stated}"


DISTRIBUTION = Figure(
    name="distribution",
    title="How are the ratings spread?",
    caption=Caption(
        what="Players in steps of 50 points; the first list of each year and the newest. Pale: below the common cut.",
        population="As switched above.",
        source="marts.rating_distribution",
    ),
    sql=_DISTRIBUTION_SQL,
    columns=(
        Column("bin_low", "From", "rating"),
        Column("bin_high", "To", "rating"),
        Column("player_count", "Players", "integer"),
        Column("player_fraction", "Share", "percent"),
        Column("above_common_cut", "Above the common cut", "flag"),
        Column("list_floor", "Floor of the list", "rating"),
        Column("list_date", "List", "month", hidden=True),
        Column("population", "Players", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.rating_distribution",),
    needs=NEEDS_COMPLETE,
    alt=_distribution_alt,
    charts={"count": _distribution, "log": _distribution_log},
    switches=(
        Switch("spread", "Show", "variant", options=(("count", "Count"), ("log", "Count, log scale"))),
        Switch("spread_list", "Rating list", "list_date", column="list_date"),
    ),
    tooltip=("bin_low", "bin_high", "player_count", "player_fraction"),
    sort="-bin_low",
    height=320,
    shard_by="rating_type",
)

PAGE = Page(
    name="percentiles",
    section="Everyone",
    label="Percentiles",
    title="How good is a rating of 2000?",
    lead=(
        "Look up both ways: how many stand below a rating, and which rating it takes to stand above so many. The floor "
        "of the list decides much of it, so say with whom you compare."
    ),
    figures=(BELOW, REACH, DISTRIBUTION),
    switches=(RATING_TYPE, METHOD, WHO),
    definitions=(
        ("Percent below", "Players rated strictly below the rating, of all players compared with, on the same list."),
        (
            "Everybody listed",
            "The whole list. Floors moved (2200 in 1971, 1000 in 2012, 1400 since March 2024), and the percentile of "
            "the same rating moves with them.",
        ),
        ("Common cut", "Only players above the highest floor the series ever had; comparable over time."),
        (
            "Floor corrected",
            "Everybody, plus the players whom the floor hides, by a truncated normal fit. Distance of the fit: largest "
            "gap between fitted and real shares; the larger, the less it says.",
        ),
    ),
)
