-- One row per player and list with a rating, with what the list printed of the player and no rank.
-- A view for reading everybody at once: without the joins that ranks need, it takes a tenth of the time of
-- marts.player_history.
select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    entries.player_id,
    players.player_name,
    versions.name as printed_name,
    versions.fide_id,
    versions.federation,
    versions.sex,
    versions.birth_year,
    versions.title,
    coalesce(disputed.rating, entries.rating) as rating
from core.entries as entries
inner join core.lists as lists on lists.list_key = entries.list_key
inner join core.players as players on players.player_id = entries.player_id
inner join core.player_versions as versions on versions.version_key = entries.version_key
left join intermediate.disputed_ratings as disputed
    on disputed.list_key = entries.list_key and disputed.player_id = entries.player_id
where entries.rating is not null
