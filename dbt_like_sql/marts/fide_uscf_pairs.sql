-- Pairs as judged, with the number of filters each passed before the first it failed.
select
    pairs.origin,
    pairs.source_key,
    pairs.person_id,
    pairs.list_date,
    pairs.uscf_list_date,
    pairs.fide_id,
    pairs.uscf_id,
    pairs.player_name,
    pairs.federation,
    pairs.birth_year,
    pairs.fide_rating,
    pairs.uscf_rating,
    (pairs.uscf_rating - pairs.fide_rating)::smallint as uscf_minus_fide,
    pairs.fide_games,
    pairs.uscf_games,
    pairs.uscf_provisional,
    pairs.uscf_floor,
    pairs.active,
    pairs.link_method,
    pairs.confidence,
    pairs.residual,
    coalesce(failed.step - 1, filters.filter_count)::tinyint as filters_passed,
    pairs.failed_filter
from intermediate.fide_uscf_judged as pairs
cross join (select max(step) as filter_count from intermediate.fide_uscf_filter_counts) as filters
left join (select distinct filter, step from intermediate.fide_uscf_filter_counts) as failed
    on failed.filter = pairs.failed_filter
