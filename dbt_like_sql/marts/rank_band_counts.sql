-- Complete lists are counted in every band. From a top list only the bands above its last place are: everybody
-- in them is on it. Where a complete list has no flags but a top list witnesses activity, the same holds for the
-- active population.
with
lists as (
    select
        lists.*,
        case
            when lists.activity_basis = 'top list'
                then coalesce(
                    (
                        select max(known.rating) + 1
                        from core.entries as known
                        where known.list_key = lists.list_key and known.active is null and known.rating is not null
                    ),
                    case when lists.coverage = 'top' then (
                        select min(known.rating) + 1 from core.entries as known where known.list_key = lists.list_key
                    ) end,
                    0
                )
        end as activity_known_from
    from staging.held_lists as lists
),

populations as (
    select list_key, 'all' as population, 0 as known_from, 'complete list' as basis
    from lists
    where coverage = 'complete'
    union all
    select list_key, 'active', 0, 'complete list, flags of the list'
    from lists
    where coverage = 'complete' and activity_basis = 'flag'
    union all
    select
        list_key,
        'active',
        activity_known_from,
        'top list: every active player from ' || activity_known_from || ' on is on it'
    from lists
    where activity_basis = 'top list'
),

bands as (
    select band_system, band_label, coalesce(band_low, 0) as low, coalesce(band_high, 9999) as high, band_low, band_high
    from catalogue.rank_bands
),

counted as (
    select
        populations.list_key,
        populations.population,
        populations.basis,
        bands.band_system,
        bands.band_label,
        any_value(bands.band_low) as band_low,
        any_value(bands.band_high) as band_high,
        coalesce(sum(counts.player_count), 0) as player_count,
        coalesce(sum(counts.women_count), 0) as women_count,
        coalesce(sum(counts.gm_count), 0) as gm_count,
        coalesce(sum(counts.im_count), 0) as im_count,
        coalesce(sum(counts.fm_count), 0) as fm_count,
        coalesce(sum(counts.cm_count), 0) as cm_count,
        coalesce(sum(counts.wgm_count), 0) as wgm_count,
        coalesce(sum(counts.wim_count), 0) as wim_count,
        coalesce(sum(counts.wfm_count), 0) as wfm_count,
        coalesce(sum(counts.wcm_count), 0) as wcm_count
    from populations
    inner join lists on lists.list_key = populations.list_key
    inner join bands on bands.low >= populations.known_from
        and bands.band_system in (case lists.publisher when 'uscf' then 'uscf' else 'fide' end, 'hundreds')
    left join intermediate.rating_counts as counts
        on counts.list_key = populations.list_key
        and counts.rating between bands.low and bands.high
        and (populations.population = 'all' or counts.active)
    group by
        populations.list_key, populations.population, populations.basis, bands.band_system, bands.band_label
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    counted.band_system,
    counted.band_label,
    counted.band_low,
    counted.band_high,
    counted.population,
    counted.player_count::integer as player_count,
    case
        when counted.basis like 'complete%'
            then counted.player_count / nullif(
                sum(counted.player_count) over (
                    partition by counted.list_key, counted.population, counted.band_system
                ),
                0
            )
    end as player_fraction,
    case when features.states_sex then counted.women_count::integer end as women_count,
    case when features.states_titles then counted.gm_count::integer end as gm_count,
    case when features.states_titles then counted.im_count::integer end as im_count,
    case when features.states_titles then counted.fm_count::integer end as fm_count,
    case when features.states_titles then counted.cm_count::integer end as cm_count,
    case when features.states_titles then counted.wgm_count::integer end as wgm_count,
    case when features.states_titles then counted.wim_count::integer end as wim_count,
    case when features.states_titles then counted.wfm_count::integer end as wfm_count,
    case when features.states_titles then counted.wcm_count::integer end as wcm_count,
    counted.basis
from counted
inner join lists on lists.list_key = counted.list_key
inner join intermediate.list_features as features on features.list_key = counted.list_key
