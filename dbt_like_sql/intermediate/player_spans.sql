-- First and last list of each person on each series, complete lists only: who is new, who has left. The first rating
-- comes along in one number with the first list, which spares a join with all entries.
-- A series (publisher and rating type) is a number while entries are grouped: texts would take twice the time.
-- Adding lists needs only them: what was found before is read from the table itself, which is empty at first.
with
spans as (
    select
        entries.list_key // 1500 as series,
        entries.player_id,
        min(entries.list_key::integer * 4096 + entries.rating) as packed_first,
        max(entries.list_key) as last_list_key,
        count(*) as lists_count
    from core.entries as entries
    where
        entries.rating is not null
        and entries.list_key in (select list_key from staging.held_lists where coverage = 'complete')
    group by series, entries.player_id
),

parts as (
    select series, player_id, packed_first, last_list_key, lists_count
    from spans
    union all
    select
        first_list_key // 1500, player_id, first_list_key::integer * 4096 + first_rating, last_list_key, lists_count
    from intermediate.player_spans
),

merged as (
    select
        series,
        player_id,
        min(packed_first) as packed_first,
        max(last_list_key) as last_list_key,
        sum(lists_count) as lists_count
    from parts
    group by series, player_id
),

series_names as (
    select distinct list_key // 1500 as series, publisher, rating_type
    from staging.held_lists
)

select
    series_names.publisher,
    series_names.rating_type,
    merged.player_id,
    (merged.packed_first // 4096)::smallint as first_list_key,
    (merged.packed_first % 4096)::smallint as first_rating,
    merged.last_list_key,
    merged.lists_count::integer as lists_count
from merged
inner join series_names on series_names.series = merged.series
