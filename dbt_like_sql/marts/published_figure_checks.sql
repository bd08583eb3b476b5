-- Every published figure computed again from the lists held. One step per kind of measure; each gives a number, or
-- a text where the figure is a name or a date. Verdict and reason come last, the same way for all.
with
figures as (
    select
        *,
        case parameter when 'USCF' then 'uscf' else 'fide' end as publisher,
        case parameter when 'USCF' then 'regular' else rating_type end as list_rating_type,
        try_cast(split_part(parameter, '-', 1) as integer) as low,
        coalesce(try_cast(nullif(split_part(parameter, '-', 2), '') as integer), 9999) as high
    from catalogue.published_figures
),

-- The list a figure is about, and the edition of it that counts.
lists as (
    select
        lists.list_key,
        lists.publisher,
        lists.rating_type,
        lists.list_date,
        lists.coverage,
        sources.collection,
        sources.file_name,
        sources.source_sha256,
        -- Scid's file has the persons known when it was made, not the rows of the list.
        sources.collection <> 'scid' and lists.coverage = 'complete' as rows_stand
    from core.lists as lists
    inner join core.source_files as sources on sources.source_key = lists.source_key
    where lists.held
),

about as (
    select
        figures.*,
        lists.list_key,
        lists.coverage,
        lists.collection,
        lists.file_name,
        lists.rows_stand,
        exists (
            select 1 from catalogue.rating_list_calendar as known
            where known.list_date = figures.list_date and known.rating_type = figures.rating_type
        ) as in_calendar
    from figures
    left join lists
        on lists.publisher = figures.publisher
        and lists.rating_type = figures.list_rating_type
        and lists.list_date = figures.list_date
),

summaries as (
    select lists.list_key, summary.*
    from marts.list_summary as summary
    inner join lists
        on lists.publisher = summary.publisher
        and lists.rating_type = summary.rating_type
        and lists.list_date = summary.list_date
),

-- Names of the figures are spelled as in the bundled history. The number keeps namesakes apart; the old masters
-- have none, and neither have their namesakes on the lists of their time.
persons as (
    select history.name, any_value(versions.player_id) as player_id
    from (select distinct name, fide_id from catalogue.elite_history) as history
    inner join core.player_versions as versions
        on versions.fide_id is not distinct from history.fide_id
        and (versions.fide_id is not null or versions.name = history.name)
    group by history.name
),

row_counts as (
    select
        about.figure_id,
        case about.measure
            when 'rows' then summaries.rows_count
            when 'rows_active' then summaries.active_count
            when 'rows_women' then summaries.women_count
        end as computed_number
    from about
    inner join summaries on summaries.list_key = about.list_key
    where about.measure in ('rows', 'rows_active', 'rows_women') and about.rows_stand
),

supplements as (
    select about.figure_id, max(editions.edition_rows) as computed_number
    from about
    inner join core.lists as held
        on held.publisher = about.publisher
        and held.rating_type = about.list_rating_type
        and held.list_date = about.list_date
    inner join core.editions as editions on editions.list_key = held.list_key and editions.coverage = 'supplement'
    where about.measure = 'rows_supplement'
    group by about.figure_id
),

federations as (
    select about.figure_id, sum(counts.player_count) as computed_number
    from about
    inner join intermediate.attribute_counts as counts
        on counts.list_key = about.list_key and counts.federation = about.parameter
    where about.measure = 'rows_federation' and about.rows_stand
    group by about.figure_id
),

-- From a top list only what stands above its last place can be counted.
counts as (
    select
        about.figure_id,
        sum(case about.population when 'all' then ranks.player_count else ranks.ranked_count end) filter (
            where ranks.rating between about.low and about.high
        ) as computed_number
    from about
    inner join intermediate.rating_ranks as ranks on ranks.list_key = about.list_key
    where about.measure in ('count_rating_ge', 'count_rating_between')
    group by about.figure_id, about.low, about.coverage
    having about.coverage = 'complete' or min(ranks.rating) <= about.low
),

extremes as (
    select about.figure_id, max(summaries.active_ge_2700) as computed_number
    from about
    cross join summaries
    where
        about.measure = 'max_count_rating_ge' and about.parameter = '2700'
        and summaries.publisher = 'fide' and summaries.rating_type = about.rating_type
    group by about.figure_id
),

first_lists as (
    select about.figure_id, min(summaries.list_date)::varchar as computed_text
    from about
    inner join summaries
        on summaries.publisher = 'fide'
        and summaries.rating_type = about.rating_type
        and summaries.active_ge_2700 >= about.low
    where about.measure = 'first_list_with_count_ge_2700'
    group by about.figure_id
),

persons_ever as (
    select about.figure_id, count(distinct entries.player_id) as computed_number
    from about
    inner join marts.top_list as entries
        on entries.publisher = 'fide'
        and entries.rating_type = about.rating_type
        and entries.rating >= about.low
        and entries.list_date <= about.list_date
    where about.measure = 'count_players_ever_ge'
    group by about.figure_id
),

first_above as (
    select about.figure_id, min(entries.list_date)::varchar as computed_text
    from about
    inner join persons on persons.name = about.subject
    inner join marts.top_list as entries
        on entries.publisher = 'fide'
        and entries.rating_type = about.rating_type
        and entries.player_id = persons.player_id
        and entries.rating >= about.low
    where about.measure = 'first_list_at_or_above'
    group by about.figure_id
),

tops as (
    select
        about.figure_id,
        case about.measure
            when 'gap_rank1_rank2' then summaries.gap_1_2
            when 'mean_top_n' then summaries.mean_top_10
            when 'mean_rating' then summaries.mean_rating
        end as computed_number
    from about
    inner join summaries on summaries.list_key = about.list_key
    where
        about.measure in ('gap_rank1_rank2', 'mean_rating')
        or (about.measure = 'mean_top_n' and about.parameter = '10')
),

ranks as (
    select about.figure_id, at_rank.rating as computed_number
    from about
    inner join marts.rating_at_rank as at_rank
        on at_rank.publisher = about.publisher
        and at_rank.rating_type = about.list_rating_type
        and at_rank.list_date = about.list_date
        and at_rank.position = about.low
        and at_rank.population = 'ranked'
    where about.measure = 'rating_at_rank'
),

-- Persons are compared, not spellings; the text shown is the spelling of the lists.
leaders as (
    select
        about.figure_id,
        string_agg(entries.player_name, ' & ' order by entries.player_name) as computed_text,
        list_sort(list(entries.player_id)) as player_ids
    from about
    inner join marts.top_list as entries
        on entries.publisher = about.publisher
        and entries.rating_type = about.list_rating_type
        and entries.list_date = about.list_date
        and entries.world_rank = 1
    where about.measure = 'number_one'
    group by about.figure_id
),

named_leaders as (
    select named.figure_id, list_sort(list(persons.player_id)) as player_ids
    from (
        select figure_id, unnest(string_split(value, ' & ')) as name
        from figures
        where measure = 'number_one'
    ) as named
    left join persons on persons.name = named.name
    group by named.figure_id
),

peaks as (
    select
        about.figure_id,
        peaks.peak_rating as computed_number,
        peaks.peak_list_date::varchar as computed_text
    from about
    inner join persons on persons.name = about.subject
    inner join marts.top_player_peaks as peaks
        on peaks.player_id = persons.player_id and peaks.rating_type = about.rating_type
    where about.measure = 'peak_rating'
),

ratings as (
    select about.figure_id, entries.rating as computed_number
    from about
    inner join persons on persons.name = about.subject
    inner join core.entries as entries
        on entries.player_id = persons.player_id and entries.list_key = about.list_key
    where about.measure in ('rating', 'rating_contradicting')
),

titles as (
    select
        about.figure_id,
        case
            when about.measure = 'title_mean_rating' then titles.mean_rating
            when about.measure = 'title_count_women' then titles.women_count
            when about.population = 'active' then titles.active_count
            else titles.player_count
        end as computed_number
    from about
    inner join marts.title_counts as titles
        on titles.publisher = about.publisher
        and titles.rating_type = about.list_rating_type
        and titles.list_date = about.list_date
        and titles.federation = 'all'
        and titles.title = about.parameter
    where about.measure in ('title_count', 'title_count_women', 'title_mean_rating')
),

calendar as (
    select figures.figure_id, count(*) as computed_number
    from figures
    inner join catalogue.rating_list_calendar as calendar
        on calendar.rating_type = figures.rating_type
        and calendar.list_date between (figures.parameter || '-01')::date and figures.list_date
    where figures.measure = 'count_lists_since' and calendar.official and calendar.kind <> 'supplement'
    group by figures.figure_id
),

-- No US Chess list need be held for these: the conversions somebody published say what was held to be the offset.
conversions as (
    select
        figures.figure_id,
        median(
            case when rules.kind = 'linear' then rules.intercept + rules.slope * given.rating else rules.intercept end
            - case figures.measure when 'rating_pair' then 0 else given.rating end
        ) as computed_number
    from figures
    inner join (
        values ('rating_pair', 2638), ('offset_uscf_minus_fide', 2200)
    ) as given (measure, rating) on given.measure = figures.measure
    inner join catalogue.published_conversions as rules
        on rules.from_system = 'FIDE'
        and rules.to_system = 'USCF'
        and given.rating between coalesce(rules.from_min, 0) and coalesce(rules.from_max, 9999)
    group by figures.figure_id
),

one_off as (
    select
        figures.figure_id,
        format('{:.1f} % within a point of R+0.40*(2000-R)', 100.0 * sum(bands.by_rule_count) / sum(bands.after_count))
            as computed_text,
        sum(bands.by_rule_count) >= 0.5 * sum(bands.after_count) as agrees
    from figures
    inner join marts.compression_2024 as bands on bands.band_low < 2000
    where figures.measure = 'one_off_change'
    group by figures.figure_id
    having sum(bands.after_count) > 0
),

computed as (
    select figure_id, computed_number::double as computed_number, null::varchar as computed_text from row_counts
    union all select figure_id, computed_number, null from supplements
    union all select figure_id, computed_number, null from federations
    union all select figure_id, coalesce(computed_number, 0), null from counts
    union all select figure_id, computed_number, null from extremes
    union all select figure_id, null, computed_text from first_lists
    union all select figure_id, computed_number, null from persons_ever
    union all select figure_id, null, computed_text from first_above
    union all select figure_id, computed_number, null from tops
    union all select figure_id, computed_number, null from ranks
    union all select figure_id, null, computed_text from leaders
    union all select figure_id, computed_number, computed_text from peaks
    union all select figure_id, computed_number, null from ratings
    union all select figure_id, computed_number, null from titles
    union all select figure_id, computed_number, null from calendar
    union all select figure_id, computed_number, null from conversions
    union all select figure_id, null, computed_text from one_off
),

compared as (
    select
        about.*,
        computed.computed_number,
        computed.computed_text,
        -- Of a pair the second number is compared.
        computed.computed_number - try_cast(split_part(about.value, '/', -1) as double) as difference,
        case
            when about.measure = 'number_one' then leaders.player_ids = named_leaders.player_ids
            when about.measure = 'one_off_change' then one_off.agrees
            when about.measure in ('first_list_with_count_ge_2700', 'first_list_at_or_above')
                then computed.computed_text = about.list_date::varchar
            when about.measure = 'peak_rating'
                then
                    computed.computed_number = about.value::double
                    and computed.computed_text = about.list_date::varchar
            else
                abs(computed.computed_number - try_cast(split_part(about.value, '/', -1) as double))
                <= coalesce(about.tolerance, 0)
        end as agrees
    from about
    left join computed on computed.figure_id = about.figure_id
    left join leaders on leaders.figure_id = about.figure_id
    left join named_leaders on named_leaders.figure_id = about.figure_id
    left join one_off on one_off.figure_id = about.figure_id
)

select
    compared.figure_id,
    compared.subject,
    compared.list_date,
    compared.rating_type,
    compared.measure,
    compared.parameter,
    compared.population,
    compared.value as published_value,
    compared.tolerance,
    case
        when compared.computed_number is null then compared.computed_text
        when compared.computed_text is not null
            then compared.computed_number::integer || ' on ' || compared.computed_text
        when compared.computed_number = round(compared.computed_number) then compared.computed_number::integer::varchar
        else round(compared.computed_number, 2)::varchar
    end as computed_value,
    compared.difference,
    case
        when compared.computed_number is null and compared.computed_text is null then 'cannot be computed'
        when compared.agrees then 'agrees'
        else 'differs'
    end as verdict,
    case
        when compared.agrees then null
        when compared.computed_number is not null or compared.computed_text is not null then explanations.explanation
        when compared.measure = 'peak_live_rating' then 'live ratings are not on any list'
        when compared.publisher = 'uscf' and compared.list_key is null then 'no US Chess list of that month is held'
        when compared.measure = 'one_off_change' then 'no complete lists of both sides of March 2024 are held'
        when compared.list_date is null then 'the figure is undated'
        when compared.list_key is null and not compared.in_calendar then 'no list of that date was published'
        when compared.list_key is null then 'no list of that date is held'
        when compared.measure like 'rows%' and not compared.rows_stand
            then 'the edition held is no copy of all rows of the list (' || compared.collection || ')'
        when compared.measure like 'title%' then 'the edition held prints no such titles'
        when compared.coverage = 'top' then 'only the first hundred of the list are held'
        else 'the edition held does not state it'
    end as explanation,
    case
        when not compared.agrees and (compared.computed_number is not null or compared.computed_text is not null)
            then explanations.evidence
    end as evidence,
    compared.coverage,
    compared.collection,
    compared.file_name,
    compared.source as figure_source,
    compared.note as figure_note
from compared
left join catalogue.figure_explanations as explanations on explanations.figure_id = compared.figure_id
