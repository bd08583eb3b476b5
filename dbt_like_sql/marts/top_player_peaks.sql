-- The highest rating each player ever had on an official list, and when first. Ties share a rank.
-- Rating and list are packed into one number (list keys are below 32768), so that one pass over the history, in the
-- order in which it lies, finds the peak with its first and its last list and the best rank.
with
entries as (
    select
        entries.player_id,
        entries.list_key,
        entries.list_key // 1500 as series,
        coalesce(disputed.rating, entries.rating) as rating,
        entries.active
    from core.entries as entries
    left join intermediate.disputed_ratings as disputed
        on disputed.list_key = entries.list_key and disputed.player_id = entries.player_id
    where entries.rating is not null and entries.list_key < 4500
),

ranks as (
    select list_key::integer * 4096 + rating as packed, world_rank
    from intermediate.rating_ranks
),

peaks as (
    select
        entries.player_id,
        entries.series,
        count(*)::integer as lists_count,
        max(entries.rating::integer * 32768 + 32767 - entries.list_key) as first_at_peak,
        max(entries.rating::integer * 32768 + entries.list_key) as last_at_peak,
        min(ranks.world_rank) filter (where entries.active is not false) as best_world_rank
    from entries
    left join ranks on ranks.packed = entries.list_key::integer * 4096 + entries.rating
    group by entries.player_id, entries.series
),

at_peak as (
    select
        player_id,
        series,
        lists_count,
        best_world_rank,
        (last_at_peak // 32768)::smallint as peak_rating,
        (32767 - first_at_peak % 32768)::smallint as first_list_key,
        (last_at_peak % 32768)::smallint as last_list_key
    from peaks
),

lists_at_peak as (
    select at_peak.player_id, at_peak.series, count(*)::integer as lists_at_peak
    from at_peak
    inner join entries
        on entries.player_id = at_peak.player_id
        and entries.series = at_peak.series
        and entries.rating = at_peak.peak_rating
    group by at_peak.player_id, at_peak.series
)

select
    (rank() over (partition by at_peak.series order by at_peak.peak_rating desc))::integer as peak_rank,
    players.player_id,
    players.player_name,
    players.fide_id,
    players.federation,
    players.sex,
    players.birth_year,
    firsts.rating_type,
    at_peak.peak_rating,
    firsts.list_date as peak_list_date,
    lasts.list_date as last_list_date_at_peak,
    lists_at_peak.lists_at_peak,
    at_peak.lists_count,
    (year(firsts.list_date) - players.birth_year)::smallint as age_at_peak,
    at_peak.best_world_rank
from at_peak
inner join lists_at_peak
    on lists_at_peak.player_id = at_peak.player_id and lists_at_peak.series = at_peak.series
inner join core.players as players on players.player_id = at_peak.player_id
inner join core.lists as firsts on firsts.list_key = at_peak.first_list_key
inner join core.lists as lasts on lasts.list_key = at_peak.last_list_key
