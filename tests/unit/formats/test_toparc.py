"""FIDE's top-100 pages: invented rows and all saved pages."""

from pathlib import Path

import pytest

from pipeline.formats import toparc
from pipeline.formats.parsed import UnknownLayoutError

ROWS = (
    " 1\t Ardley, Moss\t g\t xxa\t 2849\t 35\t 1963",
    " 2\t Brinlow, Fern\t wg\t XXB\t 2770\t 0\t 1975",
    " 2\t Cawder, Elm\t \t XXB\t 2770\t \t ",
)


def page(*rows: str) -> bytes:
    return "\r\n".join([toparc.HEADER, *rows]).encode()


def test_rows_become_entries_of_a_top_list() -> None:
    parsed = toparc.parse(page(*ROWS))
    assert (parsed.collection, parsed.coverage, parsed.stated_month) == ("fide_top100", "top", None)
    assert parsed.lines_read == 3
    entries = parsed.entries
    assert entries["name"].to_list() == ["Ardley, Moss", "Brinlow, Fern", "Cawder, Elm"]
    assert entries["federation"].to_list() == ["XXA", "XXB", "XXB"]
    assert entries["title"].to_list() == ["GM", "WGM", None]
    assert entries["sex"].to_list() == [None, "F", None]
    assert entries["games"].to_list() == [35, 0, None]
    assert entries["birth_year"].to_list() == [1963, 1975, None]
    assert entries["line_number"].to_list() == [2, 3, 4]
    assert entries["active"].all()


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (ROWS[2].replace("2770", "277"), "expected rating"),
        (ROWS[2] + "\t more", "expected 7 cells, found 8"),
        ("Back to the top", "expected 7 cells, found 1"),
        (ROWS[2].replace("XXB", "England"), "expected federation"),
    ],
)
def test_other_rows_are_rejected(row: str, reason: str) -> None:
    parsed = toparc.parse(page(*ROWS, row))
    assert parsed.entries.height == 3
    assert parsed.rejects["line_number"].to_list() == [5]
    assert reason in parsed.rejects["reason"][0]


def test_unknown_titles_are_noted() -> None:
    parsed = toparc.parse(page(ROWS[0].replace(" g", " zz")))
    assert parsed.entries["title"].to_list() == [None]
    assert parsed.notes["code"].to_list() == ["unknown_title_code"]


def test_rows_out_of_order_are_noted() -> None:
    notes = toparc.parse(page(ROWS[1], ROWS[0])).notes
    assert notes.select("code", "line_number", "detail").rows() == [("rating_above_the_one_before", 3, "2849")]


def test_what_is_no_top_list_is_refused() -> None:
    with pytest.raises(UnknownLayoutError, match="expected the header"):
        toparc.parse(b"Rank\tName\n1\tA\n")


@pytest.mark.shared
def test_all_saved_pages(shared_dir: Path) -> None:
    pages = sorted((shared_dir / "lists/historical").glob("toparc_*.txt"))
    assert len(pages) >= 41
    sizes = {}
    for path in pages:
        data = path.read_bytes()
        assert toparc.sniff(data[:4096], path.name)
        parsed = toparc.parse(data)
        assert parsed.rejects.is_empty(), path.name
        noted = ["rating_above_the_one_before"] if path.name == "toparc_2001-07.txt" else []
        assert parsed.notes["code"].to_list() == noted, path.name
        sizes[path.name] = parsed.entries.height
    sources = (shared_dir / "lists/historical/SOURCES.tsv").read_text(encoding="utf-8").splitlines()
    expected = {cells[0]: int(cells[3]) for line in sources if (cells := line.split("\t"))[0].startswith("toparc_")}
    assert sizes == expected
