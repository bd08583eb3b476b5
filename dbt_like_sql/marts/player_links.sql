-- How printed attributes came to their person, wherever that was not by the number printed with them.
select
    versions.player_id,
    players.player_name,
    versions.name as printed_name,
    versions.federation,
    versions.birth_year,
    versions.fide_id as printed_fide_id,
    versions.first_list_date,
    versions.last_list_date,
    versions.link_method,
    versions.link_confidence,
    versions.version_key
from core.player_versions as versions
inner join core.players as players on players.player_id = versions.player_id
where versions.link_method not in ('fide_id', 'uscf_id')
order by versions.player_id, versions.first_list_date, versions.version_key
