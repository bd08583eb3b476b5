"""Coverage and anomalies: what is held of every list ever published, what is wrong with it, which rules held when."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.page import RATING_TYPE, Caption, Column, Figure, Page, Switch

_LISTS_SQL = """
select
    rating_type, list_date, year(list_date)::integer as list_year, month(list_date)::integer as list_month,
    status, coalesce(coverage, 'missing') as coverage, collection, layout, file_name,
    rows_read, rows_kept, rows_rejected, anomaly_count, anomalies
from marts.list_coverage
where publisher = 'fide' and official
order by rating_type, list_date
"""

_ANOMALIES_SQL = """
select list_date, rating_type, short_label, description, affects, source
from catalogue.known_anomalies
order by list_date, code
"""

_RULES_SQL = """
select rule_date, publisher, rating_type, kind, value, short_label, description, certainty, source
from catalogue.rule_changes
order by rule_date, publisher, rating_type, kind
"""

#: Coverage of a list and its colour, fullest first.
COVERAGES = {"complete": "@s7", "top": "@s4", "extract": "@s5", "supplement": "@s3", "missing": "@paper"}


def calendar(frame: pl.DataFrame) -> charts.Drawing:
    """A year a column, a month a row: what is held of each official list."""
    shown = {name: token for name, token in COVERAGES.items() if name in frame["coverage"]}
    # A list that is not held is an outline only.
    outline = alt.condition("datum.coverage === 'missing'", alt.value("@control"), alt.value("@paper"))
    color = alt.Fill(
        "coverage:N",
        title=None,
        scale=alt.Scale(domain=list(shown), range=list(shown.values())),
        legend=alt.Legend(
            orient="top", direction="horizontal", symbolType="square", symbolSize=110, symbolStrokeWidth=1,
            symbolStrokeColor="@control", offset=2,
        ),
    )  # fmt: skip
    x = alt.X(
        "list_year:O",
        title=None,
        axis=alt.Axis(
            labelAngle=0, labelOverlap=True, labelExpr="datum.value % 5 == 0 ? datum.value : ''", ticks=False
        ),
        scale=alt.Scale(paddingInner=0.18),
    )
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    y = alt.Y(
        "list_month:O",
        title=None,
        scale=alt.Scale(domain=list(range(1, 13)), paddingInner=0.18),
        axis=alt.Axis(labelExpr=f"{months}[datum.value - 1]", ticks=False),
    )
    cells = charts.base().mark_rect(strokeWidth=0.75, cornerRadius=1).encode(x=x, y=y, fill=color, stroke=outline)
    marked = (
        charts.base()
        .transform_filter("datum.anomaly_count > 0")
        .mark_point(shape="diamond", size=16, color="@mark", filled=True, opacity=1)
        .encode(x=x, y=y)
    )
    return alt.layer(cells, marked)


def _calendar_alt(frame: pl.DataFrame) -> str:
    counts = frame.group_by("coverage").len().sort("len", descending=True)
    stated = ", ".join(f"{n} {coverage}" for coverage, n in counts.iter_rows())
    return f"Calendar of {frame.height} official lists of all rating types, a year a column: {stated}."


CALENDAR = Figure(
    name="calendar",
    title="Which lists are held?",
    caption=Caption(
        what=(
            "Each square is an official list; months without a square had none. A diamond marks a list "
            "with known anomalies."
        ),
        population="All lists of the publication calendar.",
        source="marts.list_coverage",
    ),
    sql=_LISTS_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("status", "Status"),
        Column("coverage", "Coverage"),
        Column("collection", "Collection"),
        Column("file_name", "File"),
        Column("layout", "Layout"),
        Column("rows_read", "Rows read", "integer"),
        Column("rows_kept", "Kept", "integer"),
        Column("rows_rejected", "Rejected", "integer"),
        Column("anomaly_count", "Anomalies", "integer"),
        Column("anomalies", "Which", hidden=True),
        Column("list_year", "Year", "year", hidden=True),
        Column("list_month", "Month", "rating", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.list_coverage",),
    needs="The calendar is not loaded. Run `ratings build`.",
    alt=_calendar_alt,
    charts={"": calendar},
    switches=(
        Switch(
            "status",
            "Status",
            column="status",
            options=(("held", "Held"), ("revised", "Revised"), ("missing", "Missing")),
            all_label="All",
            default="",
        ),
    ),
    tooltip=("list_date", "coverage", "collection", "file_name", "rows_kept", "rows_rejected", "anomalies"),
    table_open=True,
    sort="-list_date",
    height=300,
)

ANOMALIES = Figure(
    name="anomalies",
    title="What is known to be wrong with them?",
    caption=Caption(
        what=(
            "Facts about the lists themselves, whichever file they are read from; drawn as diamonds on every time axis."
        ),
        population="All rating types.",
        source="catalogue.known_anomalies",
    ),
    sql=_ANOMALIES_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("short_label", "Anomaly"),
        Column("description", "What happened"),
        Column("affects", "Affects"),
        Column("rating_type", "Rating type"),
        Column("source", "Source", hidden=True),
    ),
    marts=("catalogue.known_anomalies",),
    needs="The catalogue is not loaded. Run `ratings build`.",
    table_open=True,
    sort="list_date",
)

RULES = Figure(
    name="rules",
    title="Which rules held when?",
    caption=Caption(
        what="What changed for whom on which day; drawn as lines on every time axis.",
        population="FIDE and US Chess.",
        source="catalogue.rule_changes",
    ),
    sql=_RULES_SQL,
    columns=(
        Column("rule_date", "From", "month"),
        Column("short_label", "Rule"),
        Column("description", "In words"),
        Column("publisher", "Publisher"),
        Column("certainty", "Certainty"),
        Column("rating_type", "Rating type", hidden=True),
        Column("kind", "Kind", hidden=True),
        Column("value", "Value", hidden=True),
        Column("source", "Source", hidden=True),
    ),
    marts=("catalogue.rule_changes",),
    needs="The catalogue is not loaded. Run `ratings build`.",
    sort="rule_date",
)

PAGE = Page(
    name="coverage",
    section="Sources",
    label="Coverage and anomalies",
    title="What does all this stand on?",
    lead=(
        "Every official list since 1971: whether it is held, from which file, how many rows were read and"
        " kept, and what is known to be odd about it."
    ),
    figures=(CALENDAR, ANOMALIES, RULES),
    switches=(RATING_TYPE,),
    definitions=(
        ("Complete", "Everybody the publisher listed."),
        ("Top", "The first hundred or so of the list; nobody below is known."),
        ("Missing", "Published, but not held. Add the file with `ratings add FILE...`, then run `ratings build`."),
        ("Revised", "Held in more than one edition that the publisher itself gave out; the later one counts."),
        (
            "Rejected",
            (
                "Lines that could not be read. They are kept with their text and the reason; rows read = "
                "kept + rejected + duplicates."
            ),
        ),
    ),
)
