"""The records book, the largest gains and losses, and who stayed longest among the first."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.encode import span
from dashboards.page import NEEDS_LISTS, RATING_TYPE, Caption, Column, Figure, Page, Switch

_RECORDS_SQL = """
select
    rating_type, replace(case record_code
        when 'largest_gap_1_2' then 'Largest lead over the second'
        when 'most_players_2700' then 'Most players at 2700'
        else upper(left(record_code, 1)) || record_code[2:]
    end, '_', ' ') as record,
    record_rank, holder, record_value, record_unit, from_date as list_date, to_date, source_mart, record_code
from marts.records
order by rating_type, record_code, record_rank, list_date, holder
"""

_MEMBERS_SQL = """
select
    rating_type, top_n, player_name, days, lists_count, first_list_date, last_list_date, longest_stay_days, comebacks,
    longest_absence_days, comeback_list_date, best_world_rank, is_member_now
from marts.elite_membership
where publisher = 'fide'
order by rating_type, top_n, days desc, player_name, player_id
"""

_MOVERS_SQL = """
select
    rating_type, list_date, span, direction, move_rank, player_name, earlier_rating, rating, change,
    earlier_list_date, games
from marts.movers
where publisher = 'fide'
order by rating_type, list_date, span, direction, move_rank, player_name, player_id
"""


def _lanes(chart: alt.Chart, y: alt.Y, x: alt.X, label: str) -> charts.Drawing:
    """Bars with labels behind them; an invisible mark keeps room for the longest."""
    chart = chart.transform_calculate(room=f"1.6 * datum.{x.shorthand.split(':')[0]}")
    return alt.layer(
        chart.mark_point(opacity=0).encode(x=alt.X("room:Q", axis=None), y=y),
        chart.mark_bar(height=alt.RelativeBandSize(band=0.62)).encode(x=x, y=y),
        chart.mark_text(align="left", dx=7).encode(x=x, y=y, text=f"{label}:N"),
    )


def _record(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base().transform_calculate(
        label="format(datum.record_value, ',') + ' ' + datum.record_unit",
        lane="datum.record_rank + '.  ' + datum.holder + ' (' + utcFormat(toDate(datum.list_date), '%Y') + ')'",
    )
    y = alt.Y(
        "lane:N",
        sort=alt.EncodingSortField("record_rank", op="min"),
        title=None,
        axis=alt.Axis(labelColor="@ink", labelLimit=230, labelFontSize=13),
    )
    x = alt.X("record_value:Q", axis=None, scale=alt.Scale(zero=False, nice=False, padding=20))
    return alt.layer(
        chart.mark_rule(color="@line").encode(y=y, x=x, x2=alt.value(0)),
        chart.mark_circle(size=70, color="@c1").encode(y=y, x=x),
        chart.mark_text(align="left", dx=10).encode(y=y, x=x, text="label:N"),
    )


def _records_alt(frame: pl.DataFrame) -> str:
    reign = frame.filter(pl.col("record_code") == "longest_reign", pl.col("record_rank") == 1)
    first = f" Longest reign: {reign['holder'][0]}, {reign['record_value'][0]:,.0f} days." if reign.height else ""
    return f"Ten places of each of {frame['record_code'].n_unique()} records, first place on top.{first}"


RECORDS = Figure(
    name="book",
    title="Who holds the record?",
    caption=Caption(
        what="Ten places of the record chosen; equal values in the order of their dates.",
        population="Players not known to be inactive; peaks: everybody.",
        source="marts.records",
        coverage="On the lists held; ages are differences of years.",
    ),
    sql=_RECORDS_SQL,
    columns=(
        Column("record_rank", "Rank", "rating"),
        Column("holder", "Who"),
        Column("record_value", "Value", "rating"),
        Column("record_unit", "Unit"),
        Column("list_date", "From", "month"),
        Column("to_date", "Until", "month"),
        Column("record", "Record"),
        Column("source_mart", "Figures in"),
        Column("record_code", "Code", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.records",),
    needs=NEEDS_LISTS,
    alt=_records_alt,
    charts={"": _record},
    switches=(Switch("record", "Record", "select", column="record", default="Longest reign"),),
    tooltip=("holder", "record", "record_value", "record_unit", "list_date", "to_date"),
    table_open=True,
    sort="record_rank",
    height=380,
)


def _members(frame: pl.DataFrame) -> charts.Drawing:
    chart = (
        charts.placed(charts.base(), "days", "player_name")
        .transform_filter("datum.place <= 25")
        .transform_calculate(label="format(datum.days / 365.25, '.1f') + ' years'")
    )
    y = alt.Y(
        "player_name:N",
        sort=alt.EncodingSortField("place", op="min"),
        title=None,
        axis=alt.Axis(labelColor="@ink", labelLimit=190, labelFontSize=13),
    )
    return _lanes(chart, y, alt.X("days:Q", axis=None), "label")


def _members_alt(frame: pl.DataFrame) -> str:
    rows = frame.filter(pl.col("top_n") == 10, pl.col("rating_type") == frame["rating_type"][-1]).head(3)
    names = "; ".join(f"{name} {days:,} days" for name, days in rows.select("player_name", "days").iter_rows())
    return f"Bars of the days spent among the first 5, 10 or 100, longest first. First ten: {names}."


MEMBERS = Figure(
    name="members",
    title="Who stayed longest among the first?",
    caption=Caption(
        what="Days among the first 5, 10 or 100; a list counts until the next one of the calendar. First 25 drawn.",
        population="Players not known to be inactive, ties at the cut included.",
        source="marts.elite_membership",
    ),
    sql=_MEMBERS_SQL,
    columns=(
        Column("player_name", "Player"),
        Column("days", "Days", "integer"),
        Column("lists_count", "Lists", "integer"),
        Column("first_list_date", "First list", "month"),
        Column("last_list_date", "Last list", "month"),
        Column("longest_stay_days", "Longest stay, days", "integer"),
        Column("comebacks", "Comebacks", "integer"),
        Column("longest_absence_days", "Longest absence, days", "integer"),
        Column("comeback_list_date", "Back on", "month"),
        Column("best_world_rank", "Best rank", "rating"),
        Column("is_member_now", "There now", "flag"),
        Column("top_n", "First", "rating", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.elite_membership",),
    needs=NEEDS_LISTS,
    alt=_members_alt,
    charts={"": _members},
    switches=(
        Switch("among", "Among the first", column="top_n", options=(("5", "5"), ("10", "10"), ("100", "100")),
               default="10"),
        Switch("member", "Player", "search", columns=("player_name",)),
    ),
    tooltip=("player_name", "days", "lists_count", "first_list_date", "last_list_date", "comebacks", "is_member_now"),
    table_open=True,
    sort="-days",
    height=600,
)  # fmt: skip


def _moves(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base().transform_calculate(
        label="(datum.change > 0 ? '+' : '\u2212') + abs(datum.change) + '  to ' + datum.rating",
        size="abs(datum.change)",
    )
    y = alt.Y(
        "player_name:N",
        sort=alt.EncodingSortField("size", op="max", order="descending"),
        title=None,
        axis=alt.Axis(labelColor="@ink", labelLimit=190, labelFontSize=13),
    )
    return _lanes(chart, y, alt.X("size:Q", axis=None), "label")


def _moves_alt(frame: pl.DataFrame) -> str:
    best = frame.sort("change", descending=True).head(1)
    return (
        f"Bars of the ten largest gains or losses up to one list, {span(frame)}. Largest gain of all: "
        f"{best['player_name'][0]}, {best['change'][0]} points."
    )


MOVERS = Figure(
    name="movers",
    title="Who gained and lost most?",
    caption=Caption(
        what="The ten largest gains or losses up to the list chosen.",
        population="Players rated 2300 or more on both lists and not known to be inactive on the later.",
        source="marts.movers",
        coverage="One-off adjustments are in it (women in January 1987, Myanmar in 2000).",
    ),
    sql=_MOVERS_SQL,
    columns=(
        Column("move_rank", "Rank", "rating"),
        Column("player_name", "Player"),
        Column("change", "Change", "signed"),
        Column("earlier_rating", "From", "rating"),
        Column("rating", "To", "rating"),
        Column("earlier_list_date", "Since", "month"),
        Column("games", "Games", "integer"),
        Column("list_date", "List", "month", hidden=True),
        Column("span", "Compared with", hidden=True),
        Column("direction", "Direction", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.movers",),
    needs=NEEDS_LISTS,
    alt=_moves_alt,
    charts={"": _moves},
    switches=(
        Switch(
            "span",
            "Compared with",
            column="span",
            options=(("12 months", "Twelve months before"), ("previous list", "List before")),
            default="12 months",
        ),
        Switch(
            "moved", "Direction", column="direction", options=(("gain", "Gains"), ("loss", "Losses")), default="gain"
        ),
        Switch("moved_on", "Rating list", "list_date", column="list_date"),
    ),
    tooltip=("player_name", "change", "earlier_rating", "rating", "earlier_list_date", "games"),
    sort="move_rank",
    height=320,
    shard_by="span",
)

PAGE = Page(
    name="records",
    section="Elite",
    label="Records and movers",
    title="Which records stand, and who moved most?",
    lead="Reigns, leads, stays, comebacks, the youngest and the oldest; then the largest gains and losses of any list.",
    figures=(RECORDS, MEMBERS, MOVERS),
    switches=(RATING_TYPE,),
    definitions=(
        ("On the lists held", "A list that is not held ends nothing: a stay goes on across it."),
        (
            "Stay",
            "Consecutive held lists among the first; a comeback is a return after a held list without the player.",
        ),
        ("Age", "Year of the list minus year of birth; birth days are not kept."),
    ),
)
