-- Mean rating by age in the year of the list. A cross-section: older players who stay are not the average of those
-- who were young with them. marts.age_changes follows persons.
with
lists as (
    select list_key, publisher, rating_type, list_date
    from staging.held_lists
    where coverage = 'complete'
),

births as (
    select player_id, birth_year
    from core.players
    where birth_year is not null
),

counts as (
    select
        entries.list_key,
        births.birth_year,
        count(*) as player_count,
        sum(coalesce(disputed.rating, entries.rating)) as rating_sum,
        max(coalesce(disputed.rating, entries.rating)) as max_rating
    from core.entries as entries
    inner join births on births.player_id = entries.player_id
    left join intermediate.disputed_ratings as disputed
        on disputed.list_key = entries.list_key and disputed.player_id = entries.player_id
    where entries.rating is not null
    group by entries.list_key, births.birth_year
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    (year(lists.list_date) - counts.birth_year)::smallint as age,
    counts.player_count::integer as player_count,
    counts.rating_sum / counts.player_count as mean_rating,
    counts.max_rating
from counts
inner join lists on lists.list_key = counts.list_key
where year(lists.list_date) - counts.birth_year between 4 and 100
