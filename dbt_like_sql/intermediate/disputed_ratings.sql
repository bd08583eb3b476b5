-- Where held editions of a list state different ratings for a player: which one stands, and what the others say.
-- The current edition stands, with one exception: catalogue.elite_history was put together by comparing collections
-- row by row, and where it names the very collection and value of the current edition as overruled, its value stands.
with
others as (
    select
        entries.list_key, entries.player_id, entries.rating, entries.source_key, entries.line_number,
        sources.collection, versions.name
    from core.superseded_entries as entries
    inner join core.source_files as sources on sources.source_key = entries.source_key
    inner join core.player_versions as versions on versions.version_key = entries.version_key
    where entries.rating is not null
),

-- A list that has one edition only is not compared with anything.
compared as (
    select entries.list_key, entries.player_id, entries.rating, entries.source_key, entries.line_number
    from core.entries as entries
    where entries.rating is not null and entries.list_key in (select list_key from others)
),

differing as (
    select
        lists.list_date,
        compared.list_key,
        compared.player_id,
        compared.rating as printed_rating,
        compared.source_key as printed_source_key,
        compared.line_number as printed_line_number,
        sources.collection as printed_collection,
        others.rating as other_rating,
        others.source_key,
        others.line_number,
        others.collection,
        others.name
    from compared
    inner join others
        on others.list_key = compared.list_key
        and others.player_id = compared.player_id
        and others.rating <> compared.rating
    inner join core.lists as lists on lists.list_key = compared.list_key
    inner join core.source_files as sources on sources.source_key = compared.source_key
),

judged as (
    select
        differing.*,
        coalesce(
            differing.collection = 'bundled'
            and list_contains(
                string_split(reviewed.conflict, ';'),
                differing.printed_collection || ':' || differing.printed_rating
            ),
            false
        ) as overrules
    from differing
    left join catalogue.elite_history as reviewed
        on reviewed.list_date = differing.list_date and reviewed.name = differing.name
),

standing as (
    select
        list_key,
        player_id,
        any_value(printed_rating) as printed_rating,
        coalesce(any_value(other_rating) filter (where overrules), any_value(printed_rating)) as rating,
        bool_or(overrules) as is_reviewed,
        coalesce(any_value(source_key) filter (where overrules), any_value(printed_source_key)) as source_key,
        coalesce(any_value(line_number) filter (where overrules), any_value(printed_line_number)) as line_number
    from judged
    group by list_key, player_id
),

statements as (
    select list_key, player_id, other_rating as rating, collection
    from judged
    union
    select list_key, player_id, printed_rating, printed_collection
    from judged
)

select
    standing.list_key,
    standing.player_id,
    standing.printed_rating,
    standing.rating,
    standing.is_reviewed,
    string_agg(
        statements.collection || ':' || statements.rating, '; ' order by statements.collection, statements.rating
    ) as contradicted_by,
    max(statements.rating) as highest_other_rating,
    standing.source_key,
    standing.line_number
from standing
inner join statements
    on statements.list_key = standing.list_key
    and statements.player_id = standing.player_id
    and statements.rating <> standing.rating
group by all
