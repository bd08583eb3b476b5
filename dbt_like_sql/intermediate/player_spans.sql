-- First and last list of each person on each series, complete lists only: who is new, who has left.
select
    lists.publisher,
    lists.rating_type,
    entries.player_id,
    min(entries.list_key) as first_list_key,
    max(entries.list_key) as last_list_key,
    count(*)::integer as lists_count
from core.entries as entries
inner join staging.held_lists as lists on lists.list_key = entries.list_key
where lists.coverage = 'complete' and entries.rating is not null
group by lists.publisher, lists.rating_type, entries.player_id
