-- Several indices side by side, because each answers another question. One row per list and index.
with
definitions (index_name, index_unit, population, definition) as (
    values
    ('mean_10', 'points', 'ranked', 'Mean of the 10 highest ratings, ties at the cut not expanded.'),
    ('mean_20', 'points', 'ranked', 'Mean of the 20 highest ratings, ties at the cut not expanded.'),
    ('mean_50', 'points', 'ranked', 'Mean of the 50 highest ratings, ties at the cut not expanded.'),
    ('mean_100', 'points', 'ranked', 'Mean of the 100 highest ratings, ties at the cut not expanded.'),
    ('edwards', 'points', 'ranked', 'Mean of ranks 11 to 50, which one outstanding player does not move.'),
    ('gap', 'points', 'ranked', 'First rating minus second, 0 when the first place is shared.'),
    ('count_2500', 'players', 'ranked', 'Players rated 2500 or more.'),
    ('count_2600', 'players', 'ranked', 'Players rated 2600 or more.'),
    ('count_2700', 'players', 'ranked', 'Players rated 2700 or more.'),
    ('count_2800', 'players', 'ranked', 'Players rated 2800 or more.'),
    ('mean_all', 'points', 'all', 'Mean of the whole list. Falls whenever the floor falls.'),
    ('mean_common_cut', 'points', 'all', 'Mean above the highest floor any complete list of the series had.'),
    ('total_points', 'points', 'all', 'Sum of all ratings of the list.'),
    (
        'fixed_cohort', 'points', 'ranked',
        'Mean change of the first 500 of a complete list up to the next one, added up since the first list. The same '
        || 'persons are compared, so newcomers cannot raise it; the elite of one list regresses, so it drifts down.'
    )
),

lists as (
    select list_key, publisher, rating_type, list_date, coverage
    from staging.held_lists
),

summaries as (
    select
        lists.list_key,
        unnest([
            'mean_10', 'mean_20', 'mean_50', 'mean_100', 'edwards', 'gap', 'count_2500', 'count_2600', 'count_2700',
            'count_2800'
        ]) as index_name,
        unnest([
            summary.mean_top_10, summary.mean_top_20, summary.mean_top_50, summary.mean_top_100,
            summary.mean_ranks_11_50, summary.gap_1_2, summary.active_ge_2500, summary.active_ge_2600,
            summary.active_ge_2700, summary.active_ge_2800
        ]::double[]) as index_value
    from marts.list_summary as summary
    inner join lists
        on lists.publisher = summary.publisher
        and lists.rating_type = summary.rating_type
        and lists.list_date = summary.list_date
),

whole_lists as (
    select
        counts.list_key,
        sum(counts.player_count * counts.rating) as points,
        sum(counts.player_count) as players,
        sum(counts.player_count * counts.rating) filter (where counts.rating >= floors.common_cut) as points_above,
        sum(counts.player_count) filter (where counts.rating >= floors.common_cut) as players_above
    from intermediate.rating_counts as counts
    inner join intermediate.list_floors as floors on floors.list_key = counts.list_key
    group by counts.list_key
),

totals as (
    select
        list_key,
        unnest(['mean_all', 'mean_common_cut', 'total_points']) as index_name,
        unnest([points / players, points_above / players_above, points]::double[]) as index_value
    from whole_lists
),

cohorts as (
    select
        changes.list_key,
        'fixed_cohort' as index_name,
        sum(changes.mean_change) over (
            partition by lists.publisher, lists.rating_type order by lists.list_date
        ) as index_value
    from intermediate.elite_cohort_changes as changes
    inner join lists on lists.list_key = changes.list_key
),

indices as (
    select list_key, index_name, index_value from summaries
    union all
    select list_key, index_name, index_value from totals
    union all
    select list_key, index_name, index_value from cohorts
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    indices.index_name,
    indices.index_value,
    definitions.index_unit,
    definitions.population,
    definitions.definition,
    lists.coverage
from indices
inner join lists on lists.list_key = indices.list_key
inner join definitions on definitions.index_name = indices.index_name
where indices.index_value is not null
