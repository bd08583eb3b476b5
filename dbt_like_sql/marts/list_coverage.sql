-- Every list of the calendar and every list held: what is there, from where, and what is wrong with it.
with
anomalies as (
    select
        publisher,
        rating_type,
        list_date,
        count(*) as anomaly_count,
        string_agg(distinct anomaly_code, ', ' order by anomaly_code) as anomalies
    from marts.list_anomalies
    group by publisher, rating_type, list_date
),

edition_counts as (
    select list_key, count(*) as edition_count
    from core.editions
    group by list_key
),

revisions as (
    select editions.list_key, count(*) > 1 as revised
    from core.editions as editions
    inner join core.source_files as sources on sources.source_key = editions.source_key
    where sources.collection = 'fide'
    group by editions.list_key
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    lists.official,
    lists.list_kind,
    lists.held,
    case when not lists.held then 'missing' when revisions.revised then 'revised' else 'held' end as status,
    lists.coverage,
    lists.activity_basis,
    sources.collection,
    sources.layout,
    sources.file_name,
    sources.source_sha256,
    coalesce(edition_counts.edition_count, 0)::integer as edition_count,
    editions.edition_rows as rows_read,
    (editions.edition_rows - editions.duplicate_rows)::integer as rows_kept,
    editions.duplicate_rows as rows_duplicated,
    case when sources.lines_kept = editions.edition_rows then sources.lines_rejected end as rows_rejected,
    coalesce(anomalies.anomaly_count, 0)::integer as anomaly_count,
    anomalies.anomalies,
    lists.publication_note
from core.lists as lists
left join core.source_files as sources on sources.source_key = lists.source_key
left join core.editions as editions on editions.list_key = lists.list_key and editions.is_current
left join edition_counts on edition_counts.list_key = lists.list_key
left join revisions on revisions.list_key = lists.list_key
left join anomalies
    on anomalies.publisher = lists.publisher
    and anomalies.rating_type = lists.rating_type
    and anomalies.list_date = lists.list_date
