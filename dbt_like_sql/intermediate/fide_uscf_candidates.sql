-- Every person with a FIDE standard and a US regular rating of the same month, by the links between members and
-- players; then the ready pairs of files. Nothing is filtered here: marts.fide_uscf_pairs says what each lacks.
with
fide_rows as (
    select
        links.uscf_id,
        links.fide_id,
        links.link_method,
        links.confidence,
        lists.list_date,
        entries.rating,
        entries.games,
        entries.active,
        versions.birth_year,
        versions.federation,
        versions.name
    from core.us_links as links
    inner join core.player_versions as versions on versions.fide_id = links.fide_id and versions.uscf_id is null
    inner join core.entries as entries on entries.version_key = versions.version_key
    inner join core.lists as lists
        on lists.list_key = entries.list_key and lists.publisher = 'fide' and lists.rating_type = 'standard'
),

us_rows as (
    select
        links.uscf_id,
        lists.list_date,
        entries.rating,
        entries.provisional_games,
        members.regular_floor,
        lag(entries.rating) over (partition by links.uscf_id order by lists.list_date) as previous_rating
    from core.us_links as links
    inner join core.player_versions as versions on versions.uscf_id = links.uscf_id
    inner join core.entries as entries on entries.version_key = versions.version_key
    inner join core.lists as lists
        on lists.list_key = entries.list_key and lists.publisher = 'uscf' and lists.rating_type = 'regular'
    left join core.uscf_members as members on members.uscf_id = links.uscf_id
),

-- FIDE lists of the twelve months that end with each list: how many were published, how many are held.
fide_lists as (
    select
        list_date,
        held,
        count(*) over twelve_months as lists_published,
        count(*) filter (where held) over twelve_months as lists_held
    from core.lists
    where publisher = 'fide' and rating_type = 'standard' and official
    window twelve_months as (order by list_date range between interval 11 months preceding and current row)
),

fide_played as (
    select
        rows.uscf_id,
        rows.list_date,
        sum(rows.games) over twelve_months as games_seen,
        count(rows.games) over twelve_months as lists_with_games
    from fide_rows as rows
    window twelve_months as (
        partition by rows.uscf_id
        order by rows.list_date
        range between interval 11 months preceding and current row
    )
),

us_played as (
    select
        rows.uscf_id,
        rows.list_date,
        count(*) filter (where rows.rating <> rows.previous_rating) over twelve_months as changes,
        count(rows.previous_rating) over twelve_months as supplements
    from us_rows as rows
    window twelve_months as (
        partition by rows.uscf_id
        order by rows.list_date
        range between interval 11 months preceding and current row
    )
)

select
    'lists' as origin,
    null::integer as source_key,
    'uscf:' || us.uscf_id as person_id,
    us.list_date,
    us.list_date as uscf_list_date,
    us.uscf_id,
    fide.fide_id,
    fide.name as player_name,
    fide.federation,
    fide.birth_year,
    fide.rating as fide_rating,
    us.rating as uscf_rating,
    case
        when fide_played.games_seen > 0 then fide_played.games_seen
        when fide_played.lists_with_games = fide_lists.lists_published then 0
    end::smallint as fide_games,
    case
        when us_played.changes > 0 then us_played.changes
        when us_played.supplements = 12 then 0
    end::smallint as uscf_games,
    null::smallint as uscf_games_24_months,
    coalesce(us.provisional_games <= 25, false) as uscf_provisional,
    case when us.rating >= us.regular_floor then us.regular_floor end as uscf_floor,
    fide.active,
    fide.link_method,
    fide.confidence
from us_rows as us
inner join fide_rows as fide on fide.uscf_id = us.uscf_id and fide.list_date = us.list_date
inner join fide_played on fide_played.uscf_id = us.uscf_id and fide_played.list_date = us.list_date
inner join us_played on us_played.uscf_id = us.uscf_id and us_played.list_date = us.list_date
inner join fide_lists on fide_lists.list_date = us.list_date
union all
select
    files.file_name as origin,
    stated.source_key,
    stated.person_id,
    stated.list_date,
    stated.uscf_list_date,
    stated.uscf_id,
    stated.fide_id,
    stated.name as player_name,
    stated.federation,
    null::smallint as birth_year,
    stated.fide_rating,
    stated.uscf_rating,
    null::smallint as fide_games,
    null::smallint as uscf_games,
    null::smallint as uscf_games_24_months,
    null::boolean as uscf_provisional,
    null::smallint as uscf_floor,
    stated.active,
    stated.link as link_method,
    null::varchar as confidence
from core.uscf_pairs_stated as stated
inner join core.source_files as files on files.source_key = stated.source_key
