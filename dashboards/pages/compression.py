"""The one-off increase of March 2024: what the rule gives to each rating, and what the lists show."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.page import Caption, Column, Figure, Page, Switch

_RULE_SQL = """
select rating, result, difference_points, valid_from as list_date
from marts.rating_conversions
where conversion = 'fide-2024'
order by rating
"""

_BANDS_SQL = """
select
    band_low || '-' || (band_low + 99) as band, band_low, band_low + 50 as band_middle, before_count, after_count,
    left_count, round(mean_before, 1) as mean_before, round(mean_after, 1) as mean_after,
    round(mean_by_rule, 1) as mean_by_rule, round(mean_change, 1) as mean_change,
    round(mean_by_rule - mean_before, 1) as change_by_rule, by_rule_count, before_list_date, after_list_date as as_of
from marts.compression_2024
order by band_low
"""

NEEDS_BOTH = (
    "Needs the complete standard lists of both sides of 1 March 2024, for example February and March 2024. Fetch them "
    "with `ratings fetch fide --from 2024-02 --to 2024-03` or add the files with `ratings add FILE...`, then run "
    "`ratings build`."
)


def _rule(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base()
    x = alt.X(
        "rating:Q",
        title="Rating before",
        scale=alt.Scale(zero=False, nice=False),
        axis=alt.Axis(format="d", tickCount=8),
    )
    y = alt.Y("difference_points:Q", title="Points added", axis=alt.Axis(format="+d", tickCount=6))
    named = chart.transform_filter("datum.rating % 200 === 0").transform_calculate(
        label="datum.rating + ' becomes ' + datum.result"
    )
    return alt.layer(
        chart.mark_line().encode(x=x, y=y),
        named.mark_circle(size=50).encode(x=x, y=y),
        named.mark_text(align="left", dx=8, dy=-8).encode(x=x, y=y, text="label:N"),
    )


def _rule_alt(frame: pl.DataFrame) -> str:
    first, last = frame.row(0, named=True), frame.row(-1, named=True)
    return (
        f"Line of the points the rule added: {first['difference_points']:g} at {first['rating']}, down to "
        f"{last['difference_points']:g} at {last['rating']}, none from 2000."
    )


RULE = Figure(
    name="rule",
    title="What did the rule give?",
    caption=Caption(
        what="Points added on 1 March 2024 by the rule: new = old + 0.40 (2000 - old), below 2000.",
        population="Standard ratings.",
        source="marts.rating_conversions",
    ),
    sql=_RULE_SQL,
    columns=(
        Column("rating", "Before", "rating"),
        Column("result", "After", "rating"),
        Column("difference_points", "Points", "signed"),
        Column("list_date", "List", "month", hidden=True),
    ),
    marts=("marts.rating_conversions",),
    needs="The published conversions are not loaded. Run `ratings build`.",
    alt=_rule_alt,
    charts={"": _rule},
    tooltip=("rating", "result", "difference_points"),
    sort="rating",
    height=300,
)


def _bands_axis(field: str = "band_middle") -> alt.X:
    return alt.X(
        f"{field}:Q", title="Rating before", scale=alt.Scale(zero=False), axis=alt.Axis(format="d", tickCount=8)
    )


def _change(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base()
    x = _bands_axis()
    y = alt.Y("change:Q", title="Mean change, points", axis=alt.Axis(format="+d", tickCount=6))
    both = chart.transform_fold(["mean_change", "change_by_rule"], as_=["kind", "change"]).transform_calculate(
        name="datum.kind === 'mean_change' ? 'Observed' : 'By the rule'"
    )
    color = alt.Color("name:N", legend=None, scale=alt.Scale(domain=["Observed", "By the rule"], range=["@c1", "@c2"]))
    lowest: int = frame["band_low"].to_list()[0]
    named = both.transform_filter(f"datum.band_low === {lowest}")
    return alt.layer(
        both.mark_line(point=True).encode(x=x, y=y, color=color),
        named.mark_text(align="left", dx=10, dy=-6).encode(x=x, y=y, color=color, text="name:N"),
    )


def _before_after(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base()
    y = alt.Y("band:N", sort=alt.EncodingSortField("band_low", op="max", order="descending"), title=None,
              axis=alt.Axis(labelColor="@ink"))  # fmt: skip
    x = alt.X("mean_before:Q", title="Mean rating before and after", scale=alt.Scale(zero=False),
              axis=alt.Axis(format="d", grid=True))  # fmt: skip
    return alt.layer(
        chart.mark_rule(color="@c4", strokeWidth=2).encode(y=y, x=x, x2="mean_after:Q"),
        chart.mark_circle(size=48, color="@s4").encode(y=y, x=x),
        chart.mark_circle(size=60, color="@c1").encode(y=y, x=alt.X("mean_after:Q")),
    )


def _bands_alt(frame: pl.DataFrame) -> str:
    low, high = frame.row(0, named=True), frame.row(-1, named=True)
    return (
        f"Mean change by band of the rating before, beside the change by the rule: {low['mean_change']:+.0f} in "
        f"{low['band']}, {high['mean_change']:+.0f} in {high['band']}."
    )


BANDS = Figure(
    name="bands",
    title="What do the lists show?",
    caption=Caption(
        what="Players of each band on the last list before and the first one since; the rule beside what happened.",
        population="All players on both lists, inactive ones included.",
        source="marts.compression_2024",
        coverage="Who played between the lists changed by more than the rule.",
    ),
    sql=_BANDS_SQL,
    columns=(
        Column("band", "Rating before"),
        Column("before_count", "Players before", "integer"),
        Column("after_count", "On both lists", "integer"),
        Column("left_count", "Gone", "integer"),
        Column("mean_before", "Mean before", "decimal"),
        Column("mean_after", "Mean after", "decimal"),
        Column("mean_by_rule", "By the rule", "decimal"),
        Column("mean_change", "Change", "decimal"),
        Column("change_by_rule", "Change by the rule", "decimal"),
        Column("by_rule_count", "Within a point of it", "integer"),
        Column("before_list_date", "List before", "month"),
        Column("as_of", "List since", "month"),
        Column("band_low", "From", "rating", hidden=True),
        Column("band_middle", "Middle", "rating", hidden=True),
    ),
    marts=("marts.compression_2024",),
    needs=NEEDS_BOTH,
    alt=_bands_alt,
    charts={"change": _change, "levels": _before_after},
    switches=(
        Switch("compression", "Show", "variant", options=(("change", "Change"), ("levels", "Before and after"))),
    ),
    tooltip=("band", "mean_before", "mean_after", "mean_change", "change_by_rule", "after_count"),
    sort="band_low",
    height=440,
)

PAGE = Page(
    name="compression",
    section="Everyone",
    label="March 2024",
    title="What did March 2024 do to ratings?",
    lead=(
        "On 1 March 2024 FIDE lifted every standard rating below 2000, most at the bottom, and set the floor to 1400. "
        "No series should be drawn across that day without saying so."
    ),
    figures=(RULE, BANDS),
    definitions=(
        ("The rule", "Below 2000, new = old + 0.40 (2000 - old): 1000 becomes 1400, 1500 becomes 1700, 2000 stays."),
        ("Within a point of it", "Players whose rating since is the rule's to a point; most others played meanwhile."),
        ("Gone", "On the list before, not on the one since."),
    ),
)
