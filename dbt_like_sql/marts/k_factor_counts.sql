-- Players and games by printed K, on complete lists that print it (since September 2012).
with
counts as (
    select
        list_key,
        k_factor,
        count(*) as player_count,
        count(*) filter (where active) as active_count,
        count(*) filter (where games > 0) as played_count,
        sum(games) as games_total,
        avg(rating) as mean_rating
    from core.entries
    where k_factor is not null and rating is not null
    group by list_key, k_factor
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    counts.k_factor,
    counts.player_count::integer as player_count,
    counts.player_count / sum(counts.player_count) over (partition by counts.list_key) as player_fraction,
    case when lists.activity_basis = 'flag' then counts.active_count::integer end as active_count,
    case when features.states_games then counts.played_count::integer end as played_count,
    case when features.states_games then counts.games_total::bigint end as games_total,
    counts.mean_rating
from counts
inner join staging.held_lists as lists on lists.list_key = counts.list_key
inner join intermediate.list_features as features on features.list_key = counts.list_key
where lists.coverage = 'complete'
