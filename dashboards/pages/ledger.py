"""The ledger: figures that others published, computed again from the lists held, each with its verdict."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.page import Caption, Column, Figure, Page, Switch

_SQL = """
select
    figure_id, verdict, subject, replace(measure, '_', ' ') as measure, parameter, list_date, rating_type, population,
    published_value, computed_value, difference, tolerance, explanation, evidence, figure_source, figure_note,
    coverage, collection, file_name
from marts.published_figure_checks
order by figure_id
"""


def _verdicts(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base().transform_aggregate(figures="count()", groupby=["verdict"])
    y = alt.Y(
        "verdict:N",
        sort=alt.EncodingSortField("figures", op="max", order="descending"),
        title=None,
        axis=alt.Axis(labelColor="@ink", labelFontSize=13, labelLimit=220),
    )
    x = alt.X("figures:Q", axis=None)
    return alt.layer(
        chart.mark_bar(height=18).encode(x=x, y=y),
        chart.mark_text(align="left", dx=7).encode(x=x, y=y, text="figures:Q"),
    )


def _verdicts_height(frame: pl.DataFrame) -> int:
    return 30 + 30 * frame["verdict"].n_unique()


def _verdicts_alt(frame: pl.DataFrame) -> str:
    counts = frame.group_by("verdict").len().sort("len", descending=True)
    stated = ", ".join(f"{n} {verdict}" for verdict, n in counts.iter_rows())
    return f"Bars of the verdicts on {frame.height} published figures: {stated}."


CHECKS = Figure(
    name="checks",
    title="How many agree with the lists held?",
    caption=Caption(
        what="Each published figure, computed again from the lists held, with the verdict and its reason.",
        population="As each figure defines it; where it does not say, players not known to be inactive.",
        source="marts.published_figure_checks",
        coverage="From a top list only what stands above its last place is counted.",
    ),
    sql=_SQL,
    columns=(
        Column("figure_id", "Figure"),
        Column("verdict", "Verdict"),
        Column("subject", "About"),
        Column("measure", "Measure"),
        Column("parameter", "Of"),
        Column("list_date", "List", "month"),
        Column("published_value", "Published"),
        Column("computed_value", "Computed"),
        Column("explanation", "Why"),
        Column("evidence", "Evidence"),
        Column("figure_source", "Published by"),
        Column("figure_note", "Note"),
        Column("population", "Population"),
        Column("coverage", "Edition used"),
        Column("collection", "Collection"),
        Column("file_name", "File"),
        Column("difference", "Difference", "decimal", hidden=True),
        Column("tolerance", "Tolerance", "decimal", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.published_figure_checks",),
    needs="The ledger is not built. Run `ratings build`.",
    alt=_verdicts_alt,
    charts={"": _verdicts},
    switches=(
        Switch(
            "verdict",
            "Verdict",
            column="verdict",
            options=(
                ("agrees", "Agrees"),
                ("differs", "Differs"),
                ("cannot be computed", "Cannot be computed"),
            ),
            all_label="All",
        ),
        Switch("find", "Find", "search", columns=("figure_id", "subject", "measure", "figure_source", "explanation")),
    ),
    tooltip=("verdict",),
    table_open=True,
    sort="figure_id",
    height=_verdicts_height,
)

PAGE = Page(
    name="ledger",
    section="Sources",
    label="Published figures",
    title="Do the figures that were published hold?",
    lead=(
        "Counts, means and firsts that newspapers, FIDE and researchers have published, each computed again from the "
        "lists. Where one does not hold, the reason and the evidence stand beside it."
    ),
    figures=(CHECKS,),
    definitions=(
        ("Agrees", "The lists held give the same number, within the tolerance stated for it; dates, the same list."),
        ("Differs", "The lists held give another number; the reason names its evidence."),
        (
            "Cannot be computed",
            "The list, or the kind of list, that it needs is not held. Add list files with `ratings add FILE...`, then "
            "run `ratings build`.",
        ),
    ),
)
