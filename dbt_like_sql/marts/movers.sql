-- Largest gains and losses up to each list, among players rated 2300 or more on both lists compared: below that,
-- newcomers with a high K fill every place.
with
lists as (
    select list_key, publisher, rating_type, list_date, previous_list_key, previous_list_date
    from staging.held_lists
),

spans as (
    select list_key, 'previous list' as span, previous_list_key as earlier_key, previous_list_date as earlier_list_date
    from lists
    where previous_list_key is not null
    union all
    select lists.list_key, '12 months', earlier.list_key, earlier.list_date
    from lists
    inner join lists as earlier
        on earlier.publisher = lists.publisher
        and earlier.rating_type = lists.rating_type
        and earlier.list_date = lists.list_date - interval 1 year
),

strong as materialized (
    select list_key, player_id, rating, games, active
    from intermediate.strong_ratings
),

changes as (
    select
        spans.list_key,
        spans.span,
        spans.earlier_list_date,
        later.player_id,
        earlier.rating as earlier_rating,
        later.rating,
        later.rating - earlier.rating as change,
        case when spans.span = 'previous list' then later.games end as games
    from spans
    inner join strong as later on later.list_key = spans.list_key and later.active is not false
    inner join strong as earlier
        on earlier.list_key = spans.earlier_key and earlier.player_id = later.player_id
    where later.rating <> earlier.rating
),

ranked as (
    select *, 'gain' as direction, rank() over (partition by list_key, span order by change desc) as move_rank
    from changes
    where change > 0
    union all
    select *, 'loss', rank() over (partition by list_key, span order by change)
    from changes
    where change < 0
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    ranked.span,
    ranked.direction,
    ranked.move_rank::integer as move_rank,
    ranked.player_id,
    players.player_name,
    ranked.earlier_list_date,
    ranked.earlier_rating,
    ranked.rating,
    ranked.change::smallint as change,
    ranked.games
from ranked
inner join lists on lists.list_key = ranked.list_key
inner join core.players as players on players.player_id = ranked.player_id
where ranked.move_rank <= 10
