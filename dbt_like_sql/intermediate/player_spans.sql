-- First and last list of each person on each series, complete lists only: who is new, who has left. The first rating
-- comes along in one number with the first list, which spares a join with all entries.
-- A series (publisher and rating type) is a number while entries are grouped: texts would take twice the time.
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

series_names as (
    select distinct list_key // 1500 as series, publisher, rating_type
    from staging.held_lists
)

select
    series_names.publisher,
    series_names.rating_type,
    spans.player_id,
    (spans.packed_first // 4096)::smallint as first_list_key,
    (spans.packed_first % 4096)::smallint as first_rating,
    spans.last_list_key,
    spans.lists_count::integer as lists_count
from spans
inner join series_names on series_names.series = spans.series
