-- The rating of the n-th player, ties not expanded: whoever shares the rating shares the place.
with
ranks as (
    select unnest([1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10000]) as position
),

counts as (
    select list_key, rating, 'ranked' as population, world_rank as first_position, ranked_count as players
    from intermediate.rating_ranks
    where ranked_count > 0
    union all
    select ranks.list_key, ranks.rating, 'all', ranks.rank_all, ranks.player_count
    from intermediate.rating_ranks as ranks
    inner join staging.held_lists as lists on lists.list_key = ranks.list_key
    where lists.coverage = 'complete'
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    counts.population,
    ranks.position,
    counts.rating,
    lists.coverage
from counts
inner join ranks on ranks.position between counts.first_position and counts.first_position + counts.players - 1
inner join staging.held_lists as lists on lists.list_key = counts.list_key
