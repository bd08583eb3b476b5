"""Ages: rating by age, the age of the elite, generations, the youngest to reach a rating, gains by age."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.encode import span
from dashboards.page import NEEDS_COMPLETE, NEEDS_LISTS, RATING_TYPE, Caption, Column, Figure, Page, Switch

_ELITE_SQL = """
select
    rating_type, list_date, 'Top ' || top_n as elite, top_n, round(mean_age, 1) as mean_age, median_age,
    youngest_age, youngest_name, oldest_age, oldest_name, player_count, age_known_count
from marts.elite_ages
where publisher = 'fide' and mean_age is not null
order by rating_type, list_date, top_n
"""

_GENERATIONS_SQL = """
select
    rating_type, list_date, coalesce(birth_decade || 's', 'not known') as born, player_count, player_fraction,
    round(mean_rating, 1) as mean_rating, best_world_rank
from marts.generations
where publisher = 'fide'
order by rating_type, list_date, born
"""

_PRODIGIES_SQL = """
select rating_type, threshold, age_rank, player_name, age, list_date, birth_year, sex
from marts.prodigies
where publisher = 'fide'
order by rating_type, threshold, age_rank, list_date, player_name, player_id
"""

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

TOP_N = alt.Scale(domain=["Top 10", "Top 50", "Top 100"], range=["@s7", "@s5", "@s4"])


def _elite(y: alt.Y) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    color = alt.Color("elite:N", legend=None, scale=TOP_N)
    lines = chart.mark_line().encode(x=x, y=y, color=color)
    labels = charts.end_labels(chart, "when", y.shorthand.split(":")[0], "elite")
    return charts.with_events(lines + charts.hover_points(chart, x, y, color) + labels)


def _age_axis(field: str, title: str) -> alt.Y:
    return alt.Y(f"{field}:Q", title=title, scale=alt.Scale(zero=False), axis=alt.Axis(format="d", tickCount=6))


def elite_means(frame: pl.DataFrame) -> charts.Drawing:
    """Mean age of the first 10, 50 and 100."""
    return _elite(_age_axis("mean_age", "Mean age"))


def _elite_youngest(frame: pl.DataFrame) -> charts.Drawing:
    return _elite(_age_axis("youngest_age", "Age of the youngest"))


def _elite_oldest(frame: pl.DataFrame) -> charts.Drawing:
    return _elite(_age_axis("oldest_age", "Age of the oldest"))


def _elite_alt(frame: pl.DataFrame) -> str:
    newest = frame.filter(pl.col("rating_type") == frame["rating_type"][-1])
    newest = newest.filter(pl.col("list_date") == newest["list_date"].max())
    ages = ", ".join(f"{name} {age:.1f} years" for name, age in newest.select("elite", "mean_age").iter_rows())
    return f"Lines of the age of the first 10, 50 and 100, {span(frame)}. Mean ages on the newest list: {ages}."


ELITE = Figure(
    name="elite",
    title="How old is the elite?",
    caption=Caption(
        what="Age of the first 10, 50 and 100 of each list.",
        population="Players not known to be inactive, ties at the cut included; without those of unknown birth year.",
        source="marts.elite_ages",
    ),
    sql=_ELITE_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("elite", "Elite"),
        Column("mean_age", "Mean age", "decimal"),
        Column("median_age", "Median", "decimal"),
        Column("youngest_age", "Youngest", "year"),
        Column("youngest_name", "Who"),
        Column("oldest_age", "Oldest", "year"),
        Column("oldest_name", "Who"),
        Column("player_count", "Players", "integer", hidden=True),
        Column("age_known_count", "Ages known", "integer", hidden=True),
        Column("top_n", "First", "rating", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.elite_ages",),
    needs=NEEDS_LISTS,
    alt=_elite_alt,
    charts={"mean": elite_means, "youngest": _elite_youngest, "oldest": _elite_oldest},
    switches=(
        Switch(
            "elite",
            "Show",
            "variant",
            options=(("mean", "Mean"), ("youngest", "Youngest"), ("oldest", "Oldest")),
        ),
    ),
    tooltip=("elite", "list_date", "mean_age", "youngest_name", "youngest_age", "oldest_name", "oldest_age"),
    timeline=True,
    sort="-list_date",
)


def _generations(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.dated().transform_filter("datum.born !== 'not known'")
    x = charts.time_axis()
    y = alt.Y("player_count:Q", title="Players among the first hundred", axis=alt.Axis(format="d", tickCount=6))
    tops = (
        charts.placed(chart, "player_count", "list_date")
        .transform_window(turn="row_number()", groupby=["born"], sort=[alt.SortField("place")])
        .transform_filter("datum.turn === 1 && datum.player_count >= 8")
    )
    decades = sorted(value for value in frame["born"].unique() if value != "not known")
    color = alt.Color(
        "born:N",
        legend=None,
        scale=alt.Scale(domain=decades, range=[("@c1", "@c2", "@c4")[i % 3] for i in range(len(decades))]),
    )
    lines = chart.mark_line().encode(x=x, y=y, color=color)
    labels = tops.mark_text(dy=-10, fontWeight=600).encode(x=x, y=y, text="born:N", color=color)
    return charts.with_events(lines + charts.hover_points(chart, x, y, color) + labels)


def _generations_alt(frame: pl.DataFrame) -> str:
    best = frame.filter(pl.col("born") != "not known").group_by("born").agg(pl.col("player_count").max()).sort("born")
    tops = ", ".join(f"{born} {n}" for born, n in best.iter_rows())
    return f"One hump a decade of birth: players among the first hundred, {span(frame)}. Most at a time: {tops}."


GENERATIONS = Figure(
    name="generations",
    title="Which generation holds the top 100?",
    caption=Caption(
        what="Players among the first hundred by decade of birth; the name of a decade stands at its height.",
        population="Players not known to be inactive, ties at the last place included.",
        source="marts.generations",
    ),
    sql=_GENERATIONS_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("born", "Born in the"),
        Column("player_count", "Players", "integer"),
        Column("player_fraction", "Share", "percent"),
        Column("mean_rating", "Mean rating", "decimal"),
        Column("best_world_rank", "Best rank", "rating"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.generations",),
    needs=NEEDS_LISTS,
    alt=_generations_alt,
    charts={"": _generations},
    tooltip=("born", "list_date", "player_count", "player_fraction", "mean_rating", "best_world_rank"),
    timeline=True,
    sort="-list_date",
)


def _youngest(frame: pl.DataFrame) -> charts.Drawing:
    order = [alt.SortField("age_rank"), alt.SortField("list_date"), alt.SortField("player_name")]
    chart = (
        charts.base()
        .transform_window(turn="row_number()", sort=order)
        .transform_filter("datum.turn <= 25")
        .transform_calculate(label="datum.age + ' years  ·  ' + utcFormat(toDate(datum.list_date), '%b %Y')")
    )
    y = alt.Y(
        "player_name:N",
        sort=alt.EncodingSortField("turn", op="min"),
        title=None,
        axis=alt.Axis(labelColor="@ink", labelLimit=190, labelFontSize=13),
    )
    x = alt.X("age:Q", scale=alt.Scale(zero=False, nice=False, padding=24), axis=None)
    return alt.layer(
        chart.mark_rule(color="@line", strokeWidth=1).encode(y=y, x=x, x2=alt.value(0)),
        chart.mark_circle(size=70, color="@c1").encode(y=y, x=x),
        chart.mark_text(align="left", dx=10).encode(y=y, x=x, text="label:N"),
    )


def _by_date(frame: pl.DataFrame) -> charts.Drawing:
    y = _age_axis("age", "Age at the first list with it")
    return alt.layer(charts.dated().mark_circle(size=44, opacity=0.6, color="@c1").encode(x=charts.time_axis(), y=y))


def _prodigies_alt(frame: pl.DataFrame) -> str:
    parts = []
    for threshold in sorted(frame["threshold"].unique()):
        first = frame.filter(pl.col("threshold") == threshold, pl.col("age_rank") == 1)[0]
        parts.append(f"{threshold}: {first['player_name'][0]} at {first['age'][0]}")
    return f"Ages of the youngest to reach a rating. {'; '.join(parts)}."


PRODIGIES = Figure(
    name="prodigies",
    title="Who was the youngest to reach a rating?",
    caption=Caption(
        what="The hundred youngest to reach the rating, at the first list that shows it; 25 are drawn by name.",
        population="Players of known birth year who were below it on the first list held.",
        source="marts.prodigies",
        coverage=(
            "Ages are differences of years. Where only top lists are held, low ratings show players of the first "
            "hundred only; a very low age can be an error of the list."
        ),
    ),
    sql=_PRODIGIES_SQL,
    columns=(
        Column("age_rank", "Rank", "rating"),
        Column("player_name", "Player"),
        Column("age", "Age", "year"),
        Column("list_date", "First list with it", "month"),
        Column("birth_year", "Born", "year"),
        Column("sex", "Sex"),
        Column("threshold", "Rating", "rating"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.prodigies",),
    needs=NEEDS_LISTS,
    alt=_prodigies_alt,
    charts={"youngest": _youngest, "date": _by_date},
    switches=(
        Switch(
            "prodigies",
            "Show",
            "variant",
            options=(("youngest", "The youngest"), ("date", "All against date")),
        ),
        Switch(
            "reached",
            "Rating reached",
            column="threshold",
            options=tuple((str(n), str(n)) for n in range(2300, 2801, 100)),
            default="2700",
        ),
    ),
    tooltip=("player_name", "threshold", "age", "list_date", "age_rank"),
    table_open=True,
    sort="age_rank",
    height=600,
)


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
        f"earlier rating, ages {frame['age'].min()} to {frame['age'].max()}."
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

PAGE = Page(
    name="ages",
    section="Groups",
    label="Ages and prodigies",
    title="How old are the best, and how young were they?",
    lead="The age of the elite, the generations that followed each other, and who reached a rating youngest.",
    figures=(ELITE, GENERATIONS, PRODIGIES, PROFILE, CHANGES),
    switches=(RATING_TYPE,),
    definitions=(
        ("Age", "Year of the list minus year of birth; birth days are not kept, so it can be a year too high."),
        ("Generation", "Decade of birth."),
        ("Youngest to a rating", "First published list with the rating or more. Equal ages are ranked by date."),
    ),
)
