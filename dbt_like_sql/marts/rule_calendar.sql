-- Everything with a date that must be known before a time series is read: rules, floors among them, and anomalies.
select
    rule_date as from_date,
    null::date as to_date,
    publisher,
    rating_type,
    'rule' as entry_kind,
    kind as entry_code,
    value as rule_value,
    short_label,
    description,
    certainty,
    null::varchar as affects,
    source
from catalogue.rule_changes
union all
select
    list_date,
    last_list_date,
    'fide',
    rating_type,
    'anomaly',
    code,
    null,
    short_label,
    description,
    null,
    affects,
    source
from catalogue.known_anomalies
