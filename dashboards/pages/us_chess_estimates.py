"""The estimates of the page on FIDE and US Chess: by rating, pairs, over the years, samples, filters."""

import altair as alt
import polars as pl

from dashboards import charts, theme
from dashboards.page import Caption, Column, Figure, Switch

_BANDS_SQL = """
select
    question, estimator, population, period, band, rating, round(uscf_minus_fide_estimate, 1) as offset_points,
    round(ci_low, 1) as ci_low, round(ci_high, 1) as ci_high, quartile_low, quartile_high,
    round(range_low, 1) as range_low, round(range_high, 1) as range_high, sample_size, caveat,
    first_list as list_date
from marts.fide_uscf_offset_by_band
order by question, estimator, population, first_list, rating
"""

_YEARS_SQL = """
select
    population, estimator, list_date, 'standard' as rating_type, round(uscf_minus_fide_estimate, 1) as offset_points,
    round(ci_low, 1) as ci_low, round(ci_high, 1) as ci_high, sample_size, chain, caveat
from marts.fide_uscf_offset_by_year
order by population, estimator, list_date
"""

#: Pairs in squares of 50 points; no person can be told from it.
_PAIRS_SQL = """
select
    case when list_date < date '2024-03-01' then 'until February 2024' else 'from March 2024' end as scale,
    fide_rating // 50 * 50 as fide_low, uscf_rating // 50 * 50 as uscf_low, count(*)::integer as pairs,
    count(distinct person_id)::integer as persons,
    case when list_date < date '2024-03-01' then date '2024-02-01' else max(list_date) end as as_of
from marts.fide_uscf_pairs
where fide_rating is not null and uscf_rating is not null
group by scale, fide_low, uscf_low, list_date < date '2024-03-01'
order by scale, fide_low, uscf_low
"""

_SAMPLES_SQL = """
select
    origin, link_method, list_date, uscf_list_date, sample_size, round(uscf_minus_fide_estimate, 1) as offset_points,
    round(ci_low, 1) as ci_low, round(ci_high, 1) as ci_high, quartile_low, quartile_high, source_note
from marts.fide_uscf_samples
order by list_date desc, origin, link_method
"""

_FILTERS_SQL = """
select scale, origin, step, filter, meaning, removed, not_known, remaining
from marts.fide_uscf_pair_filters
order by scale, origin, source_key, step
"""

NEEDS_US = (
    "No US Chess ratings are held, so nothing is estimated here. Fetch the members with a FIDE number and their "
    "histories with `ratings fetch uscf`, or add a director file (`TARATSUP.DBF`, the golden database) or a file of "
    "ready pairs with `ratings add FILE...`; then run `ratings build`."
)
NEEDS_PAIRS = "Needs US Chess ratings: `ratings fetch uscf`, or `ratings add FILE...`, then `ratings build`."


def _bands(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base()
    x = alt.X("rating:Q", title="Rating", scale=alt.Scale(zero=False), axis=alt.Axis(format="d", tickCount=8))
    y = alt.Y("offset_points:Q", title="US Chess minus FIDE, points", axis=alt.Axis(format="+d", tickCount=6))
    order = ["structural", "projected_bands", "equipercentile", "typical_by_fide", "typical_by_uscf"]
    color = alt.Color("estimator:N", legend=None, scale=alt.Scale(domain=order, range=list(theme.SERIES)))
    zero = charts.base().mark_rule(color="@control", strokeDash=[3, 3]).encode(y=alt.datum(0))
    return alt.layer(
        zero,
        chart.mark_area(opacity=0.14).encode(x=x, y=alt.Y("ci_low:Q"), y2="ci_high:Q", color=color),
        chart.mark_line().encode(x=x, y=y, color=color),
        chart.mark_circle(size=46).encode(x=x, y=y, color=color),
        charts.end_labels(chart, "rating", "offset_points", "estimator", color, dated=False),
    )


def _bands_alt(frame: pl.DataFrame) -> str:
    rows = frame.filter(pl.col("estimator") == "structural").sort("rating")
    stated = ", ".join(f"{r} {o:+.0f}" for r, o in rows.select("rating", "offset_points").iter_rows())
    return f"Lines with bands of uncertainty: US Chess minus FIDE by rating. Structural estimate: {stated or 'none'}."


BANDS = Figure(
    name="bands",
    title="How far apart are the scales, and what is typical?",
    caption=Caption(
        what="Estimates with 95 percent intervals, by rating.",
        population="As switched; persons, not rows, are drawn again for the interval.",
        source="marts.fide_uscf_offset_by_band",
        coverage="Never pooled across March 2024.",
    ),
    sql=_BANDS_SQL,
    columns=(
        Column("rating", "Rating", "rating"),
        Column("offset_points", "US minus FIDE", "decimal"),
        Column("ci_low", "from", "decimal"),
        Column("ci_high", "to", "decimal"),
        Column("sample_size", "Persons", "integer"),
        Column("estimator", "Estimator"),
        Column("band", "Band"),
        Column("period", "Lists"),
        Column("population", "Whose pairs"),
        Column("range_low", "Other assumptions, from", "decimal"),
        Column("range_high", "to", "decimal"),
        Column("quartile_low", "Quartiles, from", "decimal"),
        Column("quartile_high", "to", "decimal"),
        Column("caveat", "Caveat"),
        Column("question", "Question", hidden=True),
        Column("list_date", "First list", "month", hidden=True),
    ),
    marts=("marts.fide_uscf_offset_by_band",),
    needs=NEEDS_US,
    alt=_bands_alt,
    charts={"": _bands},
    switches=(
        Switch(
            "question",
            "Question",
            column="question",
            options=(("same strength", "Same strength"), ("typical rating", "Typical rating")),
            default="same strength",
        ),
        Switch("whose", "Whose pairs", "select", column="population", default="usa"),
        Switch("period", "Lists", "select", column="period"),
    ),
    tooltip=("estimator", "rating", "offset_points", "ci_low", "ci_high", "sample_size", "period"),
    sort="rating",
)


def _pairs(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base().transform_calculate(fide_high="datum.fide_low + 50", uscf_high="datum.uscf_low + 50")
    corners: list[int] = frame["fide_low"].to_list() + frame["uscf_low"].to_list()
    low, high = min(corners), max(corners) + 50
    scale = alt.Scale(domain=[low, high], nice=False)
    x = alt.X("fide_low:Q", title="FIDE standard", scale=scale, axis=alt.Axis(format="d", tickCount=8))
    y = alt.Y("uscf_low:Q", title="US Chess regular", scale=scale, axis=alt.Axis(format="d"))
    color = alt.Color("pairs:Q", legend=None, scale=alt.Scale(type="log", range=list(theme.RAMP)))
    squares = chart.mark_rect().encode(x=x, x2="fide_high:Q", y=y, y2="uscf_high:Q", color=color)
    level = charts.base().mark_rule(color="@control", strokeDash=[3, 3]).encode(
        x=alt.datum(low), y=alt.datum(low), x2=alt.datum(high), y2=alt.datum(high)
    )  # fmt: skip
    return alt.layer(squares, level)


def _pairs_alt(frame: pl.DataFrame) -> str:
    return f"Squares of 50 points: {frame['pairs'].sum():,} pairs of a FIDE and a US Chess rating of the same person."


PAIRS = Figure(
    name="pairs",
    title="Which pairs of ratings do people have?",
    caption=Caption(
        what="Pairs of the same person in squares of 50 points; darker holds more (log scale). Dashed: equal ratings.",
        population="All pairs held, before any filter.",
        source="marts.fide_uscf_pairs",
    ),
    sql=_PAIRS_SQL,
    columns=(
        Column("fide_low", "FIDE from", "rating"),
        Column("uscf_low", "US Chess from", "rating"),
        Column("pairs", "Pairs", "integer"),
        Column("persons", "Persons", "integer"),
        Column("scale", "Lists"),
        Column("as_of", "As of", "month", hidden=True),
    ),
    marts=("marts.fide_uscf_pairs",),
    needs=NEEDS_PAIRS,
    alt=_pairs_alt,
    charts={"": _pairs},
    switches=(
        Switch(
            "scale",
            "Lists",
            column="scale",
            options=(("until February 2024", "Until February 2024"), ("from March 2024", "From March 2024")),
            default="from March 2024",
        ),
    ),
    tooltip=("fide_low", "uscf_low", "pairs", "persons"),
    sort="-pairs",
    height=460,
)


def _years(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    y = alt.Y("offset_points:Q", title="US Chess minus FIDE, points", axis=alt.Axis(format="+d", tickCount=6))
    color = alt.Color(
        "estimator:N", legend=None, scale=alt.Scale(domain=["chained", "cross_section"], range=["@c1", "@c5"])
    )
    series = ["estimator:N", "chain:N"]
    area = chart.mark_area(opacity=0.14).encode(x=x, y="ci_low:Q", y2="ci_high:Q", color=color, detail=series)
    lines = chart.mark_line(point=True).encode(x=x, y=y, color=color, detail=series)
    labels = charts.end_labels(chart, "when", "offset_points", "estimator", color)
    return charts.with_events(area + lines + charts.hover_points(chart, x, y, color) + labels)


def _years_alt(frame: pl.DataFrame) -> str:
    return f"Lines of US Chess minus FIDE over {frame['list_date'].n_unique()} years, chained and plain mean."


YEARS = Figure(
    name="years",
    title="Has the offset moved?",
    caption=Caption(
        what="Changes of the same persons from list to list, added up (chained), beside the plain mean of each list.",
        population="As switched; the chain starts anew in March 2024.",
        source="marts.fide_uscf_offset_by_year",
        coverage="The plain mean moves with who is on the list.",
    ),
    sql=_YEARS_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("estimator", "Estimator"),
        Column("offset_points", "US minus FIDE", "decimal"),
        Column("ci_low", "from", "decimal"),
        Column("ci_high", "to", "decimal"),
        Column("sample_size", "Persons", "integer"),
        Column("population", "Whose pairs"),
        Column("caveat", "Caveat"),
        Column("chain", "Chain", "rating", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.fide_uscf_offset_by_year",),
    needs=NEEDS_PAIRS,
    alt=_years_alt,
    charts={"": _years},
    switches=(Switch("years_of", "Whose pairs", "select", column="population", default="usa"),),
    tooltip=("estimator", "list_date", "offset_points", "ci_low", "ci_high", "sample_size"),
    timeline=True,
    sort="-list_date",
)

SAMPLES = Figure(
    name="samples",
    title="What do samples that others collected say?",
    caption=Caption(
        what="Median of US Chess minus FIDE over all pairs of each sample, as it stands.",
        population="Small and self-selected; the interval knows nothing of how the sample came about.",
        source="marts.fide_uscf_samples",
    ),
    sql=_SAMPLES_SQL,
    columns=(
        Column("list_date", "FIDE list", "month"),
        Column("uscf_list_date", "US list", "month"),
        Column("origin", "Sample"),
        Column("link_method", "Linked by"),
        Column("sample_size", "Pairs", "integer"),
        Column("offset_points", "Median offset", "decimal"),
        Column("ci_low", "from", "decimal"),
        Column("ci_high", "to", "decimal"),
        Column("quartile_low", "Quartiles, from", "decimal"),
        Column("quartile_high", "to", "decimal"),
        Column("source_note", "Note"),
    ),
    marts=("marts.fide_uscf_samples",),
    needs="No sample is held. Add a file of ready pairs with `ratings add FILE...`, then run `ratings build`.",
    table_open=True,
    sort="-list_date",
)

FILTERS = Figure(
    name="filters",
    title="Which pairs count, and which do not?",
    caption=Caption(
        what="The filters between all pairs and those an estimate is made of, in order.",
        population="Each source of pairs, each side of March 2024.",
        source="marts.fide_uscf_pair_filters",
    ),
    sql=_FILTERS_SQL,
    columns=(
        Column("step", "Step", "rating"),
        Column("meaning", "Filter"),
        Column("removed", "Removed", "integer"),
        Column("not_known", "Could not tell", "integer"),
        Column("remaining", "Left", "integer"),
        Column("scale", "Lists"),
        Column("origin", "Source of the pairs"),
        Column("filter", "Code", hidden=True),
    ),
    marts=("marts.fide_uscf_pair_filters",),
    needs=NEEDS_PAIRS,
    switches=(
        Switch("pairs_of", "Source of the pairs", "select", column="origin", all_label="All"),
        Switch("side", "Lists", "select", column="scale", all_label="All"),
    ),
    sort="step",
)
