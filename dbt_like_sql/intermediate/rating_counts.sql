-- Players of each list at each rating: every count, mean and rank below starts here, not from the entries.
-- `ranked` are those a publisher would rank: not known to be inactive.
with
entries as (
    select
        entries.list_key,
        entries.rating,
        entries.active,
        entries.games,
        versions.sex,
        versions.title
    from core.entries as entries
    inner join staging.held_lists as lists on lists.list_key = entries.list_key
    inner join core.player_versions as versions on versions.version_key = entries.version_key
    where entries.rating is not null
)

select
    list_key,
    rating,
    active,
    count(*)::integer as player_count,
    count(*) filter (where sex = 'F')::integer as women_count,
    count(*) filter (where games > 0)::integer as played_count,
    count(*) filter (where title = 'GM')::integer as gm_count,
    count(*) filter (where title = 'IM')::integer as im_count,
    count(*) filter (where title = 'FM')::integer as fm_count,
    count(*) filter (where title = 'CM')::integer as cm_count,
    count(*) filter (where title = 'WGM')::integer as wgm_count,
    count(*) filter (where title = 'WIM')::integer as wim_count,
    count(*) filter (where title = 'WFM')::integer as wfm_count,
    count(*) filter (where title = 'WCM')::integer as wcm_count
from entries
group by list_key, rating, active
