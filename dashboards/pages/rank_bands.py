"""Rank bands through time: how many players stand in each band, and above the famous marks."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.encode import span
from dashboards.page import NEEDS_COMPLETE, NEEDS_LISTS, POPULATION, RATING_TYPE, Caption, Column, Figure, Page, Switch

_BANDS_SQL = """
select
    rating_type, population, list_date, band_label, band_low, player_count, player_fraction, women_count, basis
from marts.rank_band_counts
where publisher = 'fide' and band_system = 'fide' and player_count is not null
order by rating_type, population, list_date, band_low
"""

_THRESHOLDS_SQL = """
with counts as (
    unpivot (
        select
            rating_type, list_date, coverage,
            count_ge_2500, count_ge_2600, count_ge_2700, count_ge_2800,
            active_ge_2500, active_ge_2600, active_ge_2700, active_ge_2800
        from marts.list_summary
        where publisher = 'fide'
    )
    on columns('_ge_')
    into name counted value player_count
)
select
    rating_type, case when counted like 'active%' then 'active' else 'all' end as population, list_date, coverage,
    right(counted, 4) || ' or more' as mark, player_count
from counts
where player_count is not null
order by rating_type, population, list_date, mark
"""


def _band_lines(y: alt.Y) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    color = alt.Color("band_low:Q", legend=None, scale=alt.Scale(range=["@s4", "@s7"]))
    lines = chart.mark_line(interpolate="step-after").encode(x=x, y=y, color=color, detail="band_label:N")
    labels = charts.end_labels(chart, "when", y.shorthand.split(":")[0], "band_label")
    return charts.with_events(lines + charts.hover_points(chart, x, y, color) + labels)


def _counts(frame: pl.DataFrame) -> charts.Drawing:
    return _band_lines(alt.Y("player_count:Q", title="Players", axis=alt.Axis(format=",d", tickCount=6)))


def _counts_log(frame: pl.DataFrame) -> charts.Drawing:
    scale = alt.Scale(type="symlog", constant=1)
    values = [0, 1, 10, 100, 1_000, 10_000, 100_000]
    axis = alt.Axis(format=",d", values=values)
    return _band_lines(alt.Y("player_count:Q", title="Players, log scale", scale=scale, axis=axis))


def _shares(frame: pl.DataFrame) -> charts.Drawing | None:
    if frame["player_fraction"].null_count() == frame.height:
        return None
    axis = alt.Axis(format=".2~%", tickCount=6)
    return _band_lines(alt.Y("player_fraction:Q", title="Share of the population", axis=axis))


def _bands_alt(frame: pl.DataFrame) -> str:
    return (
        f"Line chart of the number of players in each of {frame['band_label'].n_unique()} rating bands, {span(frame)}."
    )


def _threshold_lines(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    y = alt.Y(
        "player_count:Q",
        title="Players, log scale",
        scale=alt.Scale(type="symlog", constant=1),
        axis=alt.Axis(format=",d", values=[0, 1, 3, 10, 30, 100, 300, 1000, 3000]),
    )
    color = alt.Color(
        "mark:N",
        legend=None,
        scale=alt.Scale(
            domain=["2500 or more", "2600 or more", "2700 or more", "2800 or more"],
            range=["@s4", "@s5", "@s6", "@s7"],
        ),
    )
    lines = chart.mark_line(interpolate="step-after").encode(x=x, y=y, color=color)
    labels = charts.end_labels(chart, "when", "player_count", "mark")
    return charts.with_events(lines + charts.hover_points(chart, x, y, color) + labels)


def _thresholds_alt(frame: pl.DataFrame) -> str:
    standard = frame.filter(pl.col("rating_type") == "standard", pl.col("population") == "active")
    newest = standard.filter(pl.col("list_date") == pl.col("list_date").max())
    counts = ", ".join(f"{n} with {mark}" for mark, n in newest.select("mark", "player_count").iter_rows())
    stated = f" Newest standard list, active players: {counts}." if counts else ""
    return f"Step lines of the number of players above 2500, 2600, 2700 and 2800, {span(frame)}.{stated}"


THRESHOLDS = Figure(
    name="thresholds",
    title="How many players are above 2600, 2700, 2800?",
    caption=Caption(
        what="Players with at least this rating on each list; logarithmic scale.",
        population="As switched above; where a list does not say who is active, its active players are not counted.",
        source="marts.list_summary",
    ),
    sql=_THRESHOLDS_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("mark", "Rating"),
        Column("player_count", "Players", "integer"),
        Column("coverage", "Coverage of the list"),
        Column("population", "Population", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.list_summary",),
    needs=NEEDS_LISTS,
    alt=_thresholds_alt,
    charts={"": _threshold_lines},
    tooltip=("mark", "list_date", "player_count", "coverage"),
    timeline=True,
    sort="-list_date",
)

BANDS = Figure(
    name="bands",
    title="How many players does each band hold?",
    caption=Caption(
        what="Players in each rating band of FIDE on each list.",
        population="As switched above.",
        coverage="From a top list only the bands that it covers completely are counted.",
        source="marts.rank_band_counts",
    ),
    sql=_BANDS_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("band_label", "Band"),
        Column("player_count", "Players", "integer"),
        Column("player_fraction", "Share", "percent"),
        Column("women_count", "Women", "integer"),
        Column("basis", "Stands on"),
        Column("population", "Population", hidden=True),
        Column("band_low", "From", "rating", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.rank_band_counts",),
    needs=NEEDS_COMPLETE,
    alt=_bands_alt,
    charts={"count": _counts, "log": _counts_log, "share": _shares},
    required={"share": "player_fraction"},
    switches=(
        Switch(
            "scale",
            "Show",
            "variant",
            options=(("count", "Count"), ("log", "Count, log scale"), ("share", "Share")),
            default="count",
        ),
        Switch(
            "from",
            "Bands",
            "select",
            column="band_low",
            options=(("2000", "From 2000"), ("2300", "From 2300"), ("2500", "From 2500"), ("2700", "From 2700")),
            all_label="All bands",
            default="2500",
            at_least=True,
        ),
    ),
    tooltip=("band_label", "list_date", "player_count", "player_fraction", "women_count", "basis"),
    timeline=True,
    sort="-list_date",
    height=420,
)

PAGE = Page(
    name="rank_bands",
    section="Everyone",
    label="Rank bands",
    title="How many players stand in each rating band?",
    lead=("A band says how rare a rating is. What counts as rare has moved: watch the lines against the rule changes."),
    figures=(BANDS, THRESHOLDS),
    switches=(RATING_TYPE, POPULATION),
    definitions=(
        (
            "Band",
            (
                "A range of ratings, both ends included: 2700-2799 holds 2700 and 2799. Bands and titles "
                "as of March 2021."
            ),
        ),
        (
            "Active",
            (
                "The list's own flag has no `i`. Where a list has no flag, activity is unknown and the "
                "row is not counted as active."
            ),
        ),
        (
            "Share",
            (
                "Players of the band divided by all players of the population on the same list. Floors "
                "moved (2200 in 1971, 1000 in 2012, 1400 since March 2024), so shares before and after a "
                "floor change are not comparable."
            ),
        ),
        (
            "Stands on",
            (
                "`complete`: the whole list was counted. Otherwise a top list that reaches below the "
                "band, so that nobody is missing."
            ),
        ),
    ),
)
