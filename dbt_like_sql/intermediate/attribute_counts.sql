-- Players of each list by federation, title, sex and activity: base of the counts by federation and title.
-- Combinations are numbered for the time of the query: one packed number groups faster than three texts.
with
combinations as materialized (
    select federation, title, sex, row_number() over () as number
    from (select distinct federation, title, sex from core.player_versions)
),

versions as (
    select versions.version_key, combinations.number
    from core.player_versions as versions
    inner join combinations
        on combinations.federation is not distinct from versions.federation
        and combinations.title is not distinct from versions.title
        and combinations.sex is not distinct from versions.sex
),

packed as (
    select
        (entries.list_key::bigint * 1048576 + versions.number) * 4
            + case entries.active when true then 2 when false then 1 else 0 end as packed,
        count(*) as player_count,
        sum(entries.rating) as rating_sum,
        count(entries.rating) as rated_count
    from core.entries as entries
    inner join versions on versions.version_key = entries.version_key
    group by packed
),

counts as (
    select
        (packed // 4194304)::smallint as list_key,
        packed // 4 % 1048576 as number,
        case packed % 4 when 2 then true when 1 then false end as active,
        player_count,
        rating_sum,
        rated_count
    from packed
)

select
    counts.list_key,
    combinations.federation,
    combinations.title,
    combinations.sex,
    counts.active,
    counts.player_count::integer as player_count,
    counts.rating_sum::bigint as rating_sum,
    counts.rated_count::integer as rated_count
from counts
inner join combinations on combinations.number = counts.number
order by all
