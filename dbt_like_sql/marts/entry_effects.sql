-- First published ratings: newcomers of each complete list after the first of its series.
with
lists as (
    select
        lists.list_key, lists.publisher, lists.rating_type, lists.list_date,
        floors.list_floor,
        row_number() over (partition by lists.publisher, lists.rating_type order by lists.list_date) as number
    from staging.held_lists as lists
    inner join intermediate.list_floors as floors on floors.list_key = lists.list_key
    where lists.coverage = 'complete'
),

first_ratings as (
    select lists.list_key, spans.first_rating as rating, lists.list_floor
    from intermediate.player_spans as spans
    inner join lists on lists.list_key = spans.first_list_key and lists.number > 1
),

effects as (
    select
        list_key,
        count(*) as newcomers,
        avg(rating) as mean_rating,
        median(rating) as median_rating,
        count(*) filter (where rating < list_floor + 100) as near_floor_count
    from first_ratings
    group by list_key
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    lists.list_floor,
    effects.newcomers::integer as newcomers,
    effects.mean_rating,
    effects.median_rating,
    effects.near_floor_count::integer as near_floor_count,
    effects.near_floor_count / effects.newcomers as near_floor_fraction
from effects
inner join lists on lists.list_key = effects.list_key
