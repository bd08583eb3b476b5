-- What is odd about a list, found by comparing it with its neighbours. Facts known beforehand are in
-- catalogue.known_anomalies; remarks of the readers in core.notes; marts.list_anomalies joins the three.
with
complete_lists as (
    select
        list_key,
        list_date,
        publisher,
        rating_type,
        activity_basis,
        lag(list_key) over series as before_key,
        lead(list_key) over series as after_key,
        lag(list_date) over series as before_date
    from staging.held_lists
    where coverage = 'complete'
    window series as (partition by publisher, rating_type order by list_date)
),

sizes as (
    select
        lists.list_key,
        lists.activity_basis,
        here.listed_count as rows,
        here.inactive_count as inactive,
        here.states_games,
        here.games_stated_count as games_stated,
        before.listed_count as before_rows,
        before.inactive_count as before_inactive,
        lists.before_key,
        lists.after_key,
        date_diff('month', lists.before_date, lists.list_date) as months
    from complete_lists as lists
    inner join intermediate.list_features as here on here.list_key = lists.list_key
    left join intermediate.list_features as before on before.list_key = lists.before_key
),

federations as (
    select counts.list_key, counts.federation, sum(counts.player_count) as players
    from intermediate.attribute_counts as counts
    inner join complete_lists on complete_lists.list_key = counts.list_key
    where counts.federation is not null
    group by counts.list_key, counts.federation
),

-- A code that ends with a state or a spelling (catalogue) is not missing.
federations_missing as (
    select
        sizes.list_key,
        count(*) as federations,
        sum(before.players) as players,
        string_agg(before.federation, ' ' order by before.federation) as codes
    from sizes
    inner join federations as before on before.list_key = sizes.before_key and before.players >= 3
    left join federations as here on here.list_key = sizes.list_key and here.federation = before.federation
    left join catalogue.federations as known on known.code = before.federation
    where here.federation is null and known.last_list is null and sizes.months <= 12
    group by sizes.list_key
),

-- Listed before and after, but not here. Only lists smaller than the one before are looked at.
shrunken as (
    select list_key, before_key, after_key
    from sizes
    where rows < before_rows and months <= 12
),

here as (
    select shrunken.list_key, entries.player_id
    from shrunken
    inner join core.entries as entries on entries.list_key = shrunken.list_key
),

gone as (
    select shrunken.list_key, shrunken.after_key, before.player_id
    from shrunken
    inner join core.entries as before on before.list_key = shrunken.before_key
    anti join here on here.list_key = shrunken.list_key and here.player_id = before.player_id
),

gone_and_back as (
    select gone.list_key, count(*) as players
    from gone
    inner join core.entries as later on later.list_key = gone.after_key and later.player_id = gone.player_id
    group by gone.list_key
),

floors as (
    select
        lists.list_key,
        max_by(floors.floor, floors.from_list) as floor
    from complete_lists as lists
    inner join catalogue.rating_floors as floors
        on floors.from_list <= lists.list_date and floors.sex in ('M', 'both') and floors.floor is not null
    where lists.publisher = 'fide' and lists.rating_type = 'standard'
    group by lists.list_key
),

-- Women had floors of their own until 1986, and lists before 1999 do not tell who is a woman.
below_floor as (
    select
        floors.list_key,
        sum(counts.player_count) as players,
        min(counts.rating) as lowest,
        any_value(floors.floor) as floor
    from floors
    inner join intermediate.printed_rating_counts as counts
        on counts.list_key = floors.list_key and counts.rating < floors.floor
    inner join complete_lists as lists on lists.list_key = floors.list_key and lists.list_date >= date '1999-01-01'
    group by floors.list_key
),

duplicates as (
    select duplicates.list_key, count(*) as rows
    from core.duplicate_entries as duplicates
    inner join core.editions as editions
        on editions.list_key = duplicates.list_key
        and editions.source_key = duplicates.source_key
        and editions.is_current
    group by duplicates.list_key
)

select
    list_key,
    'size_jump' as anomaly_code,
    abs(rows - before_rows)::integer as row_count,
    format('{} rows after {} on the complete list before', rows, before_rows) as detail
from sizes
where months <= 12 and (rows < 0.9 * before_rows or rows > 1.5 * before_rows)
union all
select
    list_key,
    'inactive_missing',
    before_inactive::integer,
    format('no inactive player; the complete list before has {}', before_inactive)
from sizes
where activity_basis = 'flag' and inactive = 0 and before_inactive > 0 and months <= 12
union all
select list_key, 'games_all_zero', rows::integer, format('games are 0 in all {} rows that state them', games_stated)
from sizes
where games_stated > 0 and not states_games
union all
select
    list_key,
    'federations_missing',
    players::integer,
    format('{} federations of the complete list before are absent: {}', federations, codes)
from federations_missing
union all
select
    gone_and_back.list_key,
    'players_gone_and_back',
    gone_and_back.players::integer,
    format(
        '{} players are on the lists before and after but not on this one ({} %)',
        gone_and_back.players,
        round(100.0 * gone_and_back.players / sizes.before_rows, 1)
    )
from gone_and_back
inner join sizes on sizes.list_key = gone_and_back.list_key
where gone_and_back.players > 0.02 * sizes.before_rows
union all
select list_key, 'below_floor', players::integer, format('lowest {} under the floor of {}', lowest, floor)
from below_floor
union all
select list_key, 'duplicate_id', rows::integer, format('{} lines on an id that another line stands for', rows)
from duplicates
