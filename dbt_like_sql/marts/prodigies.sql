-- The youngest to reach each threshold on a list. Only the year of birth is published, so ages are differences of
-- years, at most one year more than the true age; equal ages are ranked by date.
with
thresholds as (
    select unnest([2300, 2400, 2500, 2600, 2700, 2800]) as threshold
),

lists as (
    select list_key, publisher, rating_type, list_date
    from staging.held_lists
),

reached as (
    select
        lists.publisher,
        lists.rating_type,
        thresholds.threshold,
        strong.player_id,
        min(lists.list_date) as list_date
    from intermediate.strong_ratings as strong
    inner join lists on lists.list_key = strong.list_key
    inner join thresholds on strong.rating >= thresholds.threshold
    group by lists.publisher, lists.rating_type, thresholds.threshold, strong.player_id
),

series as (
    select publisher, rating_type, min(list_date) as first_list_date
    from lists
    group by publisher, rating_type
),

aged as (
    select
        reached.*,
        players.player_name,
        players.birth_year,
        players.sex,
        year(reached.list_date) - players.birth_year as age
    from reached
    inner join core.players as players on players.player_id = reached.player_id
    inner join series on series.publisher = reached.publisher and series.rating_type = reached.rating_type
    -- Whoever stands above the threshold on the first list held has reached it before, nobody knows when.
    where players.birth_year is not null and reached.list_date > series.first_list_date
),

ranked as (
    select
        *,
        rank() over (partition by publisher, rating_type, threshold order by age, list_date) as age_rank
    from aged
)

select
    publisher,
    rating_type,
    threshold::smallint as threshold,
    age_rank::integer as age_rank,
    player_id,
    player_name,
    sex,
    birth_year,
    list_date,
    age::smallint as age
from ranked
where age_rank <= 100
