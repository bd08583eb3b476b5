"""What charts share: named data, the time axis, direct labels, points that answer the pointer, marks of rules and
anomalies. No chart of a page.

What every second chart has is put together from Altair's classes: from short forms (``alt.value``, ``alt.condition``)
Altair has to find out the class, which takes milliseconds each time.

Charts name their data and hold none; the page puts in the rows that the switches leave. List dates are ISO text and
are read as UTC, so that a month never moves with the reader's time zone.
"""

from typing import Any

import altair as alt

Drawing = alt.Chart | alt.LayerChart | alt.FacetChart

ROWS = alt.NamedData("rows")


def base() -> alt.Chart:
    """A chart of the figure's rows."""
    return alt.Chart(ROWS)


def dated(field: str = "list_date") -> alt.Chart:
    """A chart of the figure's rows with ``when``: the list date as a point in time."""
    return base().transform_calculate(when=f"toDate(datum.{field})")


def _window(into: str, **settings: str) -> alt.WindowFieldDef:
    """A value over the rows of a window, as the new field ``into``."""
    named: dict[str, Any] = {**settings, "as": into}
    return alt.WindowFieldDef(**named)


def placed(chart: alt.Chart, value: str, then: str) -> alt.Chart:
    """``chart`` with ``place``: 1 for the highest ``value``; equal values in the order of ``then``."""
    order: list[alt.SortField | dict[str, str]] = [alt.SortField(value, "descending"), alt.SortField(then, "ascending")]
    window = _window(op="row_number", into="place")
    return chart.transform_window(window=[window], sort=order)


def in_pieces(chart: alt.Chart, *series: str, years: int = 3) -> alt.Chart:
    """``chart`` (of dated rows) with ``piece``: counts up in each series where more than ``years`` have no row.

    A line with ``detail="piece:N"`` does not claim what happened while no list is held.
    """
    order: list[alt.SortField | dict[str, str]] = [alt.SortField("list_date", "ascending")]
    pieces: alt.Chart = (
        chart.transform_window(
            window=[_window(op="lag", field="when", into="before")],
            sort=order,
            groupby=list(series),
        )
        .transform_calculate(
            opens=f"isValid(datum.before) && datum.when - datum.before > {years} * 31557600000 ? 1 : 0"
        )
        .transform_window(
            window=[_window(op="sum", field="opens", into="piece")],
            frame=[None, 0],
            sort=order,
            groupby=list(series),
        )
    )
    return pieces


def time_axis(field: str = "when", **axis: Any) -> alt.X:
    """Time from left to right, in UTC, years as labels."""
    return alt.X(f"{field}:T", title=None, scale=alt.Scale(type="utc"), axis=alt.Axis(tickCount=10, **axis))


def rating_axis(field: str, title: str | None = "Rating", **scale: Any) -> alt.Y:
    """Ratings upwards, not from zero, without thousands separators."""
    return alt.Y(
        f"{field}:Q",
        title=title,
        scale=alt.Scale(zero=False, nice=True, **scale),
        axis=alt.Axis(format="d", tickCount=6),
    )


def hover_points(chart: alt.Chart, x: alt.X, y: alt.Y, color: Any = alt.Undefined) -> alt.Chart:
    """Points that appear under the pointer: the nearest row answers, the page shows its values."""
    nearest = alt.selection_point(
        name="hover", nearest=True, on="pointerover", clear="pointerout", fields=["list_date"], empty=False
    )
    shown = alt.OpacityValue(0, condition={"param": "hover", "empty": False, "value": 1})
    encoding: dict[str, Any] = {"x": x, "y": y, "opacity": shown}
    if color is not alt.Undefined:
        encoding["color"] = color
    points: alt.Chart = chart.mark_circle(size=60).encode(**encoding).add_params(nearest)
    return points


def end_labels(
    chart: alt.Chart, x: str, y: str, label: str, color: Any = alt.Undefined, *, group: str = "", dated: bool = True
) -> alt.Chart:
    """The ``label`` of each series beside its last point, instead of a legend; ``group`` tells series apart."""
    encoding: dict[str, Any] = {
        "x": alt.X(x, aggregate="max", type="temporal" if dated else "quantitative"),
        "y": alt.Y(y, aggregate=alt.ArgmaxDef(argmax=x), type="quantitative"),
        "text": alt.Text(f"{label}:N"),
        "detail": alt.Detail(f"{group or label}:N"),
    }
    if color is not alt.Undefined:
        encoding["color"] = color
    labels: alt.Chart = chart.mark_text(align="left", dx=7, baseline="middle").encode(**encoding)
    return labels


def with_events(chart: Drawing) -> Drawing:
    """``chart`` with the marks of rule changes (line, triangle above) and of known anomalies (diamond above)."""
    top = alt.YValue(0)  # type: ignore[no-untyped-call]
    when = alt.X("event_when:T", title=None, scale=alt.Scale(type="utc"))
    rules = alt.Chart(alt.NamedData("rules")).transform_calculate(event_when="toDate(datum.event_date)")
    anomalies = alt.Chart(alt.NamedData("anomalies")).transform_calculate(event_when="toDate(datum.event_date)")
    return alt.layer(
        rules.mark_rule(color="@line", strokeWidth=1).encode(x=when),
        chart,
        rules.mark_point(shape="triangle-down", color="@mark", size=55, opacity=1, yOffset=-7).encode(x=when, y=top),
        anomalies.mark_point(
            shape="diamond", color="@muted", filled=False, size=40, opacity=1, strokeWidth=1.25, yOffset=-18
        ).encode(x=when, y=top),
    )
