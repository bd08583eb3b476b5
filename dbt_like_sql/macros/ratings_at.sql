with
list_in_force as (
    select list_key, list_date, rating_type
    from staging.held_lists
    where publisher = 'fide' and list_date <= as_of::date
    qualify row_number() over (partition by rating_type order by list_date desc) = 1
)

select
    lists.rating_type,
    lists.list_date,
    entries.player_id,
    versions.name as player_name,
    versions.federation,
    versions.title,
    versions.sex,
    versions.birth_year,
    coalesce(disputed.rating, entries.rating) as rating,
    entries.games,
    entries.active
from list_in_force as lists
inner join core.entries as entries on entries.list_key = lists.list_key
inner join core.player_versions as versions on versions.version_key = entries.version_key
left join intermediate.disputed_ratings as disputed
    on disputed.list_key = entries.list_key and disputed.player_id = entries.player_id
