-- The lowest rating a list could print, and the cut above which all complete lists of its series can be compared.
with
lists as (
    select list_key, publisher, rating_type, list_date
    from staging.held_lists
    where coverage = 'complete'
),

nominal as (
    select lists.list_key, max_by(floors.floor, floors.from_list) as nominal_floor
    from lists
    inner join catalogue.rating_floors as floors
        on floors.from_list <= lists.list_date and floors.sex in ('M', 'both') and floors.floor is not null
    where lists.publisher = 'fide' and lists.rating_type = 'standard'
    group by lists.list_key
),

lowest as (
    select list_key, min(rating) as min_rating
    from intermediate.rating_counts
    group by list_key
),

-- No floor is catalogued for rapid, blitz and US Chess: the lowest rating printed, to the hundred below.
floors as (
    select
        lists.list_key,
        lists.publisher,
        lists.rating_type,
        coalesce(nominal.nominal_floor, lowest.min_rating // 100 * 100)::smallint as list_floor,
        nominal.nominal_floor is not null as is_nominal
    from lists
    inner join lowest on lowest.list_key = lists.list_key
    left join nominal on nominal.list_key = lists.list_key
)

select
    list_key,
    list_floor,
    is_nominal,
    max(list_floor) over (partition by publisher, rating_type) as common_cut
from floors
