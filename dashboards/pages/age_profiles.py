"""Ratings by age: one list, and the same persons a year later. Figures of the page on ages."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.encode import span
from dashboards.page import NEEDS_COMPLETE, Caption, Column, Figure, Switch

#: One list a year, the first; and the newest.
_PROFILE_SQL = """
with yearly as (
    select *, min(list_date) over (partition by rating_type, year(list_date)) as first_list_date,
        max(list_date) over (partition by rating_type) as newest_list_date
    from marts.age_profile
    where publisher = 'fide' and age between 5 and 95
)

select rating_type, list_date, age, player_count, round(mean_rating, 1) as mean_rating, max_rating
from yearly
where list_date in (first_list_date, newest_list_date)
order by rating_type, list_date, age
"""

#: All Januaries together, weighted by players; few players make no mean.
_CHANGES_SQL = """
select
    rating_type, band_low || '-' || (band_low + 199) as band, band_low, age, sum(player_count)::integer as player_count,
    round(sum(mean_change * player_count) / sum(player_count), 1) as mean_change,
    min(list_date) as first_list_date, max(list_date) as as_of
from marts.age_changes
where publisher = 'fide' and age between 6 and 85
group by rating_type, band_low, age
having sum(player_count) >= 30
order by rating_type, band_low, age
"""


def _profile(y: alt.Y) -> charts.Drawing:
    chart = charts.base()
    x = alt.X("age:Q", title="Age", scale=alt.Scale(nice=False, zero=False), axis=alt.Axis(format="d", tickCount=10))
    nearest = alt.selection_point(
        name="hover", nearest=True, on="pointerover", clear="pointerout", fields=["age"], empty=False
    )
    points = (
        chart.mark_circle(size=60)
        .encode(x=x, y=y, opacity=alt.condition(nearest, alt.value(1), alt.value(0)))
        .add_params(nearest)
    )
    return alt.layer(chart.mark_line().encode(x=x, y=y), points)


def _profile_mean(frame: pl.DataFrame) -> charts.Drawing:
    return _profile(charts.rating_axis("mean_rating", "Mean rating"))


def _profile_max(frame: pl.DataFrame) -> charts.Drawing:
    return _profile(charts.rating_axis("max_rating", "Highest rating"))


def _profile_count(frame: pl.DataFrame) -> charts.Drawing:
    return _profile(alt.Y("player_count:Q", title="Players", axis=alt.Axis(format=",d", tickCount=6)))


def _profile_alt(frame: pl.DataFrame) -> str:
    newest = frame.filter(pl.col("list_date") == frame["list_date"].max(), pl.col("player_count") >= 100)
    high = newest.sort("mean_rating", descending=True).head(1)
    stated = f" Highest mean of the newest: {high['mean_rating'][0]:.0f} at {high['age'][0]}." if high.height else ""
    return f"Line of the mean rating by age on one list, a year a list, {span(frame)}.{stated}"


PROFILE = Figure(
    name="profile",
    title="How do ratings go with age?",
    caption=Caption(
        what="Players of each age on one list: the first of each year and the newest.",
        population="All players of known birth year, inactive ones included.",
        source="marts.age_profile",
        coverage="Different persons at each age, not one life.",
    ),
    sql=_PROFILE_SQL,
    columns=(
        Column("age", "Age", "year"),
        Column("mean_rating", "Mean rating", "decimal"),
        Column("player_count", "Players", "integer"),
        Column("max_rating", "Highest", "rating"),
        Column("list_date", "List", "month", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.age_profile",),
    needs=NEEDS_COMPLETE,
    alt=_profile_alt,
    charts={"mean": _profile_mean, "max": _profile_max, "count": _profile_count},
    switches=(
        Switch("profile", "Show", "variant", options=(("mean", "Mean"), ("max", "Highest"), ("count", "Players"))),
        Switch("profile_list", "Rating list", "list_date", column="list_date"),
    ),
    tooltip=("age", "mean_rating", "player_count", "max_rating"),
    sort="age",
    height=340,
)


def _changes(frame: pl.DataFrame) -> charts.Drawing:
    y = alt.Y("mean_change:Q", title="Mean change in a year, points", axis=alt.Axis(format="+d", tickCount=6))
    zero = alt.Chart(alt.NamedData("rows")).mark_rule(color="@control", strokeDash=[3, 3]).encode(y=alt.datum(0))
    return alt.layer(zero, _profile(y))


def _changes_alt(frame: pl.DataFrame) -> str:
    return (
        f"Line of the mean change of rating in a year by age, for each of {frame['band'].n_unique()} bands of the "
        f"earlier rating, ages {min(frame['age'].to_list())} to {max(frame['age'].to_list())}."
    )


CHANGES = Figure(
    name="changes",
    title="At what age do players gain?",
    caption=Caption(
        what="Mean change of the same persons from one January to the next, all Januaries together.",
        population="Players on both lists; ages with at least 30 changes.",
        source="marts.age_changes",
        coverage="Who left is not in it, so low bands look better than they are.",
    ),
    sql=_CHANGES_SQL,
    columns=(
        Column("age", "Age", "year"),
        Column("mean_change", "Mean change", "decimal"),
        Column("player_count", "Changes", "integer"),
        Column("band", "Rating before"),
        Column("band_low", "From", "rating", hidden=True),
        Column("first_list_date", "First January", "month", hidden=True),
        Column("as_of", "As of", "month", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.age_changes",),
    needs=NEEDS_COMPLETE,
    alt=_changes_alt,
    charts={"": _changes},
    switches=(Switch("before", "Rating before", "select", column="band", default="2200-2399"),),
    tooltip=("age", "mean_change", "player_count", "band"),
    sort="age",
    height=320,
)
