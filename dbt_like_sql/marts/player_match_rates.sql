-- How many players of a list are found on the next held one: the measure of linking over a change of names.
-- Complete lists are compared with complete ones, top lists with top lists.
with
pairs as (
    select
        list_key,
        publisher,
        rating_type,
        coverage,
        list_date,
        lag(list_key) over series as previous_list_key,
        lag(list_date) over series as previous_list_date,
        dense_rank() over (order by publisher, rating_type, coverage) as series_number
    from staging.held_lists
    window series as (partition by publisher, rating_type, coverage order by list_date)
),

listed as (
    select
        entries.list_key,
        entries.version_key,
        lag(entries.list_key) over history = pairs.previous_list_key as is_matched,
        lag(entries.version_key) over history as version_before
    from core.entries as entries
    inner join pairs on pairs.list_key = entries.list_key
    window history as (partition by entries.player_id, pairs.series_number order by entries.list_key)
),

-- Attributes are compared only where they changed: null keys find nothing, which spares most look-ups.
compared as (
    select
        list_key,
        version_key,
        is_matched,
        is_matched and version_before = version_key as is_unchanged,
        case when is_matched and version_before <> version_key then version_key end as changed_version,
        case when is_matched and version_before <> version_key then version_before end as version_before
    from listed
),

counted as (
    select
        compared.list_key,
        count(*)::integer as player_count,
        count(*) filter (where compared.is_matched)::integer as matched_count,
        count(*) filter (where compared.is_unchanged or after.name = before.name)::integer as same_name_count,
        count(*) filter (
            where (compared.is_unchanged and printed.fide_id is not null) or after.fide_id = before.fide_id
        )::integer as same_number_count
    from compared
    inner join core.player_versions as printed on printed.version_key = compared.version_key
    left join core.player_versions as after on after.version_key = compared.changed_version
    left join core.player_versions as before on before.version_key = compared.version_before
    group by compared.list_key
),

unmatched as (
    select entries.list_key, count(*)::integer as unmatched_count
    from core.player_versions as versions
    inner join core.entries as entries on entries.version_key = versions.version_key
    where versions.link_method = 'unmatched'
    group by entries.list_key
)

select
    pairs.publisher,
    pairs.rating_type,
    pairs.list_date,
    pairs.previous_list_date,
    pairs.coverage,
    counted.player_count,
    previous.player_count as previous_player_count,
    counted.matched_count,
    counted.matched_count / previous.player_count as matched_fraction,
    counted.same_name_count,
    counted.same_number_count,
    coalesce(unmatched.unmatched_count, 0) as unmatched_count
from pairs
inner join counted on counted.list_key = pairs.list_key
inner join counted as previous on previous.list_key = pairs.previous_list_key
left join unmatched on unmatched.list_key = pairs.list_key
order by pairs.publisher, pairs.rating_type, pairs.coverage, pairs.list_date
