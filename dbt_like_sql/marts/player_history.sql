-- One row per player and list, with ranks by standard competition among players not known to be inactive.
-- A view: filter on player_id (or fide_id, player_name) and it is read in milliseconds.
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
    coalesce(disputed.rating, entries.rating) as rating,
    (
        coalesce(disputed.rating, entries.rating) - coalesce(previous_disputed.rating, previous.rating)
    )::smallint as change_since_previous_list,
    case when entries.active is not false then ranks.world_rank end as world_rank,
    ranks.rank_all,
    case when entries.active is not false then federation_ranks.federation_rank end as federation_rank,
    entries.games,
    entries.k_factor,
    entries.active,
    lists.coverage,
    disputed.contradicted_by,
    coalesce(disputed.source_key, entries.source_key) as source_key,
    coalesce(disputed.line_number, entries.line_number) as line_number
from core.entries as entries
inner join core.lists as lists on lists.list_key = entries.list_key
inner join core.players as players on players.player_id = entries.player_id
inner join core.player_versions as versions on versions.version_key = entries.version_key
left join staging.held_lists as sequence on sequence.list_key = entries.list_key
left join core.entries as previous
    on previous.player_id = entries.player_id and previous.list_key = sequence.previous_list_key
left join intermediate.disputed_ratings as disputed
    on disputed.player_id = entries.player_id and disputed.list_key = entries.list_key
left join intermediate.disputed_ratings as previous_disputed
    on previous_disputed.player_id = entries.player_id and previous_disputed.list_key = sequence.previous_list_key
left join intermediate.rating_ranks as ranks
    on ranks.list_key = entries.list_key and ranks.rating = coalesce(disputed.rating, entries.rating)
left join intermediate.federation_ranks as federation_ranks
    on federation_ranks.list_key = entries.list_key
    and federation_ranks.federation = versions.federation
    and federation_ranks.rating = coalesce(disputed.rating, entries.rating)
