-- How far each edition that is held but not current says the same as the current one. Players of both are compared;
-- duplicated ids count once. The single differences are in marts.edition_differences.
with
current_editions as (
    select list_key, source_key from core.editions where is_current
),

other_editions as (
    select list_key, source_key, coverage from core.editions where not is_current
),

others as (
    select list_key, source_key, player_id, rating from core.superseded_entries
),

-- A list that has one edition only is not compared with anything.
compared_lists as (
    select distinct list_key from other_editions
),

entries as (
    select entries.list_key, entries.player_id, entries.rating
    from core.entries as entries
    inner join compared_lists on compared_lists.list_key = entries.list_key
),

sizes as (
    select list_key, count(*) as entries from entries group by list_key
),

compared as (
    select
        others.list_key,
        others.source_key,
        count(entries.player_id) as players,
        count(*) filter (
            where entries.player_id is not null and entries.rating is not distinct from others.rating
        ) as equal,
        count(*) filter (where entries.player_id is null) as only_in_other
    from others
    left join entries on entries.list_key = others.list_key and entries.player_id = others.player_id
    group by others.list_key, others.source_key
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    current_sources.collection as current_collection,
    other_sources.collection as other_collection,
    compared.players::integer as compared_count,
    compared.equal::integer as equal_count,
    (compared.players - compared.equal)::integer as differing_count,
    compared.equal / nullif(compared.players, 0) as agreement,
    case when other_editions.coverage = 'complete' then sizes.entries - compared.players end::integer
        as only_in_current_count,
    compared.only_in_other::integer as only_in_other_count,
    current_sources.file_name as current_file_name,
    other_sources.file_name as other_file_name,
    other_sources.source_sha256 as other_source_sha256
from compared
inner join other_editions
    on other_editions.list_key = compared.list_key and other_editions.source_key = compared.source_key
inner join current_editions on current_editions.list_key = compared.list_key
inner join sizes on sizes.list_key = compared.list_key
inner join core.lists as lists on lists.list_key = compared.list_key
inner join core.source_files as current_sources on current_sources.source_key = current_editions.source_key
inner join core.source_files as other_sources on other_sources.source_key = compared.source_key
