"""A published database of invented players for the tests of the site: the marts' names and columns, small content.

Some names are what a hostile or careless file could hold. Values are made by rule, so that tests can compute them.
"""

from pathlib import Path

import duckdb

SCRIPT_NAME = "</script><img src=x onerror=alert(1)>"
FORMULA_NAME = "=cmd|' /C calc'!A0"
QUOTED_NAME = 'O\'Invented, "Quote" & Co'
RIGHT_TO_LEFT_NAME = "\u05d1\u05d3\u05d5\u05d9, \u05e9\u05d7\u05e7\u05df"
COMBINING_NAME = "Za\u0308o\u0301lgo\u0323, Inve\u0301nted"
TOKEN_NAME = "@ink"
#: The marts of analyses, made from the lists below.
ANALYSES = Path(__file__).with_name("invented_analyses.sql")
HOSTILE_NAMES = (SCRIPT_NAME, FORMULA_NAME, QUOTED_NAME, RIGHT_TO_LEFT_NAME, COMBINING_NAME, TOKEN_NAME)

_SQL = """
create schema marts;
create schema catalogue;

create table catalogue.rule_changes as
select * from (values
    (date '2009-07-01', 'fide', 'standard', 'floor', '1200', 'floor 1200', 'Listed from 1200.', 'read', 'x'),
    (date '2012-07-01', 'fide', 'all', 'list_frequency', '12', 'monthly lists', 'Every month.', 'read', 'x'),
    (date '2014-01-01', 'uscf', 'all', 'bonus', '14', 'US bonus', 'Not drawn on FIDE charts.', 'read', 'invented')
) as t(rule_date, publisher, rating_type, kind, value, short_label, description, certainty, source);

create table catalogue.known_anomalies as
select * from (values
    ('hole', date '2011-01-01', null::date, 'standard', 'missing', '<b>Some</b> federations are missing.', 'rows', 'x')
) as t(code, list_date, last_list_date, rating_type, short_label, description, affects, source);

create temp table lists as
select
    'standard' as rating_type,
    unnest(generate_series(date '2000-01-01', date '2024-01-01', interval 6 month))::date as list_date
union all
select 'rapid', unnest(generate_series(date '2013-01-01', date '2024-01-01', interval 1 year))::date;

-- Player n has 2850 - 4n on the first list and moves by a rule; players 1 and 2 change places every ten years.
create table marts.player_history as
with entries as (
    select
        'fide' as publisher, l.rating_type, l.list_date, p.player_id,
        case when p.player_id between 1 and len($names) then $names[p.player_id]
            else 'Invented, Player ' || lpad(p.player_id::varchar, 3, '0') end as player_name,
        case when year(l.list_date) < 2010 then 'Testov, Old ' || p.player_id else player_name end as printed_name,
        (900000 + p.player_id)::integer as fide_id,
        ['AAA', 'BBB', 'CCC'][p.player_id % 3 + 1] as federation,
        case when p.player_id % 5 = 0 then 'F' else 'M' end as sex,
        (1950 + p.player_id % 45)::smallint as birth_year,
        (2850 - 4 * p.player_id
            + case
                when p.player_id > 2 then (p.player_id * year(l.list_date)) % 7
                when (year(l.list_date) // 10) % 2 = p.player_id % 2 then 12
                else 0
            end)::smallint as rating,
        true as active, 'complete' as coverage
    from lists as l, range(1, 131) as p(player_id)
),

ranked as (
    select
        *,
        rank() over (partition by rating_type, list_date order by rating desc)::integer as world_rank,
        rank() over (partition by rating_type, list_date, federation order by rating desc)::integer as federation_rank,
        (rating - lag(rating) over (partition by rating_type, player_id order by list_date))::smallint
            as change_since_previous_list
    from entries
)

select * from ranked;

create view marts.players as
select
    player_id, any_value(player_name) as player_name, any_value(fide_id) as fide_id,
    arg_max(federation, list_date) as federation, any_value(birth_year) as birth_year
from marts.player_history
group by player_id;

create view marts.player_names as
select player_id, player_name, printed_name as spelling from marts.player_history group by all;

create view marts.player_ratings as
select * exclude (active, coverage, world_rank, federation_rank, change_since_previous_list)
from marts.player_history
where rating is not null;

create table marts.list_summary as
select
    publisher, rating_type, list_date, 'complete' as coverage, count(*)::integer as rows_count,
    avg(rating) filter (where place <= 10) as mean_top_10, avg(rating) filter (where place <= 20) as mean_top_20,
    avg(rating) filter (where place <= 50) as mean_top_50, avg(rating) filter (where place <= 100) as mean_top_100,
    avg(rating) filter (where place between 11 and 50) as mean_ranks_11_50,
    max(rating) filter (where place = 1) as rating_rank_1, max(rating) filter (where place = 10) as rating_rank_10,
    max(rating) filter (where place = 20) as rating_rank_20, max(rating) filter (where place = 50) as rating_rank_50,
    max(rating) filter (where place = 100) as rating_rank_100,
    (max(rating) filter (where place = 1) - max(rating) filter (where place = 2))::smallint as gap_1_2,
    (count(*) filter (where rating >= 2500))::integer as count_ge_2500,
    (count(*) filter (where rating >= 2500 and player_id % 4 > 0))::integer as active_ge_2500,
    (count(*) filter (where rating >= 2600))::integer as count_ge_2600,
    (count(*) filter (where rating >= 2600 and player_id % 4 > 0))::integer as active_ge_2600,
    (count(*) filter (where rating >= 2700))::integer as count_ge_2700,
    (count(*) filter (where rating >= 2700 and player_id % 4 > 0))::integer as active_ge_2700,
    (count(*) filter (where rating >= 2800))::integer as count_ge_2800,
    (count(*) filter (where rating >= 2800 and player_id % 4 > 0))::integer as active_ge_2800,
    bit_xor(hash(player_id * 4096 + rating))::varchar as ratings_digest
from (
    select *, row_number() over (partition by rating_type, list_date order by rating desc) as place
    from marts.player_history
)
group by publisher, rating_type, list_date;

create table marts.rank_band_counts as
with bands as (
    select * from (values
        ('2300-2399', 2300, 2399), ('2400-2499', 2400, 2499), ('2500-2599', 2500, 2599), ('2600-2699', 2600, 2699),
        ('2700-2799', 2700, 2799), ('2800+', 2800, null)
    ) as t(band_label, band_low, band_high)
)

select
    'fide' as publisher, h.rating_type, h.list_date, 'fide' as band_system, b.band_label, b.band_low, b.band_high,
    p.population, count(*) filter (where p.population = 'all' or h.player_id % 4 > 0)::integer as player_count,
    count(*) filter (where p.population = 'all' or h.player_id % 4 > 0) / 130 as player_fraction,
    (count(*) filter (where sex = 'F'))::integer as women_count, 'complete list' as basis
from marts.player_history as h
inner join bands as b on h.rating between b.band_low and coalesce(b.band_high, 9999)
cross join (values ('all'), ('active')) as p(population)
group by all;

create table marts.top_player_peaks as
with best as (
    select *, max(rating) over (partition by rating_type, player_id) as peak_rating from marts.player_history
),

peaks as (
    select
        player_id, any_value(player_name) as player_name, any_value(fide_id) as fide_id,
        any_value(federation) as federation, any_value(sex) as sex, any_value(birth_year) as birth_year, rating_type,
        any_value(peak_rating) as peak_rating, min(list_date) as peak_list_date,
        max(list_date) as last_list_date_at_peak, count(*)::integer as lists_at_peak,
        (year(min(list_date)) - any_value(birth_year))::smallint as age_at_peak, min(world_rank) as best_world_rank
    from best
    where rating = peak_rating
    group by player_id, rating_type
)

select rank() over (partition by rating_type order by peak_rating desc)::integer as peak_rank, *
from peaks;

create table marts.number_ones as
with led as (
    select rating_type, list_date, string_agg(player_name, ' & ' order by player_name) as player_names,
        list(player_id order by player_name) as player_ids, max(rating) as rating
    from marts.player_history
    where world_rank = 1
    group by rating_type, list_date
),

begun as (
    select *, lag(player_ids) over (partition by rating_type order by list_date) is distinct from player_ids as begins
    from led
),

numbered as (
    select *, sum(begins::integer) over (partition by rating_type order by list_date)::integer as reign_number
    from begun
)

select
    'fide' as publisher, n.rating_type, n.reign_number, min(n.list_date) as first_list_date,
    max(n.list_date) as last_list_date, any_value(player_names) as player_names, any_value(player_ids) as player_ids,
    len(any_value(player_ids)) > 1 as is_shared, count(*)::integer as lists_count,
    (max(n.list_date) - min(n.list_date) + 181)::integer as days, min(n.rating) as min_rating,
    max(n.rating) as max_rating, min(s.gap_1_2) as min_gap, max(s.gap_1_2) as max_gap,
    case when n.reign_number = 1 then strftime(min(n.list_date), '%Y-%m') || ' scid:2799' end as contradicted_by
from numbered as n
left join marts.list_summary as s on s.rating_type = n.rating_type and s.list_date = n.list_date
group by n.rating_type, n.reign_number;

create table marts.list_coverage as
select
    'fide' as publisher, rating_type, list_date, true as official, list_date > date '2000-06-01' as held,
    case when list_date > date '2000-06-01' then 'complete' end as coverage, 'invented' as collection,
    'invented layout' as layout, '<i>file</i>.txt' as file_name, 130 as rows_read, 130 as rows_kept, 0 as rows_rejected,
    0 as anomaly_count, null::varchar as anomalies,
    case when list_date > date '2000-06-01' then 'held' else 'missing' end as status
from lists;

comment on table marts.rank_band_counts is 'Players in each band; <b>not bold</b>.';
comment on column marts.rank_band_counts.player_count is 'Players in the band.';
"""


def write_database(path: Path) -> None:
    """Write the invented database to ``path``, which must not exist."""
    names = "[" + ", ".join("'" + name.replace("'", "''") + "'" for name in HOSTILE_NAMES) + "]"
    with duckdb.connect(str(path)) as connection:
        connection.execute(_SQL.replace("$names", names))
        connection.execute(ANALYSES.read_text(encoding="utf-8"))
