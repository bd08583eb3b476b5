-- model: marts.players
-- Nobody is twice on one edition of a list: two entries of an edition never belong to one person.
select player_id, list_key, source_key, count(*) as entry_count
from (
    select player_id, list_key, source_key from core.entries
    union all
    select player_id, list_key, source_key from core.superseded_entries
) as entries
group by player_id, list_key, source_key
having count(*) > 1
