-- The same inside each federation, among players not known to be inactive. Federations are numbered for the time of
-- the query: grouping 24 million rows by one number is several times as fast as by a text. Sorted so that
-- federation and rating hardly take any space.
with
codes as (
    select federation, row_number() over (order by federation) as number
    from (select distinct federation from core.player_versions where federation is not null)
),

versions as (
    select versions.version_key, codes.number
    from core.player_versions as versions
    inner join codes on codes.federation = versions.federation
),

packed as (
    select
        (entries.list_key::bigint * 1024 + versions.number) * 4096
        + coalesce(disputed.rating, entries.rating) as packed,
        count(*)::integer as ranked_count
    from core.entries as entries
    inner join versions on versions.version_key = entries.version_key
    left join intermediate.disputed_ratings as disputed
        on disputed.list_key = entries.list_key and disputed.player_id = entries.player_id
    where entries.rating is not null and entries.active is not false
    group by packed
),

counts as (
    select
        (packed // 4194304)::smallint as list_key,
        packed // 4096 % 1024 as number,
        (packed % 4096)::smallint as rating,
        ranked_count
    from packed
)

select
    counts.list_key,
    codes.federation,
    counts.rating,
    (1 + coalesce(sum(counts.ranked_count) over higher, 0))::integer as federation_rank
from counts
inner join codes on codes.number = counts.number
inner join staging.held_lists as lists on lists.list_key = counts.list_key
window higher as (
    partition by counts.list_key, counts.number
    order by counts.rating desc
    rows between unbounded preceding and 1 preceding
)
order by codes.federation, counts.rating, counts.list_key
