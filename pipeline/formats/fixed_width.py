"""The engine for fixed-width text: blocks of bytes -> lines -> fields, fast, and strict about every byte.

Belongs here: lines and their ends, columns, what a field may hold, writing lines back. Lines that do not fit are
mended or refused in ``line_repair.py``; which layouts exist is data of the format modules.

A line becomes one text value of a single wide column, and every field is a slice of it. Slices count characters,
so bytes that are not ASCII are transcribed to Latin-1 first (one byte, one character) and columns never move. All
fields but the name have few shapes ("four digits and two blanks"), so that one regular expression decides whether a
line is exactly as its layout prints it; only such lines are cut. Work goes block by block: memory stays bounded, and
blocks that fit the processor's cache are cut in a third of the time that the whole file takes at once.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO, Final

import polars as pl

from pipeline.formats.parsed import FormatError

BLOCK_BYTES: Final = 8 * 1024**2
#: Control characters; one of them inside a line means a damaged line.
CONTROL: Final = r"[\x00-\x1f\x7f]"
_END_MARKS: Final = b"\x1a\x00"
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Field:
    """One column of a layout.

    Attributes:
        name: what the column holds.
        start, end: bytes of the line, 0-based, end exclusive. Blanks between two columns belong to the field on
            their left, so that a text grown into them is seen whole.
        shapes: length -> regular expression of the texts of that length; empty for free text. Every column may
            be blank but the first of a layout.
        right: the text stands at the right end of the column.
        dtype: type of the value; a number's text is digits.
        wider: regular expression of a text that may outgrow the column and push the rest of the line to the
            right; "" where none does.
    """

    name: str
    start: int
    end: int
    shapes: Mapping[int, str]
    right: bool = False
    dtype: type[pl.DataType] = pl.String
    wider: str = ""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What the text may be once its padding is removed."""
        return re.compile("|".join(self.shapes.values()) or rf"(?!.*{CONTROL}).+")

    @property
    def width(self) -> int:
        """Bytes of the column."""
        return self.end - self.start

    def printed(self, line: str) -> str:
        """Cut this field out of ``line`` and remove its padding."""
        text = line[self.start : self.end]
        return text.lstrip(" ") if self.right else text.rstrip(" ")

    def padded(self, text: str) -> str:
        """Return ``text`` as the column shows it: the inverse of ``printed``."""
        return text.rjust(self.width) if self.right else text.ljust(self.width)

    def column_pattern(self, *, blank: bool, cut: bool) -> str:
        """Regular expression of the whole column; ``cut``: padding may be missing at the end of the line."""
        columns = []
        for length, shape in {**self.shapes, **({0: ""} if blank else {})}.items():
            padding = f" {{{'0,' if cut else ''}{self.width - length}}}"
            columns.append(padding + shape if self.right else shape + padding)
        return f"(?:{'|'.join(columns)})"


@dataclass(frozen=True)
class Layout:
    """The columns of one kind of line.

    Attributes:
        name: stable name of the layout.
        fields: the columns from left to right. The first one is the key and never blank; one is free text.
        least_width: bytes of the shortest complete line; ``width`` unless lines are cut after their last text.
        needed_width: a shorter line was cut off, unless the whole file has its trailing blanks removed.
    """

    name: str
    fields: tuple[Field, ...]
    least_width: int
    needed_width: int

    @property
    def width(self) -> int:
        """Bytes of a complete line."""
        return self.fields[-1].end

    @cached_property
    def field(self) -> dict[str, Field]:
        """The fields by name."""
        return {field.name: field for field in self.fields}

    def has(self, name: str) -> bool:
        """Whether there is a field called ``name``."""
        return name in self.field

    @cached_property
    def free_text(self) -> Field:
        """The field that may hold anything."""
        return next(field for field in self.fields if not field.shapes)

    @cached_property
    def gaps(self) -> tuple[tuple[int, int], ...]:
        """Columns between the fields, where nothing may be printed."""
        ends = [0, *(field.end for field in self.fields)]
        starts = [*(field.start for field in self.fields), self.width]
        return tuple((end, start) for end, start in zip(ends, starts, strict=True) if end < start)

    def pattern(self, start: int, end: int) -> str:
        """Regular expression of the line from byte ``start`` to byte ``end``, which has no free text in it."""
        parts, at = [], start
        for field in self.fields:
            if start <= field.start < end:
                cut = field.end == self.width and self.least_width < self.width
                blank = field is not self.fields[0]
                parts.append(f" {{{field.start - at}}}" + field.column_pattern(blank=blank, cut=cut))
                at = field.end
        return f"^{''.join(parts)} {{{max(end - at, 0)}}}$"

    def cut(self, line: str) -> dict[str, str]:
        """Cut one line into its printed fields."""
        return {field.name: field.printed(line) for field in self.fields}

    def holds(self, field: Field, text: str) -> bool:
        """Whether ``text`` can stand in ``field``."""
        return bool(field.pattern.fullmatch(text)) if text else field is not self.fields[0]

    def faults(self, line: str) -> list[str]:
        """Say what in ``line`` is not as this layout prints it; empty when all is."""
        found = self.faults_of(self.cut(line))
        found += [f"bytes {a}-{b} are not blank" for a, b in self.gaps if line[a:b].strip(" ")]
        if line[self.width :].strip(" "):
            found.append(f"text goes on after byte {self.width}")
        return found

    def faults_of(self, printed: Mapping[str, str]) -> list[str]:
        """Say which of the ``printed`` fields cannot be what they hold."""
        return [
            f"{field.name} (bytes {field.start}-{field.end}) holds {printed[field.name]!r}"
            for field in self.fields
            if not self.holds(field, printed[field.name])
        ]


def read_blocks(stream: BinaryIO, size: int = BLOCK_BYTES) -> Iterator[bytes]:
    """Read ``stream`` in blocks of whole lines, without byte order mark and the end-of-file marks at its end.

    Raises:
        FormatError: a line is longer than a block.
    """
    rest = stream.read(size).removeprefix(_BYTE_ORDER_MARK)
    while rest:
        piece = stream.read(size)
        if not piece:
            yield rest.rstrip(_END_MARKS)
            return
        # A CR at the very end may belong to the LF that begins the next piece.
        end = rest.rfind(b"\n") + 1 or rest.rfind(b"\r", 0, -1) + 1
        if end == 0:
            raise FormatError(
                f"the file is no list of lines: its first line end comes after {len(rest):,} bytes or more"
            )
        yield rest[:end]
        rest = rest[end:] + piece


def split_lines(block: bytes, first_number: int = 1) -> pl.DataFrame:
    """Split a block into lines: ``line_number`` and ``text`` (null for an empty line).

    Line ends may be CRLF, LF or CR. Bytes that are not ASCII come out as the Latin-1 characters of the same value.

    Raises:
        FormatError: the bytes are not text.
    """
    if b"\n" not in block:
        block = block.replace(b"\r", b"\n")
    separator = next((code for code in range(1, 9) if code not in block), None)
    if separator is None:
        raise FormatError("the file is not text: it holds all of the control characters 0x01-0x08")
    if not block.isascii():
        block = block.decode("latin-1").encode("utf-8")
    if not block:
        return pl.DataFrame(schema={"line_number": pl.Int32, "text": pl.String})
    lines = pl.read_csv(block, has_header=False, separator=chr(separator), quote_char=None, schema={"text": pl.String})
    if lines["text"].str.contains("\r", literal=True).any():
        return split_lines(block.replace(b"\r\n", b"\n").replace(b"\r", b"\n").decode().encode("latin-1"), first_number)
    numbers = pl.int_range(first_number, first_number + lines.height, dtype=pl.Int32, eager=True)
    return lines.select(numbers.alias("line_number"), "text")


def cut_lines(lines: pl.DataFrame, layout: Layout) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Cut the lines that are exactly as ``layout`` prints them, and set the others aside.

    Returns:
        ``line_number`` and the typed fields of the lines that fit; ``line_number`` and ``text`` of all others
        that are not empty.
    """
    text, free = pl.col("text"), layout.free_text
    fits = lines.select(
        text.str.slice(0, free.start).str.contains(layout.pattern(0, free.start))
        & text.str.slice(free.end).str.contains(layout.pattern(free.end, layout.width))
        & ~text.str.slice(free.start, free.width).str.contains(CONTROL)
    ).to_series()
    fitting, other = lines, lines.clear()
    if not fits.all(ignore_nulls=False):
        fitting, other = lines.filter(fits), lines.filter(~fits)
    return fitting.select("line_number", *(_typed(field, _printed(field)) for field in layout.fields)), other


def _printed(field: Field) -> pl.Expr:
    text = pl.col("text").str.slice(field.start, field.width)
    return text.str.strip_chars_start(" ") if field.right else text.str.strip_chars_end(" ")


def _typed(field: Field, printed: pl.Expr) -> pl.Expr:
    value = printed if field.dtype is pl.String else printed.cast(field.dtype, strict=False)
    return value.alias(field.name)


def type_printed(rows: Iterable[Mapping[str, object]], layout: Layout) -> pl.DataFrame:
    """Type lines cut one by one (``line_number`` and printed texts): the columns of ``cut_lines``."""
    schema: dict[str, type[pl.DataType]] = {"line_number": pl.Int32, **dict.fromkeys(layout.field, pl.String)}
    frame = pl.DataFrame(list(rows), schema=schema)
    return frame.select("line_number", *(_typed(field, pl.col(field.name)) for field in layout.fields))


def printed_fields(lines: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """Cut every line into its printed texts: ``line_number``, ``length`` (bytes), one text column a field."""
    return lines.drop_nulls("text").select(
        "line_number",
        pl.col("text").str.len_chars().alias("length"),
        *(_printed(field).alias(field.name) for field in layout.fields),
    )


def write_lines(printed: pl.DataFrame, layout: Layout) -> list[bytes]:
    """Write printed fields back to lines, without their line ends: the inverse of ``printed_fields``."""
    lines = []
    for row in printed.iter_rows(named=True):
        line = ""
        for field in layout.fields:
            line = line.ljust(field.start) + field.padded(row[field.name])
        lines.append(line.ljust(row["length"])[: row["length"]].encode("latin-1"))
    return lines
