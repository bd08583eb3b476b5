"""Players of federations: how many stand in the top 100, who changes federation; lines of federations compared."""

import altair as alt
import polars as pl

from dashboards import charts, theme
from dashboards.encode import span
from dashboards.page import NEEDS_LISTS, Caption, Column, Figure, Switch

_TOP_100_SQL = """
select
    rating_type, list_date, federation, count(*)::integer as player_count, min(world_rank) as best_world_rank,
    (count(*) filter (where world_rank <= 10))::integer as in_top_10
from marts.top_list
where publisher = 'fide' and federation is not null
group by rating_type, list_date, federation
order by rating_type, list_date, federation
"""

_FLOWS_SQL = """
select
    rating_type, list_date, from_federation, to_federation, flow_kind, player_count, titled_count,
    round(mean_rating) as mean_rating, max_rating, earliest_previous_list_date
from marts.federation_flows
where publisher = 'fide'
order by rating_type, list_date, from_federation, to_federation, flow_kind
"""


def compared(y: alt.Y) -> charts.Drawing:
    """A line for each federation compared."""
    chart = charts.dated()
    x = charts.time_axis()
    color = alt.Color("federation:N", legend=None, scale=alt.Scale(range=list(theme.SERIES)))
    lines = (
        charts.in_pieces(chart, "federation").mark_line().encode(x=x, y=y, color=color, detail=alt.Detail("piece:N"))
    )
    labels = charts.end_labels(chart, "when", y.shorthand.split(":")[0], "federation", color)
    return charts.with_events(lines + charts.hover_points(chart, x, y, color) + labels)


def count_axis(column: str, title: str) -> alt.Y:
    """Players upwards from zero."""
    return alt.Y(f"{column}:Q", title=title, axis=alt.Axis(format=",d", tickCount=6))


def compared_alt(frame: pl.DataFrame) -> str:
    """What a chart of compared federations shows."""
    count = frame["federation"].n_unique()
    return f"Lines of the federations chosen through time, out of {count} federations; {span(frame)}."


def _top_100(frame: pl.DataFrame) -> charts.Drawing:
    return compared(count_axis("player_count", "Players among the first hundred"))


TOP_100 = Figure(
    name="top_100",
    title="Whose players stand in the top 100?",
    caption=Caption(
        what="Players of each federation among the first hundred of the list, ties at the last place kept.",
        population="Players not known to be inactive.",
        source="marts.top_list",
        coverage="The lists of 1971 to 1998 that are bundled carry codes filled in later.",
    ),
    sql=_TOP_100_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("federation", "Federation"),
        Column("player_count", "In the top 100", "integer"),
        Column("in_top_10", "In the top 10", "integer"),
        Column("best_world_rank", "Best rank", "rating"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.top_list",),
    needs=NEEDS_LISTS,
    alt=compared_alt,
    charts={"": _top_100},
    tooltip=("federation", "list_date", "player_count", "in_top_10", "best_world_rank"),
    timeline=True,
    sort="-list_date",
)


def _flow_bars(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base().transform_aggregate(players="sum(player_count)", groupby=["list_date"])
    y = alt.Y("list_date:N", sort="ascending", title=None, axis=alt.Axis(labelExpr="slice(datum.value, 0, 7)"))
    x = alt.X("players:Q", axis=None)
    return alt.layer(
        chart.mark_bar(height=alt.RelativeBandSize(band=0.7)).encode(x=x, y=y),
        chart.mark_text(align="left", dx=6).encode(x=x, y=y, text=alt.Text("players:Q", format=",d")),
    )


def _flow_height(frame: pl.DataFrame) -> int:
    lists = max(part["list_date"].n_unique() for _, part in frame.group_by("rating_type", "flow_kind"))
    return min(900, 40 + 20 * lists)


def _flows_alt(frame: pl.DataFrame) -> str:
    moved = frame.filter(pl.col("flow_kind") == "transfer")["player_count"].sum()
    return f"Bars of the number of players who changed federation, list by list: {moved} transfers, {span(frame)}."


FLOWS = Figure(
    name="flows",
    title="Who changes federation?",
    caption=Caption(
        what="Players whose federation differs from the one on their list before; the table says from where to where.",
        population="All players of lists that print the codes of their time.",
        source="marts.federation_flows",
        coverage=(
            "Lists whose codes were filled in later are left out. Where lists are missing in between, the changes of "
            "all of them fall on the next list held."
        ),
    ),
    sql=_FLOWS_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("from_federation", "From"),
        Column("to_federation", "To"),
        Column("player_count", "Players", "integer"),
        Column("titled_count", "With a title", "integer"),
        Column("mean_rating", "Mean rating", "rating"),
        Column("max_rating", "Highest", "rating"),
        Column("flow_kind", "Kind"),
        Column("earliest_previous_list_date", "Earliest list before", "month"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.federation_flows",),
    needs=NEEDS_LISTS,
    alt=_flows_alt,
    charts={"": _flow_bars},
    switches=(
        Switch(
            "flow",
            "Kind",
            column="flow_kind",
            options=(("transfer", "Transfers"), ("FIDE flag", "FIDE flag"), ("code ended", "Code ended")),
            default="transfer",
        ),
        Switch("from", "From", "select", column="from_federation", all_label="Any"),
        Switch("to", "To", "select", column="to_federation", all_label="Any"),
    ),
    tooltip=("list_date",),
    table_open=True,
    sort="-list_date",
    height=_flow_height,
)
