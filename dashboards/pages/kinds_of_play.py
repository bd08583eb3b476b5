"""K factors, and rapid and blitz ratings beside standard ones. Figures of the page on coming and staying."""

import altair as alt
import polars as pl

from dashboards import charts, theme
from dashboards.encode import span
from dashboards.page import NEEDS_COMPLETE, Caption, Column, Figure, Switch

_K_SQL = """
select
    rating_type, list_date, 'K ' || k_factor as k, k_factor, player_count, player_fraction, active_count, played_count,
    games_total, round(mean_rating, 1) as mean_rating
from marts.k_factor_counts
where publisher = 'fide'
order by rating_type, list_date, k_factor
"""

_TYPES_SQL = """
select
    list_date, other_rating_type || ' minus ' || rating_type as pair, band_low, band_low + 50 as band_middle,
    player_count, round(mean_difference, 1) as mean_difference, median_difference,
    round(sd_difference, 1) as sd_difference, coverage
from marts.rating_type_pairs
where publisher = 'fide' and player_count >= 20
order by pair, list_date, band_low
"""


def _k(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    y = alt.Y("player_fraction:Q", title="Share of the players", axis=alt.Axis(format="%", tickCount=6))
    lines = chart.mark_line(point=True).encode(x=x, y=y, detail="k:N")
    labels = charts.end_labels(chart, "when", "player_fraction", "k")
    return charts.with_events(lines + charts.hover_points(chart, x, y) + labels)


def _k_alt(frame: pl.DataFrame) -> str:
    return f"Lines of the share of players with each K factor, {span(frame)}: {', '.join(sorted(set(frame['k'])))}."


K_FACTORS = Figure(
    name="k_factors",
    title="Who has which K?",
    caption=Caption(
        what="Players by the K printed on the list, which is the one in force after it.",
        population="All players with a rating, inactive ones included.",
        source="marts.k_factor_counts",
    ),
    sql=_K_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("k", "K"),
        Column("player_count", "Players", "integer"),
        Column("player_fraction", "Share", "percent"),
        Column("active_count", "Active", "integer"),
        Column("played_count", "Played", "integer"),
        Column("games_total", "Games", "integer"),
        Column("mean_rating", "Mean rating", "decimal"),
        Column("k_factor", "K factor", "rating", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.k_factor_counts",),
    needs=(
        "Needs complete lists that print K (FIDE's files since September 2012). Add them with `ratings add FILE...`, "
        "then run `ratings build`."
    ),
    alt=_k_alt,
    charts={"": _k},
    tooltip=("k", "list_date", "player_count", "player_fraction", "mean_rating"),
    timeline=True,
    sort="-list_date",
    height=300,
)


def _types(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base()
    x = alt.X(
        "band_middle:Q", title="First rating", scale=alt.Scale(zero=False), axis=alt.Axis(format="d", tickCount=8)
    )
    y = alt.Y("mean_difference:Q", title="Mean difference, points", axis=alt.Axis(format="+d", tickCount=6))
    color = alt.Color("pair:N", legend=None, scale=alt.Scale(range=list(theme.SERIES)))
    zero = charts.base().mark_rule(color="@control", strokeDash=[3, 3]).encode(y=alt.datum(0))
    return alt.layer(
        zero,
        chart.mark_line(point=True).encode(x=x, y=y, color=color),
        charts.end_labels(chart, "band_middle", "mean_difference", "pair", color, dated=False),
    )


def _types_alt(frame: pl.DataFrame) -> str:
    return f"Lines of the difference between two kinds of rating of the same persons, by rating, {span(frame)}."


TYPES = Figure(
    name="types",
    title="How do rapid and blitz ratings differ from standard ones?",
    caption=Caption(
        what="Second rating minus first of the same persons on lists of the same month, by band of the first.",
        population="Players with both ratings, inactive ones included; bands with at least 20.",
        source="marts.rating_type_pairs",
        coverage="From top lists only the best are compared, and the other rating looks lower than it is.",
    ),
    sql=_TYPES_SQL,
    columns=(
        Column("pair", "Difference"),
        Column("band_low", "From", "rating"),
        Column("player_count", "Players", "integer"),
        Column("mean_difference", "Mean", "decimal"),
        Column("median_difference", "Median", "decimal"),
        Column("sd_difference", "Spread", "decimal"),
        Column("coverage", "Coverage of the lists"),
        Column("band_middle", "Middle", "rating", hidden=True),
        Column("list_date", "List", "month", hidden=True),
    ),
    marts=("marts.rating_type_pairs",),
    needs=NEEDS_COMPLETE,
    alt=_types_alt,
    charts={"": _types},
    switches=(Switch("types_list", "Rating list", "list_date", column="list_date"),),
    tooltip=("pair", "band_low", "mean_difference", "median_difference", "sd_difference", "player_count"),
    sort="band_low",
    height=340,
)
