-- Kaplan-Meier: how long newcomers stay. Two kinds of end: off the list for good, and inactive for good (on lists
-- with flags). Whoever is on the newest complete list is censored there. Products of survival are sums of logarithms.
with
lists as (
    select
        list_key, publisher, rating_type, list_date, activity_basis,
        min(list_date) over series as first_list_date,
        max(list_date) over series as newest_list_date,
        bool_and(activity_basis = 'flag') over series as has_flags,
        lead(list_date) over (partition by publisher, rating_type order by list_date) as following_list_date
    from staging.held_lists
    where coverage = 'complete'
    window series as (partition by publisher, rating_type)
),

-- Last list on which a player was not flagged inactive.
active_spans as (
    select lists.publisher, lists.rating_type, entries.player_id, max(entries.list_key) as last_active_key
    from core.entries as entries
    inner join lists on lists.list_key = entries.list_key
    where entries.rating is not null and entries.active and lists.has_flags
    group by lists.publisher, lists.rating_type, entries.player_id
),

stays as (
    select
        spans.publisher,
        spans.rating_type,
        spans.player_id,
        entered.list_date as first_list_date,
        'off the list' as end_kind,
        last_lists.following_list_date,
        entered.newest_list_date
    from intermediate.player_spans as spans
    inner join lists as entered on entered.list_key = spans.first_list_key
    inner join lists as last_lists on last_lists.list_key = spans.last_list_key
    where entered.list_date > entered.first_list_date
    union all
    select
        spans.publisher,
        spans.rating_type,
        spans.player_id,
        entered.list_date,
        'inactive',
        last_lists.following_list_date,
        entered.newest_list_date
    from intermediate.player_spans as spans
    inner join active_spans
        on active_spans.publisher = spans.publisher
        and active_spans.rating_type = spans.rating_type
        and active_spans.player_id = spans.player_id
    inner join lists as entered on entered.list_key = spans.first_list_key
    inner join lists as last_lists on last_lists.list_key = active_spans.last_active_key
    where entered.list_date > entered.first_list_date
),

persons as (
    select
        stays.publisher,
        stays.rating_type,
        stays.end_kind,
        year(stays.first_list_date) // 5 * 5 as entry_years,
        case players.sex when 'F' then 'women' else 'men' end as sex_group,
        case
            when players.birth_year is null then 'age unknown'
            when year(stays.first_list_date) - players.birth_year < 20 then 'under 20'
            when year(stays.first_list_date) - players.birth_year < 40 then '20 to 39'
            else '40 and over'
        end as age_group,
        stays.following_list_date is not null as ended,
        date_diff(
            'month', stays.first_list_date, coalesce(stays.following_list_date, stays.newest_list_date)
        ) as months
    from stays
    inner join core.players as players on players.player_id = stays.player_id
),

grouped as (
    select
        publisher, rating_type, end_kind, entry_years, months,
        coalesce(sex_group, age_group, 'all') as cohort_group,
        count(*) as leaving,
        count(*) filter (where ended) as ends
    from persons
    group by
        publisher, rating_type, end_kind, entry_years, months,
        grouping sets ((), (sex_group), (age_group))
),

steps as (
    select
        *,
        sum(leaving) over later as at_risk,
        sum(leaving) over cohort as entered
    from grouped
    window
        cohort as (partition by publisher, rating_type, end_kind, entry_years, cohort_group),
        later as (
            partition by publisher, rating_type, end_kind, entry_years, cohort_group order by months desc
        )
),

curves as (
    select
        *,
        exp(sum(case when ends < at_risk then ln(1 - ends / at_risk) else -1e9 end) over earlier) as surviving_fraction,
        sum(ends) over earlier as ended_count
    from steps
    window earlier as (
        partition by publisher, rating_type, end_kind, entry_years, cohort_group order by months
    )
),

whole_years as (
    select *, months // 12 as years
    from curves
    qualify row_number() over (
        partition by publisher, rating_type, end_kind, entry_years, cohort_group, months // 12 order by months desc
    ) = 1
)

select
    publisher,
    rating_type,
    end_kind,
    entry_years::smallint as entry_years,
    cohort_group,
    (years + 1)::smallint as years_since_entry,
    entered::integer as entered_count,
    (at_risk - leaving)::integer as at_risk_count,
    ended_count::integer as ended_count,
    surviving_fraction
from whole_years
