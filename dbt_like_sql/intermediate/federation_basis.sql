-- Whether a list prints the federations of its time. Back-dated codes must never be read as transfers.
select
    lists.list_key,
    case
        when sources.collection = 'scid' then 'back-dated'
        -- The reviewed fact is about the text collection; the bundled history took its codes from there.
        when
            sources.collection in ('weeks', 'bundled') and lists.list_date < date '1999-01-01'
            then 'back-dated'
        else 'printed'
    end as federation_basis
from staging.held_lists as lists
inner join core.lists as held on held.list_key = lists.list_key
inner join core.source_files as sources on sources.source_key = held.source_key
