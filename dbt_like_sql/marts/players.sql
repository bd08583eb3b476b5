-- One row per person, with the number of lists and the peak of the official standard lists. No rank among all peaks:
-- marts.top_player_peaks has it, and asking for a name would work it out.
with
peaks as (
    select peaks.player_id, peaks.lists_count, peaks.peak_rating, lists.list_date as peak_list_date
    from intermediate.player_peaks as peaks
    inner join core.lists as lists on lists.list_key = peaks.first_list_key
    where lists.rating_type = 'standard'
)

select
    players.player_id,
    players.player_name,
    players.fide_id,
    players.uscf_id,
    players.federation,
    players.sex,
    players.birth_year,
    players.title,
    players.w_title,
    players.first_list_date,
    players.last_list_date,
    coalesce(peaks.lists_count, 0) as lists_count,
    peaks.peak_rating,
    peaks.peak_list_date
from core.players as players
left join peaks on peaks.player_id = players.player_id
