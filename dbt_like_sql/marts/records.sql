-- The records book, one grammar: what, rank, who, value with unit, since and until when. A record names its marts, so
-- that the figures behind it can be looked up.
with
reigns as (
    select rating_type, player_names, player_ids, first_list_date, last_list_date, days, is_shared
    from marts.number_ones
    where publisher = 'fide'
),

summaries as (
    select *
    from marts.list_summary
    where publisher = 'fide'
),

firsts as (
    select
        entries.rating_type,
        thresholds.threshold,
        min(entries.list_date) as list_date
    from marts.top_list as entries
    inner join (select unnest([2700, 2750, 2800, 2850]) as threshold) as thresholds
        on entries.rating >= thresholds.threshold
    where entries.publisher = 'fide'
    group by entries.rating_type, thresholds.threshold
),

candidates as (
    select
        'longest_reign' as record_code, rating_type, player_names as holder, player_ids, days::double as record_value,
        'days' as record_unit, first_list_date as from_date, last_list_date as to_date,
        'marts.number_ones' as source_mart
    from reigns
    union all
    select
        'days_at_number_one', rating_type, any_value(player_names), any_value(player_ids), sum(days), 'days',
        min(first_list_date), max(last_list_date), 'marts.number_ones'
    from reigns
    where not is_shared
    group by rating_type, player_ids
    union all
    select
        'largest_gap_1_2', summaries.rating_type, entries.player_name, [entries.player_id], summaries.gap_1_2,
        'points', summaries.list_date, summaries.list_date, 'marts.list_summary'
    from summaries
    inner join marts.top_list as entries
        on entries.publisher = 'fide'
        and entries.rating_type = summaries.rating_type
        and entries.list_date = summaries.list_date
        and entries.world_rank = 1
    where summaries.gap_1_2 > 0
    union all
    select
        'highest_peak', rating_type, player_name, [player_id], peak_rating, 'points', peak_list_date,
        last_list_date_at_peak, 'marts.top_player_peaks'
    from marts.top_player_peaks
    where peak_rank <= 10
    union all
    select
        'most_lists_in_top_100', rating_type, player_name, [player_id], lists_count, 'lists', first_list_date,
        last_list_date, 'marts.elite_membership'
    from marts.elite_membership
    where publisher = 'fide' and top_n = 100
    union all
    select
        'longest_stay_in_top_100', rating_type, player_name, [player_id], longest_stay_days, 'days', first_list_date,
        last_list_date, 'marts.elite_membership'
    from marts.elite_membership
    where publisher = 'fide' and top_n = 100
    union all
    select
        'longest_stay_in_top_10', rating_type, player_name, [player_id], longest_stay_days, 'days', first_list_date,
        last_list_date, 'marts.elite_membership'
    from marts.elite_membership
    where publisher = 'fide' and top_n = 10
    union all
    select
        'comeback_to_top_100', rating_type, player_name, [player_id], longest_absence_days, 'days away',
        comeback_list_date, last_list_date, 'marts.elite_membership'
    from marts.elite_membership
    where publisher = 'fide' and top_n = 100 and comebacks > 0
    union all
    select
        'gain_12_months', rating_type, player_name, [player_id], change, 'points', earlier_list_date, list_date,
        'marts.movers'
    from marts.movers
    where publisher = 'fide' and span = '12 months' and direction = 'gain'
    union all
    select
        'loss_12_months', rating_type, player_name, [player_id], -change, 'points', earlier_list_date, list_date,
        'marts.movers'
    from marts.movers
    where publisher = 'fide' and span = '12 months' and direction = 'loss'
    union all
    select
        'oldest_in_top_100', rating_type, player_name, [player_id], max(year(list_date) - birth_year), 'years old',
        max(list_date), max(list_date), 'marts.top_list'
    from marts.top_list
    where publisher = 'fide' and birth_year is not null
    group by rating_type, player_name, player_id
    union all
    select
        'youngest_in_top_100', rating_type, player_name, [player_id], -min(year(list_date) - birth_year), 'years old',
        min(list_date), min(list_date), 'marts.top_list'
    from marts.top_list
    where publisher = 'fide' and birth_year is not null
    group by rating_type, player_name, player_id
    union all
    select
        'youngest_number_one', rating_type, player_name, [player_id], -min(year(list_date) - birth_year), 'years old',
        min(list_date), min(list_date), 'marts.top_list'
    from marts.top_list
    where publisher = 'fide' and birth_year is not null and world_rank = 1
    group by rating_type, player_name, player_id
    union all
    select
        'oldest_number_one', rating_type, player_name, [player_id], max(year(list_date) - birth_year), 'years old',
        max(list_date), max(list_date), 'marts.top_list'
    from marts.top_list
    where publisher = 'fide' and birth_year is not null and world_rank = 1
    group by rating_type, player_name, player_id
    union all
    select
        'youngest_to_' || threshold, rating_type, player_name, [player_id], -age, 'years old', list_date, list_date,
        'marts.prodigies'
    from marts.prodigies
    where publisher = 'fide'
    union all
    select
        'first_at_' || firsts.threshold, firsts.rating_type, entries.player_name, [entries.player_id], entries.rating,
        'points', firsts.list_date, firsts.list_date, 'marts.top_list'
    from firsts
    inner join marts.top_list as entries
        on entries.publisher = 'fide'
        and entries.rating_type = firsts.rating_type
        and entries.list_date = firsts.list_date
        and entries.rating >= firsts.threshold
    union all
    select
        'most_players_2700', rating_type, 'list of ' || list_date, null, active_ge_2700, 'players', list_date,
        list_date, 'marts.list_summary'
    from summaries
    where active_ge_2700 > 0
),

ranked as (
    select
        *,
        -- Equal values: whoever had it first. Youngest records are ranked by the negative age.
        rank() over (partition by record_code, rating_type order by record_value desc, from_date) as record_rank
    from candidates
)

select
    record_code,
    rating_type,
    record_rank::integer as record_rank,
    holder,
    player_ids,
    abs(record_value) as record_value,
    record_unit,
    from_date,
    to_date,
    source_mart
from ranked
where record_rank <= 10
