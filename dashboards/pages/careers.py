"""Coming, staying, playing: newcomers and their first ratings, survival, games, K, and the other kinds of play."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.encode import span
from dashboards.page import NEEDS_COMPLETE, RATING_TYPE, Caption, Column, Figure, Page, Switch
from dashboards.pages.kinds_of_play import K_FACTORS, TYPES

_ENTRY_SQL = """
select
    rating_type, list_date, newcomers, round(mean_rating, 1) as mean_rating, median_rating, list_floor,
    near_floor_count, near_floor_fraction
from marts.entry_effects
where publisher = 'fide'
order by rating_type, list_date
"""

_SURVIVAL_SQL = """
select
    rating_type, end_kind, entry_years || '-' || (entry_years + 4) as entered, entry_years, cohort_group,
    years_since_entry, round(surviving_fraction, 4) as surviving_fraction, entered_count, at_risk_count, ended_count
from marts.survival
where publisher = 'fide' and entered_count >= 50
order by rating_type, end_kind, cohort_group, entry_years, years_since_entry
"""

_ACTIVITY_SQL = """
select
    rating_type, list_date, played_fraction, played_count, player_count, games_total,
    round(games_per_player, 2) as games_per_player, max_games, busiest_player, months_since_previous_list
from marts.activity
where publisher = 'fide'
order by rating_type, list_date
"""


def _dated_line(y: alt.Y) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    lines = chart.mark_line(point=alt.OverlayMarkDef(size=16)).encode(x=x, y=y)
    return charts.with_events(lines + charts.hover_points(chart, x, y))


def _newcomers(frame: pl.DataFrame) -> charts.Drawing:
    return _dated_line(alt.Y("newcomers:Q", title="Newcomers", axis=alt.Axis(format=",d", tickCount=6)))


def _first_ratings(frame: pl.DataFrame) -> charts.Drawing:
    return _dated_line(charts.rating_axis("median_rating", "Median first rating"))


def _near_floor(frame: pl.DataFrame) -> charts.Drawing:
    return _dated_line(
        alt.Y("near_floor_fraction:Q", title="Share within 100 points of the floor", axis=alt.Axis(format="%"))
    )


def _entry_alt(frame: pl.DataFrame) -> str:
    return f"Line of the newcomers of each list, {span(frame)}: {frame['newcomers'].sum():,} in all."


ENTRY = Figure(
    name="entry",
    title="How many come, and with which rating?",
    caption=Caption(
        what="Players who stand on no earlier complete list held, and the rating they come with.",
        population="All players of complete lists after the first.",
        source="marts.entry_effects",
        coverage="Lists that are missing in between put more newcomers on the next.",
    ),
    sql=_ENTRY_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("newcomers", "Newcomers", "integer"),
        Column("median_rating", "Median first rating", "rating"),
        Column("mean_rating", "Mean first rating", "decimal"),
        Column("list_floor", "Floor", "rating"),
        Column("near_floor_count", "Near the floor", "integer"),
        Column("near_floor_fraction", "Share near the floor", "percent"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.entry_effects",),
    needs=NEEDS_COMPLETE,
    alt=_entry_alt,
    charts={"count": _newcomers, "rating": _first_ratings, "floor": _near_floor},
    switches=(
        Switch(
            "entry",
            "Show",
            "variant",
            options=(("count", "Newcomers"), ("rating", "First rating"), ("floor", "Near the floor")),
        ),
    ),
    tooltip=("list_date", "newcomers", "median_rating", "mean_rating", "near_floor_fraction", "list_floor"),
    timeline=True,
    sort="-list_date",
    height=320,
)


def _survival(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base()
    x = alt.X("years_since_entry:Q", title="Years since the first list", axis=alt.Axis(format="d", tickCount=10))
    y = alt.Y(
        "surviving_fraction:Q",
        title="Share still listed",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format="%", tickCount=6),
    )
    color = alt.Color("entry_years:Q", legend=None, scale=alt.Scale(range=["@s3", "@s7"]))
    nearest = alt.selection_point(
        name="hover",
        nearest=True,
        on="pointerover",
        clear="pointerout",
        fields=["entered", "years_since_entry"],
        empty=False,
    )
    points = (
        chart.mark_circle(size=60)
        .encode(x=x, y=y, opacity=alt.condition(nearest, alt.value(1), alt.value(0)))
        .add_params(nearest)
    )
    lines = chart.mark_line(interpolate="step-after").encode(x=x, y=y, color=color, detail="entered:N")
    labels = charts.end_labels(chart, "years_since_entry", "surviving_fraction", "entered", dated=False)
    return alt.layer(lines, points, labels)


def _survival_alt(frame: pl.DataFrame) -> str:
    return (
        f"Survival curves of newcomers for {frame['entered'].n_unique()} spans of five years of entry, up to "
        f"{max(frame['years_since_entry'].to_list())} years."
    )


SURVIVAL = Figure(
    name="survival",
    title="How long do newcomers stay?",
    caption=Caption(
        what="Share of newcomers still there after so many years (Kaplan-Meier), by years of entry.",
        population="Newcomers of complete lists, groups of at least 50.",
        source="marts.survival",
        coverage=(
            "Scid's history keeps only persons still known in 2021, so with it early groups seem to stay too long."
        ),
    ),
    sql=_SURVIVAL_SQL,
    columns=(
        Column("years_since_entry", "Years", "year"),
        Column("entered", "Entered"),
        Column("surviving_fraction", "Still there", "percent"),
        Column("entered_count", "Entered", "integer"),
        Column("at_risk_count", "Watched so long", "integer"),
        Column("ended_count", "Ended", "integer"),
        Column("cohort_group", "Group", hidden=True),
        Column("end_kind", "End", hidden=True),
        Column("entry_years", "Entry from", "year", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.survival",),
    needs=NEEDS_COMPLETE,
    alt=_survival_alt,
    charts={"": _survival},
    switches=(
        Switch(
            "end",
            "Until",
            column="end_kind",
            options=(("off the list", "Off the list"), ("inactive", "Inactive for good")),
            default="off the list",
        ),
        Switch("group", "Group", "select", column="cohort_group", default="all"),
    ),
    tooltip=("entered", "years_since_entry", "surviving_fraction", "at_risk_count", "entered_count"),
    sort="years_since_entry",
    height=400,
)


def _played(frame: pl.DataFrame) -> charts.Drawing:
    return _dated_line(alt.Y("played_fraction:Q", title="Share who played", axis=alt.Axis(format="%", tickCount=6)))


def _games(frame: pl.DataFrame) -> charts.Drawing:
    return _dated_line(
        alt.Y("games_per_player:Q", title="Games of each who played", axis=alt.Axis(format=".1f", tickCount=6))
    )


def _activity_alt(frame: pl.DataFrame) -> str:
    busiest = frame.sort("max_games", descending=True).head(1)
    return (
        f"Line of the share of players with a rated game in the period before each list, {span(frame)}. Busiest: "
        f"{busiest['busiest_player'][0]}, {busiest['max_games'][0]} games."
    )


ACTIVITY = Figure(
    name="activity",
    title="How much is played?",
    caption=Caption(
        what="Rated games in the period before each list.",
        population="Players for whom the list prints games.",
        source="marts.activity",
        coverage="Periods differ in length (three months until 2009, one since 2012): compare like with like.",
    ),
    sql=_ACTIVITY_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("played_fraction", "Share who played", "percent"),
        Column("played_count", "Played", "integer"),
        Column("player_count", "Players", "integer"),
        Column("games_total", "Games", "integer"),
        Column("games_per_player", "Games each", "decimal"),
        Column("max_games", "Most games", "integer"),
        Column("busiest_player", "Busiest player"),
        Column("months_since_previous_list", "Months since the list before", "integer"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.activity",),
    needs=NEEDS_COMPLETE,
    alt=_activity_alt,
    charts={"share": _played, "games": _games},
    switches=(Switch("activity", "Show", "variant", options=(("share", "Share who played"), ("games", "Games each"))),),
    tooltip=("list_date", "played_fraction", "played_count", "games_per_player", "busiest_player", "max_games"),
    timeline=True,
    sort="-list_date",
    height=320,
)


PAGE = Page(
    name="careers",
    section="Everyone",
    label="Coming and staying",
    title="Who comes, who stays, who plays?",
    lead="Newcomers and their first ratings, how long they stay, how much is played, how the kinds of play compare.",
    figures=(ENTRY, SURVIVAL, ACTIVITY, K_FACTORS, TYPES),
    switches=(RATING_TYPE,),
    definitions=(
        ("Newcomer", "A person on no earlier complete list held."),
        ("Still there", "Kaplan-Meier estimate: who is on the newest list is counted only as long as watched."),
        ("Off the list", "On no later complete list held."),
        ("Inactive for good", "Flagged inactive and never without the flag again; only where all lists have flags."),
        ("K", "Factor by which a result moves the rating; 10, 20 and 40 since July 2014."),
    ),
)
