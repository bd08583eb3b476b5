-- The rating at rank n is looked up first, so that few entries are read. Everybody tied at rank n is shown. Where the
-- reviewed history overrules what the list prints, its rating counts.
with
list_in_force as (
    select list_key, list_date
    from staging.held_lists
    where publisher = 'fide' and rating_type = 'standard' and list_date <= as_of::date
    order by list_date desc
    limit 1
),

ranks as (
    select lists.list_date, ranks.list_key, ranks.rating, ranks.world_rank
    from list_in_force as lists
    inner join intermediate.rating_ranks as ranks on ranks.list_key = lists.list_key
    where ranks.ranked_count > 0 and ranks.world_rank <= n::integer
),

listed as (
    select entries.player_id, entries.version_key, entries.rating
    from list_in_force as lists
    inner join core.entries as entries on entries.list_key = lists.list_key and entries.active is not false
    left join intermediate.disputed_ratings as disputed
        on disputed.list_key = entries.list_key and disputed.player_id = entries.player_id and disputed.is_reviewed
    where disputed.player_id is null
    union all
    select entries.player_id, entries.version_key, disputed.rating
    from list_in_force as lists
    inner join intermediate.disputed_ratings as disputed on disputed.list_key = lists.list_key and disputed.is_reviewed
    inner join core.entries as entries
        on entries.list_key = disputed.list_key
        and entries.player_id = disputed.player_id
        and entries.active is not false
)

select
    ranks.world_rank,
    players.player_name,
    versions.federation,
    versions.title,
    ranks.rating,
    versions.birth_year,
    entries.player_id,
    ranks.list_date
from ranks
inner join listed as entries on entries.rating = ranks.rating
inner join core.players as players on players.player_id = entries.player_id
inner join core.player_versions as versions on versions.version_key = entries.version_key
order by ranks.world_rank, players.player_name
