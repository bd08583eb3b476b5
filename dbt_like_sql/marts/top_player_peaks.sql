-- The highest rating each player ever had on an official list, and when first. Ties share a rank.
with
entries as (
    select entries.player_id, lists.rating_type, lists.list_date, lists.list_key, entries.rating, entries.active
    from core.entries as entries
    inner join core.lists as lists on lists.list_key = entries.list_key
    where lists.publisher = 'fide' and lists.official and entries.rating is not null
),

peaks as (
    select player_id, rating_type, max(rating) as peak_rating
    from entries
    group by player_id, rating_type
),

at_peak as (
    select
        peaks.player_id,
        peaks.rating_type,
        peaks.peak_rating,
        min(entries.list_date) as peak_list_date,
        max(entries.list_date) as last_list_date_at_peak,
        count(*)::integer as lists_at_peak
    from peaks
    inner join entries
        on entries.player_id = peaks.player_id
        and entries.rating_type = peaks.rating_type
        and entries.rating = peaks.peak_rating
    group by peaks.player_id, peaks.rating_type, peaks.peak_rating
),

best_ranks as (
    select entries.player_id, entries.rating_type, min(ranks.world_rank) as best_world_rank
    from entries
    inner join intermediate.rating_ranks as ranks
        on ranks.list_key = entries.list_key and ranks.rating = entries.rating
    where entries.active is not false
    group by entries.player_id, entries.rating_type
)

select
    (rank() over (partition by at_peak.rating_type order by at_peak.peak_rating desc))::integer as peak_rank,
    players.player_id,
    players.player_name,
    players.fide_id,
    players.federation,
    players.sex,
    players.birth_year,
    at_peak.rating_type,
    at_peak.peak_rating,
    at_peak.peak_list_date,
    at_peak.last_list_date_at_peak,
    at_peak.lists_at_peak,
    (year(at_peak.peak_list_date) - players.birth_year)::smallint as age_at_peak,
    best_ranks.best_world_rank
from at_peak
inner join core.players as players on players.player_id = at_peak.player_id
left join best_ranks
    on best_ranks.player_id = at_peak.player_id and best_ranks.rating_type = at_peak.rating_type
