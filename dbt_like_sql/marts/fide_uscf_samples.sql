select
    samples.origin,
    samples.source_key,
    samples.link_method,
    samples.list_date,
    samples.uscf_list_date,
    samples.sample_size,
    samples.uscf_minus_fide_estimate,
    samples.ci_low,
    samples.ci_high,
    samples.quartile_low,
    samples.quartile_high,
    stated.source_note
from intermediate.fide_uscf_samples as samples
inner join (
    select source_key, any_value(source_note) as source_note from core.uscf_pairs_stated group by source_key
) as stated on stated.source_key = samples.source_key
