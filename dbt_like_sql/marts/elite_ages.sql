-- Age of the first 10, 50 and 100 of each list, ties at the cut included.
with
tops as (
    select unnest([10, 50, 100]) as top_n
),

ages as (
    select
        entries.publisher,
        entries.rating_type,
        entries.list_date,
        tops.top_n,
        entries.player_id,
        entries.player_name,
        year(entries.list_date) - entries.birth_year as age
    from marts.top_list as entries
    inner join tops on entries.world_rank <= tops.top_n
)

select
    publisher,
    rating_type,
    list_date,
    top_n::smallint as top_n,
    count(*)::integer as player_count,
    count(age)::integer as age_known_count,
    avg(age) as mean_age,
    median(age) as median_age,
    min(age)::smallint as youngest_age,
    min_by(player_name, (age, player_name)) filter (where age is not null) as youngest_name,
    max(age)::smallint as oldest_age,
    max_by(player_name, (age, player_name)) filter (where age is not null) as oldest_name
from ages
group by publisher, rating_type, list_date, top_n
