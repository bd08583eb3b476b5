-- Reigns: runs of consecutive held lists with the same leader or the same shared lead, among players not known
-- to be inactive. A reign lasts until the list on which the next one begins.
with
lists as (
    select * from staging.held_lists
),

leaders as (
    select
        publisher,
        rating_type,
        list_date,
        rating,
        string_agg(player_name, ' & ' order by player_name) as player_names,
        list(player_id order by player_name, player_id) as player_ids
    from marts.top_list
    where world_rank = 1
    group by publisher, rating_type, list_date, rating
),

-- What another edition says of a leader, or of somebody who would lead by it.
contradictions as (
    select
        leaders.publisher,
        leaders.rating_type,
        leaders.list_date,
        string_agg(
            strftime(leaders.list_date, '%Y-%m') || ' ' || others.player_name || ' ' || others.contradicted_by,
            '; ' order by others.player_name, others.player_id
        ) as contradicted_by
    from leaders
    inner join marts.top_list as others
        on others.publisher = leaders.publisher
        and others.rating_type = leaders.rating_type
        and others.list_date = leaders.list_date
    inner join lists
        on lists.publisher = others.publisher
        and lists.rating_type = others.rating_type
        and lists.list_date = others.list_date
    inner join intermediate.disputed_ratings as disputed
        on disputed.list_key = lists.list_key and disputed.player_id = others.player_id
    where others.world_rank = 1 or disputed.highest_other_rating >= leaders.rating
    group by leaders.publisher, leaders.rating_type, leaders.list_date
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
        contradictions.contradicted_by,
        lag(leaders.player_ids) over series is distinct from leaders.player_ids as begins
    from lists
    inner join leaders
        on leaders.publisher = lists.publisher
        and leaders.rating_type = lists.rating_type
        and leaders.list_date = lists.list_date
    left join contradictions
        on contradictions.publisher = lists.publisher
        and contradictions.rating_type = lists.rating_type
        and contradictions.list_date = lists.list_date
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
        max(gap)::smallint as max_gap,
        string_agg(contradicted_by, '; ' order by list_date) as contradicted_by
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
    max_gap,
    contradicted_by
from reigns
window series as (partition by publisher, rating_type order by reign_number)
