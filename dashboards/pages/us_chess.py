"""FIDE against US Chess: two questions told apart, estimates with intervals, published formulas, a converter."""

from pathlib import Path
from typing import Any

import altair as alt
import duckdb
import polars as pl

from dashboards import charts, theme
from dashboards.page import Caption, Column, Figure, Page, Switch

_STATEMENTS_SQL = """
select
    figure_id, subject, case measure when 'rating_pair' then 'both ratings of a player' else 'US Chess minus FIDE' end
        as stated, published_value, computed_value, verdict, explanation, evidence, figure_note, figure_source
from marts.published_figure_checks
where measure in ('rating_pair', 'offset_uscf_minus_fide')
order by figure_id
"""

_FORMULAS_SQL = """
select
    case conversion
        when 'init-2005' then 'First rating 2005' when 'init-2008b' then 'First rating 2008'
        when 'init-2017' then 'First rating 2017' when 'init-2024' then 'First rating 2024'
        when 'youth-2020' then 'Youth events 2020' when 'youth-2024' then 'Youth events 2024'
        when 'cca-2018' then 'CCA 2018' when 'cca-2024' then 'CCA 2024' when 'vegas' then 'Vegas festival'
        when 'rulebook-avg' then 'Rulebook, average' when 'rulebook-lin' then 'Rulebook, line'
        when 'rulebook-100' then 'Rulebook, cautious' else conversion
    end as formula,
    conversion, issuer, scope, rating, result, difference_points, from_system || ' to ' || to_system as direction,
    case when valid_until is null and (valid_from is not null or remark = 'undated') then 'now' else 'earlier' end
        as held,
    valid_from, valid_until, counts_as_games, remark, conversion_source
from marts.rating_conversions
where kind = 'published' and 'USCF' in (from_system, to_system) and 'FIDE' in (from_system, to_system)
order by conversion, rating
"""

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
NEEDS_CATALOGUE = "The published conversions are not loaded. Run `ratings build`."

_FORMULA_COLUMNS = (
    Column("rating", "Rating", "rating"),
    Column("direction", "From, to"),
    Column("formula", "Formula"),
    Column("result", "Becomes", "decimal"),
    Column("difference_points", "Difference", "decimal"),
    Column("issuer", "Published by"),
    Column("scope", "Meant for"),
    Column("valid_from", "From", "month"),
    Column("valid_until", "Until", "month"),
    Column("counts_as_games", "Counts as games", "integer"),
    Column("conversion_source", "Source"),
    Column("held", "Held", hidden=True),
    Column("remark", "Remark", hidden=True),
    Column("conversion", "Code", hidden=True),
)


def _formulas(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base().transform_filter("datum.direction === 'FIDE to USCF'")
    x = alt.X(
        "rating:Q", title="FIDE rating", scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(format="d", tickCount=8)
    )
    y = alt.Y("difference_points:Q", title="Points added to the FIDE rating", axis=alt.Axis(format="+d", tickCount=6))
    zero = charts.base().mark_rule(color="@control", strokeDash=[3, 3]).encode(y=alt.datum(0))
    color = alt.condition("datum.issuer === 'US Chess'", alt.value("@c1"), alt.value("@c2"))
    lines = chart.mark_line().encode(x=x, y=y, detail="formula:N", color=color)
    nearest = alt.selection_point(
        name="hover", nearest=True, on="pointerover", clear="pointerout", fields=["rating"], empty=False
    )
    points = (
        chart.mark_circle(size=60)
        .encode(x=x, y=y, color=color, opacity=alt.condition(nearest, alt.value(1), alt.value(0)))
        .add_params(nearest)
    )
    labels = charts.end_labels(chart, "rating", "difference_points", "formula", dated=False)
    return alt.layer(zero, lines, points, labels)


def _formulas_alt(frame: pl.DataFrame) -> str:
    rows = frame.filter(pl.col("rating") == 2000, pl.col("direction") == "FIDE to USCF", pl.col("held") == "now")
    stated = ", ".join(f"{name} {n:+g}" for name, n in rows.select("formula", "difference_points").iter_rows())
    return f"Lines of the points that published formulas add to a FIDE rating. At 2000, in force now: {stated}."


FORMULAS = Figure(
    name="formulas",
    title="What do published formulas say?",
    caption=Caption(
        what="Points each formula adds to a FIDE rating. Blue: US Chess itself; brown: organisers.",
        population="A formula answers what its author meant it for: a first rating, a pairing, a prize limit.",
        source="marts.rating_conversions",
    ),
    sql=_FORMULAS_SQL,
    columns=_FORMULA_COLUMNS,
    marts=("marts.rating_conversions",),
    needs=NEEDS_CATALOGUE,
    alt=_formulas_alt,
    charts={"": _formulas},
    switches=(
        Switch("held", "In force", column="held", options=(("now", "Now"), ("earlier", "Earlier")), default="now"),
        Switch("at", "Rating", "select", column="rating", all_label="All ratings"),
    ),
    tooltip=("formula", "rating", "result", "difference_points", "issuer", "scope", "valid_from", "valid_until"),
    sort="rating",
    height=420,
)

STATEMENTS = Figure(
    name="statements",
    title="Is it “about 100 points”?",
    caption=Caption(
        what=(
            "What is often repeated, with what this database says to it: the published conversions where no US Chess "
            "ratings are held."
        ),
        population="Statements on US Chess against FIDE ratings.",
        source="marts.published_figure_checks",
    ),
    sql=_STATEMENTS_SQL,
    columns=(
        Column("subject", "About"),
        Column("stated", "What is stated"),
        Column("published_value", "Published"),
        Column("computed_value", "Computed"),
        Column("verdict", "Verdict"),
        Column("explanation", "Why"),
        Column("evidence", "Evidence"),
        Column("figure_note", "In words"),
        Column("figure_source", "Source"),
        Column("figure_id", "Figure", hidden=True),
    ),
    marts=("marts.published_figure_checks",),
    needs="The ledger is not built. Run `ratings build`.",
    table_open=True,
    sort="figure_id",
    more=("ledger.html", "The whole ledger of published figures"),
)


def _bands(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base()
    x = alt.X("rating:Q", title="Rating", scale=alt.Scale(zero=False), axis=alt.Axis(format="d"))
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
    low = min(frame["fide_low"].min(), frame["uscf_low"].min())
    high = max(frame["fide_low"].max(), frame["uscf_low"].max()) + 50
    scale = alt.Scale(domain=[low, high], nice=False)
    x = alt.X("fide_low:Q", title="FIDE standard", scale=scale, axis=alt.Axis(format="d"))
    y = alt.Y("uscf_low:Q", title="US Chess regular", scale=scale, axis=alt.Axis(format="d"))
    color = alt.Color("pairs:Q", title="Pairs", scale=alt.Scale(type="log", range=list(theme.RAMP)))
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

_PIECES_SQL = """
select
    rule_id, from_system, to_system, issuer, scope, from_min, from_max, intercept, slope,
    strftime(valid_from, '%Y-%m-%d') as valid_from, strftime(valid_until, '%Y-%m-%d') as valid_until
from catalogue.published_conversions
where 'USCF' in (from_system, to_system) and 'FIDE' in (from_system, to_system)
order by rule_id, from_min nulls first
"""

_ESTIMATES_SQL = """
select
    question, conversion, from_system, to_system, population, period, rating, result, ci_low, ci_high, sample_size
from marts.rating_conversions
where kind = 'estimate' and population in ('usa', 'usa_active', 'collected')
    and conversion in ('structural', 'typical_by_fide', 'typical_by_uscf')
order by question, conversion, population, period, rating
"""


def _context(connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, Any]:
    try:
        pieces = connection.sql(_PIECES_SQL).pl().to_dicts()
        estimates = connection.sql(_ESTIMATES_SQL).pl().to_dicts()
    except duckdb.CatalogException:
        return {"conversions": None}
    return {"conversions": {"pieces": pieces, "estimates": estimates}}


PAGE = Page(
    name="us_chess",
    section="Groups",
    label="FIDE and US Chess",
    title="What is a FIDE rating in US Chess points?",
    lead=(
        "There are two questions, and they have different answers. How far apart are the two scales for a player of "
        "the same strength? And which US rating do players with a given FIDE rating typically have? Both changed in "
        "March 2024, and neither is one number."
    ),
    figures=(FORMULAS, STATEMENTS, BANDS, PAIRS, YEARS, SAMPLES, FILTERS),
    definitions=(
        (
            "Same strength",
            "How far apart the scales are: the US rating that stands for the same strength as a FIDE rating. "
            "Estimators: `structural` (a bent line, both ratings taken to have errors), `projected_bands` (bands along "
            "that line), `equipercentile` (equal ranks among the same persons).",
        ),
        (
            "Typical rating",
            "What the players of a band have on the other list: `typical_by_fide`, `typical_by_uscf`. Luck and "
            "selection belong to it, so the two directions do not mirror each other, and neither is the distance "
            "of the scales.",
        ),
        ("Offset", "US Chess regular minus FIDE standard, in points."),
        (
            "March 2024",
            "FIDE lifted all ratings below 2000, and US Chess changed its formula to undo that. Nothing here pools "
            "lists of both sides.",
        ),
        (
            "Circular",
            "US Chess starts newcomers at the converted FIDE rating, so pairs of such players repeat the formula.",
        ),
    ),
    template="us_chess.html.j2",
    context=_context,
)
