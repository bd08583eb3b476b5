"""Scid's ratings file: values by list, typing errors of the file, persons, spellings, bounded blocks."""

import io
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.formats import scid
from pipeline.formats.parsed import FormatError, UnknownLayoutError
from pipeline.formats.recognise import read_list
from pipeline.formats.scid_blocks import player_blocks
from pipeline.formats.scid_people import people, spellings

LISTS = {
    1988: [date(1988, 1, 1)],
    2000: [date(2000, 1, 1), date(2000, 7, 1)],
    2001: [date(2001, month, 1) for month in (1, 4, 7, 10)],
}

HEADER = b'# ratings1001.ssp\n#\n# FIDE ratings OCT-2001 Last modified\n\n@PLAYER "., -_*"\n\n### START\n'
PLAYERS = b"""\
Ashgrove, Tilda #im+wgm+cim XXA/XXB [2300] 1960.05.04 wi
   %Bio FIDEID 9900101
   = Ashgrove-Bell, Tilda
   %Elo 1988:2200 2000:2250,2260 2001:2270,?,2280,2290
   = Bell, Tilda
Bramley, Otto #-   XXC [....] 1901.??.??--1977.12.31
   %Bio Champion of nowhere 1950
Corbel, Ida (F) #w   XXD [1900*] ????
   %Bio FIDEID 9999999deprecated
   %Elo 2001:1900
   %Bio Title WFM:2001
"""
END = b'\n@SITE "., -_()"\n\nNowhere #NWH\n   %Elo 2001:2000,2000,2000,2000\n'


def parse_player(*elo: str) -> tuple[list[tuple[date, int]], list[str]]:
    """Ratings by list and codes of the notes of one invented player."""
    lines = ["Dunmore, Eve #-  XXE [2000] 0000", *(f"   %Elo {line}" for line in elo)]
    # A second player, so that there always is a value.
    lines += ["Eaves, Finn #-  XXE [2000] 1970", "   %Elo 1988:2000"]
    parsed = scid.parse("\n".join(lines).encode(), LISTS)
    mine = parsed.entries.filter(pl.col("line_number") == 1)
    return list(mine.select("list_date", "rating").iter_rows()), parsed.notes["code"].to_list()


def test_every_value_belongs_to_a_list() -> None:
    parsed = scid.parse(HEADER + PLAYERS + END, LISTS)
    assert (parsed.lines_read, parsed.lines_without_entry) == (3, 1)
    tilda = parsed.entries.filter(fide_id=9900101)
    assert dict(tilda.select("list_date", "rating").iter_rows()) == {
        date(1988, 1, 1): 2200,
        date(2000, 1, 1): 2250,
        date(2000, 7, 1): 2260,
        date(2001, 1, 1): 2270,
        date(2001, 7, 1): 2280,
        date(2001, 10, 1): 2290,
    }
    facts = tilda.select("line_number", "name", "federation", "sex", "birth_year", "title", "active").unique()
    assert facts.row(0) == (8, "Ashgrove, Tilda", "XXB", "F", 1960, None, None)
    ida = parsed.entries.filter(pl.col("fide_id").is_null())
    assert ida.select("name", "list_date", "rating", "sex").rows() == [("Corbel, Ida (F)", date(2001, 1, 1), 1900, "F")]
    assert parsed.notes["code"].to_list() == ["fewer_values_than_lists"]


def test_lists_after_the_one_the_file_names_are_not_expected() -> None:
    later = {**LISTS, 2002: [date(2002, 1, 1)]}
    early = HEADER.replace(b"OCT-2001", b"JAN-2001") + PLAYERS
    codes = scid.parse(early, later).notes["code"].to_list()
    assert codes == ["more_values_than_lists"]  # Tilda's four values of 2001; Ida's single one is complete


@pytest.mark.parametrize(
    ("line", "ratings", "codes"),
    [
        ("2000.2250,2260", [(date(2000, 1, 1), 2250), (date(2000, 7, 1), 2260)], []),
        ("2000:2250", [(date(2000, 1, 1), 2250)], ["fewer_values_than_lists"]),
        ("2000:?,2260", [(date(2000, 7, 1), 2260)], []),
        ("2000:2250,,2260", [], ["more_values_than_lists"]),
        ("2000:0,2260", [(date(2000, 7, 1), 2260)], ["unreadable_value"]),
        ("2000:225,?2260", [], ["unreadable_value", "unreadable_value"]),
        ("2102:2250", [], ["no_list_of_year"]),
        ("1988:2200 2000 2260", [(date(1988, 1, 1), 2200)], ["no_list_of_year", "no_list_of_year"]),
        ("1988:2200 1988:2210", [(date(1988, 1, 1), 2210)], ["year_stated_twice"]),
    ],
)
def test_typing_errors_are_noted(line: str, ratings: list[tuple[date, int]], codes: list[str]) -> None:
    assert parse_player(line) == (ratings, codes)


def test_lists_with_values() -> None:
    calendar = [
        *(date(1979, month, 1) for month in (7, 1)),
        *(date(2000, month, 1) for month in (1, 7, 10)),
        *(date(2001, month, 1) for month in (1, 4, 7, 10)),
    ]
    assert scid.lists_with_values(calendar) == {
        1979: [date(1979, 1, 1)],
        2000: LISTS[2000],
        2001: LISTS[2001],
    }


def test_catalogue_lists() -> None:
    lists = scid.catalogue_list_dates()
    assert lists[1971] == [date(1971, 7, 1)]
    assert lists[1974] == [date(1974, 5, 1)]
    assert [len(lists[year]) for year in (1978, 1981, 1999, 2000, 2001, 2009, 2012, 2020)] == [
        1, 1, 2, 2, 4, 5, 9, 12,
    ]  # fmt: skip


def test_people_and_spellings_share_the_key() -> None:
    persons = people(HEADER + PLAYERS + END)
    assert persons["line_number"].to_list() == [8, 13, 15]
    assert persons.row(0, named=True) == {
        "line_number": 8,
        "name": "Ashgrove, Tilda",
        "fide_id": 9900101,
        "fide_id_deprecated": False,
        "sex": "F",
        "title": "IM",
        "w_title": "WGM",
        "other_titles": "cim",
        "federation": "XXB",
        "federations": "XXA/XXB",
        "birth_year": 1960,
        "death_year": None,
    }
    otto, ida = persons.row(1, named=True), persons.row(2, named=True)
    assert (otto["birth_year"], otto["death_year"], otto["fide_id"], otto["sex"]) == (1901, 1977, None, None)
    assert (ida["fide_id"], ida["fide_id_deprecated"], ida["title"], ida["sex"]) == (None, True, None, "F")
    assert spellings(HEADER + PLAYERS + END).rows() == [
        (8, "Ashgrove, Tilda", "Ashgrove, Tilda", "preferred"),
        (8, "Ashgrove, Tilda", "Ashgrove-Bell, Tilda", "alternative"),
        (8, "Ashgrove, Tilda", "Bell, Tilda", "alternative"),
        (13, "Bramley, Otto", "Bramley, Otto", "preferred"),
        (15, "Corbel, Ida (F)", "Corbel, Ida (F)", "preferred"),
    ]


def test_latin_1_names_are_decoded() -> None:
    assert people("Møller, Åse #-  XXA [2000] 1950\n".encode("latin-1"))["name"].to_list() == ["Møller, Åse"]


@given(block_bytes=st.integers(1, 400))
def test_blocks_change_nothing(block_bytes: int) -> None:
    data = HEADER + PLAYERS + END
    whole = scid.parse(data, LISTS)
    parts = list(scid.parse_blocks(io.BytesIO(data), LISTS, block_bytes))
    assert pl.concat(part.entries for part in parts).equals(whole.entries)
    assert pl.concat(part.notes for part in parts).equals(whole.notes)
    assert sum(part.lines_read for part in parts) == whole.lines_read


def test_a_file_without_players_is_refused() -> None:
    with pytest.raises(UnknownLayoutError, match="found none"):
        scid.parse(b"Somebody #-  XXA [2000] 1950\n", LISTS)
    with pytest.raises(FormatError, match="no player begins"):
        list(player_blocks(b"   x\n" * 500_000, 4096))


def test_sniff() -> None:
    assert scid.sniff(HEADER, "spelling.ssp")
    assert scid.sniff(PLAYERS, "excerpt.ssp")
    assert not scid.sniff(b"ID number Name\n", "spelling.ssp")


@pytest.mark.shared
def test_real_excerpt(shared_dir: Path) -> None:
    data = (shared_dir / "lists/fide/scid_ratings0421_excerpt.ssp").read_bytes()
    assert scid.sniff(data[:4096], "excerpt.ssp")
    parsed = scid.parse(data)
    assert parsed.lines_read == sum(line[:1] not in (b" ", b"") for line in data.split(b"\n"))
    assert set(parsed.notes["code"]) <= {"fewer_values_than_lists"}


@pytest.mark.scid
def test_whole_file(scid_file: Path) -> None:
    rows = people_read = 0
    dates: set[date] = set()
    notes: dict[str, int] = {}
    for part in scid.parse_blocks(scid_file):
        rows += part.entries.height
        people_read += part.lines_read
        dates |= set(part.entries["list_date"].unique())
        for code in part.notes["code"]:
            notes[code] = notes.get(code, 0) + 1
    assert people_read == 380_415  # the number in the file's own header
    assert rows == 23_781_358
    assert dates == {day for days in scid.catalogue_list_dates().values() for day in days if day <= date(2021, 4, 1)}
    assert notes == {
        "fewer_values_than_lists": 29_190,
        "more_values_than_lists": 24,
        "year_stated_twice": 18,
        "no_list_of_year": 17,
        "unreadable_value": 17,
    }


@pytest.mark.scid
@pytest.mark.shared
def test_agreement_with_the_publishers_lists(scid_file: Path, shared_dir: Path) -> None:
    """The values stand for the lists they are given to: 98.8 % and more of the ids common to both agree."""
    lists = {
        "jan01": (2001, 1), "apr01": (2001, 4), "oct01": (2001, 10), "jan02": (2002, 1), "jul02": (2002, 7),
        "oct02": (2002, 10), "jan03": (2003, 1), "apr03": (2003, 4), "oct03": (2003, 10), "jan04": (2004, 1),
    }  # fmt: skip
    years = pl.col("list_date").dt.year().is_between(2001, 2004)
    values = pl.concat(
        part.entries.filter(years & pl.col("fide_id").is_not_null()).select("list_date", "fide_id", "rating")
        for part in scid.parse_blocks(scid_file)
    )
    for file_name, (year, month) in lists.items():
        archive = shared_dir / f"lists/fide/{file_name}frl.zip"
        printed = read_list(archive.read_bytes(), archive.name).entries.select("fide_id", printed="rating")
        both = values.filter(list_date=date(year, month, 1)).join(printed, on="fide_id")
        equal = (both["rating"] == both["printed"]).sum()
        print(f"{file_name}: {equal:,} of {both.height:,} equal, {equal / both.height:.2%}")
        assert both.height > 28_000
        assert equal / both.height >= 0.988
