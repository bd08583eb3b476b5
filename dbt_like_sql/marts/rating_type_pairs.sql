-- The same person on lists of different kinds of play of the same month: how far do they agree?
with
pairs as (
    select
        first_lists.publisher,
        first_lists.list_date,
        first_lists.rating_type,
        other_lists.rating_type as other_rating_type,
        first_lists.list_key,
        other_lists.list_key as other_list_key,
        least(first_lists.coverage, other_lists.coverage) as coverage
    from staging.held_lists as first_lists
    inner join staging.held_lists as other_lists
        on other_lists.publisher = first_lists.publisher
        and other_lists.list_date = first_lists.list_date
        and (first_lists.rating_type, other_lists.rating_type) in (
            ('standard', 'rapid'), ('standard', 'blitz'), ('rapid', 'blitz'),
            ('regular', 'quick'), ('regular', 'blitz'), ('quick', 'blitz')
        )
),

entries as (
    select list_key, player_id, rating
    from core.entries
    where
        rating is not null
        and list_key in (select list_key from pairs union all select other_list_key from pairs)
)

select
    pairs.publisher,
    pairs.list_date,
    pairs.rating_type,
    pairs.other_rating_type,
    (entries.rating // 100 * 100)::smallint as band_low,
    count(*)::integer as player_count,
    avg(others.rating - entries.rating) as mean_difference,
    median(others.rating - entries.rating) as median_difference,
    -- From whole numbers: stddev_samp() depends on the order of the rows in its last digits.
    sqrt(
        (
            count(*) * sum((others.rating - entries.rating)::bigint ** 2)
            - sum(others.rating - entries.rating)::bigint ** 2
        ) / nullif(count(*) * (count(*) - 1), 0)
    ) as sd_difference,
    any_value(pairs.coverage) as coverage
from pairs
inner join entries on entries.list_key = pairs.list_key
inner join entries as others
    on others.list_key = pairs.other_list_key and others.player_id = entries.player_id
group by
    pairs.publisher, pairs.list_date, pairs.rating_type, pairs.other_rating_type, entries.rating // 100 * 100
