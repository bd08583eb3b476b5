-- Points created or destroyed between consecutive complete lists: the sum of the changes of those rated on both.
with
lists as (
    select later.list_key, later.publisher, later.rating_type, later.list_date, earlier.list_key as earlier_key,
        earlier.list_date as earlier_list_date
    from staging.held_lists as later
    inner join staging.held_lists as earlier on earlier.list_key = later.previous_list_key
    where later.coverage = 'complete' and earlier.coverage = 'complete'
),

changes as (
    select later.list_key, later.rating - earlier.rating as change
    from lists
    inner join core.entries as later on later.list_key = lists.list_key
    inner join core.entries as earlier
        on earlier.list_key = lists.earlier_key and earlier.player_id = later.player_id
    where later.rating is not null and earlier.rating is not null
),

sums as (
    select
        list_key,
        count(*) as player_count,
        count(*) filter (where change > 0) as risen_count,
        count(*) filter (where change < 0) as fallen_count,
        coalesce(sum(change) filter (where change > 0), 0) as points_gained,
        coalesce(sum(-change) filter (where change < 0), 0) as points_lost
    from changes
    group by list_key
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    lists.earlier_list_date,
    sums.player_count::integer as player_count,
    sums.risen_count::integer as risen_count,
    sums.fallen_count::integer as fallen_count,
    sums.points_gained::integer as points_gained,
    sums.points_lost::integer as points_lost,
    (sums.points_gained - sums.points_lost)::integer as points_created,
    (sums.points_gained - sums.points_lost) / sums.player_count as mean_change
from sums
inner join lists on lists.list_key = sums.list_key
