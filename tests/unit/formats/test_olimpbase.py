"""OlimpBase's bulk file and list pages, on invented data: no real file was at hand."""

import html
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.formats import olimpbase, olimpbase_page
from pipeline.formats.parsed import FormatError, UnknownLayoutError

BULK = """\
;Ashton, Roy;Ashton, Roy;196900;;1930.01.02;g;XXA;2700;;;;;XXA;
;Ashton, Roy;Ashton, Roy;197107;;1930.01.02;g;XXA;2760;+20;;;;XXA;
;Birch, Lea;Birch, Lea;197107;;;m;xxb;2500;-5;;;;XXB;
;Birch, Lea;Birch, Lea;199001;58971;1940..;m;XXB;2510;0;12;;;XXB;
;Birch, Lea;Birch, Lea;200001;9900101;;wg;XXB;2490;-20;0;wi;;XXB;
;Cole, Dan;Cole, Dan;200001;9900102;;zz;XXC;2480;10;8;;;XXC;
;Struck, Off;Struck, Off;200001;9900103;;;XXC;;;;;no data;XXC;
"""


def test_bulk_file() -> None:
    assert olimpbase.sniff(BULK.encode(), "elo.csv")
    parsed = olimpbase.parse(BULK.encode())
    assert (parsed.collection, parsed.lines_read, parsed.lines_without_entry) == ("olimpbase", 7, 1)
    entries = parsed.entries
    assert entries["list_date"].to_list() == [
        date(1969, 1, 1),
        date(1971, 7, 1),
        date(1971, 7, 1),
        date(1990, 1, 1),
        date(2000, 1, 1),
        date(2000, 1, 1),
    ]
    assert entries["rating"].to_list() == [2700, 2760, 2500, 2510, 2490, 2480]
    assert entries["rating_change"].to_list() == [None, 20, -5, 0, -20, 10]
    assert entries["fide_id"].to_list() == [None, None, None, None, 9900101, 9900102]
    assert entries["federation"].to_list() == ["XXA", "XXA", "XXB", "XXB", "XXB", "XXC"]
    assert entries["title"].to_list() == ["GM", "GM", "IM", "IM", "WGM", None]
    assert entries["active"].to_list() == [None, None, None, None, False, True]
    assert entries["sex"].to_list() == [None, None, None, None, "F", None]
    assert entries["birth_year"].to_list() == [1930, 1930, None, 1940, None, None]
    assert parsed.notes.select("code", "line_number").rows() == [
        ("month_unknown", None),
        ("early_fide_ids_left_out", None),
        ("unknown_title_code", 6),
    ]


def test_header_line_blank_lines_and_latin_1() -> None:
    header = ";Name;Name;Month;ID;Born;Title;Fed;Elo;Change;Games;Flag;Note;Fed;\r\n\r\n"
    parsed = olimpbase.parse((header + ";Åse, B;Åse, B;197107;;;;XXA;2300;;;;;XXA;\r\n\x1a").encode("latin-1"))
    assert parsed.lines_read == 1
    assert parsed.entries.select("line_number", "name").row(0) == (3, "Åse, B")


@given(st.text(alphabet=";0123456789ABCabc,.\r ", max_size=60).filter(str.strip))
def test_no_line_is_lost(line: str) -> None:
    parsed = olimpbase.parse((BULK * 2 + line + "\n").encode())
    assert parsed.lines_read == 15
    assert parsed.entries.height + parsed.rejects.height + parsed.lines_without_entry == 15


def test_another_file_is_refused() -> None:
    with pytest.raises(UnknownLayoutError, match="15 fields"):
        olimpbase.parse(b"name;rating\nA;2500\n")
    with pytest.raises(FormatError, match="2 of 3 lines"):
        olimpbase.parse(BULK.encode().split(b"\n")[1] + b"\nx;y\nz\n")


HEADER = "pos Player_ID  Name                                  Title Fed  Rtng   +/-  gms   Birthday   Sex  Flag"


def page_line(place: str, player_id: str, name: str, rest: str) -> str:
    """A line as documented: the name is a link, the rest stands under the header's words."""
    return f'{place:<4}{player_id:<11}<a href="player/x.html">{name}</a>{"":{38 - len(html.unescape(name))}}{rest}'


def page(*lines: str, month: str = "January 2000") -> bytes:
    text = "\n".join([f'<span style="background:#EEEECC">{HEADER}</span>', *lines])
    return (
        f"<html><head><title>x</title></head><body><h1>FIDE Rating List :: {month}</h1>\n"
        f"<a href='p.html'>previous list</a>\n<pre>\n{text}\n</pre></body></html>"
    ).encode()


RESTS = (
    "g     XXA  2700   +10   12   1963.04.13  M",
    "wg    XXB  2700     0    9   1976.07.23  F   w",
    "      XXB  2695         15",
    "m     XXC  2690   -15",
)


def test_list_page() -> None:
    lines = [
        page_line(place, player_id, name, rest)
        for place, player_id, name, rest in zip(
            ("1", "1=", "3", "4"),
            ("9900101", "9900102", "9900103", ""),
            ("Ashton, Roy", "O&#39;Birch, Lea", "Cole&nbsp;Dan", "Dale, Uma"),
            RESTS,
            strict=True,
        )
    ]
    lines.insert(2, "")
    lines += ["Inactive players", HEADER, page_line("", "9900105", "Elder, Max", "g     XXA  2780")]
    data = page(*lines)
    assert olimpbase_page.sniff(data, "Elo200001e.html")
    parsed = olimpbase_page.parse(data)
    assert parsed.stated_month == date(2000, 1, 1)
    assert parsed.rejects.is_empty()
    assert parsed.notes.is_empty()
    entries = parsed.entries
    assert entries["name"].to_list() == ["Ashton, Roy", "O'Birch, Lea", "Cole Dan", "Dale, Uma", "Elder, Max"]
    assert entries["fide_id"].to_list() == [9900101, 9900102, 9900103, None, 9900105]
    assert entries["rating"].to_list() == [2700, 2700, 2695, 2690, 2780]
    assert entries["rating_change"].to_list() == [10, 0, None, -15, None]
    assert entries["games"].to_list() == [12, 9, 15, None, None]
    assert entries["birth_year"].to_list() == [1963, 1976, None, None, None]
    assert entries["sex"].to_list() == ["M", "F", None, None, None]
    assert entries["title"].to_list() == ["GM", "WGM", None, "IM", "GM"]
    assert entries["active"].to_list() == [True, True, True, True, False]
    assert data.split(b"\n")[entries["line_number"][0] - 1].startswith(b"1   9900101")


def test_earliest_pages_have_names_in_brackets_and_no_ids() -> None:
    parsed = olimpbase_page.parse(page("1 [Ashton, Roy] XXA 2760", "2 [Birch, Lea] XXB 2700", month="July 1971"))
    assert parsed.stated_month == date(1971, 7, 1)
    assert parsed.entries.select("name", "federation", "rating", "active").rows() == [
        ("Ashton, Roy", "XXA", 2760, None),
        ("Birch, Lea", "XXB", 2700, None),
    ]


def test_what_is_not_understood_is_kept_in_sight() -> None:
    parsed = olimpbase_page.parse(
        page(page_line("1", "9900101", "Ashton, Roy", RESTS[0] + "   12/34"), "see also the notes", month="1969")
    )
    assert parsed.stated_month is None
    assert parsed.entries["fide_id"].to_list() == [None]  # which numbering it is, is not known
    assert parsed.notes.select("code", "detail").rows() == [("text_not_understood", "12/34")]
    assert parsed.rejects["line_text"].to_list() == ["see also the notes"]


def test_other_pages_are_refused() -> None:
    with pytest.raises(UnknownLayoutError, match="<pre>"):
        olimpbase_page.parse(b"<html>FIDE Rating List<pre>nothing</pre></html>")
    with pytest.raises(FormatError, match="none of 1 lines"):
        olimpbase_page.parse(page("nobody"))
