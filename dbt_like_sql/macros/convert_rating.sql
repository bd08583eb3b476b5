-- Estimates first, of the first population that has one at this rating; then every published rule in force. Between
-- two estimated ratings the offset is interpolated; the middle of a band holds to its ends. Read backwards, an error in
-- height becomes one along the scale: divided by the slope. The two sides of March 2024 never mix.
with
asked as (
    select
        given_rating::double as rating,
        upper(from_code::varchar) as from_system,
        upper(to_code::varchar) as to_system,
        as_of::date as on_date
),

populations as (
    select unnest(['usa', 'everybody', 'collected']) as population, unnest([1, 2, 3]) as preference
),

points as (
    select
        estimates.question,
        estimates.estimator,
        populations.preference,
        estimates.population,
        estimates.period,
        estimates.rating as scale_rating,
        estimates.uscf_minus_fide_estimate as points_apart,
        estimates.ci_low,
        estimates.ci_high,
        estimates.sample_size,
        estimates.caveat,
        asked.rating as asked_rating,
        asked.from_system = 'USCF' as backwards,
        estimates.question = 'typical rating' as banded,
        estimates.rating + case
            when asked.from_system = 'USCF' and estimates.estimator = 'structural'
                then estimates.uscf_minus_fide_estimate
            else 0
        end as place,
        dense_rank() over (
            partition by estimates.question, estimates.population
            order by
                greatest(estimates.first_list - asked.on_date, asked.on_date - estimates.last_list, 0),
                estimates.last_list - estimates.first_list,
                estimates.period
        ) as nearness
    from marts.fide_uscf_offset_by_band as estimates
    inner join populations on populations.population = estimates.population
    inner join asked
        on (estimates.first_list >= date '2024-03-01') = (asked.on_date >= date '2024-03-01')
        and case asked.from_system || asked.to_system
            when 'FIDEUSCF' then estimates.estimator in ('structural', 'typical_by_fide')
            when 'USCFFIDE' then estimates.estimator in ('structural', 'typical_by_uscf')
        end
),

nearest as (
    select
        *,
        min(place) over curve as first_place,
        max(place) over curve as last_place,
        greatest(least(asked_rating, max(place) over curve), min(place) over curve) as held_place
    from points
    where nearness = 1
    window curve as (partition by question, population)
),

within_reach as (
    select *
    from nearest
    where abs(asked_rating - held_place) <= case when banded then 50 else 0 end
),

sides as (
    select
        question,
        population,
        any_value(estimator) as estimator,
        any_value(preference) as preference,
        any_value(period) as period,
        any_value(asked_rating) as asked_rating,
        any_value(held_place) as held_place,
        any_value(backwards) as backwards,
        any_value(banded) as banded,
        arg_max(within_reach, place) filter (where place <= held_place) as below,
        arg_min(within_reach, place) filter (where place >= held_place) as above
    from within_reach
    group by question, population
),

interpolated as (
    select
        *,
        coalesce((held_place - below.place) / nullif(above.place - below.place, 0), 0) as share,
        case
            when backwards and not banded
                then coalesce((above.place - below.place) / nullif(above.scale_rating - below.scale_rating, 0), 1)
            else 1
        end as slope
    from sides
    where above.scale_rating - below.scale_rating <= 100
),

offsets as (
    select
        *,
        case when backwards then -1 else 1 end as direction,
        below.points_apart + share * (above.points_apart - below.points_apart) as points_apart,
        below.ci_low + share * (above.ci_low - below.ci_low) as apart_low,
        below.ci_high + share * (above.ci_high - below.ci_high) as apart_high
    from interpolated
    qualify row_number() over (partition by question order by preference) = 1
),

estimates as (
    select
        question,
        estimator as conversion,
        asked_rating + direction * points_apart as result,
        direction * (apart_low - points_apart) / slope as error_one,
        direction * (apart_high - points_apart) / slope as error_other,
        least(below.sample_size, above.sample_size) as sample_size,
        population,
        period,
        below.caveat as remark
    from offsets
),

published as (
    select
        rules.rule_id as conversion,
        rules.intercept + rules.slope * asked.rating as result,
        rules.issuer || ', ' || rules.scope as remark,
        rules.issuer = 'US Chess' and starts_with(rules.scope, 'initial rating') as official
    from catalogue.published_conversions as rules
    inner join asked
        on rules.from_system = asked.from_system
        and rules.to_system = asked.to_system
        and round(asked.rating) between coalesce(rules.from_min, 0) and coalesce(rules.from_max, 9999)
        and coalesce(rules.valid_from <= asked.on_date, true)
        and coalesce(rules.valid_until > asked.on_date, true)
),

answers as (
    select
        case question when 'same strength' then 1 else 2 end as place,
        question,
        conversion,
        round(result, 1) as result,
        round(result + least(error_one, error_other), 1) as ci_low,
        round(result + greatest(error_one, error_other), 1) as ci_high,
        sample_size,
        population,
        period,
        remark
    from estimates
    union all
    select
        case when official then 3 else 4 end,
        case when official then 'first rating by US Chess' else 'published rule' end,
        conversion,
        round(result, 1),
        null,
        null,
        null,
        null,
        null,
        remark
    from published
)

select question, conversion, result, ci_low, ci_high, sample_size, population, period, remark
from answers
order by place, conversion
