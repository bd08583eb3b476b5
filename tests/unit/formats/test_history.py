"""The bundled history: invented rows, and the real table when it is there."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from pipeline.formats import history
from pipeline.formats.parsed import FormatError, UnknownLayoutError

ROWS = """\
1971-07-01,1,"Tarnwick, Osric",9900101,usa,M,1943,2760,3:olimpbase+weeks+scid,
1971-07-01,2,"Ellismoor, Prudence",,URS,F,,2690,0:none,
1971-07-01,3,"Quillbeck, Abel",,,M,1931,2670,2:scid+weeks,olimpbase:2665;press:2660
"""


def table(rows: str) -> bytes:
    return f"{history.HEADER}\n{rows}".encode()


def test_rows_become_active_entries_of_a_dated_top_list() -> None:
    parsed = history.parse(table(ROWS))
    assert (parsed.publisher, parsed.collection, parsed.coverage) == ("fide", "bundled", "top")
    assert parsed.lines_read == 3
    first = parsed.entries.row(0, named=True)
    assert first["name"] == "Tarnwick, Osric"
    assert first["list_date"] == date(1971, 7, 1)
    assert (first["rating_type"], first["rating"], first["active"]) == ("standard", 2760, True)
    assert (first["line_number"], first["fide_id"], first["federation"]) == (2, 9900101, "USA")
    assert parsed.entries["birth_year"].to_list() == [1943, None, 1931]
    assert parsed.entries["federation"].to_list() == ["USA", "URS", None]


def test_doubtful_rows_are_noted_with_their_ground() -> None:
    notes = history.parse(table(ROWS)).notes
    assert notes["code"].to_list() == ["no_collection_carries_value", "conflicting_sources"]
    assert notes["line_number"].to_list() == [3, 4]
    assert "olimpbase:2665;press:2660" in notes["detail"][1]


def test_unreadable_rows_are_rejected_and_counted() -> None:
    parsed = history.parse(table(ROWS + '1971-13-01,4,"Nomonth, Ann",,,,,2600,1:scid,\n'))
    assert parsed.lines_read == 4
    assert parsed.rejects["line_number"].to_list() == [5]
    assert "Nomonth, Ann" in parsed.rejects["line_text"][0]


def test_another_table_is_refused() -> None:
    assert not history.sniff(b"name,rating\n", "elite_history.csv")
    with pytest.raises(UnknownLayoutError, match="expected the header"):
        history.parse(b"name,rating\nA,1\n")
    with pytest.raises(FormatError, match="not a table"):
        history.parse(table("1971-07-01,1,A,,,,,2600,1:x,,too,many\n"))


@pytest.mark.shared
def test_real_table(shared_dir: Path) -> None:
    data = (shared_dir / "reference/elite_history.csv").read_bytes()
    assert history.sniff(data[:4096], "elite_history.csv")
    parsed = history.parse(data)
    assert parsed.entries.height == parsed.lines_read == 23_712
    assert parsed.entries["list_date"].n_unique() == 234
    codes = dict(parsed.notes["code"].value_counts().iter_rows())
    assert codes == {"no_collection_carries_value": 6, "conflicting_sources": 176}
    july_1971 = parsed.entries.filter(pl.col("list_date") == date(1971, 7, 1)).sort("rating", descending=True)
    assert july_1971["rating"].head(2).to_list() == [2760, 2690]
