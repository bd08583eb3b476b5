-- Complete lists in bins of 50 points. Bins below the common cut exist on some lists only, because floors moved.
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

binned as (
    select
        list_key,
        rating // 50 * 50 as bin_low,
        coalesce(active, false) as active,
        sum(player_count) as player_count,
        sum(women_count) as women_count
    from intermediate.rating_counts
    group by list_key, bin_low, active
),

populations as (
    select list_key, bin_low, 'all' as population, sum(player_count) as player_count
    from binned
    group by list_key, bin_low
    union all
    select binned.list_key, binned.bin_low, 'active', binned.player_count
    from binned
    inner join lists on lists.list_key = binned.list_key
    where binned.active and lists.activity_basis = 'flag'
    union all
    select binned.list_key, binned.bin_low, 'women', sum(binned.women_count)
    from binned
    inner join lists on lists.list_key = binned.list_key
    where lists.states_sex
    group by binned.list_key, binned.bin_low
    having sum(binned.women_count) > 0
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    populations.population,
    populations.bin_low::smallint as bin_low,
    (populations.bin_low + 49)::smallint as bin_high,
    populations.player_count::integer as player_count,
    populations.player_count / sum(populations.player_count) over (
        partition by populations.list_key, populations.population
    ) as player_fraction,
    lists.list_floor,
    populations.bin_low >= lists.common_cut as above_common_cut
from populations
inner join lists on lists.list_key = populations.list_key
