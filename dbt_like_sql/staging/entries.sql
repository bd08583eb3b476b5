-- Wide again: what each list states of each player, with names and dates. Nothing is filtered.
select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    entries.player_id,
    versions.fide_id,
    versions.uscf_id,
    versions.name as player_name,
    versions.federation,
    versions.sex,
    versions.birth_year,
    versions.title,
    versions.w_title,
    versions.other_titles,
    versions.foa_title,
    versions.printed_title,
    entries.rating,
    entries.games,
    entries.k_factor,
    entries.active,
    entries.rating_change,
    entries.provisional_games,
    entries.printed_flag,
    lists.official,
    lists.coverage,
    entries.list_key,
    entries.source_key,
    entries.line_number
from core.entries as entries
inner join core.lists as lists on lists.list_key = entries.list_key
inner join core.player_versions as versions on versions.version_key = entries.version_key
