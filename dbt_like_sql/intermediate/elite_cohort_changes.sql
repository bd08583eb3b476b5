-- The fixed cohort: whoever ranked among the first 500 of a complete list, compared on the next complete list.
with
lists as (
    select
        list_key,
        lead(list_key) over (partition by publisher, rating_type order by list_date) as next_list_key
    from staging.held_lists
    where coverage = 'complete'
),

ranks as (
    select ranks.list_key, ranks.rating, lists.next_list_key
    from intermediate.rating_ranks as ranks
    inner join lists on lists.list_key = ranks.list_key
    where ranks.ranked_count > 0 and ranks.world_rank <= 500
),

cohorts as materialized (
    select ranks.next_list_key as list_key, entries.player_id, entries.rating
    from core.entries as entries
    inner join ranks on ranks.list_key = entries.list_key and ranks.rating = entries.rating
    where entries.active is not false and entries.rating >= (select min(rating) from ranks)
),

histories as (
    select list_key, player_id, rating
    from core.entries
    where player_id in (select player_id from cohorts)
)

select
    histories.list_key,
    count(*)::integer as player_count,
    avg(histories.rating - cohorts.rating) as mean_change
from cohorts
inner join histories on histories.list_key = cohorts.list_key and histories.player_id = cohorts.player_id
group by histories.list_key
