select
    origin,
    source_key,
    scale,
    step,
    filter,
    meaning,
    removed,
    not_known,
    remaining
from intermediate.fide_uscf_filter_counts
