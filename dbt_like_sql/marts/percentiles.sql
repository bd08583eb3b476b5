-- "What percentile is 2000?" and "what rating is the 90th percentile?", by three methods: everybody on the list;
-- above the common cut of the series; corrected for the players the floor hides (truncated normal fit).
with
lists as (
    select
        lists.list_key, lists.publisher, lists.rating_type, lists.list_date, lists.activity_basis,
        features.states_sex, floors.list_floor, floors.common_cut
    from staging.held_lists as lists
    inner join intermediate.list_features as features on features.list_key = lists.list_key
    inner join intermediate.list_floors as floors on floors.list_key = lists.list_key
    where lists.coverage = 'complete'
),

by_rating as (
    select
        list_key,
        rating,
        sum(player_count) as everybody,
        sum(player_count) filter (where active) as active,
        sum(women_count) as women
    from intermediate.rating_counts
    group by list_key, rating
),

counts as (
    select list_key, 'all' as population, rating, everybody as players
    from by_rating
    union all
    select by_rating.list_key, 'active', by_rating.rating, by_rating.active
    from by_rating
    inner join lists on lists.list_key = by_rating.list_key and lists.activity_basis = 'flag'
    where by_rating.active > 0
    union all
    select by_rating.list_key, 'women', by_rating.rating, by_rating.women
    from by_rating
    inner join lists on lists.list_key = by_rating.list_key and lists.states_sex
    where by_rating.women > 0
),

methods as (
    select
        counts.list_key,
        counts.population,
        'everybody' as method,
        counts.rating,
        counts.players
    from counts
    union all
    select counts.list_key, counts.population, 'common cut', counts.rating, counts.players
    from counts
    inner join lists on lists.list_key = counts.list_key
    where counts.rating >= lists.common_cut
),

cumulated as materialized (
    select
        list_key,
        population,
        method,
        rating,
        sum(players) over up_to - players as below,
        sum(players) over up_to as up_to,
        sum(players) over (partition by list_key, population, method) as total
    from methods
    window up_to as (partition by list_key, population, method order by rating)
),

groups as (
    select list_key, population, method, any_value(total) as total, min(rating) as lowest, max(rating) as highest
    from cumulated
    group by list_key, population, method
),

wanted_ratings as (
    select unnest(range(1000, 2900, 50)) as rating
),

questions as (
    select groups.list_key, groups.population, groups.method, groups.total, wanted_ratings.rating
    from groups
    inner join wanted_ratings
        on wanted_ratings.rating between groups.lowest // 50 * 50 and groups.highest // 50 * 50 + 50
),

-- Strictly below a rating are those up to the next lower one printed.
ratings_looked_up as (
    select
        questions.list_key,
        questions.population,
        questions.method,
        questions.rating,
        coalesce(cumulated.up_to, 0) / questions.total as below_fraction
    from questions
    asof left join cumulated
        on cumulated.list_key = questions.list_key
        and cumulated.population = questions.population
        and cumulated.method = questions.method
        and questions.rating > cumulated.rating
),

wanted_percentiles as (
    select unnest([1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9]::double[]) as percentile
),

shares as (
    select
        groups.list_key,
        groups.population,
        groups.method,
        wanted_percentiles.percentile,
        wanted_percentiles.percentile / 100 * groups.total as players
    from groups
    cross join wanted_percentiles
),

-- The lowest rating with at least the wanted share at it or below.
percentiles_looked_up as (
    select shares.list_key, shares.population, shares.method, shares.percentile, cumulated.rating
    from shares
    asof inner join cumulated
        on cumulated.list_key = shares.list_key
        and cumulated.population = shares.population
        and cumulated.method = shares.method
        and shares.players <= cumulated.up_to
),

looked_up as (
    select list_key, population, method, 'rating' as look_up, rating, 100 * below_fraction as percentile
    from ratings_looked_up
    union all
    select list_key, population, method, 'percentile', rating, percentile
    from percentiles_looked_up
    union all
    -- Hidden players are all below: p of the printed ones becomes hidden + (1 - hidden) p.
    select
        everybody.list_key,
        everybody.population,
        'floor corrected',
        'rating',
        everybody.rating,
        100 * (fits.hidden_fraction + (1 - fits.hidden_fraction) * everybody.below_fraction)
    from ratings_looked_up as everybody
    inner join intermediate.truncated_fits as fits
        on fits.list_key = everybody.list_key and fits.population = everybody.population
    where everybody.method = 'everybody' and fits.hidden_fraction is not null and everybody.rating >= fits.cut
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    looked_up.population,
    looked_up.method,
    looked_up.look_up,
    looked_up.rating::smallint as rating,
    looked_up.percentile,
    case looked_up.method when 'common cut' then lists.common_cut else lists.list_floor end as lowest_counted,
    case when looked_up.method = 'floor corrected' then fits.hidden_fraction end as hidden_fraction,
    case when looked_up.method = 'floor corrected' then fits.fit_distance end as fit_distance
from looked_up
inner join lists on lists.list_key = looked_up.list_key
left join intermediate.truncated_fits as fits
    on fits.list_key = looked_up.list_key and fits.population = looked_up.population
