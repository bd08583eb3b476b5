-- Every spelling of every person: those printed, with the lists that print them, and those known otherwise.
-- The name of the person comes in before anything is counted, so that a question about one person, or about spellings
-- other than the name, does not go through those of everybody.
with
stated as (
    select
        versions.player_id,
        players.player_name,
        versions.name as spelling,
        versions.federation,
        min(versions.first_list_date) as first_list_date,
        max(versions.last_list_date) as last_list_date
    from core.player_versions as versions
    inner join core.players as players on players.player_id = versions.player_id
    where versions.name is not null
    group by versions.player_id, players.player_name, versions.name, versions.federation
),

printed as (
    select
        player_id,
        player_name,
        spelling,
        'printed' as name_source,
        string_agg(federation, ' ' order by federation) as federations,
        min(first_list_date) as first_list_date,
        max(last_list_date) as last_list_date
    from stated
    group by player_id, player_name, spelling
),

-- The same spelling in two registers is one row.
alternative as (
    select distinct
        names.player_id,
        players.player_name,
        names.name as spelling,
        case names.name_source when 'catalogue' then 'catalogue' else sources.collection end as name_source
    from core.alternative_names as names
    inner join core.players as players on players.player_id = names.player_id
    left join core.source_files as sources on sources.source_key = names.source_key
    anti join core.player_versions as versions
        on versions.player_id = names.player_id and versions.name = names.name
)

select player_id, player_name, spelling, name_source, federations, first_list_date, last_list_date
from printed
union all
select player_id, player_name, spelling, name_source, null, null, null
from alternative
