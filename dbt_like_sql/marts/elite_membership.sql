-- Who was ever in the first 5, 10 and 100: first and last list, stays without a break, comebacks.
with
lists as (
    select publisher, rating_type, list_date, next_list_date, list_number
    from staging.held_lists
),

tops as (
    select unnest([5, 10, 100]) as top_n
),

members as (
    select
        entries.publisher,
        entries.rating_type,
        tops.top_n,
        entries.player_id,
        entries.list_date,
        coalesce(lists.next_list_date - entries.list_date, 0) as days,
        lists.list_number,
        entries.world_rank,
        -- Lists in a row differ from a running count by a constant.
        lists.list_number - row_number() over (
            partition by entries.publisher, entries.rating_type, tops.top_n, entries.player_id
            order by lists.list_number
        ) as stay
    from marts.top_list as entries
    inner join tops on entries.world_rank <= tops.top_n
    inner join lists
        on lists.publisher = entries.publisher
        and lists.rating_type = entries.rating_type
        and lists.list_date = entries.list_date
),

stays as (
    select
        publisher,
        rating_type,
        top_n,
        player_id,
        min(list_date) as first_list_date,
        max(list_date) as last_list_date,
        count(*) as lists_count,
        sum(days) as days,
        min(world_rank) as best_world_rank
    from members
    group by publisher, rating_type, top_n, player_id, stay
),

absences as (
    select
        *,
        date_diff('day', lag(last_list_date) over (
            partition by publisher, rating_type, top_n, player_id order by first_list_date
        ), first_list_date) as absent_days
    from stays
),

newest as (
    select publisher, rating_type, max(list_date) as list_date
    from lists
    group by publisher, rating_type
)

select
    absences.publisher,
    absences.rating_type,
    absences.top_n::smallint as top_n,
    absences.player_id,
    any_value(players.player_name) as player_name,
    min(absences.first_list_date) as first_list_date,
    max(absences.last_list_date) as last_list_date,
    sum(absences.lists_count)::integer as lists_count,
    sum(absences.days)::integer as days,
    max(absences.days)::integer as longest_stay_days,
    (count(*) - 1)::integer as comebacks,
    max(absences.absent_days)::integer as longest_absence_days,
    arg_max(absences.first_list_date, (absences.absent_days, absences.first_list_date))
        filter (where absences.absent_days is not null) as comeback_list_date,
    min(absences.best_world_rank) as best_world_rank,
    max(absences.last_list_date) = any_value(newest.list_date) as is_member_now
from absences
inner join core.players as players on players.player_id = absences.player_id
inner join newest on newest.publisher = absences.publisher and newest.rating_type = absences.rating_type
group by absences.publisher, absences.rating_type, absences.top_n, absences.player_id
