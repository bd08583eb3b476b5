-- The same inside each federation, among players not known to be inactive.
with
counts as (
    select
        entries.list_key,
        versions.federation,
        entries.rating,
        count(*)::integer as ranked_count
    from core.entries as entries
    inner join staging.held_lists as lists on lists.list_key = entries.list_key
    inner join core.player_versions as versions on versions.version_key = entries.version_key
    where entries.rating is not null and versions.federation is not null and entries.active is not false
    group by entries.list_key, versions.federation, entries.rating
)

select
    list_key,
    federation,
    rating,
    ranked_count,
    (1 + coalesce(sum(ranked_count) over higher, 0))::integer as federation_rank
from counts
window higher as (
    partition by list_key, federation order by rating desc rows between unbounded preceding and 1 preceding
)
