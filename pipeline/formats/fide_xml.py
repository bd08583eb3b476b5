"""FIDE's download lists as XML: single lists since August 2012, and the combined list.

Belongs here: the elements of all eras and what is odd about their values. The document is read in
``xml_players``; what codes, flags and zeros mean is the same as in the text lists (``fide_entries``).

Evidence: two players of a list before July 2014 (no ``foa_title``), the elements of October 2026 as reported.
Elements may be missing, new, or in another order. The XML does not cut ``o_title``; the file says neither its
month nor which rating type a single list is of.
"""

import dataclasses
from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO, Final

import polars as pl

from pipeline.domain.entry import NOTE_SCHEMA, conform
from pipeline.formats.fide_entries import entries_of, list_notes, repeat_notes
from pipeline.formats.fide_layouts import LAYOUTS, FideLayout
from pipeline.formats.parsed import FormatError, ParsedFile
from pipeline.formats.xml_players import BLOCK_BYTES, Elements, PlayerBlock, is_players_list, read_players

_TEXTS: Final = ("name", "country", "sex", "title", "w_title", "o_title", "foa_title", "flag")
_PLAY: Final = {"rating": (1000, 3999), "games": (1, 999), "k": (1, 99)}
#: Combined lists: the standard elements have no prefix.
_PREFIXES: Final = {"standard": "", "rapid": "rapid_", "blitz": "blitz_"}

ELEMENTS: Final = Elements(
    _TEXTS,
    {
        "fideid": pl.Int32(),
        "birthday": pl.Int16(),
        **{f"{prefix}{name}": pl.Int16() for prefix in _PREFIXES.values() for name in _PLAY},
    },
)

#: Element -> least and largest value besides 0, which means none.
_RANGES: Final = {
    "birthday": (1, 9999),
    **{f"{prefix}{name}": bounds for prefix in _PREFIXES.values() for name, bounds in _PLAY.items()},
}

#: Field of the text lists -> element.
_ELEMENT_OF: Final = {
    **{name: name for name in (*_TEXTS, *_PLAY)},
    "federation": "country",
    "other_titles": "o_title",
    "fide_id": "fideid",
    "birth_year": "birthday",
    **{f"{name}_{kind}": f"{prefix}{name}" for kind, prefix in _PREFIXES.items() for name in _PLAY},
}


def _layout(text_layout: str, name: str) -> FideLayout:
    """The fields of a text layout under the name of the XML list that states the same."""
    found = next(layout for layout in LAYOUTS if layout.name == text_layout)
    return dataclasses.replace(found, name=name)


SINGLE: Final = _layout("fide_text_n2", "fide_xml_single")
COMBINED: Final = _layout("fide_text_n3", "fide_xml_combined")


def sniff(head: bytes, file_name: str) -> bool:
    """Whether an XML document with FIDE's root element begins."""
    return is_players_list(head)


def parse(data: bytes) -> ParsedFile:
    """Read a list; see ``parse_stream``."""
    return parse_stream(BytesIO(data))


def parse_stream(stream: BinaryIO) -> ParsedFile:
    """Read a list from front to end; the document is never held, only its entries.

    ``line_number`` is the number of the player element. A combined list gives one entry for every rating type
    with a rating, and a ``standard`` entry with rating null for a player without any. A player without
    ``fideid`` is rejected. Notes beside those of the text lists: ``unknown_element``, ``unreadable_number``.

    Raises:
        FormatError: see ``xml_players.read_players``; nothing of an incomplete document is returned.
    """
    parts = list(parse_blocks(stream))
    if not parts:
        raise FormatError("XML list: no player between <playerslist> and its end; fetch it again later")
    layout = COMBINED if parts[0].layout == COMBINED.name else SINGLE
    entries = pl.concat((part.entries for part in parts), rechunk=False)
    return dataclasses.replace(
        parts[0],
        entries=entries,
        rejects=pl.concat(part.rejects for part in parts),
        notes=pl.concat([*(part.notes for part in parts), repeat_notes(entries), list_notes(entries, layout)]),
        lines_read=sum(part.lines_read for part in parts),
    )


def parse_blocks(stream: BinaryIO, block_bytes: int = BLOCK_BYTES) -> Iterator[ParsedFile]:
    """Read a list of any size in constant memory, some players at a time.

    Notes that need the whole list (repeated ids, games all zero) are left out. Blocks come before the end was
    seen: when this raises, what came before must be thrown away.
    """
    layout: FideLayout | None = None
    told: set[str] = set()
    for block in read_players(stream, ELEMENTS, block_bytes):
        if layout is None:
            combined = any(name.startswith(("rapid_", "blitz_")) for name in block.seen)
            layout = COMBINED if combined else SINGLE
        lines = block.table.filter(pl.col("fideid") > 0).select("line_number", *_fields(layout))
        entries, notes = entries_of(lines, layout, None, ascii_only=True)
        if "flag" not in block.seen:
            entries = entries.with_columns(active=pl.lit(None, pl.Boolean))
        yield ParsedFile(
            layout=layout.name,
            publisher="fide",
            collection="fide",
            entries=entries,
            lines_read=block.table.height,
            rejects=_rejects(block.table),
            notes=pl.concat([_element_notes(block, told), notes]),
        )


def _fields(layout: FideLayout) -> list[pl.Expr]:
    """Elements as the text lists' fields: a blank text is "", a number outside its range is null."""
    fields = []
    for spec in layout.fields:
        element = _ELEMENT_OF[spec.name]
        value = pl.col(element)
        if element in _TEXTS:
            value = value.fill_null("")
        elif element in _RANGES:
            value = pl.when(_possible(element)).then(value)
        fields.append(value.alias(spec.name))
    return fields


def _possible(element: str) -> pl.Expr:
    value = pl.col(element)
    return value.is_between(*_RANGES[element]) | (value == 0)


def _rejects(players: pl.DataFrame) -> pl.DataFrame:
    return players.filter(~(pl.col("fideid") > 0).fill_null(False)).select(
        "line_number",
        reason=pl.lit("expected a number above 0 in <fideid>, found none"),
        line_text=pl.concat_str(pl.lit("player "), "line_number", pl.lit(" "), pl.col("name").fill_null("")),
    )


def _element_notes(block: PlayerBlock, told: set[str]) -> pl.DataFrame:
    """Notes on elements that are not known and on numbers that cannot be what they should be.

    ``told`` names unknown elements already noted; a new element is in every block.
    """
    rows = [("unreadable_number", number, f"{name}: {text!r}") for number, name, text in block.unreadable]
    odd = block.table.select((~_possible(name)).any().alias(name) for name in _RANGES)
    for name in (column.name for column in odd if column.item()):
        values = block.table.filter(~_possible(name)).select("line_number", name)
        rows += [("unreadable_number", number, f"{name}: '{value}'") for number, value in values.iter_rows()]
    rows += [
        ("unknown_element", number, f"<{name}> is not read")
        for name, number in block.unknown.items()
        if name not in told
    ]
    told.update(block.unknown)
    if not rows:
        return pl.DataFrame(schema=NOTE_SCHEMA)
    notes = pl.DataFrame(rows, {"code": pl.String, "line_number": pl.Int32, "detail": pl.String}, orient="row")
    ids = block.table.select("line_number", pl.col("fideid").alias("fide_id"))
    return conform(notes.join(ids, on="line_number", how="left"), NOTE_SCHEMA)
