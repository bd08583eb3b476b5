-- Only complete lists tell how many are below; floors differ between lists, see marts.percentiles before comparing.
with
list_in_force as (
    select list_key, list_date, activity_basis
    from staging.held_lists
    where
        publisher = 'fide' and rating_type = 'standard' and coverage = 'complete'
        and list_date <= as_of::date
    order by list_date desc
    limit 1
),

counted as (
    select
        lists.list_date,
        lists.activity_basis,
        sum(counts.player_count) as players,
        coalesce(sum(counts.player_count) filter (where counts.rating < given_rating::integer), 0) as below,
        sum(counts.player_count) filter (where counts.active) as active_players,
        coalesce(
            sum(counts.player_count) filter (where counts.active and counts.rating < given_rating::integer), 0
        ) as active_below
    from list_in_force as lists
    inner join intermediate.rating_counts as counts on counts.list_key = lists.list_key
    group by lists.list_date, lists.activity_basis
)

select
    list_date,
    given_rating::integer as rating,
    round(100.0 * below / players, 3)::double as percentile,
    case
        when activity_basis = 'flag' then round(100.0 * active_below / active_players, 3)
    end::double as percentile_active,
    players::integer as player_count
from counted
