-- Players of each list at each rating: every count, mean and rank below starts here, not from the entries. Reviewed
-- ratings stand in place of those they overrule: each such player is taken from the one and added to the other.
with
overruled as (
    select
        disputed.list_key,
        disputed.printed_rating,
        disputed.rating,
        entries.active,
        coalesce(versions.sex = 'F', false)::integer as woman,
        coalesce(entries.games > 0, false)::integer as played,
        coalesce(versions.title, '') as title
    from intermediate.disputed_ratings as disputed
    inner join core.entries as entries
        on entries.list_key = disputed.list_key and entries.player_id = disputed.player_id
    inner join core.player_versions as versions on versions.version_key = entries.version_key
    inner join staging.held_lists as lists on lists.list_key = disputed.list_key
    where disputed.is_reviewed
),

moves as (
    select list_key, printed_rating as rating, active, woman, played, title, -1 as players from overruled
    union all
    select list_key, rating, active, woman, played, title, 1 from overruled
),

counts as (
    select
        list_key, rating, active, player_count, women_count, played_count,
        gm_count, im_count, fm_count, cm_count, wgm_count, wim_count, wfm_count, wcm_count
    from intermediate.printed_rating_counts
    union all
    select
        list_key, rating, active, players, players * woman, players * played,
        players * (title = 'GM')::integer,
        players * (title = 'IM')::integer,
        players * (title = 'FM')::integer,
        players * (title = 'CM')::integer,
        players * (title = 'WGM')::integer,
        players * (title = 'WIM')::integer,
        players * (title = 'WFM')::integer,
        players * (title = 'WCM')::integer
    from moves
)

select
    list_key,
    rating,
    active,
    sum(player_count)::integer as player_count,
    sum(women_count)::integer as women_count,
    sum(played_count)::integer as played_count,
    sum(gm_count)::integer as gm_count,
    sum(im_count)::integer as im_count,
    sum(fm_count)::integer as fm_count,
    sum(cm_count)::integer as cm_count,
    sum(wgm_count)::integer as wgm_count,
    sum(wim_count)::integer as wim_count,
    sum(wfm_count)::integer as wfm_count,
    sum(wcm_count)::integer as wcm_count
from counts
group by list_key, rating, active
having sum(player_count) > 0
