"""Federations: strength of the first ten through time, who passed whom, places among the first hundred, transfers."""

import altair as alt
import polars as pl

from dashboards import charts
from dashboards.encode import span
from dashboards.page import NEEDS_COMPLETE, NEEDS_LISTS, RATING_TYPE, Caption, Column, Figure, Page, Switch
from dashboards.pages.federation_players import FLOWS, TOP_100, compared, compared_alt, count_axis

#: Complete lists as the mart has them; from top lists those federations whose first ten are all among the hundred.
_STRENGTH_SQL = """
with complete as (
    select
        rating_type, list_date, federation, mean_top_10, best_rating, median_rating, player_count, gm_count,
        women_count, federation_basis
    from marts.federation_strength
    where publisher = 'fide'
),

placed as (
    select
        rating_type, list_date, federation, rating,
        row_number() over (partition by rating_type, list_date, federation order by rating desc, player_id) as place
    from marts.top_list
    where
        publisher = 'fide' and federation is not null
        and (rating_type, list_date) not in (select distinct (rating_type, list_date) from complete)
),

from_top as (
    select
        rating_type, list_date, federation, avg(rating) filter (where place <= 10) as mean_top_10,
        max(rating) as best_rating, null::double as median_rating, null::integer as player_count,
        null::integer as gm_count, null::integer as women_count, 'top list' as federation_basis
    from placed
    group by rating_type, list_date, federation
    having count(*) >= 10
),

strength as (
    select * from complete
    union all
    select * from from_top
)
"""

_SQL = (
    _STRENGTH_SQL
    + """
select
    rating_type, list_date, federation, round(mean_top_10, 2) as mean_top_10, best_rating, median_rating, player_count,
    gm_count, women_count, federation_basis
from strength
order by federation, rating_type, list_date
"""
)

#: Only among the twenty strongest of a list: below them places change with every list.
_PASSES_SQL = (
    _STRENGTH_SQL.rstrip()
    + """,

ranked as (
    select
        rating_type, list_date, federation, mean_top_10,
        dense_rank() over (partition by rating_type order by list_date) as list_number,
        rank() over (partition by rating_type, list_date order by mean_top_10 desc) as strength_rank
    from strength
    where mean_top_10 is not null
),

pairs as (
    select
        a.rating_type, a.list_date, a.list_number, a.federation, b.federation as other_federation, a.mean_top_10,
        b.mean_top_10 as other_mean, a.strength_rank, a.mean_top_10 - b.mean_top_10 as lead
    from ranked as a
    inner join ranked as b
        on a.rating_type = b.rating_type and a.list_date = b.list_date and a.federation <> b.federation
    where a.strength_rank <= 20 and b.strength_rank <= 20
),

compared as (
    select
        *,
        lag(lead) over earlier as lead_before, lag(list_date) over earlier as previous_list_date
    from pairs
    window earlier as (partition by rating_type, federation, other_federation order by list_date)
)

select
    rating_type, list_date, federation as passing_federation, other_federation, round(mean_top_10, 2) as mean_top_10,
    round(other_mean, 2) as other_mean, strength_rank, previous_list_date
from compared
where lead > 0 and lead_before <= 0
order by rating_type, list_date desc, passing_federation, other_federation
"""
)

_LEAGUE_SQL = """
with yearly as (
    select *, min(list_date) over (partition by rating_type, year(list_date)) as first_list_date,
        max(list_date) over (partition by rating_type) as newest_list_date
    from marts.federation_strength
    where publisher = 'fide'
)

select
    rating_type, list_date, strength_rank, federation as league_federation,
    round(mean_top_10, 1) as mean_top_10, best_rating, median_rating,
    player_count, ranked_count, women_count, titled_count, gm_count
from yearly
where strength_rank <= 25 and list_date in (first_list_date, newest_list_date)
order by rating_type, list_date, strength_rank, league_federation
"""

FEDERATIONS = Switch("federations", "Federations", "several", column="federation", default="RUS,URS,IND,USA,CHN")


def _held(frame: pl.DataFrame, column: str) -> bool:
    return frame[column].null_count() < frame.height


def _mean(frame: pl.DataFrame) -> charts.Drawing:
    return compared(charts.rating_axis("mean_top_10", "Mean of the first ten"))


def _best(frame: pl.DataFrame) -> charts.Drawing:
    return compared(charts.rating_axis("best_rating", "Highest rating"))


def _median(frame: pl.DataFrame) -> charts.Drawing | None:
    return compared(charts.rating_axis("median_rating", "Median rating")) if _held(frame, "median_rating") else None


def _players(frame: pl.DataFrame) -> charts.Drawing | None:
    return compared(count_axis("player_count", "Players")) if _held(frame, "player_count") else None


def _grandmasters(frame: pl.DataFrame) -> charts.Drawing | None:
    return compared(count_axis("gm_count", "Grandmasters")) if _held(frame, "gm_count") else None


STRENGTH = Figure(
    name="strength",
    title="How strong are federations?",
    caption=Caption(
        what="Each line is a federation, on each list held.",
        population="Means and medians: players not known to be inactive, first ten without widening for ties.",
        coverage=(
            "From a list of which only the top is held, federations with ten players in it are shown. Basis "
            "back-dated: transferred players count for their last federation all along."
        ),
        source="marts.federation_strength, marts.top_list",
    ),
    sql=_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("federation", "Federation"),
        Column("mean_top_10", "Mean of first ten", "decimal"),
        Column("best_rating", "Highest", "rating"),
        Column("median_rating", "Median", "rating"),
        Column("player_count", "Players", "integer"),
        Column("gm_count", "Grandmasters", "integer"),
        Column("women_count", "Women", "integer"),
        Column("federation_basis", "Basis"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.federation_strength", "marts.top_list"),
    needs=NEEDS_LISTS,
    alt=compared_alt,
    charts={"mean": _mean, "best": _best, "median": _median, "players": _players, "gm": _grandmasters},
    required={"mean": "mean_top_10", "median": "median_rating", "players": "player_count", "gm": "gm_count"},
    switches=(
        Switch(
            "strength",
            "Show",
            "variant",
            options=(
                ("mean", "Mean of first ten"),
                ("best", "Highest"),
                ("median", "Median"),
                ("players", "Players"),
                ("gm", "Grandmasters"),
            ),
        ),
    ),
    tooltip=("federation", "list_date", "mean_top_10", "best_rating", "median_rating", "player_count", "gm_count"),
    timeline=True,
    sort="-list_date",
    height=420,
    shard_by="federation",
)

PASSES = Figure(
    name="passes",
    title="When did one federation pass another?",
    caption=Caption(
        what=(
            "Lists on which a federation's first ten were ahead of another's for the first time since they were "
            "level or behind."
        ),
        population="The twenty strongest federations of each list by the mean of the first ten.",
        source="marts.federation_strength, marts.top_list",
        coverage="Where lists are missing in between, the lead changed at some time since the list compared with.",
    ),
    sql=_PASSES_SQL,
    columns=(
        Column("list_date", "List", "month"),
        Column("passing_federation", "Federation"),
        Column("other_federation", "Passed"),
        Column("mean_top_10", "Its mean", "decimal"),
        Column("other_mean", "The other's mean", "decimal"),
        Column("strength_rank", "Rank then", "rating"),
        Column("previous_list_date", "Compared with", "month"),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.federation_strength", "marts.top_list"),
    needs=NEEDS_LISTS,
    switches=(
        Switch("who", "Federation", "select", column="passing_federation", all_label="Any"),
        Switch("whom", "Passed", "select", column="other_federation", all_label="Any"),
    ),
    table_open=True,
    sort="-list_date",
)


def _league(frame: pl.DataFrame) -> charts.Drawing:
    chart = charts.base().transform_calculate(
        label="format(datum.mean_top_10, '.0f')", name="datum.strength_rank + '  ' + datum.league_federation"
    )
    y = alt.Y(
        "name:N",
        sort=alt.EncodingSortField("strength_rank", op="min"),
        title=None,
        axis=alt.Axis(labelColor="@ink", labelFontSize=13),
    )
    x = alt.X("mean_top_10:Q", scale=alt.Scale(zero=False, nice=False, padding=24), axis=None)
    return alt.layer(
        chart.mark_rule(color="@line", strokeWidth=1).encode(y=y, x=x, x2=alt.value(0)),
        chart.mark_circle(size=70, color="@c1").encode(y=y, x=x),
        chart.mark_text(align="left", dx=9).encode(y=y, x=x, text="label:N"),
    )


def _league_alt(frame: pl.DataFrame) -> str:
    newest = frame.filter(pl.col("rating_type") == frame["rating_type"][-1])
    newest = newest.filter(pl.col("list_date") == newest["list_date"].max()).head(3)
    names = "; ".join(
        f"{name} {mean:.0f}" for name, mean in newest.select("league_federation", "mean_top_10").iter_rows()
    )
    return f"Federations in order of the mean rating of their first ten, {span(frame)}. Newest: {names}."


LEAGUE = Figure(
    name="league",
    title="Which federations led in a given year?",
    caption=Caption(
        what="Mean rating of the first ten of each federation; the first list of each year and the newest.",
        population="Players not known to be inactive, first 25 federations.",
        source="marts.federation_strength",
    ),
    sql=_LEAGUE_SQL,
    columns=(
        Column("strength_rank", "Rank", "rating"),
        Column("league_federation", "Federation"),
        Column("mean_top_10", "Mean of first ten", "decimal"),
        Column("best_rating", "Highest", "rating"),
        Column("median_rating", "Median", "rating"),
        Column("player_count", "Players", "integer"),
        Column("ranked_count", "Not inactive", "integer"),
        Column("women_count", "Women", "integer"),
        Column("titled_count", "With a title", "integer"),
        Column("gm_count", "Grandmasters", "integer"),
        Column("list_date", "List", "month", hidden=True),
        Column("rating_type", "Rating type", hidden=True),
    ),
    marts=("marts.federation_strength",),
    needs=NEEDS_COMPLETE,
    alt=_league_alt,
    charts={"": _league},
    switches=(Switch("league", "Rating list", "list_date", column="list_date"),),
    tooltip=(
        "league_federation",
        "strength_rank",
        "mean_top_10",
        "best_rating",
        "median_rating",
        "player_count",
        "gm_count",
    ),
    sort="strength_rank",
    height=560,
)


PAGE = Page(
    name="federations",
    section="Groups",
    label="Federations",
    title="Which federations are strong, and since when?",
    lead=(
        "The mean rating of a federation's first ten players says how strong a team it could field. Add federations by "
        "their codes to compare up to five."
    ),
    figures=(STRENGTH, PASSES, LEAGUE, TOP_100, FLOWS),
    switches=(RATING_TYPE, FEDERATIONS),
    definitions=(
        ("Mean of the first ten", "Mean rating of the ten highest-rated players; a tie at the tenth is not widened."),
        ("Passed", "Ahead on this list, level or behind on the last list on which both had ten players."),
        (
            "Basis",
            "`printed`: the code stood on the list. `back-dated`: it was filled in later, so a transferred player "
            "counts for his last federation all along. `top list`: the edition held has the first hundred only.",
        ),
        ("Code ended", "The state or the spelling of the code ended (URS, YUG, ...); nobody moved."),
        ("FIDE flag", "To or from a code without a country."),
    ),
)
