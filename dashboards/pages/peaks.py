"""Peaks and records: the highest official rating of every player, when, at what age."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.page import NEEDS_LISTS, RATING_TYPE, Caption, Column, Figure, Page, Switch

_SQL = """
with newest as (
    select rating_type, max(list_date) as as_of
    from marts.list_summary
    where publisher = 'fide'
    group by rating_type
)
select
    p.rating_type, p.peak_rank, p.player_name, p.federation, p.sex, p.birth_year, p.peak_rating, p.peak_list_date,
    p.age_at_peak, p.lists_at_peak, p.last_list_date_at_peak, p.best_world_rank, p.fide_id,
    (year(p.peak_list_date) // 10 * 10) || 's' as era, n.as_of
from marts.top_player_peaks as p
left join newest as n on p.rating_type = n.rating_type
where p.peak_rank <= 1000
order by p.rating_type, p.peak_rank, p.peak_list_date, p.player_name, p.fide_id
"""

_ADJUSTED_SQL = """
select
    rating_type, method_rank, player_name, round(adjusted_value, 2) as adjusted_value, list_date, rating, method
from marts.era_adjusted_peaks
where publisher = 'fide'
order by rating_type, method, method_rank, list_date, player_name, player_id
"""


def ladder(places: int) -> charts.Drawing:
    """The first ``places`` of the rows shown, highest first: a line up to the peak, its rating and month beside it."""
    ranked = (
        charts.placed(charts.base(), "peak_rating", "peak_list_date")
        .transform_filter(f"datum.place <= {places}")
        .transform_calculate(
            label="datum.peak_rating + '  ·  ' + utcFormat(toDate(datum.peak_list_date), '%b %Y')",
        )
    )
    y = alt.Y(
        "player_name:N",
        sort=alt.EncodingSortField("place", op="min"),
        title=None,
        axis=alt.Axis(labelColor="@ink", labelLimit=190, labelFontSize=13),
    )
    x = alt.X("peak_rating:Q", scale=alt.Scale(zero=False, nice=False, padding=24), axis=None)
    return alt.layer(
        ranked.mark_rule(color="@line", strokeWidth=1).encode(y=y, x=x, x2=alt.value(0)),
        ranked.mark_circle(size=70, color="@c1").encode(y=y, x=x),
        ranked.mark_text(align="left", dx=10).encode(y=y, x=x, text="label:N"),
    )


def _ladder(frame: pl.DataFrame) -> charts.Drawing:
    return ladder(25)


def _scatter(x: alt.X) -> charts.Drawing:
    ranked = charts.placed(charts.dated("peak_list_date"), "peak_rating", "peak_list_date")
    y = charts.rating_axis("peak_rating", "Peak rating")
    points = ranked.mark_circle(size=38, opacity=0.55).encode(x=x, y=y)
    names = (
        ranked.transform_filter("datum.place <= 5")
        .mark_text(align="left", dx=7, dy=-3, fontSize=11)
        .encode(x=x, y=y, text="player_name:N")
    )
    return alt.layer(points, names)


def _by_age(frame: pl.DataFrame) -> charts.Drawing | None:
    if frame["age_at_peak"].null_count() == frame.height:
        return None
    return _scatter(alt.X("age_at_peak:Q", title="Age at the peak", scale=alt.Scale(zero=False)))


def _by_date(frame: pl.DataFrame) -> charts.Drawing:
    return _scatter(charts.time_axis())


def _alt(frame: pl.DataFrame) -> str:
    best = frame.sort("peak_rating", descending=True).head(3)
    names = "; ".join(f"{name} {rating}" for name, rating in best.select("player_name", "peak_rating").iter_rows())
    return f"Highest ratings ever listed, highest first: {names}."


PEAKS = Figure(
    name="peaks",
    title="Who reached the highest ratings?",
    caption=Caption(
        what="Highest rating of each player on an official list, dated by the first list that shows it.",
        population="Every player on the lists held, first 1,000 places.",
        source="marts.top_player_peaks",
        coverage="Where only top lists are held, a peak outside their reach is not known.",
    ),
    sql=_SQL,
    columns=(
        Column("peak_rank", "Rank", "rating"),
        Column("player_name", "Player"),
        Column("federation", "Federation"),
        Column("peak_rating", "Peak", "rating"),
        Column("peak_list_date", "First list at it", "month"),
        Column("age_at_peak", "Age", "year"),
        Column("birth_year", "Born", "year"),
        Column("lists_at_peak", "Lists at it", "integer"),
        Column("last_list_date_at_peak", "Last list at it", "month"),
        Column("best_world_rank", "Best world rank", "rating"),
        Column("sex", "Sex", hidden=True),
        Column("era", "Era", hidden=True),
        Column("fide_id", "FIDE ID", "rating", hidden=True),
        Column("as_of", "As of", "month", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.top_player_peaks", "marts.list_summary"),
    needs=NEEDS_LISTS,
    alt=_alt,
    charts={"ladder": _ladder, "date": _by_date, "age": _by_age},
    required={"age": "age_at_peak"},
    switches=(
        Switch(
            "peaks",
            "Show",
            "variant",
            options=(("ladder", "First 25"), ("date", "All against date"), ("age", "All against age")),
        ),
        Switch("federation", "Federation", "select", column="federation", all_label="All federations"),
        Switch(
            "sex", "Sex", "choice", column="sex", options=(("F", "Women"), ("M", "Men")), all_label="All", default=""
        ),
        Switch("era", "Era of the peak", "select", column="era", all_label="All eras"),
        Switch("player", "Player", "search", columns=("player_name",)),
    ),
    tooltip=("player_name", "federation", "peak_rating", "peak_list_date", "age_at_peak", "best_world_rank"),
    table_open=True,
    sort="peak_rank",
    height=620,
)


def _adjusted(frame: pl.DataFrame) -> charts.Drawing:
    ranked = (
        charts.base()
        .transform_filter("datum.method_rank <= 25")
        .transform_calculate(
            label="format(datum.adjusted_value, '.1f') + '  ·  ' + utcFormat(toDate(datum.list_date), '%b %Y')"
        )
    )
    y = alt.Y(
        "player_name:N",
        sort=alt.EncodingSortField("method_rank", op="min"),
        title=None,
        axis=alt.Axis(labelColor="@ink", labelLimit=190, labelFontSize=13),
    )
    x = alt.X("adjusted_value:Q", scale=alt.Scale(zero=False, nice=False, padding=24), axis=None)
    return alt.layer(
        ranked.mark_rule(color="@line", strokeWidth=1).encode(y=y, x=x, x2=alt.value(0)),
        ranked.mark_circle(size=70, color="@c1").encode(y=y, x=x),
        ranked.mark_text(align="left", dx=10).encode(y=y, x=x, text="label:N"),
    )


def _adjusted_alt(frame: pl.DataFrame) -> str:
    first = frame.filter(pl.col("method_rank") == 1, pl.col("rating_type") == frame["rating_type"][-1])
    names = "; ".join(f"{method}: {name}" for method, name in first.select("method", "player_name").iter_rows())
    return f"First 25 of the highest peaks by the method chosen. First by each method: {names}."


ADJUSTED = Figure(
    name="adjusted",
    title="Who stood out most from his time?",
    caption=Caption(
        what="Highest peaks by the method chosen, dated by the first list at it or the last one of the span.",
        population="Players not known to be inactive, first 200 places.",
        source="marts.era_adjusted_peaks",
        coverage="Spans are counted only where the player was among the first hundred throughout.",
    ),
    sql=_ADJUSTED_SQL,
    columns=(
        Column("method_rank", "Rank", "rating"),
        Column("player_name", "Player"),
        Column("adjusted_value", "Value", "hundredths"),
        Column("list_date", "List", "month"),
        Column("rating", "Rating", "rating"),
        Column("method", "Method", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.era_adjusted_peaks",),
    needs=NEEDS_LISTS,
    alt=_adjusted_alt,
    charts={"": _adjusted},
    switches=(
        Switch(
            "method",
            "Method",
            "select",
            column="method",
            options=(
                ("margin_11_50", "Points above ranks 11-50"),
                ("z_top_100", "Standard deviations above the top 100"),
                ("mean_1_year", "Best year"),
                ("mean_3_years", "Best three years"),
                ("mean_5_years", "Best five years"),
            ),
            default="margin_11_50",
        ),
    ),
    tooltip=("player_name", "adjusted_value", "list_date", "rating", "method_rank"),
    sort="method_rank",
    height=620,
)

PAGE = Page(
    name="peaks",
    section="Elite",
    label="Peaks and records",
    title="Who reached the highest rating, and when?",
    lead=(
        "The best number each player ever had on an official list. Sort the table by any column; narrow "
        "it by federation, sex or era."
    ),
    figures=(PEAKS, ADJUSTED),
    switches=(RATING_TYPE,),
    definitions=(
        ("Peak", "The highest rating on an official list. Live ratings between lists do not count."),
        ("First list at it", "The first official list that shows the peak rating, named by its month."),
        ("Age", "Year of that list minus year of birth; birth days are not kept."),
        ("Rank", "Standard competition ranking by peak rating: equal peaks share a rank, and the next is skipped."),
        (
            "Points above ranks 11-50",
            "Rating minus the mean of ranks 11 to 50 of the same list: the lead over the elite of the time.",
        ),
        (
            "Standard deviations above the top 100",
            "Rating minus the mean of the first hundred of the same list, divided by their standard deviation.",
        ),
        ("Best year, three, five", "Highest mean rating over that span, each list weighted by the days it was valid."),
    ),
)
