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
        lag(list_date) over series as previous_list_date
    from staging.held_lists
    window series as (partition by publisher, rating_type, coverage order by list_date)
),

counted as (
    select
        entries.list_key,
        count(*)::integer as player_count,
        count(*) filter (where versions.link_method = 'unmatched')::integer as unmatched_count
    from core.entries as entries
    inner join core.player_versions as versions on versions.version_key = entries.version_key
    group by entries.list_key
),

matched as (
    select
        pairs.list_key,
        count(*)::integer as matched_count,
        count(*) filter (where versions.name = previous_versions.name)::integer as same_name_count,
        count(*) filter (where versions.fide_id = previous_versions.fide_id)::integer as same_number_count
    from pairs
    inner join core.entries as entries on entries.list_key = pairs.list_key
    inner join core.entries as previous
        on previous.list_key = pairs.previous_list_key and previous.player_id = entries.player_id
    inner join core.player_versions as versions on versions.version_key = entries.version_key
    inner join core.player_versions as previous_versions on previous_versions.version_key = previous.version_key
    group by pairs.list_key
)

select
    pairs.publisher,
    pairs.rating_type,
    pairs.list_date,
    pairs.previous_list_date,
    pairs.coverage,
    counted.player_count,
    before.player_count as previous_player_count,
    coalesce(matched.matched_count, 0) as matched_count,
    coalesce(matched.matched_count, 0) / before.player_count as matched_fraction,
    coalesce(matched.same_name_count, 0) as same_name_count,
    coalesce(matched.same_number_count, 0) as same_number_count,
    counted.unmatched_count
from pairs
inner join counted on counted.list_key = pairs.list_key
inner join counted as before on before.list_key = pairs.previous_list_key
left join matched on matched.list_key = pairs.list_key
order by pairs.publisher, pairs.rating_type, pairs.coverage, pairs.list_date
