-- model: marts.players; list_by_list: true
-- Nobody is twice on one edition of a list: two entries of an edition never belong to one person.
select player_id, list_key, source_key
from (
    select
        player_id,
        list_key,
        source_key,
        lag(list_key) over history as list_before,
        lag(source_key) over history as source_before
    from (
        select player_id, list_key, source_key from core.entries
        union all
        select player_id, list_key, source_key from core.superseded_entries
    ) as entries
    window history as (partition by player_id order by list_key, source_key)
) as histories
where list_key = list_before and source_key = source_before
