-- The highest rating each player ever had on an official list, and when first. Ties share a rank.
-- A view: ranked first, so that only the ranks asked for are widened.
with
ranked as (
    select *, (rank() over (partition by series order by peak_rating desc))::integer as peak_rank
    from intermediate.player_peaks
)

select
    peaks.peak_rank,
    players.player_id,
    players.player_name,
    players.fide_id,
    players.federation,
    players.sex,
    players.birth_year,
    firsts.rating_type,
    peaks.peak_rating,
    firsts.list_date as peak_list_date,
    lasts.list_date as last_list_date_at_peak,
    peaks.lists_at_peak,
    peaks.lists_count,
    (year(firsts.list_date) - players.birth_year)::smallint as age_at_peak,
    peaks.best_world_rank
from ranked as peaks
inner join core.players as players on players.player_id = peaks.player_id
inner join core.lists as firsts on firsts.list_key = peaks.first_list_key
inner join core.lists as lasts on lasts.list_key = peaks.last_list_key
