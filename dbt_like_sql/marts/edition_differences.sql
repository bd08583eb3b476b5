-- Where an edition that is held but not current states another rating than the current one, or knows a player
-- that it does not (and, for complete editions, the other way round). Partial editions are compared on what they hold.
with
others as (
    select
        entries.list_key,
        entries.source_key,
        entries.player_id,
        entries.rating,
        entries.line_number
    from core.superseded_entries as entries
),

present as (
    select others.*, entries.rating as current_rating, entries.line_number as current_line_number,
        entries.player_id is null as only_in_other
    from others
    left join core.entries as entries
        on entries.list_key = others.list_key and entries.player_id = others.player_id
),

absent as (
    select
        entries.list_key,
        editions.source_key,
        entries.player_id,
        null::smallint as rating,
        null::integer as line_number,
        entries.rating as current_rating,
        entries.line_number as current_line_number
    from core.editions as editions
    inner join core.entries as entries on entries.list_key = editions.list_key
    left join core.superseded_entries as others
        on others.list_key = entries.list_key
        and others.source_key = editions.source_key
        and others.player_id = entries.player_id
    where not editions.is_current and editions.coverage = 'complete' and others.player_id is null
),

differences as (
    select list_key, source_key, player_id, rating, line_number, current_rating, current_line_number,
        case when only_in_other then 'only in the other edition' else 'ratings differ' end as difference
    from present
    where only_in_other or rating is distinct from current_rating
    union all
    select list_key, source_key, player_id, rating, line_number, current_rating, current_line_number,
        'only in the current edition'
    from absent
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    players.player_id,
    players.player_name,
    players.fide_id,
    differences.difference,
    differences.current_rating,
    differences.rating as other_rating,
    coalesce(disputed.rating, differences.current_rating) as standing_rating,
    current_sources.collection as current_collection,
    other_sources.collection as other_collection,
    current_sources.file_name as current_file_name,
    other_sources.file_name as other_file_name,
    other_sources.source_sha256 as other_source_sha256,
    differences.current_line_number,
    differences.line_number as other_line_number
from differences
inner join core.lists as lists on lists.list_key = differences.list_key
inner join core.players as players on players.player_id = differences.player_id
inner join core.source_files as current_sources on current_sources.source_key = lists.source_key
inner join core.source_files as other_sources on other_sources.source_key = differences.source_key
left join intermediate.disputed_ratings as disputed
    on disputed.list_key = differences.list_key and disputed.player_id = differences.player_id
