"""FIDE's XML lists: both parsers alike, odd elements, hostile and broken documents, blocks, the same as the text."""

import io
from html import escape
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.formats import fide_xml
from pipeline.formats.fide_xml import ELEMENTS
from pipeline.formats.parsed import FormatError, ParsedFile
from pipeline.formats.xml_players import read_players, read_with_lxml, read_with_xml2arrow

FULL = {
    "fideid": "9900101",
    "name": "Ash & Elm, Ida",
    "country": "XXA",
    "sex": "F",
    "title": "FM",
    "w_title": "WIM",
    "o_title": ",FA,NI",
    "foa_title": "AIM",
    "rating": "2301",
    "games": "4",
    "k": "20",
    "rapid_rating": "2250",
    "rapid_games": "0",
    "rapid_k": "20",
    "blitz_rating": "0",
    "blitz_games": "0",
    "blitz_k": "0",
    "birthday": "1984",
    "flag": "w",
}
SINGLE = {name: text for name, text in FULL.items() if not name.startswith(("rapid_", "blitz_", "foa_"))}


def player(elements: dict[str, str]) -> str:
    return "<player>\n" + "".join(f"<{name}>{escape(text)}</{name}>\n" for name, text in elements.items()) + "</player>"


def document(*players: str) -> bytes:
    return ("<playerslist>\n" + "\n".join(players) + "\n</playerslist>\n").encode()


def only(parsed: ParsedFile, rating_type: str | None = None) -> dict[str, object]:
    """The single entry of a rating type."""
    entries = parsed.entries if rating_type is None else parsed.entries.filter(rating_type=rating_type)
    assert entries.height == 1
    return entries.row(0, named=True)


def test_combined_list() -> None:
    parsed = fide_xml.parse(document(player(FULL)))
    assert (parsed.layout, parsed.lines_read) == ("fide_xml_combined", 1)
    standard, rapid = only(parsed, "standard"), only(parsed, "rapid")
    assert parsed.entries.height == 2  # no blitz rating, no entry
    assert (standard["rating"], standard["games"], standard["k_factor"]) == (2301, 4, 20)
    assert (rapid["rating"], rapid["k_factor"]) == (2250, 20)
    assert standard["name"] == "Ash & Elm, Ida"
    assert (standard["title"], standard["w_title"], standard["foa_title"]) == ("FM", "WIM", "AIM")
    assert standard["other_titles"] == "FA,NI"
    assert (standard["sex"], standard["birth_year"], standard["active"]) == ("F", 1984, True)


def test_unrated_player_of_a_combined_list_is_not_lost() -> None:
    unrated = {**FULL, "rating": "0", "rapid_rating": "0", "birthday": "0", "flag": "wi"}
    entry = only(fide_xml.parse(document(player(unrated))))
    assert (entry["rating_type"], entry["rating"], entry["k_factor"]) == ("standard", None, 20)
    assert (entry["birth_year"], entry["active"]) == (None, False)


def test_single_list_does_not_say_its_type() -> None:
    parsed = fide_xml.parse(document(player(SINGLE)))
    entry = only(parsed)
    assert (parsed.layout, entry["rating_type"], entry["list_date"]) == ("fide_xml_single", None, None)
    assert (entry["rating"], entry["games"], entry["k_factor"], entry["foa_title"]) == (2301, 4, 20, None)


def test_order_absence_and_additions_do_not_matter() -> None:
    turned = dict(reversed(FULL.items())) | {"freestyle_rating": "2044"}
    short = {"name": "Birch, Oz", "fideid": "9900102", "rating": "1999"}
    parsed = fide_xml.parse(document(player(turned), player(short)))
    first = parsed.entries.filter(fide_id=9900101, rating_type="standard").row(0, named=True)
    assert (first["rating"], first["name"]) == (2301, "Ash & Elm, Ida")
    second = parsed.entries.filter(fide_id=9900102).row(0, named=True)
    assert (second["rating"], second["title"], second["k_factor"], second["birth_year"]) == (1999, None, None, None)
    unknown = parsed.notes.filter(code="unknown_element")
    assert unknown.select("line_number", "fide_id", "detail").rows() == [(1, 9900101, "<freestyle_rating> is not read")]


def test_without_any_flag_activity_is_unknown() -> None:
    elements = {name: text for name, text in SINGLE.items() if name != "flag"}
    assert only(fide_xml.parse(document(player(elements))))["active"] is None


@pytest.mark.parametrize(
    ("element", "text"), [("rating", "M 189"), ("rating", "999999"), ("k", "500"), ("games", "-3")]
)
def test_impossible_numbers_are_noted_and_unknown(element: str, text: str) -> None:
    parsed = fide_xml.parse(document(player({**SINGLE, element: text}), player({**SINGLE, "fideid": "9900102"})))
    entry = parsed.entries.filter(fide_id=9900101).row(0, named=True)
    assert entry["k_factor" if element == "k" else element] is None
    noted = parsed.notes.filter(code="unreadable_number")
    assert noted.select("line_number", "fide_id", "detail").rows() == [(1, 9900101, f"{element}: '{text}'")]


def test_players_without_a_number_are_rejected() -> None:
    parsed = fide_xml.parse(document(player({**SINGLE, "fideid": ""}), player(SINGLE)))
    assert (parsed.lines_read, parsed.entries.height) == (2, 1)
    assert parsed.rejects["line_number"].to_list() == [1]
    assert "Ash & Elm, Ida" in parsed.rejects["line_text"][0]


def test_repeated_numbers_are_noted_across_blocks() -> None:
    players = [player({**SINGLE, "fideid": str(9900100 + index % 3)}) for index in range(4)]
    codes = fide_xml.parse(document(*players)).notes["code"].to_list()
    assert codes.count("repeated_line") == 1


def test_encodings() -> None:
    text = player({**SINGLE, "name": "Conceição, J"})
    assert only(fide_xml.parse(document(text)))["name"] == "Conceição, J"
    latin = f'<?xml version="1.0" encoding="ISO-8859-1"?><playerslist>{text}</playerslist>'.encode("latin-1")
    assert only(fide_xml.parse(latin))["name"] == "Conceição, J"
    with pytest.raises(FormatError, match=r"line 3: not utf-8: b'\\xe7'"):
        fide_xml.parse(f"<playerslist>{text}</playerslist>".encode("latin-1"))
    with pytest.raises(FormatError, match="encoding 'utf-16'"):
        fide_xml.parse(b'<?xml version="1.0" encoding="utf-16"?><playerslist></playerslist>')


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (document(player(SINGLE)).replace(b"&amp;", b"&"), "line 4: not XML"),
        (document(player(SINGLE)).replace(b"</name>", b"</nme>"), "line 4: not XML"),
        (document(player(SINGLE)).replace(b"&amp;", b"&bomb;"), "line 4: not XML"),
        (document(player(SINGLE), player(SINGLE))[:-60], "not complete"),
        (document(player(SINGLE)).replace(b"</playerslist>", b""), "not complete"),
        (document(player(SINGLE)) * 2, "second document"),
        (b'<!DOCTYPE x [<!ENTITY bomb "x">]>' + document(player(SINGLE)), "document type declaration"),
        (document("<!DOCTYPE x>", player(SINGLE)), "line 2: not XML"),
        (b"<html><body>404</body></html>", "expected <playerslist>"),
        (document(), "no player"),
        (document("<player>" + "x" * 200_000), "no player element ends"),
    ],
)
def test_broken_documents_are_refused_whole(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        fide_xml.parse(data)


def test_comments_and_data_sections_are_read_like_text() -> None:
    odd = player(SINGLE).replace("Ash &amp; Elm, Ida", "<!-- who? -->Ash <![CDATA[& Elm]]>, Ida")
    assert only(fide_xml.parse(document("<!-- list -->", odd)))["name"] == "Ash & Elm, Ida"


TEXTS = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=12)
NUMBERS = st.one_of(st.just(""), st.integers(0, 3999).map(str), st.just("0000"))


@st.composite
def printed_players(draw: st.DrawFn) -> dict[str, str]:
    """Any elements in any order, always with a number."""
    values = {name: draw(TEXTS) for name in ELEMENTS.texts} | {name: draw(NUMBERS) for name in ELEMENTS.numbers}
    values["fideid"] = str(draw(st.integers(1, 99_999_999)))
    kept = draw(st.permutations(sorted(values)))[: draw(st.integers(0, len(values)))]
    return {name: values[name] for name in dict.fromkeys([*kept, "fideid"])}


@given(st.lists(printed_players(), min_size=1, max_size=4))
def test_both_parsers_say_the_same(players: list[dict[str, str]]) -> None:
    text = document(*map(player, players)).strip()
    fast, strict = read_with_xml2arrow(text, ELEMENTS), read_with_lxml(text, ELEMENTS)
    assert fast.table.equals(strict.table)
    assert (fast.unknown, fast.seen) == (strict.unknown, strict.seen)
    for values, row in zip(players, strict.table.to_dicts(), strict=True):
        assert row["name"] == (values.get("name", "").strip() or None)


@given(st.integers(1, 3000), st.lists(printed_players(), min_size=1, max_size=6))
def test_blocks_change_nothing(block_bytes: int, players: list[dict[str, str]]) -> None:
    data = document(*map(player, players))
    whole = pl.concat(block.table for block in read_players(io.BytesIO(data), ELEMENTS))
    blocks = [block.table for block in read_players(io.BytesIO(data), ELEMENTS, block_bytes)]
    assert pl.concat(blocks).equals(whole)
    assert whole["line_number"].to_list() == list(range(1, len(players) + 1))


def test_blocks_of_one_list_add_up() -> None:
    data = document(*(player({**FULL, "fideid": str(9900100 + index)}) for index in range(500)))
    whole = fide_xml.parse(data)
    parts = list(fide_xml.parse_blocks(io.BytesIO(data), 50_000))
    assert len(parts) > 1
    assert (
        pl.concat(part.entries for part in parts)
        .sort("line_number", "rating_type")
        .equals(whole.entries.sort("line_number", "rating_type"))
    )


@pytest.mark.shared
def test_real_excerpt(shared_dir: Path) -> None:
    data = (shared_dir / "lists/fide/standard_xml_excerpt.xml").read_bytes()
    assert fide_xml.sniff(data[:4096], "x.xml")
    parsed = fide_xml.parse(data)
    assert parsed.entries.select("fide_id", "rating", "k_factor", "active").rows() == [
        (10207538, 1864, 30, False),
        (10206612, 1714, 30, False),
    ]
