-- One row per person, with the span of lists and the peak of the official standard lists.
with
peaks as (
    select
        entries.player_id,
        count(*)::integer as lists_count,
        max(entries.rating) as peak_rating,
        arg_max(lists.list_date, (entries.rating, -lists.list_key)) as peak_list_date
    from core.entries as entries
    inner join core.lists as lists on lists.list_key = entries.list_key
    where lists.publisher = 'fide' and lists.rating_type = 'standard' and lists.official and entries.rating is not null
    group by entries.player_id
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
order by players.player_id
