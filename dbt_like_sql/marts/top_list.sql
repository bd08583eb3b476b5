-- The first hundred of each list, with names.
select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    entries.world_rank,
    entries.player_id,
    players.player_name,
    versions.federation,
    versions.title,
    coalesce(versions.sex, players.sex) as sex,
    coalesce(versions.birth_year, players.birth_year) as birth_year,
    entries.rating,
    entries.change_since_previous_list,
    entries.previous_world_rank,
    entries.games,
    entries.contradicted_by,
    entries.source_key,
    entries.line_number
from intermediate.top_entries as entries
inner join core.lists as lists on lists.list_key = entries.list_key
inner join core.players as players on players.player_id = entries.player_id
inner join core.player_versions as versions on versions.version_key = entries.version_key
order by lists.publisher, lists.rating_type, lists.list_date, entries.world_rank, players.player_name
