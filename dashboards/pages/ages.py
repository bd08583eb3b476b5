"""Ages: rating by age, the age of the elite, generations, the youngest to reach a rating, gains by age."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.encode import span
from dashboards.page import NEEDS_LISTS, RATING_TYPE, Caption, Column, Figure, Page, Switch
from dashboards.pages.age_profiles import CHANGES, PROFILE

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
    order: list[alt.SortField | dict[str, str]] = [
        alt.SortField("age_rank"),
        alt.SortField("list_date"),
        alt.SortField("player_name"),
    ]
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
