-- The same persons a year later: change from one January list to the next, by age and strength. Lists of one month
-- a year, because each further pair of months would be joined anew without telling more.
with
lists as (
    select later.list_key, later.publisher, later.rating_type, later.list_date, earlier.list_key as earlier_key
    from staging.held_lists as later
    inner join staging.held_lists as earlier
        on earlier.publisher = later.publisher
        and earlier.rating_type = later.rating_type
        and earlier.list_date = later.list_date - interval 1 year
    where later.coverage = 'complete' and earlier.coverage = 'complete' and month(later.list_date) = 1
),

births as (
    select player_id, birth_year
    from core.players
    where birth_year is not null
),

januaries as materialized (
    select list_key, player_id, rating
    from core.entries
    where
        rating is not null
        and list_key in (select list_key from lists union all select earlier_key from lists)
),

counts as (
    select
        lists.publisher,
        lists.rating_type,
        lists.list_date,
        year(lists.list_date) - births.birth_year as age,
        earlier.rating // 200 * 200 as band_low,
        count(*) as player_count,
        avg(later.rating - earlier.rating) as mean_change,
        -- From whole numbers: stddev_samp() depends on the order of the rows in its last digits.
        sqrt(
            (
                count(*) * sum((later.rating - earlier.rating)::bigint ** 2)
                - sum(later.rating - earlier.rating)::bigint ** 2
            ) / nullif(count(*) * (count(*) - 1), 0)
        ) as sd_change
    from lists
    inner join januaries as later on later.list_key = lists.list_key
    inner join januaries as earlier on earlier.list_key = lists.earlier_key and earlier.player_id = later.player_id
    inner join births on births.player_id = later.player_id
    group by lists.publisher, lists.rating_type, lists.list_date, age, band_low
)

select
    publisher,
    rating_type,
    list_date,
    age::smallint as age,
    band_low::smallint as band_low,
    player_count::integer as player_count,
    mean_change,
    sd_change
from counts
where age between 4 and 100
