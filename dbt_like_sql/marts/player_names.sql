-- Every spelling of every person: those printed, with the lists that print them, and those known otherwise.
with
printed as (
    select
        player_id,
        name as spelling,
        'printed' as name_source,
        string_agg(distinct federation, ' ' order by federation) as federations,
        min(first_list_date) as first_list_date,
        max(last_list_date) as last_list_date
    from core.player_versions
    where name is not null
    group by player_id, name
),

-- The same spelling in two registers is one row.
alternative as (
    select distinct
        names.player_id,
        names.name as spelling,
        case names.name_source when 'catalogue' then 'catalogue' else sources.collection end as name_source
    from core.alternative_names as names
    left join core.source_files as sources on sources.source_key = names.source_key
),

spellings as (
    select player_id, spelling, name_source, federations, first_list_date, last_list_date from printed
    union all
    select alternative.player_id, alternative.spelling, alternative.name_source, null, null, null
    from alternative
    left join printed on printed.player_id = alternative.player_id and printed.spelling = alternative.spelling
    where printed.player_id is null
)

select
    spellings.player_id,
    players.player_name,
    spellings.spelling,
    spellings.name_source,
    spellings.federations,
    spellings.first_list_date,
    spellings.last_list_date
from spellings
inner join core.players as players on players.player_id = spellings.player_id
