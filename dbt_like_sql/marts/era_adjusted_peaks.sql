-- The same question by several methods, so that the choice of method can be seen: who stood highest above his time?
with
entries as materialized (
    select
        entries.publisher,
        entries.rating_type,
        entries.list_date,
        entries.player_id,
        entries.player_name,
        entries.rating,
        avg(entries.rating) over list as mean_100,
        -- From whole numbers: stddev_pop() depends on the order of the rows in its last digits.
        sqrt(
            count(*) over list * sum(entries.rating::bigint ** 2) over list
            - (sum(entries.rating) over list)::bigint ** 2
        ) / count(*) over list as sd_100,
        count(*) over list as list_size,
        coalesce(lists.next_list_date - entries.list_date, 30) as days
    from marts.top_list as entries
    inner join staging.held_lists as lists
        on lists.publisher = entries.publisher
        and lists.rating_type = entries.rating_type
        and lists.list_date = entries.list_date
    window list as (partition by entries.publisher, entries.rating_type, entries.list_date)
),

compared as (
    select
        entries.*,
        summary.mean_ranks_11_50
    from entries
    inner join marts.list_summary as summary
        on summary.publisher = entries.publisher
        and summary.rating_type = entries.rating_type
        and summary.list_date = entries.list_date
),

-- Mean over the n years that end with a list, each list weighted by the days it was valid. Only players who spent
-- the whole span in the first hundred have one: elsewhere a hole would count as strength.
spans as (
    select
        *,
        sum(rating * days) over year_1 / sum(days) over year_1 as mean_1,
        sum(days) over year_1 as days_1,
        sum(rating * days) over year_3 / sum(days) over year_3 as mean_3,
        sum(days) over year_3 as days_3,
        sum(rating * days) over year_5 / sum(days) over year_5 as mean_5,
        sum(days) over year_5 as days_5
    from compared
    window
        year_1 as (
            partition by publisher, rating_type, player_id order by list_date
            range between interval 11 months preceding and current row
        ),
        year_3 as (
            partition by publisher, rating_type, player_id order by list_date
            range between interval 35 months preceding and current row
        ),
        year_5 as (
            partition by publisher, rating_type, player_id order by list_date
            range between interval 59 months preceding and current row
        )
),

candidates as (
    select
        publisher,
        rating_type,
        player_id,
        player_name,
        list_date,
        rating,
        unnest(['z_top_100', 'margin_11_50', 'mean_1_year', 'mean_3_years', 'mean_5_years']) as method,
        unnest([
            case when list_size >= 100 and sd_100 > 0 then (rating - mean_100) / sd_100 end,
            rating - mean_ranks_11_50,
            case when days_1 >= 0.95 * 365 then mean_1 end,
            case when days_3 >= 0.95 * 3 * 365 then mean_3 end,
            case when days_5 >= 0.95 * 5 * 365 then mean_5 end
        ]) as adjusted_value
    from spans
),

peaks as (
    select
        publisher,
        rating_type,
        method,
        player_id,
        any_value(player_name) as player_name,
        max(adjusted_value) as adjusted_value,
        -- The first list at the peak.
        max_by(list_date, (adjusted_value, -epoch(list_date))) as list_date,
        max_by(rating, (adjusted_value, -epoch(list_date))) as rating
    from candidates
    where adjusted_value is not null
    group by publisher, rating_type, method, player_id
),

ranked as (
    select *, rank() over (partition by publisher, rating_type, method order by adjusted_value desc) as method_rank
    from peaks
)

select
    publisher,
    rating_type,
    method,
    method_rank::integer as method_rank,
    player_id,
    player_name,
    adjusted_value,
    list_date,
    rating
from ranked
where method_rank <= 200
