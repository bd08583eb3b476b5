-- Changes of federation between consecutive lists of a player that print the federations of their time. Only
-- players who were ever printed with two codes are read.
with
lists as (
    select lists.list_key, lists.publisher, lists.rating_type, lists.list_date
    from staging.held_lists as lists
    inner join intermediate.federation_basis as basis on basis.list_key = lists.list_key
    where basis.federation_basis = 'printed'
),

candidates as (
    select player_id
    from core.player_versions
    where federation is not null
    group by player_id
    having count(distinct federation) > 1
),

printed as (
    select
        lists.publisher,
        lists.rating_type,
        lists.list_date,
        entries.player_id,
        entries.rating,
        versions.federation,
        versions.title,
        lag(versions.federation) over player as from_federation,
        lag(lists.list_date) over player as previous_list_date
    from core.entries as entries
    inner join candidates on candidates.player_id = entries.player_id
    inner join lists on lists.list_key = entries.list_key
    inner join core.player_versions as versions on versions.version_key = entries.version_key
    where versions.federation is not null
    window player as (
        partition by lists.publisher, lists.rating_type, entries.player_id order by lists.list_date
    )
),

changes as (
    select
        printed.*,
        case
            when from_codes.kind = 'no_country' or to_codes.kind = 'no_country' then 'FIDE flag'
            when from_codes.last_list is not null then 'code ended'
            else 'transfer'
        end as flow_kind
    from printed
    left join catalogue.federations as from_codes on from_codes.code = printed.from_federation
    left join catalogue.federations as to_codes on to_codes.code = printed.federation
    where printed.from_federation <> printed.federation
)

select
    publisher,
    rating_type,
    list_date,
    from_federation,
    federation as to_federation,
    flow_kind,
    count(*)::integer as player_count,
    count(title)::integer as titled_count,
    avg(rating) as mean_rating,
    max(rating) as max_rating,
    min(previous_list_date) as earliest_previous_list_date
from changes
group by publisher, rating_type, list_date, from_federation, to_federation, flow_kind
