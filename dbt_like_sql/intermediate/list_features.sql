-- What each held list states at all, and of how many players: where a list prints no titles, its number of
-- grandmasters is unknown, not 0.
select
    entries.list_key,
    bool_or(versions.title is not null) as states_titles,
    bool_or(versions.sex = 'F') as states_sex,
    bool_or(versions.birth_year is not null) as states_birth_years,
    -- Zeros for everybody are no statement: April 2004 was printed so.
    coalesce(bool_or(entries.games > 0), false) as states_games,
    count(*)::integer as listed_count,
    (count(*) filter (where entries.active = false))::integer as inactive_count,
    count(entries.games)::integer as games_stated_count
from core.entries as entries
inner join core.player_versions as versions on versions.version_key = entries.version_key
group by entries.list_key
