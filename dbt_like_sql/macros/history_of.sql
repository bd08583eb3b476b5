-- The persons are looked up first; entries lie sorted by person, so that few are read.
with
persons as (
    select player_id
    from core.players
    where
        player_id = try_cast(who::varchar as integer)
        or fide_id = try_cast(who::varchar as integer)
        or lower(player_name) = lower(who::varchar)
),

-- Their attributes alone, so that the join does not go through those of everybody.
versions as (
    select versions.version_key, versions.name, versions.federation, versions.title
    from persons
    inner join core.player_versions as versions on versions.player_id = persons.player_id
)

select
    players.player_name,
    lists.rating_type,
    lists.list_date,
    coalesce(disputed.rating, entries.rating) as rating,
    case when entries.active is not false then ranks.world_rank end as world_rank,
    ranks.rank_all,
    entries.games,
    entries.active,
    versions.name as printed_name,
    versions.federation,
    versions.title,
    entries.player_id
from persons
inner join core.entries as entries on entries.player_id = persons.player_id
inner join core.lists as lists on lists.list_key = entries.list_key
inner join core.players as players on players.player_id = entries.player_id
inner join versions on versions.version_key = entries.version_key
left join intermediate.disputed_ratings as disputed
    on disputed.player_id = entries.player_id and disputed.list_key = entries.list_key
left join intermediate.rating_ranks as ranks
    on ranks.list_key = entries.list_key and ranks.rating = coalesce(disputed.rating, entries.rating)
order by lists.rating_type, lists.list_date
