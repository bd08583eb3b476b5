"""The lists of 1971 to 2000: every layout on invented lines, damaged lines, and the real files."""

import csv
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.formats import weeks
from pipeline.formats.parsed import FormatError, UnknownLayoutError
from pipeline.formats.weeks_layouts import LAYOUTS, WeeksLayout

BY_NAME = {layout.name: layout for layout in LAYOUTS}
RIGHT_ALIGNED = {"rating", "change", "games", "fide_id"}
TITLE_LINES = {
    "weeks_1971": None,
    "weeks_1972": "1973 FIDE Rating List",
    "weeks_1974": "1974 FIDE Rating List",
    "weeks_1975": "1st January 1980 FIDE Rating List",
    "weeks_1991": "1st January 1995 FIDE Rating List",
    "weeks_1999": "1st January 1999 FIDE Rating List",
    "weeks_2000": "1st January 2000 FIDE Rating List",
}


def print_line(layout: WeeksLayout, **fields: str) -> str:
    """Print one line as the files do: every field in its columns."""
    line = ""
    for field, (start, end) in sorted(layout.columns.items(), key=lambda item: item[1]):
        text = fields.get(field, "")
        assert len(text) <= end - start, (field, text)
        line = line.ljust(start) + (text.rjust(end - start) if field in RIGHT_ALIGNED else text)
    return line.rstrip()


def print_file(layout: WeeksLayout, lines: list[str]) -> bytes:
    """Print a whole file with its header and the DOS end of file."""
    title = TITLE_LINES[layout.name]
    head = [layout.header, ""] if title is None else [title, "", layout.header, ""]
    return "\r\n".join([*head, *lines, "\x1a"]).encode("latin-1")


def read(layout_name: str, *lines: dict[str, str]) -> pl.DataFrame:
    layout = BY_NAME[layout_name]
    parsed = weeks.parse(print_file(layout, [print_line(layout, **line) for line in lines]))
    assert parsed.layout == layout_name
    assert parsed.rejects.is_empty()
    return parsed.entries


def test_titles_and_birth_years_of_the_seventies() -> None:
    entries = read(
        "weeks_1972",
        {"title": "g", "name": "Hollin, Brock", "federation": "URS", "rating": "2510", "birth": "30/12/35"},
        {
            "title": "wm",
            "name": "Sallow, Ivy",
            "federation": "YUG",
            "rating": "2005",
            "birth": "xx/xx/40",
            "woman": "w",
        },
        {"name": "Nodate, Ned", "federation": "NED", "rating": "2300"},
    )
    assert entries["title"].to_list() == ["GM", "WIM", None]
    assert entries["printed_title"].to_list() == ["g", "wm", None]
    assert entries["birth_year"].to_list() == [1935, 1940, None]
    assert entries["sex"].to_list() == [None, "F", None]
    assert entries["active"].to_list() == [None, None, None]
    assert entries["line_number"].to_list() == [5, 6, 7]


def test_change_since_the_july_list() -> None:
    entries = read(
        "weeks_1991",
        {"name": "Ostley,Finn..B", "federation": "SWE", "rating": "2245", "change": "-5"},
        {"name": "Marrow,Edith.(GM)", "federation": "HUN", "rating": "2555", "change": "0"},
    )
    assert entries["rating_change"].to_list() == [-5, 0]
    assert entries["name"].to_list() == ["Ostley,Finn..B", "Marrow,Edith"]
    assert entries["title"].to_list() == [None, "GM"]
    assert entries["printed_name"].to_list() == [None, "Marrow,Edith.(GM)"]


def test_women_of_1999_share_the_letters() -> None:
    entries = read(
        "weeks_1999",
        {
            "name": "Bramble-Underhillock, Ada (IM",
            "federation": "Col",
            "fide_id": "9900001",
            "title": "g",
            "woman": "w",
            "games": "10",
            "rating": "2433",
        },
        {
            "name": "Plain, Una",
            "federation": "AUT",
            "title": "m",
            "woman": "w",
            "games": "0",
            "rating": "2101",
        },
        {"name": "Open, Ole", "federation": "AUT", "title": "m", "games": "0", "rating": "2401"},
        {"name": "Honor, Hal", "federation": "AUT", "title": "h", "games": "0", "rating": "2301"},
    )
    assert entries["title"].to_list() == ["IM", "WIM", "IM", None]
    assert entries["w_title"].to_list() == ["WGM", None, None, None]
    assert entries["federation"][0] == "COL"
    assert entries["fide_id"].to_list() == [9900001, None, None, None]
    assert entries["games"].to_list() == [10, 0, 0, 0]


def test_flags_of_2000() -> None:
    lines = [
        {
            "fide_id": "9900001",
            "name": "Abel, A",
            "federation": "AUT",
            "rating": "2101",
            "games": "3",
            "flag": flag,
        }
        for flag in ("", "i", "w", "win", "n")
    ]
    del lines[0]["games"]
    entries = read("weeks_2000", *lines)
    assert entries["active"].to_list() == [True, False, True, False, True]
    assert entries["sex"].to_list() == [None, None, "F", "F", None]
    assert entries["printed_flag"].to_list() == [None, "i", "w", "win", "n"]
    assert entries["games"].to_list() == [None, 3, 3, 3, 3]


@pytest.mark.parametrize(
    ("layout_name", "month"),
    [
        ("weeks_1971", None),
        ("weeks_1972", date(1973, 7, 1)),
        ("weeks_1974", date(1974, 5, 1)),
        ("weeks_1975", date(1980, 1, 1)),
        ("weeks_2000", date(2000, 1, 1)),
    ],
)
def test_month_that_the_file_names(layout_name: str, month: date | None) -> None:
    layout = BY_NAME[layout_name]
    line = print_line(layout, name="Abel, A", federation="AUT", rating="2101")
    assert weeks.parse(print_file(layout, [line])).stated_month == month


def test_damaged_lines_survive_with_a_note() -> None:
    layout = BY_NAME["weeks_1972"]
    lines = [
        print_line(layout, name="Letter, O", federation="AUT", rating="23O0"),
        print_line(layout, name="Smudge, S", federation="AUT", rating="2300", birth="09/0//19"),
        print_line(layout, name="N" * 37, federation="ESP", rating="2365"),
        print_line(layout, name="Nocomma", title="x", federation="AUT", rating="2200"),
    ]
    parsed = weeks.parse(print_file(layout, lines))
    assert parsed.rejects.is_empty()
    assert parsed.entries["rating"].to_list() == [2300, 2300, 2365, 2200]
    assert parsed.entries["printed_rating"].to_list() == ["23O0", None, None, None]
    assert parsed.entries["birth_year"].to_list() == [None, 1919, None, None]
    assert parsed.entries["name"][2] == "N" * 37
    assert parsed.notes["code"].to_list() == ["rating_repaired", "birth_date_malformed", "unknown_title"]
    assert parsed.notes["line_number"].to_list() == [5, 6, 8]


def test_lines_that_do_not_fit_are_rejected_not_shifted() -> None:
    layout = BY_NAME["weeks_1975"]
    good = print_line(layout, name="Fitting,F.", federation="AUT", rating="2300")
    bad = [
        " " + good,
        good[1:],
        good + "  2400",
        good.replace("2300", "  23"),
        good.replace("Fitting,F.", " " * 10),
    ]
    parsed = weeks.parse(print_file(layout, [good] * len(bad) + bad))
    assert parsed.entries.height == len(bad)
    assert parsed.rejects.height == len(bad)
    assert parsed.rejects["reason"].null_count() == 0
    assert parsed.rejects["line_text"].to_list() == bad


def test_names_of_two_code_pages() -> None:
    """Byte 0xB4 is the acute accent of Latin-1, 0xEF that of code page 850, whose last letter here is 0xA0."""
    names = ["O´Hollow, Brendan", "O\xefHollow, Brendan", "Mu\xa4oz, Mari\xa0"]
    entries = read("weeks_1971", *({"name": name, "federation": "IRL", "rating": "2400"} for name in names))
    assert entries["name"].to_list() == ["O´Hollow, Brendan", "O´Hollow, Brendan", "Muñoz, Mariá"]
    assert entries["printed_name"].to_list() == [None, *names[1:]]


def test_other_files_are_refused() -> None:
    assert not weeks.sniff(b"ID_NUMBER NAME\r\n", "weeks_1975-01.txt")
    with pytest.raises(UnknownLayoutError, match="ID_NUMBER"):
        weeks.parse(b"ID_NUMBER NAME\r\n1 A\r\n")
    layout = BY_NAME["weeks_1975"]
    with pytest.raises(FormatError, match="2 of 2 lines do not"):
        weeks.parse(print_file(layout, ["something else", "entirely"]))


#: Every byte but control characters and the blank: of those above 0x7F each is a letter in some code page.
NAMES = st.text(st.characters(min_codepoint=33, max_codepoint=255, exclude_characters="\x7f"), min_size=1)


@st.composite
def printed_rows(draw: st.DrawFn, layout: WeeksLayout) -> dict[str, str]:
    """Any name that fits, any subset of the other fields."""
    start, end = layout.columns["name"]
    row = {
        "name": draw(NAMES)[: end - start],
        "federation": draw(st.from_regex(r"[A-Z]{3}", fullmatch=True)),
        "rating": str(draw(st.integers(1000, 2999))),
    }
    others = {
        "title": st.sampled_from(["g", "m"]),
        "birth": st.dates(date(1900, 1, 1), date(1999, 12, 31)).map(lambda day: day.strftime("%d/%m/%y")),
        "woman": st.just("w"),
        "change": st.integers(-999, 999).map(str),
        "games": st.integers(0, 999).map(str),
        "fide_id": st.integers(1, 99_999_999).map(str),
        "flag": st.sampled_from(["i", "w", "wi", "win"]),
    }
    for field, values in others.items():
        if field in layout.columns and draw(st.booleans()):
            row[field] = draw(values)
    return row


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@given(data=st.data())
def test_no_row_is_lost_and_no_column_shifts(layout: WeeksLayout, data: st.DataObject) -> None:
    rows = data.draw(st.lists(printed_rows(layout), min_size=1, max_size=5))
    parsed = weeks.parse(print_file(layout, [print_line(layout, **row) for row in rows]))
    assert parsed.rejects.is_empty()
    entries = parsed.entries.to_dicts()
    assert len(entries) == len(rows)
    for row, entry in zip(rows, entries, strict=True):
        assert (entry["printed_name"] or entry["name"]) == row["name"]
        assert entry["federation"] == row["federation"]
        assert entry["rating"] == int(row["rating"])
        assert entry["printed_title"] == row.get("title")
        assert entry["printed_flag"] == row.get("flag")
        assert entry["birth_year"] == (1900 + int(row["birth"][-2:]) if "birth" in row else None)
        for column, field in (("rating_change", "change"), ("games", "games"), ("fide_id", "fide_id")):
            assert entry[column] == (int(row[field]) if field in row else None)


def shared_files() -> list[str]:
    """Names of the real files; the test itself skips where they are absent."""
    return [
        f"weeks_{month}.txt"
        for month in (
            *("1971-07", "1972-07", "1974-05", "1975-01", "1977-01", "1978-01", "1980-01", "1981-01"),
            *("1983-01", "1984-01", "1986-01", "1987-01", "1989-01", "1990-01", "1992-01", "1993-01"),
            *("1995-01", "1996-01", "1998-01", "1999-01", "2000-01"),
        )
    ]


@pytest.mark.shared
@pytest.mark.parametrize("file_name", shared_files())
def test_real_files(shared_dir: Path, file_name: str) -> None:
    folder = shared_dir / "lists/historical"
    with (folder / "SOURCES.tsv").open(encoding="utf-8", newline="") as table:
        expected = {row["file"]: int(row["rows"]) for row in csv.DictReader(table, delimiter="\t")}
    data = (folder / file_name).read_bytes()
    assert weeks.sniff(data[:4096], file_name)
    parsed = weeks.parse(data)
    assert parsed.rejects.is_empty(), parsed.rejects
    assert parsed.entries.height == expected[file_name]
    if parsed.stated_month:
        assert parsed.stated_month.isoformat()[:7] == file_name[6:13]


@pytest.mark.shared
def test_real_oddities(shared_dir: Path) -> None:
    folder = shared_dir / "lists/historical"
    may_1974 = weeks.parse((folder / "weeks_1974-05.txt").read_bytes()).entries
    filled = may_1974.filter(pl.col("name").str.ends_with("Augusto"))
    assert filled["federation"].to_list() == ["ESP"]
    assert may_1974.filter(pl.col("printed_title") == "M")["title"].to_list() == ["IM"]
    january_2000 = weeks.parse((folder / "weeks_2000-01.txt").read_bytes()).entries
    assert january_2000["games"].null_count() == 4
    twice = january_2000.group_by("fide_id").len().filter(pl.col("len") > 1)["fide_id"].sort()
    assert twice.to_list() == [1306316, 2015390, 4152476, 4653564]
    assert january_2000.filter(pl.col("title") == "GM", sex="F").height == 6
