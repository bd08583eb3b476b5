"""Damaged files of every collection: refused with a FormatError or read with every line accounted for."""

from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.formats import fide_xml, history, olimpbase, olimpbase_page, scid, toparc, weeks
from pipeline.formats.mapped_table import parse_mapped
from pipeline.formats.mapping import load_mapping
from pipeline.formats.parsed import FormatError, ParsedFile

MAPPING = load_mapping(
    'publisher="fide"\ncollection="invented"\nformat="csv"\n[columns]\nname="Who"\nrating="Elo"\ngames="G"', "own.toml"
)
LISTS = {2000: [date(2000, 1, 1), date(2000, 7, 1)]}

FILES: dict[str, tuple[Callable[[bytes], ParsedFile], bytes]] = {
    "history": (history.parse, f'{history.HEADER}\n1971-07-01,1,"Ash, Ida",,XXA,F,1943,2760,1:scid,\n'.encode()),
    "weeks": (
        weeks.parse,
        b"1st January 1980 FIDE Rating List\r\n\r\nName                                 Fed  Rtng\r\n\r\n"
        + b"Ash,I.                               XXA  2305\r\n" * 3
        + b"\x1a",
    ),
    "scid": (
        lambda data: scid.parse(data, LISTS),
        b"Ash, Ida #wgm  XXA/XXB [2300] 1960.05.04--1999 w\n   %Bio FIDEID 9900101\n   = Elm, Ida\n"
        b"   %Elo 2000:2250,2260\nBirch, Oz #-   XXC [....] ????\n   %Elo 2000:?,2000\n",
    ),
    "toparc": (toparc.parse, f"{toparc.HEADER}\r\n 1\t Ash, Ida\t g\t XXA\t 2849\t 35\t 1963\r\n".encode()),
    "olimpbase": (olimpbase.parse, b";Ash;Ash;197107;;1930.01.02;g;XXA;2760;+20;;;;XXA;\n" * 3),
    "olimpbase_page": (
        olimpbase_page.parse,
        b"<h1>FIDE Rating List :: July 1971</h1><pre>\npos Name Fed Rtng +/- gms\n"
        b"1 <a href='x'>Ash, Ida</a> g XXA 2760 +20 12\n2 [Birch, Oz] XXB 2700\n</pre>",
    ),
    "xml": (
        fide_xml.parse,
        b"<playerslist>\n<player><fideid>1</fideid><name>Ash &amp; Elm</name><rating>2000</rating>"
        b"<flag>i</flag></player>\n<player><fideid>2</fideid><rapid_rating>1900</rapid_rating></player></playerslist>",
    ),
    "mapped": (lambda data: parse_mapped(data, MAPPING), b'Who,Elo,G\n"Ash, Ida",2000,3\nBirch,1900,\n'),
}

EDITS = st.lists(
    st.tuples(
        st.integers(0, 400), st.integers(0, 8), st.one_of(st.binary(max_size=8), st.sampled_from([b"\n", b"<!", b"\0"]))
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize("kind", FILES)
@settings(max_examples=150)
@given(edits=EDITS)
@example(edits=[(0, 400, b"")])
@example(edits=[(0, 0, b"\x01")])
@example(edits=[(0, 0, b"x\xda\x80")])  # as zlib's streams begin
@example(edits=[(0, 0, b"x\x01")])
@example(edits=[(0, 0, b"\x1f\x8b\x08")])  # gzip
@example(edits=[(0, 0, b"\x28\xb5\x2f\xfd")])  # Zstandard
def test_damage_is_refused_or_accounted_for(kind: str, edits: list[tuple[int, int, bytes]]) -> None:
    parse, data = FILES[kind]
    parse(data)
    for position, removed, inserted in edits:
        data = data[:position] + inserted + data[position + removed :]
    try:
        parsed = parse(data)
    except FormatError:
        return
    kept = parsed.entries["line_number"].n_unique()
    assert kept + parsed.rejects.height + parsed.lines_without_entry == parsed.lines_read
    assert parsed.entries["rating"].drop_nulls().is_between(1, 9999).all()
