"""Member files of US Chess: dBase in both code pages, tab-separated, CSV. All people are invented."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest
from us_member_files import GOLDEN, MEMBERS, SUPPLEMENT, TSV, dbase

from pipeline.formats.parsed import FormatError, UnknownLayoutError
from pipeline.formats.uscf_dbase import is_dbase, read_dbase
from pipeline.formats.uscf_members import (
    read_dbase_members,
    read_delimited_members,
    sniff_dbase,
    sniff_delimited,
)
from pipeline.formats.uscf_membership import MEMBER_SCHEMA, expiry_expr, membership_on
from pipeline.formats.uscf_rating_text import provisional_games_expr, rating_expr, unreadable_expr


@pytest.mark.parametrize(
    ("encoding", "driver", "guessed"),
    [
        ("cp437", 0x01, False),
        ("cp850", 0x02, False),
        ("cp1252", 0x03, False),
        ("cp437", 0x00, True),
        ("cp1252", 0x00, True),
    ],
)
def test_dbase_names_in_dos_and_windows_code_pages(encoding: str, driver: int, guessed: bool) -> None:
    parsed, members = read_dbase_members(dbase(GOLDEN, MEMBERS, encoding, driver))
    assert members["name"].to_list() == ["QUILLFEATHER, ODESSA", "PÉTRÉL, ANDRÉ", "MÜLLERSTEIN, JÖRG", None]
    assert ("encoding_guessed" in parsed.notes["code"].to_list()) is guessed


def test_dbase_golden_database() -> None:
    parsed, members = read_dbase_members(dbase(GOLDEN, MEMBERS, "cp437", 1))
    assert (parsed.layout, parsed.publisher, parsed.coverage) == ("uscf_dbase_members", "uscf", "complete")
    assert (parsed.lines_read, parsed.lines_without_entry, parsed.rejects.height) == (4, 1, 0)
    rows = parsed.entries.select("uscf_id", "rating_type", "rating", "provisional_games", "printed_rating").rows()
    assert rows == [
        (19900001, "regular", 1874, None, None),
        (19900001, "quick", 1802, None, None),
        (19900002, "regular", 1450, 12, "1450/12"),
        (19900002, "quick", None, None, None),
        (19900003, "regular", None, None, None),
        (19900003, "quick", 1590, 4, "1590/4"),
    ]
    assert parsed.entries["list_date"].null_count() == 6
    assert members.schema == MEMBER_SCHEMA
    assert members.select("expires", "is_life", "status", "is_person").rows() == [
        (date(2017, 3, 31), False, None, True),
        (None, True, None, True),
        (None, None, None, True),
        (None, None, "retired_id", False),
    ]


def test_dbase_supplement_names_and_deleted_records() -> None:
    rows = [
        ("19900001", "QUILLFEATHER, ODESSA", "20170331", "1874", "1802"),
        ("19900002", "BRONTIDE, MAREK", "20180630", "2210", ""),
    ]
    parsed, members = read_dbase_members(dbase(SUPPLEMENT, rows, deleted=(2,)))
    assert (parsed.layout, parsed.coverage) == ("uscf_dbase_supplement", "supplement")
    assert parsed.rejects.select("line_number", "reason").rows() == [(2, "the record is marked as deleted")]
    assert members["expires"].to_list() == [date(2017, 3, 31)]
    assert "second_rating_assumed_quick" in parsed.notes["code"].to_list()


def test_dbase_that_was_cut_or_damaged_is_refused() -> None:
    whole = dbase(GOLDEN, MEMBERS, "cp437", 1)
    with pytest.raises(FormatError, match="4 records promised, 2 present"):
        read_dbase(whole[:-80])
    with pytest.raises(FormatError, match="record 1 starts with byte 0x21"):
        read_dbase(whole.replace(b"\r 1990", b"\r!1990"))
    assert not is_dbase(b"\x03" + whole[1:20])
    assert not sniff_dbase(b"ID_NUMBER NAME\r\n" * 4, "taratsup.dbf")


def test_dbase_of_unknown_columns_is_refused_with_what_was_found() -> None:
    table = dbase((("PLAYER_NO", 8), ("ELO", 4)), [("19900001", "1874")])
    with pytest.raises(UnknownLayoutError, match=r"MEM_ID.*found PLAYER_NO, ELO"):
        read_dbase_members(table)


def test_dbase_records_are_found_again_by_dbfread(tmp_path: Path) -> None:
    """The records cut here are those that the reference reader sees."""
    from dbfread import DBF

    path = tmp_path / "taratsup.dbf"
    path.write_bytes(dbase(GOLDEN, MEMBERS, "cp850", 2))
    expected = [{name: value or None for name, value in row.items()} for row in DBF(path)]
    assert read_dbase(path.read_bytes()).cells.drop("line_number").to_dicts() == expected


def test_tab_separated_golden_database() -> None:
    parsed, members = read_delimited_members(TSV.encode())
    assert sniff_delimited(TSV.encode(), "anything.bin")
    assert parsed.layout == "uscf_tsv_members"
    assert parsed.rejects.select("line_number", "reason").rows() == [
        (4, "expected 11 cells as in the header, found 3"),
        (5, "member id: expected 1 to 8 digits, found 'no id'"),
    ]
    assert parsed.lines_read == 5
    assert members.select("uscf_id", "fide_id", "name", "birth_year", "is_life").rows() == [
        (19900001, 2999001, 'Quillfeather, Odessa "Dess"', 1984, False),
        (19900002, None, "Brontide, Marek", None, True),
        (19900005, None, "Thornebarrow, Una", None, False),
    ]
    blitz = parsed.entries.filter(rating_type="blitz")["rating"].to_list()
    assert blitz == [None, 2210, None]
    assert parsed.notes.filter(code="rating_unreadable")["line_number"].to_list() == [6]
    assert parsed.notes.filter(code="columns_not_used")["detail"].to_list() == ["Street"]


def test_nothing_private_gets_into_any_frame() -> None:
    parsed, members = read_delimited_members(TSV.encode())
    for frame in (parsed.entries, parsed.rejects, parsed.notes, members):
        text = frame.write_csv()
        assert "Elm" not in text
        assert "05-06" not in text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "cp437"])
def test_csv_encodings(encoding: str) -> None:
    text = 'MEM_ID,MEM_NAME,R_LPB_RAT\n19900002,"PÉTRÉL, ANDRÉ",1450\n'
    assert read_delimited_members(text.encode(encoding))[1]["name"].to_list() == ["PÉTRÉL, ANDRÉ"]


def test_a_repeated_id_keeps_its_lines_and_is_noted() -> None:
    text = "MEM_ID,MEM_NAME,R_LPB_RAT\n1,A,1500\n1,A,1500\n1,A,1510\n"
    parsed, members = read_delimited_members(text.encode())
    assert parsed.entries["rating"].to_list() == [1500, 1500, 1510]
    assert parsed.notes["detail"].to_list() == [
        "member id 1 is repeated; line 2 is the same",
        "member id 1 is repeated; line 2 differs",
    ]
    assert members["line_number"].to_list() == [4]


def test_an_open_quote_spoils_one_line_only() -> None:
    text = 'MEM_ID,MEM_NAME,R_LPB_RAT\n1,"OPEN, A,1500\n2,"B, B",1600\n'
    parsed, _ = read_delimited_members(text.encode())
    assert parsed.entries["uscf_id"].to_list() == [2]
    assert parsed.rejects["line_number"].to_list() == [2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no lines"),
        ("19900001\n", "expected a header"),
        ("MEM_ID,STATE\n1,MA\n", r"a name .* and a rating .* found MEM_ID, STATE"),
        ("MEM_ID,LAST_NAME,R_LPB_RAT\n1,A,1500\n", "a name"),
        ("MEM_ID,USCF_ID,MEM_NAME,R_LPB_RAT\n", "both mean 'uscf_id'"),
    ],
)
def test_unknown_headers_are_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_delimited_members(text.encode())


@pytest.mark.parametrize(
    ("printed", "rating", "games", "unreadable"),
    [
        ("1874", 1874, None, False),
        ("1450/12", 1450, 12, False),
        ("1487 P12", 1487, 12, False),
        ("109P7", 109, 7, False),
        ("829 (Based on 22 games)", 829, 22, False),
        ("1633*", 1633, None, False),
        ("0", None, None, False),
        ("(Unrated)", None, None, False),
        ("Unr.", None, None, False),
        ("", None, None, False),
        ("14 50", None, None, True),
        ("12345", None, None, True),
        ("-5", None, None, True),
    ],
)
def test_printed_ratings(printed: str, rating: int | None, games: int | None, unreadable: bool) -> None:
    column = pl.col("printed")
    row = pl.DataFrame({"printed": [printed]}).select(
        rating=rating_expr(column), games=provisional_games_expr(column), unreadable=unreadable_expr(column)
    )
    assert row.row(0) == (rating, games, unreadable)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("3/31/17", date(2017, 3, 31)),
        ("2/28/1998", date(1998, 2, 28)),
        ("6/30/98", date(1998, 6, 30)),
        ("20180630", date(2018, 6, 30)),
        ("2027-07-31", date(2027, 7, 31)),
        ("12/31/99", None),
        ("2/30/17", None),
        ("soon", None),
    ],
)
def test_expiry_dates(printed: str, expected: date | None) -> None:
    assert pl.select(expiry_expr(pl.lit(printed))).item() == expected


def test_membership_on_the_last_day() -> None:
    frame = pl.DataFrame({"is_life": [False, False], "expires": [date(2017, 3, 31)] * 2})
    assert frame.select(membership_on(date(2017, 3, 31)))["membership"].to_list() == ["current"] * 2
    assert frame.select(membership_on(date(2017, 4, 1)))["membership"].to_list() == ["expired"] * 2
