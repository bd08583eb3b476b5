-- Rank of a rating on a list, by standard competition: one more than the number of players rated higher.
with
counts as (
    select
        list_key,
        rating,
        sum(player_count)::integer as player_count,
        sum(player_count) filter (where active is not false)::integer as ranked_count
    from intermediate.rating_counts
    group by list_key, rating
)

select
    list_key,
    rating,
    player_count,
    coalesce(ranked_count, 0) as ranked_count,
    (1 + coalesce(sum(player_count) over higher, 0))::integer as rank_all,
    (1 + coalesce(sum(ranked_count) over higher, 0))::integer as world_rank
from counts
window higher as (
    partition by list_key order by rating desc rows between unbounded preceding and 1 preceding
)
