-- Everything known to be wrong or odd with a list: reviewed facts, what the readers met, what comparison found.
with
known as (
    select
        lists.list_key,
        facts.code as anomaly_code,
        'catalogue' as anomaly_origin,
        null::integer as row_count,
        facts.short_label,
        facts.description as detail
    from catalogue.known_anomalies as facts
    inner join core.lists as lists
        on lists.publisher = 'fide'
        and lists.list_date between facts.list_date and coalesce(facts.last_list_date, facts.list_date)
        and (facts.rating_type in (lists.rating_type, 'all'))
),

-- A file of one list gives its remarks to that list; files of many lists by the line of the entry.
noted as (
    select
        coalesce(entries.list_key, single_lists.list_key) as list_key,
        notes.note_code as anomaly_code,
        'reader' as anomaly_origin,
        count(*)::integer as row_count,
        null::varchar as short_label,
        min(notes.detail) as detail
    from core.notes as notes
    left join (
        select source_key, any_value(list_key) as list_key
        from core.editions
        group by source_key
        having count(*) = 1
    ) as single_lists on single_lists.source_key = notes.source_key
    left join core.entries as entries
        on single_lists.source_key is null
        and entries.source_key = notes.source_key
        and entries.line_number = notes.line_number
    where coalesce(entries.list_key, single_lists.list_key) is not null
    group by coalesce(entries.list_key, single_lists.list_key), notes.note_code
),

found as (
    select list_key, anomaly_code, 'comparison' as anomaly_origin, row_count, null::varchar as short_label, detail
    from intermediate.detected_anomalies
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    anomalies.anomaly_code,
    anomalies.anomaly_origin,
    anomalies.row_count,
    anomalies.short_label,
    anomalies.detail
from (
    select list_key, anomaly_code, anomaly_origin, row_count, short_label, detail from known
    union all
    select list_key, anomaly_code, anomaly_origin, row_count, short_label, detail from noted
    union all
    select list_key, anomaly_code, anomaly_origin, row_count, short_label, detail from found
) as anomalies
inner join core.lists as lists on lists.list_key = anomalies.list_key
