"""The computed tables of the comparison of US Chess and FIDE ratings: queries and names.

Not here: what is computed (``analytics.offset_periods``), and the links it rests on (``us_members.py``).
"""

from typing import Final

from pipeline.analytics import offset_periods
from pipeline.warehouse.computed import ComputedTable, reading

_CANDIDATES: Final = "select * from intermediate.fide_uscf_candidates order by all"
_JUDGED: Final = "select * from intermediate.fide_uscf_judged order by all"

OFFSET_TABLES: Final = (
    ComputedTable(
        "fide_uscf_judged",
        frozenset({"intermediate.fide_uscf_candidates"}),
        reading(_CANDIDATES, offset_periods.judged),
    ),
    ComputedTable(
        "fide_uscf_filter_counts",
        frozenset({"intermediate.fide_uscf_candidates"}),
        reading(_CANDIDATES, offset_periods.filter_counts),
    ),
    ComputedTable(
        "fide_uscf_estimates",
        frozenset({"intermediate.fide_uscf_judged", "catalogue.rating_floors"}),
        reading(_JUDGED, offset_periods.estimates),
    ),
    ComputedTable(
        "fide_uscf_chained",
        frozenset({"intermediate.fide_uscf_judged"}),
        reading(_JUDGED, offset_periods.chained_by_year),
    ),
    ComputedTable(
        "fide_uscf_samples",
        frozenset({"intermediate.fide_uscf_judged"}),
        reading(_JUDGED, offset_periods.collected_samples),
    ),
)
