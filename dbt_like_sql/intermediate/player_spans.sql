-- First and last list of each person on each series, complete lists only: who is new, who has left. The first rating
-- comes along in one number with the first list, which spares a join with all entries.
with
spans as (
    select
        lists.publisher,
        lists.rating_type,
        entries.player_id,
        min(entries.list_key::integer * 4096 + entries.rating) as packed_first,
        max(entries.list_key) as last_list_key,
        count(*) as lists_count
    from core.entries as entries
    inner join staging.held_lists as lists on lists.list_key = entries.list_key
    where lists.coverage = 'complete' and entries.rating is not null
    group by lists.publisher, lists.rating_type, entries.player_id
)

select
    publisher,
    rating_type,
    player_id,
    (packed_first // 4096)::smallint as first_list_key,
    (packed_first % 4096)::smallint as first_rating,
    last_list_key,
    lists_count::integer as lists_count
from spans
