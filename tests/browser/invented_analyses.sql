-- The analyses of the invented players: marts of federations, titles, ages, percentiles, US Chess and so on, by rule.
-- Names and columns are those of the real marts; values are made so that every page has something to draw and tests
-- can ask the same table for the answer.
create table marts.top_list as
select
    publisher, rating_type, list_date, world_rank, player_id, player_name, federation,
    case when rating >= 2600 then 'GM' when rating >= 2500 then 'IM' end as title, sex, birth_year, rating,
    change_since_previous_list, null::integer as previous_world_rank,
    case when world_rank = 1 then 'scid:' || (rating + 5) end as contradicted_by
from marts.player_history
where world_rank <= 100;

create table marts.federation_strength as
with placed as (
    select *, row_number() over (partition by rating_type, list_date, federation order by rating desc) as place
    from marts.player_history
),

grouped as (
    select
        publisher, rating_type, list_date, federation,
        -- BBB falls behind the others in 2012.
        avg(rating - case when federation = 'BBB' and year(list_date) >= 2012 then 20 else 0 end)
            filter (where place <= 10) as mean_top_10,
        max(rating) as best_rating, median(rating) as median_rating, count(*)::integer as player_count,
        count(*)::integer as ranked_count, (count(*) filter (where sex = 'F'))::integer as women_count,
        (count(*) filter (where rating >= 2500))::integer as titled_count,
        (count(*) filter (where rating >= 2600))::integer as gm_count, 'printed' as federation_basis
    from placed
    group by all
)

select *, rank() over (partition by rating_type, list_date order by mean_top_10 desc)::integer as strength_rank
from grouped;

create table marts.federation_flows as
select
    'fide' as publisher, rating_type, list_date, 'AAA' as from_federation,
    case when month(list_date) = 1 then 'BBB' else 'CCC' end as to_federation,
    case when year(list_date) = 2009 then 'code ended' else 'transfer' end as flow_kind,
    (year(list_date) - 1999)::integer as player_count, 1 as titled_count, 2500.0 as mean_rating, 2600 as max_rating,
    (list_date - interval 6 month)::date as earliest_previous_list_date
from marts.list_summary
where rating_type = 'standard' and year(list_date) < 2012;

create table marts.title_counts as
with titled as (
    select
        *, case when rating >= 2600 then 'GM' when rating >= 2500 then 'IM'
            when sex = 'F' then 'WGM' when rating >= 2400 then 'FM' end as title
    from marts.player_history
)

select
    publisher, rating_type, list_date, coalesce(federation, 'all') as federation, title,
    count(*)::integer as player_count, count(*)::integer as active_count,
    (count(*) filter (where sex = 'F'))::integer as women_count, avg(rating) as mean_rating
from titled
where title is not null
group by publisher, rating_type, list_date, title, rollup (federation);

create table marts.gender_gap as
with placed as (
    select *, row_number() over (partition by rating_type, list_date, sex order by rating desc) as place
    from marts.player_history
)

select
    publisher, rating_type, list_date, n.top_n, count(*)::integer as player_count,
    (count(*) filter (where sex = 'F'))::integer as women_count,
    count(*) filter (where sex = 'F') / count(*) as women_fraction,
    avg(rating) filter (where sex = 'M') as mean_men, avg(rating) filter (where sex = 'F') as mean_women,
    avg(rating) filter (where sex = 'M' and place <= top_n) as men_top_mean,
    avg(rating) filter (where sex = 'F' and place <= top_n) as women_top_mean,
    men_top_mean - women_top_mean as top_gap, 0.4 * top_gap as expected_gap, 0.6 * top_gap as unexplained_gap
from placed, (values (1), (10), (20)) as n(top_n)
group by publisher, rating_type, list_date, n.top_n;

create table marts.elite_ages as
select
    publisher, rating_type, list_date, n.top_n, count(*)::integer as player_count, count(*)::integer as age_known_count,
    avg(year(list_date) - birth_year) as mean_age, median(year(list_date) - birth_year) as median_age,
    min(year(list_date) - birth_year) as youngest_age, arg_max(player_name, birth_year) as youngest_name,
    max(year(list_date) - birth_year) as oldest_age, arg_min(player_name, birth_year) as oldest_name
from marts.top_list, (values (10), (50), (100)) as n(top_n)
where world_rank <= n.top_n
group by publisher, rating_type, list_date, n.top_n;

create table marts.generations as
select
    publisher, rating_type, list_date, (birth_year // 10 * 10)::smallint as birth_decade,
    count(*)::integer as player_count, count(*) / 100 as player_fraction, avg(rating) as mean_rating,
    min(world_rank) as best_world_rank
from marts.top_list
group by all;

create table marts.age_profile as
select
    publisher, rating_type, list_date, (year(list_date) - birth_year)::smallint as age, count(*)::integer as player_count,
    avg(rating) as mean_rating, max(rating) as max_rating
from marts.player_history
group by all;

create table marts.age_changes as
select
    'fide' as publisher, 'standard' as rating_type, date '2020-01-01' as list_date, age.range::smallint as age,
    band.range::smallint as band_low, 50 as player_count, (30 - age.range) / 2 as mean_change, 20.0 as sd_change
from range(10, 71) as age, range(2000, 2601, 200) as band;

create table marts.prodigies as
with reached as (
    select
        publisher, rating_type, n.threshold, player_id, any_value(player_name) as player_name, any_value(sex) as sex,
        any_value(birth_year) as birth_year, min(list_date) as list_date,
        (year(min(list_date)) - any_value(birth_year))::smallint as age
    from marts.player_history, (values (2400), (2500), (2600), (2700), (2800)) as n(threshold)
    where rating >= n.threshold
    group by publisher, rating_type, n.threshold, player_id
)

select *, rank() over (partition by rating_type, threshold order by age, list_date)::integer as age_rank
from reached;

create table marts.percentiles as
with grid as (
    select
        l.publisher, l.rating_type, l.list_date, p.population, m.method, m.raised,
        year(l.list_date) - 2000 as years
    from marts.list_summary as l, (values ('all'), ('active'), ('women')) as p(population),
        (values ('everybody', 0), ('common cut', -30), ('floor corrected', 5)) as m(method, raised)
)

select
    publisher, rating_type, list_date, population, method, 'rating' as look_up, r.range::smallint as rating,
    greatest(0, least(99.995, (r.range - 1000) / 18 + raised + years / 4)) as percentile, 1000::smallint as lowest_counted,
    case method when 'floor corrected' then 0.05 end as hidden_fraction,
    case method when 'floor corrected' then 0.02 end as fit_distance
from grid, range(1000, 2851, 50) as r
union all
select
    publisher, rating_type, list_date, population, method, 'percentile', (1200 + 15 * v.percent - years)::smallint,
    v.percent, 1000, null, null
from grid, (values (10.0::double), (50), (90), (95), (99), (99.9)) as v(percent)
where method <> 'floor corrected';

create table marts.rating_distribution as
select
    l.publisher, l.rating_type, l.list_date, p.population, b.range::smallint as bin_low,
    (b.range + 49)::smallint as bin_high, (1 + 1000 - abs(b.range - 1900))::integer as player_count,
    0.02 as player_fraction, 1000::smallint as list_floor, b.range >= 2200 as above_common_cut
from marts.list_summary as l, (values ('all'), ('active'), ('women')) as p(population), range(1000, 2850, 50) as b;

create table marts.records as
select
    'longest_reign' as record_code, rating_type, rank() over (partition by rating_type order by days desc) as record_rank,
    player_names as holder, player_ids, days::double as record_value, 'days' as record_unit,
    first_list_date as from_date, last_list_date as to_date, 'marts.number_ones' as source_mart
from marts.number_ones
union all
select 'largest_gap_1_2', rating_type, rank() over (partition by rating_type order by gap_1_2 desc, list_date),
    'Invented', null, gap_1_2, 'points', list_date, list_date, 'marts.list_summary'
from marts.list_summary
qualify rank() over (partition by rating_type order by gap_1_2 desc, list_date) <= 10;

create table marts.movers as
with moved as (
    select
        h.publisher, h.rating_type, h.list_date, s.span, h.player_id, h.player_name, h.rating,
        lag(h.rating, s.back) over earlier as earlier_rating, lag(h.list_date, s.back) over earlier as earlier_list_date
    from marts.player_history as h, (values ('previous list', 1), ('12 months', 2)) as s(span, back)
    window earlier as (partition by h.rating_type, h.player_id, s.span order by h.list_date)
),

signed as (
    select *, rating - earlier_rating as change, case when rating > earlier_rating then 'gain' else 'loss' end as direction
    from moved
    where rating <> earlier_rating
)

select *, 10 as games, rank() over (partition by rating_type, list_date, span, direction order by abs(change) desc)::integer
    as move_rank
from signed
qualify move_rank <= 10;

create table marts.elite_membership as
select
    publisher, rating_type, n.top_n, player_id, any_value(player_name) as player_name, min(list_date) as first_list_date,
    max(list_date) as last_list_date, count(*)::integer as lists_count, (181 * count(*))::integer as days,
    (181 * count(*))::integer as longest_stay_days, 0 as comebacks, null::integer as longest_absence_days,
    null::date as comeback_list_date, min(world_rank) as best_world_rank, max(list_date) >= date '2024-01-01' as is_member_now
from marts.top_list, (values (5), (10), (100)) as n(top_n)
where world_rank <= n.top_n
group by publisher, rating_type, n.top_n, player_id;

create table marts.era_adjusted_peaks as
with margins as (
    select t.*, t.rating - s.mean_ranks_11_50 as margin
    from marts.top_list as t
    inner join marts.list_summary as s on t.rating_type = s.rating_type and t.list_date = s.list_date
),

best as (
    select
        publisher, rating_type, player_id, any_value(player_name) as player_name, max(margin) as adjusted_value,
        arg_max(list_date, margin) as list_date, arg_max(rating, margin) as rating
    from margins
    group by publisher, rating_type, player_id
)

select
    *, m.method, rank() over (partition by rating_type, m.method order by adjusted_value desc)::integer as method_rank
from best, (values ('margin_11_50'), ('z_top_100'), ('mean_1_year'), ('mean_3_years'), ('mean_5_years')) as m(method);

create table marts.inflation_indices as
select publisher, rating_type, list_date, coverage, v.index_name, v.index_value, 'points' as index_unit,
    'ranked' as population, 'Defined <b>here</b>.' as definition
from marts.list_summary, lateral (
    select unnest(['edwards', 'mean_10', 'mean_100', 'mean_all']) as index_name,
        unnest([mean_ranks_11_50, mean_top_10, mean_top_100, mean_top_100 - 50]) as index_value
) as v;

create table marts.entry_effects as
select publisher, rating_type, list_date, 1200::smallint as list_floor, (100 + year(list_date) - 2000)::integer as newcomers,
    1500.0 as mean_rating, 1480.0 as median_rating, 20 as near_floor_count, 0.2 as near_floor_fraction
from marts.list_summary;

create table marts.survival as
select
    'fide' as publisher, 'standard' as rating_type, e.end_kind, c.entry_years::smallint as entry_years,
    g.cohort_group, y.range::smallint as years_since_entry, 500 as entered_count, (500 - y.range)::integer as at_risk_count,
    5 as ended_count, 1 - y.range / 40 as surviving_fraction
from (values ('off the list'), ('inactive')) as e(end_kind), (values (2000), (2005)) as c(entry_years),
    (values ('all'), ('women')) as g(cohort_group), range(0, 16) as y;

create table marts.activity as
select publisher, rating_type, list_date, 6::smallint as months_since_previous_list, 130 as player_count,
    130 as active_count, 65 as played_count, 0.5 as played_fraction, 650 as games_total, 10.0 as games_per_player,
    (40 + month(list_date))::smallint as max_games, 'Invented, Busy' as busiest_player
from marts.list_summary;

create table marts.k_factor_counts as
select publisher, rating_type, list_date, k.k_factor, 40 as player_count, k.k_factor / 70 as player_fraction,
    40 as active_count, 20 as played_count, 200 as games_total, 2000.0 as mean_rating
from marts.list_summary, (values (10), (20), (40)) as k(k_factor)
where year(list_date) > 2012;

create table marts.rating_type_pairs as
select 'fide' as publisher, list_date, 'standard' as rating_type, 'rapid' as other_rating_type,
    b.range::smallint as band_low, 100 as player_count, (2000 - b.range) / 20 as mean_difference,
    (2000 - b.range) / 20 as median_difference, 60.0 as sd_difference, 'complete' as coverage
from marts.list_summary, range(1400, 2700, 100) as b
where rating_type = 'rapid';

create table marts.compression_2024 as
select
    b.range::smallint as band_low, date '2024-02-01' as before_list_date, date '2024-03-01' as after_list_date,
    1000 as before_count, 990 as after_count, 10 as left_count, b.range + 50.0 as mean_before,
    b.range + 50 + 0.4 * greatest(0, 1950 - b.range) + 1 as mean_after,
    b.range + 50 + 0.4 * greatest(0, 1950 - b.range) as mean_by_rule,
    0.4 * greatest(0, 1950 - b.range) + 1 as mean_change, 900 as by_rule_count
from range(1000, 2700, 100) as b;

create table catalogue.published_conversions as
select * replace (intercept::double as intercept, slope::double as slope) from (values
    ('init-2017', 'FIDE', 'USCF', 'US Chess', 'initial rating', null, 2000, 180, 0.94, date '2017-01-01', date '2024-03-01'),
    ('init-2017', 'FIDE', 'USCF', 'US Chess', 'initial rating', 2001, null, 20, 1.02, date '2017-01-01', date '2024-03-01'),
    ('init-2024', 'FIDE', 'USCF', 'US Chess', 'initial rating', null, 2000, -1073, 1.5667, date '2024-03-01', null),
    ('init-2024', 'FIDE', 'USCF', 'US Chess', 'initial rating', 2001, null, 20, 1.02, date '2024-03-01', null),
    ('goals', 'USCF', 'FIDE', 'Invented Goals', 'rank-matched', null, null, 126, 0.924, date '2023-05-01', null)
) as t(rule_id, from_system, to_system, issuer, scope, from_min, from_max, intercept, slope, valid_from, valid_until);

create table marts.rating_conversions as
select
    'published' as kind, p.rule_id as conversion, null::varchar as question, p.from_system, p.to_system, p.issuer,
    p.scope, null::varchar as population, null::varchar as period, r.range::smallint as rating,
    round(p.intercept + p.slope * r.range, 1) as result, round(p.intercept + p.slope * r.range - r.range, 1)
        as difference_points,
    null::double as ci_low, null::double as ci_high, null::bigint as sample_size, 5::smallint as counts_as_games,
    p.valid_from, p.valid_until, '' as remark, 'invented' as conversion_source
from catalogue.published_conversions as p, range(1000, 2801, 50) as r
where r.range between coalesce(p.from_min, 0) and coalesce(p.from_max, 9999)
union all
select 'published', 'fide-2024', null, 'FIDE', 'FIDE', 'FIDE', 'one-off', null, null, r.range,
    r.range + 0.4 * (2000 - r.range), 0.4 * (2000 - r.range), null, null, null, null, date '2024-03-01', date '2024-04-01',
    '', 'invented'
from range(1000, 2000, 50) as r
union all
select 'estimate', 'structural', 'same strength', 'FIDE', 'USCF', 'this project', 'same strength', 'usa',
    '2024-03 to 2024-12', r.range, r.range + 40, 40, r.range + 20, r.range + 60, 300, null, date '2024-03-01', null, '', 'x'
from range(1500, 2401, 100) as r;

create table marts.fide_uscf_offset_by_band as
select
    'usa' as population, '2024-03 to 2024-12' as period, date '2024-03-01' as first_list, date '2024-12-01' as last_list,
    e.estimator, e.question, null::varchar as band, r.range::smallint as rating,
    (r.range - 1800) / 10 + e.moved as uscf_minus_fide_estimate, (r.range - 1800) / 10 + e.moved - 20 as ci_low,
    (r.range - 1800) / 10 + e.moved + 20 as ci_high, null::double as quartile_low, null::double as quartile_high,
    null::double as range_low, null::double as range_high, 300 as sample_size, 'invented' as caveat
from range(1500, 2401, 100) as r, (values
    ('structural', 'same strength', 0), ('equipercentile', 'same strength', 5), ('typical_by_fide', 'typical rating', 9)
) as e(estimator, question, moved);

create table marts.fide_uscf_offset_by_year as
select 'usa' as population, e.estimator, make_date(y.range::integer, 1, 1) as list_date, (y.range - 2010) * 2.0
        as uscf_minus_fide_estimate,
    (y.range - 2010) * 2.0 - 10 as ci_low, (y.range - 2010) * 2.0 + 10 as ci_high, 200 as sample_size, 1 as chain,
    'invented' as caveat
from range(2012, 2024) as y, (values ('chained'), ('cross_section')) as e(estimator);

create table marts.fide_uscf_pairs as
select 'lists' as origin, 'p' || n as person_id, date '2024-06-01' as list_date, (1500 + 7 * n)::smallint as fide_rating,
    (1450 + 8 * n)::smallint as uscf_rating
from range(0, 120) as t(n);

create table marts.fide_uscf_samples as
select 'invented.csv' as origin, 1 as source_key, 'name' as link_method, date '2024-06-01' as list_date,
    date '2024-06-01' as uscf_list_date, 53 as sample_size, 82.0 as uscf_minus_fide_estimate, 60.0 as ci_low,
    100.0 as ci_high, -10.0 as quartile_low, 110.0 as quartile_high, 'invented' as source_note;

create table marts.fide_uscf_pair_filters as
select 'lists' as origin, null::integer as source_key, 'from 2024-03' as scale, n::tinyint as step, 'filter ' || n as filter,
    'meaning ' || n as meaning, 10 as removed, 0 as not_known, 120 - 10 * n as remaining
from range(1, 9) as t(n);

create table marts.published_figure_checks as
select * from (values
    ('F1', 'list', date '2010-01-01', 'standard', 'rows', null, 'all', '130', 0.0, '130', 0.0, 'agrees', null, null),
    ('F2', 'list', date '2012-01-01', 'standard', 'rows', null, 'all', '99', 0.0, '130', 31.0, 'differs',
        'Somebody <b>counted</b> wrongly.', 'the list'),
    ('F3', 'Invented, Pair', null, 'standard', 'rating_pair', 'FIDE/USCF', 'unspecified', '2600/2700', null, '2672', -28.0,
        'differs', 'One pair.', 'conversions'),
    ('F4', 'system offset', null, 'standard', 'offset_uscf_minus_fide', null, 'unspecified', '100', 50.0, '64', -36.0,
        'agrees', null, null),
    ('F5', 'list', date '1999-01-01', 'standard', 'rows', null, 'all', '5', 0.0, null, null, 'cannot be computed',
        'not held', null)
) as t(figure_id, subject, list_date, rating_type, measure, parameter, population, published_value, tolerance,
    computed_value, difference, verdict, explanation, evidence),
    (values ('complete', 'invented', 'file.txt', 'invented source', 'invented note'))
        as s(coverage, collection, file_name, figure_source, figure_note);
