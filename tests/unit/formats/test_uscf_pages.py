"""Saved pages of the old US Chess site: member details and crosstables."""

import re
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from us_member_files import CROSSTABLE, PAGE

from pipeline.formats import uscf_crosstable, uscf_msa
from pipeline.formats.parsed import FormatError


@pytest.mark.parametrize(("key", "shown"), [("event", "2999001"), ("idcode", "card")])
def test_member_page_with_fide_id_floor_and_life_membership(key: str, shown: str) -> None:
    data = PAGE.replace("event=", f"{key}=").replace(">2999001<", f">{shown}<").encode()
    assert uscf_msa.sniff(data, "")
    parsed, members = uscf_msa.read_member_page(data)
    assert parsed.entries.select(
        "uscf_id", "fide_id", "federation", "sex", "rating", "provisional_games", "list_date", "rating_type"
    ).rows() == [
        (19900001, 2999001, "USA", "F", 2114, None, date(2024, 2, 1), "regular"),
        (19900001, 2999001, "USA", "F", 1987, 12, date(2023, 11, 1), "quick"),
    ]
    member = members.row(0, named=True)
    assert (member["regular_floor"], member["fide_title"], member["state"]) == (2100, "WFM", "MA")
    assert (member["is_life"], member["expires"]) == (True, None)
    assert parsed.notes["code"].to_list() == ["rating_system_not_used"]


def test_an_unrated_member_has_no_entry_but_is_a_member() -> None:
    page = "<b>19900002: MAREK BRONTIDE</b><table><tr><td>Regular Rating</td><td>(Unrated)</td></tr></table>"
    parsed, members = uscf_msa.read_member_page(page.encode())
    assert (parsed.entries.height, parsed.lines_without_entry, members.height) == (0, 1, 1)


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("<html><body>Could not retrieve data</body></html>", "expected a heading"),
        ("<b>19900002: MAREK BRONTIDE</b><table><tr><td>State</td><td>TX</td></tr></table>", "found State"),
        ("", "expected elements of HTML"),
        ("<!-- nothing else -->", "expected elements of HTML"),
        ("<?\x00\x00 bytes of something else", "expected elements of HTML"),
    ],
)
def test_pages_that_are_no_member_page_are_refused(page: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        uscf_msa.parse_member_page(page.encode())


@pytest.mark.shared
def test_real_member_page(shared_dir: Path) -> None:
    data = (shared_dir / "lists/uscf/msa_member_12910923.html").read_bytes()
    assert uscf_msa.sniff(data[:65536], "")
    parsed, members = uscf_msa.read_member_page(data)
    assert parsed.entries.select("rating_type", "rating", "provisional_games", "list_date").rows() == [
        ("regular", 829, 22, date(2024, 2, 1)),
        ("quick", 879, 10, date(2024, 2, 1)),
    ]
    assert members.select("uscf_id", "fide_id", "state", "sex", "expires").rows() == [
        (12910923, None, "NC", "M", date(2024, 7, 31))
    ]


DECLARED = '<?xml version="1.0" encoding="iso-8859-1"?>\n'


def test_a_page_may_begin_with_a_declaration() -> None:
    plain, declared = (uscf_msa.read_member_page((start + PAGE).encode()) for start in ("", DECLARED))
    assert declared[1].equals(plain[1])


@pytest.mark.parametrize(
    "wrapped", ["{}", "<html><body><pre>{}</pre></body></html>", DECLARED + "<html><body><pre>{}</pre></body></html>"]
)
def test_crosstable_of_two_systems(wrapped: str) -> None:
    text = CROSSTABLE if wrapped == "{}" else CROSSTABLE.replace(">", "&gt;")
    data = wrapped.format(text).encode()
    assert uscf_crosstable.sniff(data, "")
    results = uscf_crosstable.read_results(data)
    assert results.drop("line_number", "name").rows() == [
        (1, "MA", 19900001, 2.0, "regular", 1794, None, 1817, None),
        (1, "MA", 19900001, 2.0, "quick", 1803, 12, 1812, 14),
        (2, "TX", 19900002, 0.5, "regular", None, None, 1210, 2),
        (3, "NY", None, 0.0, "online_blitz", None, None, 1500, 1),
    ]
    parsed = uscf_crosstable.parse_crosstable(data)
    assert (parsed.lines_read, parsed.lines_without_entry, parsed.rejects.height) == (4, 1, 1)
    assert parsed.entries.select("rating_type", "rating", "rating_change", "provisional_games").rows() == [
        ("regular", 1817, 23, None),
        ("quick", 1812, 9, 14),
        ("regular", 1210, None, 2),
    ]
    assert parsed.entries["list_date"].null_count() == parsed.entries.height


def test_a_text_without_players_is_refused() -> None:
    with pytest.raises(FormatError, match="found none"):
        uscf_crosstable.parse_crosstable(b"Pair | Player Name |\n")


@pytest.mark.shared
def test_real_crosstable_of_64_players(shared_dir: Path) -> None:
    data = (shared_dir / "lists/uscf/crosstable_tournamentinfo.txt").read_bytes()
    assert uscf_crosstable.sniff(data[:65536], "")
    results = uscf_crosstable.read_results(data)
    assert results.height == results["uscf_id"].n_unique() == 64
    assert results["pair_number"].to_list() == list(range(1, 65))
    assert results["pre_provisional_games"].count() == len(re.findall(rb"R: *\d+ *P *\d+", data)) == 10
    assert results["post_provisional_games"].count() == len(re.findall(rb"-> *\d+ *P *\d+", data)) == 8
    first = results.filter(pl.col("pair_number") == 1).select("pre_rating", "post_rating", "points").row(0)
    assert first == (1794, 1817, 6.0)
