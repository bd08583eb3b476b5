"""The front page: what is held, and the headline charts of other pages with a way there."""

from dataclasses import replace

from dashboards.page import POPULATION, RATING_TYPE, Figure, Page
from dashboards.pages import coverage, inflation, number_ones, peaks, rank_bands

_FACTS_SQL = """
with held as (
    select * from marts.list_summary where publisher = 'fide' and rating_type = 'standard'
),

newest as (
    select * from held order by list_date desc limit 1
),

leader as (
    select n.player_names, n.first_list_date, n.max_rating
    from marts.number_ones as n
    where n.publisher = 'fide' and n.rating_type = 'standard'
    order by n.reign_number desc
    limit 1
)

select 'Standard lists held' as label, count(*)::varchar as value,
    strftime(min(list_date), '%B %Y') || ' to ' || strftime(max(list_date), '%B %Y') as note, 1 as place
from held
union all
select 'Number one', player_names, 'since ' || strftime(first_list_date, '%B %Y') || ', best ' || max_rating, 2
from leader
union all
select 'Above 2700', coalesce(active_ge_2700, count_ge_2700)::varchar,
    'on the list of ' || strftime(list_date, '%B %Y'), 3 from newest
union all
select 'Tenth place', rating_rank_10::varchar, 'rating on the same list', 4 from newest
order by place
"""


def _short(figure: Figure, page: Page, words: str) -> Figure:
    """A figure as the front page shows it: its first chart, the table closed, and the way to its page."""
    first = dict([next(iter(figure.charts.items()))])
    return replace(
        figure,
        charts=first,
        switches=(),
        table_open=False,
        height=min(figure.height, 300) if isinstance(figure.height, int) else figure.height,
        more=(f"{page.name}.html", words),
    )


PAGE = Page(
    name="index",
    section="",
    label="Overview",
    title="Every rating list since 1971, in one place",
    lead=(
        "Who led, how high, how many and what changed: half a century of chess ratings from the "
        "published lists, with "
        "the rules and the errors that shaped them. Every chart can be taken away as numbers, picture or SQL."
    ),
    figures=(
        _short(inflation.RANK_FIGURE, inflation.PAGE, "Inflation, with indices side by side"),
        _short(number_ones.REIGNS, number_ones.PAGE, "All reigns, days and gaps"),
        _short(rank_bands.THRESHOLDS, rank_bands.PAGE, "Rank bands through time"),
        replace(
            _short(peaks.PEAKS, peaks.PAGE, "All peaks, by federation, sex and era"),
            charts={"": lambda frame: peaks.ladder(12)},
            height=320,
        ),
        _short(coverage.CALENDAR, coverage.PAGE, "Coverage and anomalies"),
    ),
    switches=(RATING_TYPE, POPULATION),
    facts_sql=f"select label, value, note from ({_FACTS_SQL})",
    facts_marts=("marts.list_summary", "marts.number_ones"),
)
