-- Published rules on a grid of 50 points, each piece where it holds; beside them our estimates at the ratings they are
-- given for. A rule holds in its own direction only.
with
grid as (
    select range::smallint as rating from range(1000, 2801, 50)
),

published as (
    select
        'published' as kind,
        rules.rule_id as conversion,
        null::varchar as question,
        rules.from_system,
        rules.to_system,
        rules.issuer,
        rules.scope,
        null::varchar as population,
        null::varchar as period,
        grid.rating,
        rules.intercept + rules.slope * grid.rating as result,
        null::double as ci_low,
        null::double as ci_high,
        null::bigint as sample_size,
        rules.counts_as_games,
        rules.valid_from,
        rules.valid_until,
        rules.effective as remark,
        rules.source as conversion_source
    from catalogue.published_conversions as rules
    inner join grid
        on grid.rating between coalesce(rules.from_min, 0) and coalesce(rules.from_max, 9999)
),

estimates as (
    select
        'estimate' as kind,
        estimator as conversion,
        question,
        case when estimator = 'typical_by_uscf' then 'USCF' else 'FIDE' end as from_system,
        case when estimator = 'typical_by_uscf' then 'FIDE' else 'USCF' end as to_system,
        'this project' as issuer,
        question as scope,
        population,
        period,
        rating,
        rating + case
            when estimator = 'typical_by_uscf' then -uscf_minus_fide_estimate else uscf_minus_fide_estimate
        end as result,
        rating + case when estimator = 'typical_by_uscf' then -ci_high else ci_low end as ci_low,
        rating + case when estimator = 'typical_by_uscf' then -ci_low else ci_high end as ci_high,
        sample_size,
        null::smallint as counts_as_games,
        case when first_list >= date '2024-03-01' then date '2024-03-01' end as valid_from,
        case when first_list < date '2024-03-01' then date '2024-03-01' end as valid_until,
        caveat as remark,
        'marts.fide_uscf_offset_by_band' as conversion_source
    from marts.fide_uscf_offset_by_band
)

select
    kind,
    conversion,
    question,
    from_system,
    to_system,
    issuer,
    scope,
    population,
    period,
    rating,
    round(result, 1) as result,
    round(result - rating, 1) as difference_points,
    round(ci_low, 1) as ci_low,
    round(ci_high, 1) as ci_high,
    sample_size,
    counts_as_games,
    valid_from,
    valid_until,
    remark,
    conversion_source
from published
union all
select
    kind,
    conversion,
    question,
    from_system,
    to_system,
    issuer,
    scope,
    population,
    period,
    rating,
    round(result, 1) as result,
    round(result - rating, 1) as difference_points,
    round(ci_low, 1) as ci_low,
    round(ci_high, 1) as ci_high,
    sample_size,
    counts_as_games,
    valid_from,
    valid_until,
    remark,
    conversion_source
from estimates
