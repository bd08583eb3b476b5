"""Two lines on one id in a list of US Chess: the member id decides, whatever FIDE ids the records state."""

import polars as pl

from pipeline.domain.entry import ENTRY_SCHEMA, conform
from pipeline.lists.duplicates import mark_duplicates


def test_two_members_that_state_one_fide_id_are_two_lines_of_two_members() -> None:
    rows = [
        {"line_number": 2, "uscf_id": 19900001, "fide_id": 2999001, "rating": 1500},
        {"line_number": 3, "uscf_id": 19900002, "fide_id": 2999001, "rating": 1600},
        {"line_number": 4, "uscf_id": 19900001, "fide_id": None, "rating": 1510},
    ]
    marked = mark_duplicates(conform(pl.DataFrame(rows), ENTRY_SCHEMA)).sort("line_number")
    assert marked["duplicate_of"].to_list() == [4, None, None]
