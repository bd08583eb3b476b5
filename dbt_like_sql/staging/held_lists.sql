-- Lists that can be counted or ranked: held as a whole or as a top list, not as a supplement (changes only) or an extract.
select
    list_key,
    publisher,
    rating_type,
    list_date,
    official,
    coverage,
    activity_basis,
    next_list_date,
    lag(list_key) over series as previous_list_key,
    lag(list_date) over series as previous_list_date,
    row_number() over series as list_number
from core.lists
where held and official and coverage in ('complete', 'top')
window series as (partition by publisher, rating_type order by list_date)
