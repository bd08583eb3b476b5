-- One row per person, with the number of lists and the peak of the official standard lists.
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
left join marts.top_player_peaks as peaks
    on peaks.player_id = players.player_id and peaks.rating_type = 'standard'
