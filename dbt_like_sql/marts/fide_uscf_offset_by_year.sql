select
    population,
    period,
    first_list,
    last_list,
    year,
    estimator,
    list_date,
    uscf_minus_fide_estimate,
    ci_low,
    ci_high,
    sample_size,
    chain,
    caveat
from intermediate.fide_uscf_chained
