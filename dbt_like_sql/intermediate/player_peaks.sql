-- Highest rating of each person on each official FIDE series: when first and last, how often, and the best rank.
-- Adding lists needs only them: what was found before is read from the table itself, which is empty at first.
-- Rating and list are packed into one number (list keys are below 32768), so that one pass over the history, in the
-- order in which it lies, finds the peak with its first and its last list and the best rank.
with
entries as (
    select
        entries.player_id,
        entries.list_key,
        (entries.list_key // 1500)::tinyint as series,
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

packed as (
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

peaks as (
    select
        player_id,
        series,
        lists_count,
        best_world_rank,
        (last_at_peak // 32768)::smallint as peak_rating,
        (32767 - first_at_peak % 32768)::smallint as first_list_key,
        (last_at_peak % 32768)::smallint as last_list_key
    from packed
),

lists_at_peak as (
    select peaks.player_id, peaks.series, count(*)::integer as lists_at_peak
    from peaks
    inner join entries
        on entries.player_id = peaks.player_id
        and entries.series = peaks.series
        and entries.rating = peaks.peak_rating
    group by peaks.player_id, peaks.series
),

parts as (
    select
        peaks.player_id,
        peaks.series,
        peaks.peak_rating,
        peaks.first_list_key,
        peaks.last_list_key,
        lists_at_peak.lists_at_peak,
        peaks.lists_count,
        peaks.best_world_rank
    from peaks
    inner join lists_at_peak
        on lists_at_peak.player_id = peaks.player_id and lists_at_peak.series = peaks.series
    union all
    select
        player_id, series, peak_rating, first_list_key, last_list_key, lists_at_peak, lists_count, best_world_rank
    from intermediate.player_peaks
),

compared as (
    select *, max(peak_rating) over (partition by player_id, series) as highest
    from parts
)

select
    player_id,
    series,
    max(highest) as peak_rating,
    min(first_list_key) filter (where peak_rating = highest) as first_list_key,
    max(last_list_key) filter (where peak_rating = highest) as last_list_key,
    (sum(lists_at_peak) filter (where peak_rating = highest))::integer as lists_at_peak,
    sum(lists_count)::integer as lists_count,
    min(best_world_rank) as best_world_rank
from compared
group by player_id, series
order by series, player_id
