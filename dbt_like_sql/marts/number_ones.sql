-- Reigns: runs of consecutive held lists with the same leader or the same shared lead, among players not known
-- to be inactive. A reign lasts until the list on which the next one begins.
with
lists as (
    select * from staging.held_lists
),

leaders as (
    select
        lists.list_key,
        entries.rating,
        string_agg(players.player_name, ' & ' order by players.player_name) as player_names,
        list(entries.player_id order by players.player_name) as player_ids
    from lists
    inner join core.entries as entries on entries.list_key = lists.list_key and entries.active is not false
    inner join intermediate.rating_ranks as ranks
        on ranks.list_key = entries.list_key and ranks.rating = entries.rating and ranks.world_rank = 1
    inner join core.players as players on players.player_id = entries.player_id
    where ranks.ranked_count > 0
    group by lists.list_key, entries.rating
),

runners_up as (
    select
        list_key,
        max(rating) filter (where world_rank > 1) as second_rating
    from intermediate.rating_ranks
    where ranked_count > 0
    group by list_key
),

led as (
    select
        lists.publisher,
        lists.rating_type,
        lists.list_date,
        lists.next_list_date,
        leaders.player_names,
        leaders.player_ids,
        leaders.rating,
        case when len(leaders.player_ids) > 1 then 0 else leaders.rating - runners_up.second_rating end as gap,
        lag(leaders.player_ids) over series is distinct from leaders.player_ids as begins
    from lists
    inner join leaders on leaders.list_key = lists.list_key
    left join runners_up on runners_up.list_key = lists.list_key
    window series as (partition by lists.publisher, lists.rating_type order by lists.list_date)
),

numbered as (
    select
        *,
        sum(begins::integer) over (partition by publisher, rating_type order by list_date) as reign_number
    from led
),

reigns as (
    select
        publisher,
        rating_type,
        reign_number::integer as reign_number,
        min(list_date) as first_list_date,
        max(list_date) as last_list_date,
        max(next_list_date) as next_list_date,
        any_value(player_names) as player_names,
        any_value(player_ids) as player_ids,
        len(any_value(player_ids)) > 1 as is_shared,
        count(*)::integer as lists_count,
        min(rating) as min_rating,
        max(rating) as max_rating,
        min(gap)::smallint as min_gap,
        max(gap)::smallint as max_gap
    from numbered
    group by publisher, rating_type, reign_number
)

select
    publisher,
    rating_type,
    reign_number,
    first_list_date,
    last_list_date,
    player_names,
    player_ids,
    is_shared,
    lists_count,
    (
        coalesce(lead(first_list_date) over series, next_list_date, last_list_date) - first_list_date
    )::integer as days,
    min_rating,
    max_rating,
    min_gap,
    max_gap
from reigns
window series as (partition by publisher, rating_type order by reign_number)
