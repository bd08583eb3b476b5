"""FIDE against US Chess: two questions told apart, estimates with intervals, published formulas, a converter."""

from pathlib import Path
from typing import Any

import altair as alt
import duckdb
import polars as pl

from dashboards import charts
from dashboards.page import Caption, Column, Figure, Page, Switch
from dashboards.pages.us_chess_estimates import BANDS, FILTERS, PAIRS, SAMPLES, YEARS

#: Published rules by the names people know them by.
_FORMULA_NAME = """case {code}
        when 'init-2005' then 'First rating 2005' when 'init-2008b' then 'First rating 2008'
        when 'init-2017' then 'First rating 2017' when 'init-2024' then 'First rating 2024'
        when 'youth-2020' then 'Youth events 2020' when 'youth-2024' then 'Youth events 2024'
        when 'cca-2018' then 'CCA 2018' when 'cca-2024' then 'CCA 2024' when 'vegas' then 'Vegas festival'
        when 'rulebook-avg' then 'Rulebook, average' when 'rulebook-lin' then 'Rulebook, line'
        when 'rulebook-100' then 'Rulebook, cautious'
        when 'dojo-2024' then 'ChessDojo 2024' when 'dojo-2024-back' then 'ChessDojo 2024, read back'
        when 'chessgoals-2024' then 'ChessGoals 2024' when 'chessgoals-2024-back' then 'ChessGoals 2024, read back'
        else {code}
    end"""

_STATEMENTS_SQL = """
select
    figure_id, subject, case measure when 'rating_pair' then 'both ratings of a player' else 'US Chess minus FIDE' end
        as stated, published_value, computed_value, verdict, explanation, evidence, figure_note, figure_source
from marts.published_figure_checks
where measure in ('rating_pair', 'offset_uscf_minus_fide')
order by figure_id
"""

_FORMULAS_SQL = f"""
select
    {_FORMULA_NAME.format(code="conversion")} as formula,
    conversion, issuer, scope, rating, result, difference_points, from_system || ' to ' || to_system as direction,
    case when valid_until is null and (valid_from is not null or remark = 'undated') then 'now' else 'earlier' end
        as held,
    valid_from, valid_until, counts_as_games, remark, conversion_source
from marts.rating_conversions
where kind = 'published' and 'USCF' in (from_system, to_system) and 'FIDE' in (from_system, to_system)
order by conversion, rating
"""

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


_PIECES_SQL = f"""
select
    {_FORMULA_NAME.format(code="rule_id")} as formula,
    rule_id, from_system, to_system, issuer, scope, from_min, from_max,
    intercept::double as intercept, slope::double as slope,
    strftime(valid_from, '%Y-%m-%d') as valid_from, strftime(valid_until, '%Y-%m-%d') as valid_until
from catalogue.published_conversions
where 'USCF' in (from_system, to_system) and 'FIDE' in (from_system, to_system)
order by rule_id, from_min nulls first
"""

_ESTIMATES_SQL = """
select
    question, conversion, from_system, to_system, population, period, rating,
    result::double as result, ci_low::double as ci_low, ci_high::double as ci_high, sample_size
from marts.rating_conversions
where kind = 'estimate' and population in ('usa', 'usa_active', 'collected')
    and conversion in ('structural', 'typical_by_fide', 'typical_by_uscf')
order by question, conversion, population, period, rating
"""


def _context(connection: duckdb.DuckDBPyConnection, folder: Path, previous: Path) -> dict[str, Any]:
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
