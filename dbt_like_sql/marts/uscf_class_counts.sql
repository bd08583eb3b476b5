-- Retired and duplicate ids have no entries, so that every count is of persons.
with
established as (
    select
        entries.list_key,
        entries.rating,
        count(*) filter (where entries.provisional_games is null) as established_count
    from core.entries as entries
    inner join core.lists as lists on lists.list_key = entries.list_key and lists.publisher = 'uscf'
    where entries.rating is not null
    group by entries.list_key, entries.rating
),

classes as (
    select
        counts.rating_type,
        counts.list_date,
        counts.band_label,
        counts.band_low,
        counts.band_high,
        counts.player_count,
        counts.player_fraction
    from marts.rank_band_counts as counts
    where counts.publisher = 'uscf' and counts.band_system = 'uscf' and counts.population = 'all'
)

select
    classes.rating_type,
    classes.list_date,
    bands.title_name as class_name,
    classes.band_label,
    classes.band_low,
    classes.band_high,
    classes.player_count,
    coalesce(sum(established.established_count), 0)::integer as established_count,
    classes.player_fraction
from classes
inner join core.lists as lists
    on lists.publisher = 'uscf' and lists.rating_type = classes.rating_type and lists.list_date = classes.list_date
inner join catalogue.rank_bands as bands on bands.band_system = 'uscf' and bands.band_label = classes.band_label
left join established
    on established.list_key = lists.list_key
    and established.rating between coalesce(classes.band_low, 0) and coalesce(classes.band_high, 9999)
group by all
