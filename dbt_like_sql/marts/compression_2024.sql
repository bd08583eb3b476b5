-- The one-off change of March 2024: the last complete list before it against the first one since, by band before.
with
lists as (
    select
        max(list_key) filter (where list_date < date '2024-03-01') as before_key,
        min(list_key) filter (where list_date >= date '2024-03-01') as after_key,
        max(list_date) filter (where list_date < date '2024-03-01') as before_list_date,
        min(list_date) filter (where list_date >= date '2024-03-01') as after_list_date
    from staging.held_lists
    where
        publisher = 'fide' and rating_type = 'standard' and coverage = 'complete'
        -- Lists further away than a year show other things besides.
        and list_date between date '2023-03-01' and date '2025-02-01'
),

before as (
    select entries.player_id, entries.rating, entries.active
    from core.entries as entries
    inner join lists on lists.before_key = entries.list_key
    where entries.rating is not null and lists.after_key is not null
),

after as (
    select entries.player_id, entries.rating
    from core.entries as entries
    inner join lists on lists.after_key = entries.list_key
    where entries.rating is not null
),

compared as (
    select
        before.rating // 100 * 100 as band_low,
        before.rating as rating_before,
        after.rating as rating_after,
        before.active,
        -- The rule: 0.40 of the distance to 2000 for everybody below.
        case when before.rating < 2000 then before.rating + 0.40 * (2000 - before.rating) else before.rating end
            as rating_by_rule
    from before
    left join after on after.player_id = before.player_id
)

select
    compared.band_low::smallint as band_low,
    any_value(lists.before_list_date) as before_list_date,
    any_value(lists.after_list_date) as after_list_date,
    count(*)::integer as before_count,
    count(compared.rating_after)::integer as after_count,
    (count(*) - count(compared.rating_after))::integer as left_count,
    avg(compared.rating_before) filter (where compared.rating_after is not null) as mean_before,
    avg(compared.rating_after) as mean_after,
    avg(compared.rating_by_rule) filter (where compared.rating_after is not null) as mean_by_rule,
    avg(compared.rating_after - compared.rating_before) as mean_change,
    count(*) filter (where abs(compared.rating_after - compared.rating_by_rule) <= 1)::integer as by_rule_count
from compared
cross join lists
group by compared.band_low
