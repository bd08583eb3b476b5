-- Answers from the ranks of ratings, also for a rating that nobody has: one more than the players rated higher.
with
list_in_force as (
    select list_key, list_date
    from staging.held_lists
    where publisher = 'fide' and rating_type = 'standard' and list_date <= as_of::date
    order by list_date desc
    limit 1
)

select
    max(lists.list_date) as list_date,
    max(given_rating::integer) as rating,
    (1 + coalesce(sum(ranks.ranked_count), 0))::integer as world_rank,
    (1 + coalesce(sum(ranks.player_count), 0))::integer as rank_all
from list_in_force as lists
left join intermediate.rating_ranks as ranks
    on ranks.list_key = lists.list_key and ranks.rating > given_rating::integer
having count(*) > 0
