-- Who makes up the first hundred, by decade of birth.
with
decades as (
    select
        publisher,
        rating_type,
        list_date,
        birth_year // 10 * 10 as birth_decade,
        count(*) as player_count,
        avg(rating) as mean_rating,
        min(world_rank) as best_world_rank
    from marts.top_list
    group by publisher, rating_type, list_date, birth_decade
)

select
    publisher,
    rating_type,
    list_date,
    birth_decade::smallint as birth_decade,
    player_count::integer as player_count,
    player_count / sum(player_count) over (partition by publisher, rating_type, list_date) as player_fraction,
    mean_rating,
    best_world_rank
from decades
