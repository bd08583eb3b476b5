"""From FIDE's XML to a table of what each player element says, block by block in bounded memory.

Belongs here: the document's shape and the two parsers that read it. Not here: what the values mean (fide_xml).

The document is cut into blocks of whole players, which two threads turn into tables. xml2arrow (a compiled
parser) reads a block; where it refuses one, lxml reads the same block and either gives the same table or names
the line that is not XML. Document type declarations and entities are refused, never processed.

xml2arrow 0.19 must not trim texts (it would eat blanks around ``&amp;``), takes no notice of elements it was not
asked for, and accepts a document that ends early: blanks, unknown elements and the end are looked after here.
"""

import re
import tempfile
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np
import polars as pl
import yaml
from lxml import etree
from xml2arrow import Xml2ArrowError, XmlToArrowParser

from pipeline.formats.parsed import FormatError

#: Text of one block.
BLOCK_BYTES: Final = 8 * 1024**2
#: The longest real player element has under 1 kB.
_MAX_PLAYER_BYTES: Final = 64 * 1024
#: In blocks under this size every tag is looked at; in longer ones only if their number is not as expected.
_ALWAYS_SCANNED: Final = 1024**2
_THREADS: Final = 2

_OPEN: Final = b"<playerslist>"
_CLOSE: Final = b"</playerslist>"
_PLAYER_END: Final = b"</player>"
_BLANKS: Final = rb"(?:\s|<!--(?:(?!-->).){0,2000}-->)*"
_PROLOG: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?:<\?xml[^>]{0,200}\?>)?" + _BLANKS + rb"<playerslist\s*>", re.DOTALL)
_EPILOG: Final = re.compile(_BLANKS + rb"</playerslist\s*>" + _BLANKS + rb"[\x00\x1a\s]*", re.DOTALL)
_ENCODING: Final = re.compile(rb"<\?xml[^>]*encoding=[\"']([\w.-]{1,40})[\"']")
_TAG_END: Final = re.compile(rb"</([^\s>]{1,100})\s*>|<([^\s/>]{1,100})[^<>]{0,1000}/>")
#: Encodings in which every tag is plain ASCII, so that blocks can be cut before decoding.
_ENCODINGS: Final = frozenset({"utf-8", "us-ascii", "iso-8859-1", "windows-1252"})


@dataclass(frozen=True, slots=True)
class Elements:
    """Names of the child elements that are read: those that hold text and those that hold whole numbers."""

    texts: tuple[str, ...]
    numbers: dict[str, pl.DataType]

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.texts, *self.numbers)


@dataclass(frozen=True, slots=True)
class PlayerBlock:
    """Some consecutive players.

    Attributes:
        table: ``line_number`` (number of the player element, from 1), then one column per element, null where absent
            or empty; texts without outer blanks.
        unreadable: (player number, element, text) of numbers that are none.
        unknown: unknown element -> number of the player that has it first, as far as can be told.
        seen: known elements that occur.
    """

    table: pl.DataFrame
    unreadable: list[tuple[int, str, str]] = field(default_factory=list)
    unknown: dict[str, int] = field(default_factory=dict)
    seen: frozenset[str] = frozenset()

    def after(self, players: int) -> "PlayerBlock":
        """The same players, numbered as those that follow ``players`` others."""
        return PlayerBlock(
            self.table.with_columns(pl.col("line_number") + players),
            [(number + players, name, text) for number, name, text in self.unreadable],
            {name: number + players for name, number in self.unknown.items()},
            self.seen,
        )


@dataclass(frozen=True, slots=True)
class _Block:
    text: bytes
    first_line: int


def is_players_list(head: bytes) -> bool:
    """Whether a document begins that has the root element of FIDE's lists."""
    return b"<playerslist" in head[:4096] and head[:200].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<"


def read_players(stream: BinaryIO, elements: Elements, block_bytes: int = BLOCK_BYTES) -> Iterator[PlayerBlock]:
    """Yield the players of a document in order.

    Blocks come before the end of the document has been seen: nothing may be kept of them when this raises.

    Raises:
        FormatError: not XML (the line is named), not FIDE's document, a declaration of entities, an encoding
            that is not known, or an end that comes too early.
    """
    with ThreadPoolExecutor(_THREADS) as pool:
        players = 0
        for block in _in_order(pool, _blocks(stream, block_bytes), elements):
            yield block.after(players)
            players += block.table.height


def _in_order(pool: ThreadPoolExecutor, blocks: Iterator[_Block], elements: Elements) -> Iterator[PlayerBlock]:
    """Read blocks in the pool, only a few ahead of what is asked for."""
    waiting: deque[Future[PlayerBlock]] = deque()
    for block in blocks:
        waiting.append(pool.submit(_read_block, block, elements))
        if len(waiting) > _THREADS:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _blocks(stream: BinaryIO, block_bytes: int) -> Iterator[_Block]:
    """Cut the document after player elements; check what stands before the first and after the last."""
    text = stream.read(max(block_bytes, _MAX_PLAYER_BYTES))
    prolog = _PROLOG.match(text)
    if prolog is None:
        declared = "a document type declaration" if b"<!DOCTYPE" in text[:4096] else repr(text[:80])
        raise FormatError(f"XML list: expected <playerslist> and nothing before it, found {declared}")
    encoding = _encoding(prolog[0])
    line = 1 + prolog[0].count(b"\n")
    rest, chunk = b"", text[prolog.end() :]
    while chunk:
        cut = chunk.rfind(_PLAYER_END) + len(_PLAYER_END)
        if cut < len(_PLAYER_END) and rest:  # the end tag itself may be cut in two
            chunk, rest = rest + chunk, b""
            cut = chunk.rfind(_PLAYER_END) + len(_PLAYER_END)
        if cut >= len(_PLAYER_END):
            block = _Block(_as_utf8(b"".join((_OPEN, rest, memoryview(chunk)[:cut], _CLOSE)), encoding, line), line)
            yield block
            line += _count(block.text, b"\n")
            rest = chunk[cut:]
        else:
            rest = chunk
        if len(rest) > _MAX_PLAYER_BYTES and not _EPILOG.match(rest):
            raise FormatError(f"XML list, line {line}: no player element ends within {len(rest):,} bytes")
        chunk = stream.read(block_bytes)
    if not _EPILOG.fullmatch(rest):
        raise FormatError(
            f"XML list, line {line}: the document is not complete: expected another whole player or </playerslist>, "
            f"found {rest[:60]!r}; fetch it again"
        )


def _encoding(prolog: bytes) -> str:
    declared = _ENCODING.search(prolog)
    encoding = declared[1].decode("ascii").lower() if declared else "utf-8"
    if encoding not in _ENCODINGS:
        raise FormatError(f"XML list: encoding {encoding!r} is none of {', '.join(sorted(_ENCODINGS))}")
    return encoding


def _as_utf8(text: bytes, encoding: str, line: int) -> bytes:
    if text.isascii():
        return text
    try:
        decoded = text.decode(encoding)
    except UnicodeDecodeError as error:
        line += text.count(b"\n", 0, error.start)
        raise FormatError(f"XML list, line {line}: not {encoding}: {text[error.start : error.end]!r}") from error
    return text if encoding == "utf-8" else decoded.encode("utf-8")


def _read_block(block: _Block, elements: Elements) -> PlayerBlock:
    # A declaration is for the stricter parser, and so is whatever the fast one refuses: lxml reads it or says in
    # which line it is not XML. "!" alone is quickly found.
    if b"!" not in block.text or b"<!" not in block.text:
        with suppress(Xml2ArrowError):
            return read_with_xml2arrow(block.text, elements)
    return read_with_lxml(block.text, elements, block.first_line)


def read_with_xml2arrow(text: bytes, elements: Elements) -> PlayerBlock:
    """Read one block; raises where a number is none, an element is repeated or the text is not XML."""
    batch = _parser(elements.texts, tuple(elements.numbers.items())).parse(text)["players"]
    table = pl.DataFrame(batch)
    numbered = table.select(
        pl.int_range(1, pl.len() + 1, dtype=pl.Int32).alias("line_number"),
        *(_or_null(pl.col(name).str.strip_chars()) for name in elements.texts),
        *elements.numbers,
    )
    seen, unknown = _tags(text, table.height, elements)
    return PlayerBlock(numbered, unknown=unknown, seen=seen)


def read_with_lxml(text: bytes, elements: Elements, first_line: int = 1) -> PlayerBlock:
    """Read one block; of a repeated element the first counts.

    Raises:
        FormatError: the text is not XML; names the line of the file.
    """
    rows: list[tuple[str | None, ...]] = []
    seen: set[str] = set()
    unknown: dict[str, int] = {}
    try:
        root = etree.fromstring(text, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
    except etree.XMLSyntaxError as error:
        line = first_line + (error.lineno or 1) - 1
        raise FormatError(f"XML list, line {line}: not XML: {error.msg}") from error
    for number, player in enumerate(root.iterchildren("player"), start=1):
        values: dict[str, str] = {}
        for child in player.iterchildren(etree.Element):
            own = "".join([child.text or "", *(inner.tail or "" for inner in child)])
            values.setdefault(child.tag, own.strip())
        seen |= values.keys()
        for name in values.keys() - set(elements.names):
            unknown.setdefault(name, number)
        rows.append(tuple(values.get(name) or None for name in elements.names))
    printed = pl.DataFrame(rows, schema=dict.fromkeys(elements.names, pl.String()), orient="row")
    printed = printed.with_columns(pl.int_range(1, pl.len() + 1, dtype=pl.Int32).alias("line_number"))
    table = printed.select(
        "line_number",
        *elements.texts,
        *(pl.col(name).cast(dtype, strict=False) for name, dtype in elements.numbers.items()),
    )
    unreadable = [
        (number, name, text_)
        for name in elements.numbers
        for number, text_ in printed.filter(pl.col(name).is_not_null() & table[name].is_null())
        .select("line_number", name)
        .iter_rows()
    ]
    return PlayerBlock(table, unreadable, unknown, frozenset(seen & set(elements.names)))


def _or_null(text: pl.Expr) -> pl.Expr:
    return pl.when(text != "").then(text)


def _tags(text: bytes, players: int, elements: Elements) -> tuple[frozenset[str], dict[str, int]]:
    """Return the known elements that occur, and the unknown ones.

    Where every player of a long block has as many elements as the first one, the first one's stand for all.

    Raises:
        FormatError: the root element ends within the block.
    """
    first = text[: text.find(_PLAYER_END) + len(_PLAYER_END)]
    names = _tag_names(first)
    if len(text) < _ALWAYS_SCANNED or _count(text, b"<") != 2 * (players * len(names) + 1):
        names = _tag_names(text)
        if names.count("playerslist") != 1:
            raise FormatError("XML list: a second document begins where the first one ends")
    found = set(names) - {"player", "playerslist"}
    unknown = {
        name: 1 + text.count(_PLAYER_END, 0, text.find(f"<{name}".encode()))
        for name in sorted(found - set(elements.names))
    }
    return frozenset(found & set(elements.names)), unknown


def _count(text: bytes, byte: bytes) -> int:
    """``text.count(byte)``, several times faster where the byte is frequent."""
    return int(np.count_nonzero(np.frombuffer(text, np.uint8) == byte[0]))


def _tag_names(text: bytes) -> list[str]:
    return [(end or alone).decode("utf-8", "replace") for end, alone in _TAG_END.findall(text)]


@cache
def _parser(texts: tuple[str, ...], numbers: tuple[tuple[str, pl.DataType], ...]) -> XmlToArrowParser:
    """The compiled parser; it takes its description from a file only."""
    types = {**dict.fromkeys(texts, "Utf8"), **{name: str(dtype) for name, dtype in numbers}}
    fields = [
        {"name": name, "xml_path": f"/playerslist/player/{name}", "data_type": dtype, "nullable": True}
        for name, dtype in types.items()
    ]
    table = {"name": "players", "xml_path": "/playerslist", "levels": [], "fields": fields}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "players.yaml"
        path.write_text(yaml.safe_dump({"parser_options": {"trim_text": False}, "tables": [table]}))
        return XmlToArrowParser(str(path))
