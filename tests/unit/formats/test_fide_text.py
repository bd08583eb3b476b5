"""FIDE's text layouts on invented lines: what each column becomes, and what is odd about it."""

import string
from datetime import date
from typing import Any

import polars as pl
import pytest
from fide_lines import LAYOUTS, TestLayout
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.domain.titles import TITLE_OF_CODE, WOMEN_TITLES
from pipeline.formats import fide_text
from pipeline.formats.encodings import decode_name
from pipeline.formats.fide_layouts import LAYOUTS as READ_LAYOUTS
from pipeline.formats.line_cutting import write_lines
from pipeline.formats.parsed import FormatError, ParsedFile, UnknownLayoutError

L1, L6, O1, N1, N2, N3 = (LAYOUTS[f"fide_text_{name}"] for name in ("l1", "l6", "o1", "n1", "n2", "n3"))


def player(layout: TestLayout, number: int = 1, **values: str) -> dict[str, str]:
    """Values of one invented player in ``layout``, each rating type rated."""
    given_values = {
        "fide_id": str(9_900_000 + number),
        "name": f"Invented, Number {number}",
        "federation": "NOR",
        "sex": "M",
        "birth_dmy4": "05.07.1981",
        "birth_dmy2": "05.07.81",
        "birth_year": "1981",
        **{field: "1850" for field in layout.spans if field.startswith("rating")},
        **{field: "4" for field in layout.spans if field.startswith("games")},
        **{field: "20" for field in layout.spans if field.startswith("k")},
        **values,
    }
    return {field: text for field, text in given_values.items() if field in layout.spans}


def some(layout: TestLayout, count: int = 5) -> list[dict[str, str]]:
    return [player(layout, number) for number in range(10, 10 + count)]


def read(layout: TestLayout, *players: dict[str, str], **options: Any) -> ParsedFile:
    return fide_text.parse(layout.file(players, **options))


def entry(parsed: ParsedFile, fide_id: int = 9_900_001, rating_type: str | None = None) -> dict[str, Any]:
    rows = parsed.entries.filter(pl.col("fide_id") == fide_id, pl.col("rating_type").eq_missing(rating_type))
    assert rows.height == 1
    return rows.row(0, named=True)


def codes(parsed: ParsedFile) -> dict[str, int]:
    return dict(parsed.notes.group_by("code").len().iter_rows())


def test_every_layout_is_tested() -> None:
    assert [layout.name for layout in READ_LAYOUTS] == list(LAYOUTS)


@pytest.mark.parametrize("layout", READ_LAYOUTS, ids=lambda layout: layout.name)
def test_columns_are_in_order_and_do_not_overlap(layout: fide_text.FideLayout) -> None:
    for left, right in zip(layout.fields, layout.fields[1:], strict=False):
        assert left.end <= right.start
    assert [field.name for field in layout.fields[:2]] == ["fide_id", "name"]
    assert layout.needed_width <= layout.least_width <= layout.width == layout.fields[-1].end


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=list(LAYOUTS))
def test_a_line_of_every_layout(layout: TestLayout) -> None:
    titles = {"title": "GM"} if "w_title" in layout.spans else {"title": "g"}
    parsed = read(layout, player(layout, flag="i", **titles), *some(layout))
    assert (parsed.layout, parsed.lines_read, parsed.rejects.height) == (layout.name, 6, 0)
    row = entry(parsed, rating_type="standard" if layout.combined else None)
    assert row["line_number"] == 2
    assert (row["name"], row["federation"], row["title"]) == ("Invented, Number 1", "NOR", "GM")
    assert (row["rating"], row["games"], row["active"]) == (1850, 4, False)
    assert row["birth_year"] == (None if layout.name == "fide_text_l1" else 1981)
    assert row["k_factor"] == (20 if "w_title" in layout.spans else None)
    assert parsed.stated_month == (None if layout.combined else MONTHS[layout.month_code])


MONTHS = {
    "JAN01": date(2001, 1, 1),
    "JUL02": date(2002, 7, 1),
    "JUL01": date(2001, 7, 1),
    "JAN02": date(2002, 1, 1),
    "OCT02": date(2002, 10, 1),
    "JAN03": date(2003, 1, 1),
    "Mar11": date(2011, 3, 1),
    "sep12": date(2012, 9, 1),
    "MAR26": date(2026, 3, 1),
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=list(LAYOUTS))
def test_without_a_header_the_lines_tell_the_layout(layout: TestLayout) -> None:
    parsed = read(layout, *[player(layout, n, flag="wi") for n in range(1, 9)], header=False)
    assert (parsed.layout, parsed.lines_read, parsed.stated_month) == (layout.name, 8, None)


@pytest.mark.parametrize(
    "header",
    [
        "   CODE   NAME                          TITLE COUNTRY APR03 GAMES BIRTHDAY FLAG",
        "ID_NUMBER NAME                         TITLE COUNTRY APR04 GAMES BIRTHDAY   FLAG",
    ],
)
def test_other_headers_of_2003_and_2004(header: str) -> None:
    data = header.encode() + b"\r\n" + L6.file(some(L6), header=False)
    parsed = fide_text.parse(data)
    assert (parsed.layout, parsed.lines_read) == ("fide_text_l6", 5)
    assert parsed.stated_month in (date(2003, 4, 1), date(2004, 4, 1))


def test_a_header_word_without_a_year_states_no_month() -> None:
    data = O1.file(some(O1)).replace(b"  Mar11 ", b" July.. ")
    assert fide_text.parse(data).stated_month is None


def test_a_header_that_names_another_layout_does_not_decide() -> None:
    data = N1.header_line().encode() + b"\r\n" + N2.file(some(N2), header=False)
    assert fide_text.parse(data).layout == "fide_text_n2"


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.replace(b"\r\n", b"\n"),
        lambda data: data.replace(b"\r\n", b"\r"),
        lambda data: data.replace(b"\r\n", b"\n", 3),
        lambda data: data.replace(b"\r\n", b"\r", 3),
        lambda data: data.removesuffix(b"\r\n"),
        lambda data: data + b"\x1a",
        lambda data: data + b"\x1a\r\n",
        lambda data: data + b"\x00\x00\x00",
        lambda data: b"\r\n" + data,
        lambda data: data.replace(b"\r\n", b"\r\n\r\n", 2),
        lambda data: data + b"   \r\n\t\r\n",
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data + b"\x1a" * 5,
        lambda data: data.replace(b"Number 11", b"Numb\x01r 11"),
    ],
)
@pytest.mark.parametrize("layout", [L6, N1, N3], ids=lambda layout: layout.name)
def test_line_ends_and_marks_change_nothing(layout: TestLayout, damage: Any) -> None:
    data = damage(layout.file(some(layout)))
    parsed = fide_text.parse(data)
    spoilt = b"\x01" in data
    assert (parsed.lines_read, parsed.rejects.height) == (5, int(spoilt))
    assert sorted(parsed.entries["fide_id"].unique()) == [9_900_010 + n for n in range(5) if not (spoilt and n == 1)]


def test_line_numbers_are_those_of_an_editor() -> None:
    data = b"\r\n" + L6.file(some(L6)).replace(b"\r\n", b"\r\n\r\n", 1)
    assert fide_text.parse(data).entries["line_number"].to_list() == [4, 5, 6, 7, 8]


def test_combined_lists_give_one_entry_a_rated_type() -> None:
    blank = {"rating_standard": "", "games_standard": "", "k_standard": ""}
    zeros = {f"{what}_{kind}": "0" for what in ("rating", "games", "k") for kind in ("standard", "rapid", "blitz")}
    parsed = read(N3, player(N3, 1), player(N3, 2, **blank), player(N3, 3, **zeros), player(N3, 4, rating_blitz="0"))
    types = parsed.entries.sort("fide_id", maintain_order=True).select("fide_id", "rating_type", "rating", "games")
    assert types.rows() == [
        (9900001, "standard", 1850, 4),
        (9900001, "rapid", 1850, 4),
        (9900001, "blitz", 1850, 4),
        (9900002, "rapid", 1850, 4),
        (9900002, "blitz", 1850, 4),
        (9900003, "standard", None, None),
        (9900004, "standard", 1850, 4),
        (9900004, "rapid", 1850, 4),
    ]
    assert (parsed.lines_read, codes(parsed)) == (4, {"combined_flag_is_about_standard": 1})
    assert entry(parsed, 9900003, "standard")["k_factor"] is None


def test_unrated_players_keep_games_that_say_something() -> None:
    parsed = read(
        O1,
        player(O1, 1, rating="", games="3"),
        player(O1, 2, rating="0", games="0"),
        player(O1, 3, games=""),
        *some(O1),
    )
    rows = [(entry(parsed, 9_900_000 + n)["rating"], entry(parsed, 9_900_000 + n)["games"]) for n in (1, 2, 3)]
    assert rows == [(None, 3), (None, None), (1850, None)]


@pytest.mark.parametrize(
    ("layout", "field", "printed", "year", "code"),
    [
        ("l2", "birth_dmy4", "21.02.1908", 1908, None),
        ("l2", "birth_dmy4", "21.02.2033", 1933, "birth_year_in_future"),
        ("l2", "birth_dmy4", "  .  .", None, None),
        ("l4", "birth_dmy2", "21.02.08", 1908, None),
        ("l6", "birth_dmy2", "22.02.33", 1933, None),
        ("l6", "birth_dmy2", "", None, None),
        ("l6", "birth_dmy2", "22.0x.33", None, "birth_year_damaged"),
        ("o1", "birth_year", "", None, None),
        ("o1", "birth_year", "198", None, "birth_year_damaged"),
        ("n1", "birth_year", "0000", None, None),
        ("n1", "birth_year", "0", None, None),
        ("n1", "birth_year", "1900", None, "birth_year_damaged"),
        ("n1", "birth_year", "2031", None, "birth_year_damaged"),
        ("n2", "birth_year", "2019", 2019, None),
    ],
)
def test_birth_years(layout: str, field: str, printed: str, year: int | None, code: str | None) -> None:
    printing = LAYOUTS[f"fide_text_{layout}"]
    parsed = read(printing, player(printing, **{field: printed}), *some(printing))
    assert entry(parsed)["birth_year"] == year
    assert codes(parsed) == ({code: 1} if code else {})


def test_titles_of_all_eras() -> None:
    old = [player(L6, n, title=code) for n, code in enumerate(["g", "m", "f", "c", "wg", "wm", "wf", "wc", "h", "."])]
    parsed = read(L6, *old)
    assert parsed.entries["title"].to_list() == ["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM", None, None]
    assert parsed.entries["printed_title"].to_list()[-2:] == ["h", "."]
    assert codes(parsed) == {"honorary_title_code": 1, "unknown_title_code": 1}
    new = [("GM", "WGM"), ("WF", "WF"), ("WC", "WC"), ("WFM", "WFM"), ("XX", ""), ("WH", "WH"), ("", "")]
    parsed = read(N1, *[player(N1, n, title=title, w_title=w_title) for n, (title, w_title) in enumerate(new)])
    assert parsed.entries["title"].to_list() == ["GM", "WFM", "WCM", "WFM", None, None, None]
    assert parsed.entries["w_title"].to_list() == ["WGM", "WFM", "WCM", "WFM", None, None, None]
    assert codes(parsed) == {"honorary_title_code": 1, "unknown_title_code": 1}


def test_a_title_one_column_to_the_right_is_still_a_title() -> None:
    data = L6.file([player(L6, 1, title="g"), *some(L6)]).replace(b"  g   NOR", b"   g  NOR", 1)
    assert entry(fide_text.parse(data))["title"] == "GM"


def test_other_titles_lose_an_empty_first_item() -> None:
    assert entry(read(N1, player(N1, other_titles=",IO,FI"), *some(N1)))["other_titles"] == "IO,FI"


def test_sex_from_flag_or_column() -> None:
    parsed = read(L6, player(L6, 1, flag="w"), player(L6, 2, title="wg"), player(L6, 3), player(L6, 4, flag="wi"))
    assert parsed.entries["sex"].to_list() == ["F", None, "M", "F"]
    assert read(L6, player(L6, 1), player(L6, 2, title="wm")).entries["sex"].to_list() == [None, None]
    parsed = read(N1, player(N1, 1, sex="F"), player(N1, 2), player(N1, 3, sex="", flag="w"), player(N1, 4, sex=""))
    assert parsed.entries["sex"].to_list() == ["F", "M", "F", None]


def test_only_the_letter_i_means_inactive() -> None:
    flags = ["", "w", "i", "wi", "n", "win", "F"]
    parsed = read(L1, *[player(L1, n, flag=flag) for n, flag in enumerate(flags)])
    assert parsed.entries["active"].to_list() == [True, True, False, False, True, False, True]
    assert parsed.entries["printed_flag"].to_list() == [None, *flags[1:]]


def test_mixed_code_pages_are_decoded_name_by_name_and_move_nothing() -> None:
    names = [("Muñiz, José", "cp850"), ("Muñiz, José", "cp1252"), ("Plain, Name", "ascii")]
    printed = [player(L6, n, name=name.encode(page).decode("latin-1")) for n, (name, page) in enumerate(names)]
    parsed = read(L6, *printed)
    assert parsed.entries["name"].to_list() == ["Muñiz, José", "Muñiz, José", "Plain, Name"]
    assert parsed.entries["printed_name"].to_list() == [printed[0]["name"], None, None]
    assert parsed.entries["rating"].to_list() == [1850] * 3
    assert codes(parsed) == {"name_decoded_by_guess": 2}


def test_a_utf8_list_padded_by_characters() -> None:
    data = N1.file([player(N1, 1, name="Muñiz, José"), *some(N1)]).decode("latin-1").encode("utf-8")
    row = entry(fide_text.parse(data))
    assert (row["name"], row["rating"], row["birth_year"]) == ("Muñiz, José", 1850, 1981)


def test_repeats_and_duplicates() -> None:
    same = player(L6, 1)
    parsed = read(L6, same, same, player(L6, 2, rating="1900"), player(L6, 2, rating="2100"), player(L6, 3))
    assert parsed.entries.height == 5
    notes = parsed.notes.sort("line_number").select("code", "line_number", "fide_id").rows()
    assert notes == [
        ("repeated_line", 3, 9900001),
        ("duplicate_fide_id", 4, 9900002),
        ("duplicate_fide_id", 5, 9900002),
    ]


def test_a_list_in_which_nobody_played() -> None:
    assert codes(read(L6, *[player(L6, n, games="0") for n in range(5)])) == {"all_games_zero": 1}
    assert codes(read(L6, player(L6, 1), player(L6, 2, games="0"))) == {}


def test_no_federation_is_null_and_noted() -> None:
    parsed = read(O1, player(O1, federation="*"), *some(O1))
    assert (entry(parsed)["federation"], codes(parsed)) == (None, {"no_federation": 1})


@pytest.mark.parametrize("extra", [1, 2, 5])
def test_long_other_titles_push_the_line_right(extra: int) -> None:
    titles = {1: "SI,FI,LSI,SLI,NA", 2: "FST,SI,FI,LSI,NI", 5: "FST,SI,FI,LSI,SLI,NI"}[extra]
    line = N3.line(player(N3, foa_title="AFM"))
    pushed = line[:94] + titles.ljust(15 + extra) + line[109:]
    data = N3.file(some(N3)) + pushed.encode() + b"\r\n"
    parsed = fide_text.parse(data)
    row = entry(parsed, rating_type="blitz")
    assert (row["other_titles"], row["foa_title"], row["rating"], row["birth_year"]) == (titles, "AFM", 1850, 1981)
    assert codes(parsed) == {"combined_flag_is_about_standard": 1, "field_wider_than_column": 1}


@pytest.mark.parametrize("by", [-2, -1, 1, 2])
def test_a_whole_line_that_stands_beside_its_columns(by: int) -> None:
    line = L6.line(player(L6, title="m", flag="w", fide_id="990001"))
    moved = " " * by + line if by > 0 else line[-by:]
    parsed = fide_text.parse(L6.file(some(L6)) + moved.encode() + b"\r\n")
    row = entry(parsed, 990001)
    assert (row["name"], row["title"], row["rating"], row["birth_year"]) == ("Invented, Number 1", "IM", 1850, 1981)
    assert codes(parsed) == {"line_shifted": 1}


def test_one_unreadable_field_is_unknown_and_noted() -> None:
    line = N1.line(player(N1, 1)).replace("1850  ", "M 185 ")
    parsed = fide_text.parse(N1.file(some(N1)) + line.encode() + b"\r\n")
    row = entry(parsed)
    assert (row["rating"], row["printed_rating"], row["birth_year"]) == (None, "M 185", 1981)
    assert codes(parsed) == {"rating_unreadable": 1}


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda line: line[:60], "cut off after 60"),
        (lambda line: line.replace("NOR", "N0R"), "federation .* holds 'N0R'"),
        (lambda line: line.replace("9900001", "99000O1"), "fide_id .* holds '99000O1'"),
        (lambda line: line.replace("9900001", "-990001"), "fide_id .* holds '-990001'"),
        (lambda line: line.replace("1850", "+850"), "rating"),
        (lambda line: line.replace("Number", "N\x1fmber"), "control character"),
        (lambda line: line + "something after", "after byte 132"),
        (lambda line: "x" * 5000, "found one of 5,000"),
        (lambda line: line.replace("1850", "18 0").replace("1981", "19 1"), "rating .*birth_year"),
    ],
)
def test_refused_lines_say_why(spoil: Any, said: str) -> None:
    line = spoil(N1.line(player(N1, 1)))
    parsed = fide_text.parse(N1.file(some(N1)) + line.encode("latin-1") + b"\r\n")
    if "+850" in line:
        assert entry(parsed)["printed_rating"] == "+850"
        return
    assert (parsed.lines_read, parsed.entries.height, parsed.rejects.height) == (6, 5, 1)
    number, reason, text = parsed.rejects.row(0)
    assert number == 7
    assert pl.Series([reason]).str.contains(said).item(), reason
    assert text == line[:500]


def test_trimmed_lists_are_read_and_cut_ones_are_not_taken_for_them() -> None:
    players = [player(N1, n, flag="" if n % 2 else "wi") for n in range(8)]
    trimmed = b"".join(line.rstrip() + b"\r\n" for line in N1.file(players).splitlines())
    assert (fide_text.parse(trimmed).entries.height, codes(fide_text.parse(trimmed))) == (8, {})
    cut = N1.file(players)[:-20]
    assert (fide_text.parse(cut).entries.height, fide_text.parse(cut).rejects.height) == (7, 1)


def test_a_header_tells_the_layout_when_most_lines_are_pushed_right() -> None:
    lines = [N3.line(values) for values in some(N3)]
    pushed = [line[:94] + "SI,FI,LSI,SLI,NA" + line[109:] for line in lines[1:]]
    parsed = fide_text.parse("\r\n".join([N3.header_line(), lines[0], *pushed]).encode())
    assert (parsed.layout, parsed.lines_read, parsed.rejects.height) == ("fide_text_n3", 5, 0)
    assert codes(parsed)["field_wider_than_column"] == 4


def test_a_blank_missing_in_a_name_moves_the_rest_back() -> None:
    line = N3.line(player(N3, name="Invented,  Two  Blanks", federation="NOR"))
    narrow = line[:40] + line[41:]
    parsed = fide_text.parse(N3.file(some(N3)) + narrow.encode() + b"\r\n")
    assert (parsed.lines_read, parsed.rejects.height) == (6, 0)
    assert entry(parsed, rating_type="standard")["federation"] == "NOR"
    assert codes(parsed)["line_shifted"] == 1


def test_most_lines_damaged_is_no_list() -> None:
    good = N1.file(some(N1, 40))
    with pytest.raises(FormatError, match=r"60 of 100 lines are damaged \(line 42"):
        fide_text.parse(good + b"rubbish\r\n" * 60)


def test_unknown_text_is_refused() -> None:
    for data in (b"", b"\r\n", b"some text\r\n" * 20, bytes(range(256)) * 50):
        with pytest.raises(UnknownLayoutError):
            fide_text.parse(data)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    players = [player(N3, n, flag="wi" if n % 3 else "") for n in range(300)]
    whole = fide_text.parse(N3.file(players))
    reader = fide_text.read_blocks
    monkeypatch.setattr(fide_text, "read_blocks", lambda stream: reader(stream, 4000))
    in_blocks = fide_text.parse(N3.file(players))
    order = ["rating_type", "line_number"]
    assert in_blocks.entries.sort(order).equals(whole.entries.sort(order))
    assert in_blocks.lines_read == 300


def test_an_endless_line_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = fide_text.read_blocks
    monkeypatch.setattr(fide_text, "read_blocks", lambda stream: reader(stream, 4000))
    with pytest.raises(FormatError, match="no list of lines"):
        fide_text.parse(N3.file(some(N3)) + b"x" * 20_000)


@st.composite
def a_player(draw: st.DrawFn, layout: TestLayout) -> dict[str, str]:
    """Any name, any field missing."""
    letters = st.characters(codec="latin-1", exclude_categories=["Cc"])
    choices: dict[str, st.SearchStrategy[str]] = {
        "name": st.text(letters, max_size=31),
        "federation": st.text(string.ascii_uppercase, min_size=3, max_size=3),
        "title": st.sampled_from(["", "g", "m", "f", "c", "wg", "wm", "h"] if layout.width < 100 else ["", "GM", "WH"]),
        "w_title": st.sampled_from(["", "WGM", "WF"]),
        "other_titles": st.sampled_from(["", "IA", "FST,IA", ",IO", "SI,FI,LSI,SLI"]),
        "foa_title": st.sampled_from(["", "AGM", "ACM"]),
        "sex": st.sampled_from(["", "M", "F"]),
        "flag": st.sampled_from(["", "w", "i", "wi"]),
        "birth_dmy4": st.sampled_from(["", "  .  .", "01.02.1903", "31.12.1999"]),
        "birth_dmy2": st.sampled_from(["", "  .  .", "01.02.03", "31.12.99"]),
        "birth_year": st.sampled_from(
            ["", "1950", "1999"] if layout.width < 100 else ["", "0", "0000", "1950", "1999"]
        ),
    }
    values = {"fide_id": str(draw(st.integers(100, 99_999_999)))}
    for field in layout.spans:
        if field.startswith("rating"):
            values[field] = draw(st.one_of(st.sampled_from(["", "0"]), st.integers(1000, 3999).map(str)))
        elif field.startswith(("games", "k")):
            values[field] = draw(st.one_of(st.just(""), st.integers(0, 99).map(str)))
        elif field != "fide_id":
            values[field] = draw(choices[field])
    return values


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=list(LAYOUTS))
@settings(max_examples=40)
@given(data=st.data(), line_end=st.sampled_from(["\n", "\r\n"]))
def test_never_a_shifted_column_never_a_lost_row(layout: TestLayout, data: st.DataObject, line_end: str) -> None:
    players = data.draw(st.lists(a_player(layout), min_size=1, max_size=12))
    parsed = read(layout, *players, line_end=line_end)
    assert (parsed.layout, parsed.lines_read, parsed.rejects.height) == (layout.name, len(players), 0)
    flags_women = any("w" in values["flag"] for values in players)
    for number, values in enumerate(players, 2):
        rows = parsed.entries.filter(line_number=number)
        if not layout.combined:
            stated = {"": expected_play(values, "")}
        else:
            stated = {kind: expected_play(values, f"_{kind}") for kind in ("standard", "rapid", "blitz")}
            stated = {kind: play for kind, play in stated.items() if play["rating"]} or {"standard": stated["standard"]}
        assert sorted(rows["rating_type"].fill_null("")) == sorted(stated)
        for row in rows.iter_rows(named=True):
            expected = {**expected_person(values, flags_women), **stated[row["rating_type"] or ""]}
            assert {field: row[field] for field in expected} == expected


def expected_play(values: dict[str, str], suffix: str) -> dict[str, int | None]:
    rating, games = (int(values[f"{field}{suffix}"] or -1) for field in ("rating", "games"))
    k_factor = int(values.get(f"k{suffix}") or 0)
    return {
        "rating": rating if rating > 0 else None,
        "games": None if games < 0 or (games == 0 and rating <= 0) else games,
        "k_factor": k_factor or None,
    }


def expected_person(values: dict[str, str], flags_women: bool) -> dict[str, Any]:
    name = values["name"].strip(" ")
    title = TITLE_OF_CODE.get(values["title"].lower())
    man = flags_women and "sex" not in values and title not in WOMEN_TITLES
    sex = values.get("sex") or ("F" if "w" in values["flag"] else "M" if man else None)
    year = (values.get("birth_dmy4") or values.get("birth_dmy2") or values.get("birth_year") or "")[-4:]
    year = f"19{year[-2:]}" if "birth_dmy2" in values and year.strip(" .") else year.strip(" .")
    return {
        "fide_id": int(values["fide_id"]),
        "name": decode_name(name) or None,
        "federation": values["federation"],
        "title": title,
        "printed_title": values["title"] or None,
        "sex": sex,
        "birth_year": int(year or 0) or None,
        "active": "i" not in values["flag"],
        "printed_flag": values["flag"] or None,
        "other_titles": values.get("other_titles", "").lstrip(",") or None,
        "foa_title": values.get("foa_title") or None,
    }


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=list(LAYOUTS))
@settings(max_examples=15)
@given(data=st.data())
def test_printed_columns_are_written_back_to_the_same_bytes(layout: TestLayout, data: st.DataObject) -> None:
    players = data.draw(st.lists(a_player(layout), min_size=1, max_size=8))
    content = layout.file(players, line_end="\n")
    printed, found = fide_text.parse_printed(content)
    assert write_lines(printed, found) == content.split(b"\n")[1:-1]
