"""Inflation and deflation: the rating of fixed ranks and the usual indices through time."""

import altair as alt
import polars as pl

from dashboards import charts, theme
from dashboards.encode import span
from dashboards.page import NEEDS_LISTS, RATING_TYPE, Caption, Column, Figure, Page, Switch

_RANKS_SQL = """
with ratings as (
    unpivot (
        select
            rating_type, list_date, coverage,
            rating_rank_1, rating_rank_10, rating_rank_20, rating_rank_50, rating_rank_100
        from marts.list_summary
        where publisher = 'fide'
    )
    on rating_rank_1, rating_rank_10, rating_rank_20, rating_rank_50, rating_rank_100
    into name index_name value rating
)
select
    rating_type, list_date, coverage, '#' || replace(index_name, 'rating_rank_', '') as index_name,
    rating, rating - first_value(rating) over (partition by rating_type, index_name order by list_date) as change
from ratings
where rating is not null
order by rating_type, list_date, rating desc, length(index_name)
"""

_MEANS_SQL = """
with means as (
    unpivot (
        select rating_type, list_date, coverage, mean_top_10, mean_top_50, mean_top_100, mean_ranks_11_50
        from marts.list_summary
        where publisher = 'fide'
    )
    on mean_top_10, mean_top_50, mean_top_100, mean_ranks_11_50
    into name index_name value rating
)
select
    rating_type, list_date, coverage,
    case index_name when 'mean_ranks_11_50' then 'Ranks 11-50' else 'Top ' || replace(index_name, 'mean_top_', '') end
        as index_name,
    rating, rating - first_value(rating) over (partition by rating_type, index_name order by list_date) as change
from means
where rating is not null
order by rating_type, list_date, rating desc, index_name
"""

#: Changes since the first value of each index, so that they stand on one axis; only indices in points.
_INDICES_SQL = """
with indices as (
    select
        rating_type, list_date, coverage, index_value, definition, population,
        case index_name
            when 'edwards' then 'Ranks 11-50' when 'mean_10' then 'Top 10' when 'mean_20' then 'Top 20'
            when 'mean_50' then 'Top 50' when 'mean_100' then 'Top 100' when 'gap' then 'Lead of the first'
            when 'fixed_cohort' then 'Same 500 players' when 'mean_all' then 'Whole list'
            when 'mean_common_cut' then 'Above the common cut' else index_name
        end as index_name
    from marts.inflation_indices
    where publisher = 'fide' and index_unit = 'points' and index_name <> 'total_points'
)

select
    rating_type, list_date, index_name, round(index_value, 1) as index_value,
    round(index_value - first_value(index_value) over (partition by rating_type, index_name order by list_date), 1)
        as change,
    population, coverage, definition
from indices
order by rating_type, list_date, index_name
"""

RANKS = ["#1", "#10", "#20", "#50", "#100"]
MEANS = ["Top 10", "Ranks 11-50", "Top 50", "Top 100"]


def _lines(frame: pl.DataFrame, names: list[str], colors: list[str], y: alt.Y) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    color = alt.Color("index_name:N", legend=None, scale=alt.Scale(domain=names, range=colors))
    lines = chart.mark_line().encode(x=x, y=y, color=color)
    labels = charts.end_labels(chart, "when", y.shorthand.split(":")[0], "index_name")
    return charts.with_events(lines + charts.hover_points(chart, x, y, color) + labels)


def _change_axis() -> alt.Y:
    return alt.Y("change:Q", title="Points since the first list held", axis=alt.Axis(format="+d", tickCount=6))


def rank_levels(frame: pl.DataFrame) -> charts.Drawing:
    """Rating of ranks 1, 10, 20, 50 and 100."""
    return _lines(frame, RANKS, ["@s7", "@s6", "@s5", "@s4", "@s3"], charts.rating_axis("rating"))


def _rank_changes(frame: pl.DataFrame) -> charts.Drawing:
    return _lines(frame, RANKS, ["@s7", "@s6", "@s5", "@s4", "@s3"], _change_axis())


def _mean_levels(frame: pl.DataFrame) -> charts.Drawing:
    return _lines(frame, MEANS, ["@s7", "@c2", "@s5", "@s3"], charts.rating_axis("rating", "Mean rating"))


def _mean_changes(frame: pl.DataFrame) -> charts.Drawing:
    return _lines(frame, MEANS, ["@s7", "@c2", "@s5", "@s3"], _change_axis())


def _alt(frame: pl.DataFrame) -> str:
    last = frame.filter(pl.col("list_date") == frame["list_date"].max())
    values = ", ".join(f"{name} {value:g}" for name, value in last.select("index_name", "rating").iter_rows())
    return f"Line chart, {span(frame)}. Newest list: {values}."


def _columns(kind: str) -> tuple[Column, ...]:
    return (
        Column("list_date", "List", "month"),
        Column("index_name", "Index"),
        Column("rating", "Rating", "decimal" if kind == "mean" else "rating"),
        Column("change", "Since the first list", "decimal" if kind == "mean" else "signed"),
        Column("coverage", "Coverage of the list"),
        Column("rating_type", "Rating type", hidden=True),
    )


RANK_FIGURE = Figure(
    name="ranks",
    title="What does it take to be first, tenth, hundredth?",
    caption=Caption(
        what="Rating of the player on this rank of each list.",
        population="Players the list shows (top lists: active players).",
        source="marts.list_summary",
    ),
    sql=_RANKS_SQL,
    columns=_columns("rank"),
    marts=("marts.list_summary",),
    needs=NEEDS_LISTS,
    alt=_alt,
    charts={"level": rank_levels, "change": _rank_changes},
    switches=(
        Switch("ranks", "Show", "variant", options=(("level", "Rating"), ("change", "Change since the first list"))),
    ),
    tooltip=("index_name", "list_date", "rating", "change"),
    timeline=True,
    sort="-list_date",
    height=420,
)

MEAN_FIGURE = Figure(
    name="means",
    title="Do the indices agree?",
    caption=Caption(
        what="Mean rating of the highest players of each list; ties at the cut are not widened.",
        population="Players the list shows (top lists: active players).",
        source="marts.list_summary",
    ),
    sql=_MEANS_SQL,
    columns=_columns("mean"),
    marts=("marts.list_summary",),
    needs=NEEDS_LISTS,
    alt=_alt,
    charts={"level": _mean_levels, "change": _mean_changes},
    switches=(
        Switch("means", "Show", "variant", options=(("level", "Rating"), ("change", "Change since the first list"))),
    ),
    tooltip=("index_name", "list_date", "rating", "change"),
    timeline=True,
    sort="-list_date",
    height=380,
)


def _indices(y: alt.Y) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    color = alt.Color("index_name:N", legend=None, scale=alt.Scale(range=list(theme.SERIES)))
    lines = chart.mark_line().encode(x=x, y=y, color=color)
    labels = charts.end_labels(chart, "when", y.shorthand.split(":")[0], "index_name", color)
    return charts.with_events(lines + charts.hover_points(chart, x, y, color) + labels)


def _index_changes(frame: pl.DataFrame) -> charts.Drawing:
    return _indices(_change_axis())


def _index_values(frame: pl.DataFrame) -> charts.Drawing:
    return _indices(charts.rating_axis("index_value", "Points"))


def _indices_alt(frame: pl.DataFrame) -> str:
    names = ", ".join(sorted(frame["index_name"].unique()))
    return f"Lines of up to five indices of inflation, chosen from {names}; {span(frame)}."


INDEX_FIGURE = Figure(
    name="indices",
    title="What do the indices say, side by side?",
    caption=Caption(
        what="Change of each index since its first list; the table gives values and definitions.",
        population="Named in the table: the whole list, or players not known to be inactive.",
        source="marts.inflation_indices",
        coverage="Indices of the whole list exist for complete lists only.",
    ),
    sql=_INDICES_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("index_name", "Index"),
        Column("index_value", "Value", "decimal"),
        Column("change", "Since the first list", "decimal"),
        Column("population", "Population"),
        Column("coverage", "Coverage of the list"),
        Column("definition", "Definition"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.inflation_indices",),
    needs=NEEDS_LISTS,
    alt=_indices_alt,
    charts={"change": _index_changes, "value": _index_values},
    switches=(
        Switch("side_by_side", "Show", "variant", options=(("change", "Change"), ("value", "Value"))),
        Switch(
            "indices",
            "Indices",
            "several",
            column="index_name",
            default="Ranks 11-50,Top 100,Above the common cut,Whole list",
        ),
    ),
    tooltip=("index_name", "list_date", "index_value", "change"),
    timeline=True,
    sort="-list_date",
    height=380,
)

PAGE = Page(
    name="inflation",
    section="Everyone",
    label="Inflation",
    title="Have ratings inflated?",
    lead=(
        "The same rank was worth ever more points until about 2012, and hardly more since. Whether "
        "the points or the "
        "players grew is argued to this day; here are the indices the argument uses, side by side."
    ),
    figures=(RANK_FIGURE, MEAN_FIGURE, INDEX_FIGURE),
    switches=(RATING_TYPE,),
    definitions=(
        ("Rating of a rank", "The rating of the player in that place when the list is sorted by rating."),
        ("Top 10, 50, 100", "Mean of the 10, 50, 100 highest ratings; a tie at the cut is not widened."),
        (
            "Ranks 11-50",
            (
                "Mean of the ratings in places 11 to 50, after Jeff Sonas and Rod Edwards: less moved by "
                "one outstanding player."
            ),
        ),
        (
            "Inflation",
            (
                "The same number standing for less strength than before. No index here measures strength;"
                " each says only how the numbers moved."
            ),
        ),
    ),
)
