"""Women and men: share, the gap between the first N and what numbers alone explain, women at the top."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.encode import span
from dashboards.page import NEEDS_LISTS, RATING_TYPE, Caption, Column, Figure, Page, Switch

_SHARE_SQL = """
select
    rating_type, list_date, player_count, women_count, women_fraction,
    round(mean_men, 1) as mean_men, round(mean_women, 1) as mean_women
from marts.gender_gap
where publisher = 'fide' and top_n = 1
order by rating_type, list_date
"""

_GAP_SQL = """
with gaps as (
    unpivot (
        select
            rating_type, list_date, top_n, men_top_mean, women_top_mean, top_gap, expected_gap, unexplained_gap
        from marts.gender_gap
        where publisher = 'fide'
    )
    on top_gap, expected_gap
    into name gap_kind value gap
)
select
    rating_type, list_date, top_n,
    case gap_kind when 'top_gap' then 'Observed' else 'Expected from numbers' end as gap_kind,
    round(gap, 1) as gap, round(men_top_mean, 1) as men_top_mean, round(women_top_mean, 1) as women_top_mean,
    round(unexplained_gap, 1) as unexplained_gap
from gaps
order by rating_type, list_date, top_n, gap_kind
"""

_TOP_SQL = """
select rating_type, list_date, player_name, world_rank, rating, federation, year(list_date) - birth_year as age
from marts.top_list
where publisher = 'fide' and sex = 'F'
order by rating_type, list_date, world_rank, player_name, player_id
"""

_FIRST_SQL = """
with told as (
    select rating_type, list_date from marts.gender_gap where publisher = 'fide' and top_n = 1
),

-- Few players of all: the wide rows of the others need not be put together.
strong as materialized (
    select distinct player_id from marts.player_ratings where publisher = 'fide' and sex = 'F' and rating >= 2300
),

women as (
    select
        h.rating_type, h.list_date, h.player_name, h.rating, h.world_rank, h.federation,
        year(h.list_date) - h.birth_year as age,
        rank() over (partition by h.rating_type, h.list_date order by h.rating desc) as place
    from marts.player_history as h
    inner join told as t on h.rating_type = t.rating_type and h.list_date = t.list_date
    where
        h.player_id in (select player_id from strong)
        and h.publisher = 'fide' and h.sex = 'F' and h.rating >= 2300 and h.active is distinct from false
)

select rating_type, list_date, player_name, rating, world_rank, federation, age
from women
where place = 1
order by rating_type, list_date, player_name, federation
"""

NEEDS_SEX = (
    "Needs complete lists that say who is a woman (FIDE's files since 2001, or Scid's history). Add them with "
    "`ratings add FILE...`, then run `ratings build`."
)


def _line(y: alt.Y) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    lines = charts.in_pieces(chart).mark_line(point=alt.OverlayMarkDef(size=14)).encode(x=x, y=y, detail="piece:N")
    return charts.with_events(lines + charts.hover_points(chart, x, y))


def _share(frame: pl.DataFrame) -> charts.Drawing:
    return _line(alt.Y("women_fraction:Q", title="Share of women", axis=alt.Axis(format="%", tickCount=6)))


def _counts(frame: pl.DataFrame) -> charts.Drawing:
    return _line(alt.Y("women_count:Q", title="Women on the list", axis=alt.Axis(format=",d", tickCount=6)))


def _share_alt(frame: pl.DataFrame) -> str:
    newest = frame.filter(pl.col("rating_type") == frame["rating_type"][-1])[-1]
    return f"Line of the share of women on the lists, {span(frame)}; on the newest {newest['women_fraction'][0]:.1%}."


SHARE = Figure(
    name="share",
    title="What share of the rated players are women?",
    caption=Caption(
        what="Women divided by all players of the list.",
        population="All players of the list, inactive ones included; who is not known to be a woman counts as a man.",
        source="marts.gender_gap",
        coverage="Lists whose women's flags are incomplete are left out.",
    ),
    sql=_SHARE_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("women_fraction", "Share of women", "percent"),
        Column("women_count", "Women", "integer"),
        Column("player_count", "All players", "integer"),
        Column("mean_women", "Mean of women", "decimal"),
        Column("mean_men", "Mean of men", "decimal"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.gender_gap",),
    needs=NEEDS_SEX,
    alt=_share_alt,
    charts={"share": _share, "count": _counts},
    switches=(Switch("share", "Show", "variant", options=(("share", "Share"), ("count", "Number of women"))),),
    tooltip=("list_date", "women_fraction", "women_count", "player_count", "mean_women", "mean_men"),
    timeline=True,
    sort="-list_date",
)


def _gap(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    y = alt.Y("gap:Q", title="Points between men and women", axis=alt.Axis(format="d", tickCount=6))
    color = alt.Color(
        "gap_kind:N",
        legend=None,
        scale=alt.Scale(domain=["Observed", "Expected from numbers"], range=["@c1", "@c2"]),
    )
    pieces = charts.in_pieces(chart, "gap_kind")
    lines = pieces.mark_line(point=alt.OverlayMarkDef(size=14)).encode(x=x, y=y, color=color, detail="piece:N")
    labels = charts.end_labels(chart, "when", "gap", "gap_kind", color)
    return charts.with_events(lines + charts.hover_points(chart, x, y, color) + labels)


def _gap_alt(frame: pl.DataFrame) -> str:
    ten = frame.filter(pl.col("top_n") == 10)
    newest = ten.filter(pl.col("list_date") == ten["list_date"].max(), pl.col("rating_type") == ten["rating_type"][-1])
    stated = ", ".join(f"{kind} {gap:.0f}" for kind, gap in newest.select("gap_kind", "gap").iter_rows())
    return f"Two lines, the gap observed and the gap that numbers alone explain, {span(frame)}. First ten: {stated}."


GAP = Figure(
    name="gap",
    title="How much of the gap at the top do numbers explain?",
    caption=Caption(
        what=(
            "Mean of the first N men minus mean of the first N women; beside it the gap to be expected if women were "
            "a random sample of all players."
        ),
        population="All players of the list, inactive ones included; ties at the cut not widened.",
        source="marts.gender_gap",
        coverage="What is left over has many candidates; this chart does not choose between them.",
    ),
    sql=_GAP_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("gap_kind", "Gap"),
        Column("gap", "Points", "decimal"),
        Column("unexplained_gap", "Left over", "decimal"),
        Column("men_top_mean", "Mean of the men", "decimal"),
        Column("women_top_mean", "Mean of the women", "decimal"),
        Column("top_n", "First", "rating"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.gender_gap",),
    needs=NEEDS_SEX,
    alt=_gap_alt,
    charts={"": _gap},
    switches=(
        Switch(
            "first",
            "First",
            column="top_n",
            options=(("1", "1"), ("10", "10"), ("20", "20"), ("50", "50"), ("100", "100")),
            default="10",
        ),
    ),
    tooltip=("gap_kind", "list_date", "gap", "unexplained_gap", "men_top_mean", "women_top_mean"),
    timeline=True,
    sort="-list_date",
)


def _first(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    y = charts.rating_axis("rating")
    points = chart.mark_circle(size=26).encode(x=x, y=y, color=alt.value("@c1"))
    pieces = charts.in_pieces(chart)
    step = pieces.mark_line(interpolate="step-after", strokeWidth=1, color="@s4").encode(x=x, y=y, detail="piece:N")
    names = (
        chart.transform_window(turn="row_number()", groupby=["player_name"], sort=[alt.SortField("list_date")])
        .transform_filter("datum.turn === 1")
        .mark_text(align="left", dx=2, dy=-10, fontSize=12)
        .encode(x=x, y=y, text="player_name:N")
    )
    return charts.with_events(step + points + charts.hover_points(chart, x, y) + names)


def _first_alt(frame: pl.DataFrame) -> str:
    names = "; ".join(frame["player_name"].unique(maintain_order=True).head(12))
    return f"Rating of the first woman of each list through time, {span(frame)}: {names}."


FIRST = Figure(
    name="first",
    title="Which women led?",
    caption=Caption(
        what="The highest-rated woman of each list; a name stands where she led first.",
        population="Women not known to be inactive.",
        source="marts.player_history, marts.gender_gap",
        coverage="Lists whose women's flags are incomplete are left out.",
    ),
    sql=_FIRST_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("player_name", "Player"),
        Column("rating", "Rating", "rating"),
        Column("world_rank", "World rank", "rating"),
        Column("age", "Age", "year"),
        Column("federation", "Federation"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.player_history", "marts.player_ratings", "marts.gender_gap"),
    needs=NEEDS_SEX,
    alt=_first_alt,
    charts={"": _first},
    tooltip=("player_name", "list_date", "rating", "world_rank", "age", "federation"),
    timeline=True,
    sort="-list_date",
)


def _ranks(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.dated()
    x = charts.time_axis()
    y = alt.Y("world_rank:Q", title="World rank", scale=alt.Scale(reverse=True, domain=[1, 101], nice=False),
              axis=alt.Axis(values=[1, 10, 25, 50, 75, 100]))  # fmt: skip
    pieces = charts.in_pieces(chart, "player_name", years=2)
    lines = pieces.mark_line(strokeWidth=1.25, opacity=0.6).encode(x=x, y=y, detail=["player_name:N", "piece:N"])
    points = chart.mark_circle(size=16).encode(x=x, y=y)
    labels = charts.end_labels(chart, "when", "world_rank", "player_name")
    return charts.with_events(lines + points + charts.hover_points(chart, x, y) + labels)


def _ranks_alt(frame: pl.DataFrame) -> str:
    best = frame.group_by("player_name").agg(pl.col("world_rank").min()).sort("world_rank", "player_name").head(5)
    names = "; ".join(f"{name}, best rank {rank}" for name, rank in best.iter_rows())
    return f"World ranks of the women among the first hundred through time, {span(frame)}: {names}."


TOP = Figure(
    name="top",
    title="Which women stood in the top 100?",
    caption=Caption(
        what="World rank of every woman among the first hundred of a list.",
        population="Players not known to be inactive.",
        source="marts.top_list",
    ),
    sql=_TOP_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("player_name", "Player"),
        Column("world_rank", "World rank", "rating"),
        Column("rating", "Rating", "rating"),
        Column("age", "Age", "year"),
        Column("federation", "Federation"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.top_list",),
    needs=NEEDS_LISTS,
    alt=_ranks_alt,
    charts={"": _ranks},
    tooltip=("player_name", "list_date", "world_rank", "rating", "age", "federation"),
    timeline=True,
    sort="-list_date",
)

PAGE = Page(
    name="women",
    section="Groups",
    label="Women and men",
    title="How far apart are women and men at the top?",
    lead=(
        "There are fewer women on the lists, and the best of a smaller group stand lower even if nothing else differs. "
        "Here is the gap, and the part of it that numbers alone lead one to expect."
    ),
    figures=(GAP, SHARE, FIRST, TOP),
    switches=(RATING_TYPE,),
    definitions=(
        (
            "Expected from numbers",
            "The gap between the first N of all and the ratings at which the first N of a random sample as large as "
            "the group of women would stand on average.",
        ),
        ("Left over", "Gap observed minus gap expected from numbers."),
        ("1987", "FIDE added 100 points to the ratings of all women but one in January 1987."),
        ("Woman", "Flagged as a woman on the list, or known to be one from later lists of the same person."),
    ),
)
