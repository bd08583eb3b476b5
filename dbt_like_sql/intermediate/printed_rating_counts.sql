-- Players of each list at each printed rating. `active` is null where nothing tells.
with
versions as (
    select
        version_key,
        (sex = 'F')::tinyint as woman,
        (title = 'GM')::tinyint as gm,
        (title = 'IM')::tinyint as im,
        (title = 'FM')::tinyint as fm,
        (title = 'CM')::tinyint as cm,
        (title = 'WGM')::tinyint as wgm,
        (title = 'WIM')::tinyint as wim,
        (title = 'WFM')::tinyint as wfm,
        (title = 'WCM')::tinyint as wcm
    from core.player_versions
)

select
    entries.list_key,
    entries.rating,
    entries.active,
    count(*)::integer as player_count,
    coalesce(sum(versions.woman), 0)::integer as women_count,
    count(*) filter (where entries.games > 0)::integer as played_count,
    coalesce(sum(versions.gm), 0)::integer as gm_count,
    coalesce(sum(versions.im), 0)::integer as im_count,
    coalesce(sum(versions.fm), 0)::integer as fm_count,
    coalesce(sum(versions.cm), 0)::integer as cm_count,
    coalesce(sum(versions.wgm), 0)::integer as wgm_count,
    coalesce(sum(versions.wim), 0)::integer as wim_count,
    coalesce(sum(versions.wfm), 0)::integer as wfm_count,
    coalesce(sum(versions.wcm), 0)::integer as wcm_count
from core.entries as entries
inner join staging.held_lists as lists on lists.list_key = entries.list_key
inner join versions on versions.version_key = entries.version_key
where entries.rating is not null
group by entries.list_key, entries.rating, entries.active
