-- Rated games per list, on complete lists that print them. Zeros for everybody are not taken for games.
with
lists as (
    select
        lists.list_key, lists.publisher, lists.rating_type, lists.list_date, lists.activity_basis,
        date_diff('month', lists.previous_list_date, lists.list_date) as months
    from staging.held_lists as lists
    inner join intermediate.list_features as features on features.list_key = lists.list_key
    where lists.coverage = 'complete' and features.states_games
),

games as (
    select
        list_key,
        count(*) as player_count,
        count(*) filter (where active) as active_count,
        count(*) filter (where games > 0) as played_count,
        sum(games) as games_total,
        max(games) as max_games,
        max_by(player_id, (games, -player_id)) as busiest_player_id
    from core.entries
    where games is not null
    group by list_key
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    lists.months::smallint as months_since_previous_list,
    games.player_count::integer as player_count,
    case when lists.activity_basis = 'flag' then games.active_count::integer end as active_count,
    games.played_count::integer as played_count,
    games.played_count / games.player_count as played_fraction,
    games.games_total::bigint as games_total,
    games.games_total / nullif(games.played_count, 0) as games_per_player,
    games.max_games,
    case when games.max_games > 0 then players.player_name end as busiest_player
from games
inner join lists on lists.list_key = games.list_key
inner join core.players as players on players.player_id = games.busiest_player_id
