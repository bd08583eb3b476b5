"""The engine for fixed-width text: bytes -> lines -> fields, fast, and strict about every byte.

Belongs here: lines and their ends, columns, what a field may hold, writing lines back. Lines that do not fit
are mended or refused in ``line_repair.py``; which layouts exist is data of the format modules.

A line becomes one text value of a single wide column, and every field is a slice of it. Slices count
characters, so bytes that are not ASCII are transcribed to Latin-1 first (one byte, one character) and
columns never move. A field's alignment is part of the check: blanks are removed on its padded side only, so
a value that starts one column too early or too late is not a number any more.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import polars as pl

from pipeline.formats.parsed import FormatError

Align = Literal["left", "right", "any"]

#: Control characters; one of them inside a line means a damaged line.
CONTROL: Final = r"[\x00-\x1f\x7f]"
_END_MARKS: Final = b"\x1a\x00"
_FULL_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Field:
    """One column of a layout.

    Attributes:
        name: what the column holds.
        start, end: bytes of the line, 0-based, end exclusive. The blanks between two columns belong to the
            field on their left, so that a text grown into them is seen whole.
        pattern: regular expression for the text with its padding removed; the empty text is a blank field.
        align: on which side of the column the text stands; ``any`` where lists place it loosely.
        numbers: values a numeric field may have besides 0; None for text.
        few: the column has few different values, which are all looked at.
    """

    name: str
    start: int
    end: int
    pattern: str
    align: Align = "left"
    numbers: range | None = None
    few: bool = False

    def printed(self, line: str) -> str:
        """Cut this field out of ``line`` and remove its padding."""
        text = line[self.start : self.end]
        return text.lstrip(" ") if self.align == "right" else text.rstrip(" ")

    def padded(self, text: str) -> str:
        """Return ``text`` as the column shows it: the inverse of ``printed``."""
        width = self.end - self.start
        return text.rjust(width) if self.align == "right" else text.ljust(width)


@dataclass(frozen=True)
class Layout:
    """The columns of one kind of line.

    Attributes:
        name: stable name of the layout.
        fields: the columns from left to right. The first one is the key and never blank.
        least_width: bytes of the shortest complete line; ``width`` unless lines are cut after their last
            text.
        needed_width: a shorter line was cut off, unless the whole file has its trailing blanks removed.
        pushing: fields whose text may outgrow its column and push the rest of the line to the right.
    """

    name: str
    fields: tuple[Field, ...]
    least_width: int
    needed_width: int
    pushing: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """Bytes of a complete line."""
        return self.fields[-1].end

    @property
    def key(self) -> Field:
        """The field that every line has."""
        return self.fields[0]

    def has(self, name: str) -> bool:
        """Whether there is a field called ``name``."""
        return name in self.patterns

    @cached_property
    def gaps(self) -> tuple[tuple[int, int], ...]:
        """Columns between the fields, where nothing may be printed."""
        ends = [0, *(field.end for field in self.fields)]
        starts = [*(field.start for field in self.fields), self.width]
        return tuple((end, start) for end, start in zip(ends, starts, strict=True) if end < start)

    @cached_property
    def patterns(self) -> dict[str, re.Pattern[str]]:
        """What each field may hold, compiled."""
        return {field.name: re.compile(field.pattern) for field in self.fields}

    def cut(self, line: str) -> dict[str, str]:
        """Cut one line into its printed fields."""
        return {field.name: field.printed(line) for field in self.fields}

    def faults(self, line: str, printed: dict[str, str] | None = None) -> list[str]:
        """Say what in ``line`` is not as this layout prints it; empty when all is."""
        values = printed or self.cut(line)
        found = [
            f"{field.name} (bytes {field.start}-{field.end}) holds {values[field.name]!r}"
            for field in self.fields
            if not self.holds(field, values[field.name])
        ]
        if printed is None:
            found += [f"bytes {a}-{b} are not blank" for a, b in self.gaps if line[a:b].strip(" ")]
            if line[self.width :].strip(" "):
                found.append(f"text goes on after byte {self.width}")
        return found

    def holds(self, field: Field, text: str) -> bool:
        """Whether ``text`` can stand in ``field``."""
        if text == "":
            return field is not self.key
        if not self.patterns[field.name].fullmatch(text):
            return False
        return field.numbers is None or int(text) == 0 or int(text) in field.numbers


def scan_lines(data: bytes) -> pl.LazyFrame:
    """Split ``data`` into lines: ``line_number`` (from 1) and ``text`` (null for an empty line).

    Line ends may be CRLF, LF, CR or mixed; end-of-file marks (0x1A, NUL) and a byte order mark are dropped.
    Bytes that are not ASCII come out as the Latin-1 characters of the same value.

    Raises:
        FormatError: the bytes are not text.
    """
    data = data.rstrip(_END_MARKS)
    if b"\r" in data and data.count(b"\r") != data.count(b"\n"):
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    separator = next((chr(code) for code in range(1, 9) if bytes([code]) not in data), None)
    if separator is None:
        raise FormatError("the file is not text: it holds all of the control characters 0x01-0x08")
    if not data.isascii():
        data = data.decode("latin-1").encode("utf-8")
    if not data.strip(b"\n"):
        return pl.LazyFrame(schema={"line_number": pl.Int32(), "text": pl.String()})
    return pl.scan_csv(
        data,
        has_header=False,
        separator=separator,
        quote_char=None,
        schema={"text": pl.String},
        row_index_name="line_number",
        row_index_offset=1,
    ).with_columns(pl.col("line_number").cast(pl.Int32))


def typed(field: Field, text: pl.Expr) -> pl.Expr:
    """A field's value from its printed text: a number (null when blank or unreadable), or the text itself."""
    if field.numbers is None:
        return text.alias(field.name)
    dtype = pl.Int32 if field.numbers.stop > 2**15 else pl.Int16
    return text.cast(dtype, strict=False).alias(field.name)


def _printed(field: Field) -> pl.Expr:
    text = pl.col("text").str.slice(field.start, field.end - field.start)
    return text.str.strip_chars_start(" ") if field.align == "right" else text.str.strip_chars_end(" ")


@dataclass(frozen=True, slots=True)
class CutLines:
    """Lines cut into typed fields.

    Attributes:
        fitting: ``line_number`` and the fields of the lines that are exactly as the layout prints them.
        other: ``line_number`` and ``text`` of all other lines that are not empty.
        trimmed: the file has the trailing blanks of its lines removed.
    """

    fitting: pl.DataFrame
    other: pl.DataFrame
    trimmed: bool


def cut_lines(lines: pl.LazyFrame, layout: Layout) -> CutLines:
    """Cut every line, in one pass, and set aside those that are not exactly as ``layout`` prints them."""
    text, length = pl.col("text"), pl.col("length")
    faults = (
        [length != layout.width]
        if layout.least_width == layout.width
        else [(length < layout.least_width) | (length > layout.width)]
    )
    for field in layout.fields:
        printed, value = _printed(field), pl.col(field.name)
        if field is layout.key:
            faults.append(value.is_null())
        elif field.numbers is not None:
            # Blank is no fault; a text that is no number, or stands beside its place, is.
            faults.append(value.is_null() & (printed != ""))
        elif field.align == "left" and not field.few:
            faults.append(value.str.starts_with(" "))
        if field.numbers is not None:
            # A sign is no digit, but a cast takes it.
            faults.append(printed.str.starts_with("+"))
            faults.append((value != 0) & ~value.is_between(field.numbers.start, field.numbers.stop - 1))
        elif not field.few:
            faults.append(value.str.contains(CONTROL))
    faults += [text.str.slice(start, end - start).str.strip_chars(" ") != "" for start, end in layout.gaps]
    cut = (
        lines.filter(text.is_not_null())
        .with_columns(text.str.len_chars().alias("length"), *(typed(field, _printed(field)) for field in layout.fields))
        .with_columns(pl.any_horizontal(faults).fill_null(False).alias("faulty"))
        .collect(engine="streaming")
    )
    for field in layout.fields:
        if field.few:
            strange = [value for value in cut[field.name].unique() if not layout.holds(field, value)]
            if strange:
                cut = cut.with_columns(pl.col("faulty") | pl.col(field.name).is_in(strange))
    if not cut["faulty"].any():
        return CutLines(cut.drop("text", "length", "faulty"), cut.select("line_number", "text").clear(), False)
    full = cut.select(length.is_between(layout.least_width, layout.width).mean()).item()
    names = ["line_number", *(field.name for field in layout.fields)]
    return CutLines(
        cut.filter(~pl.col("faulty")).select(names),
        cut.filter("faulty").select("line_number", "text"),
        trimmed=full < _FULL_SHARE,
    )


def type_printed(rows: Iterable[Mapping[str, object]], layout: Layout) -> pl.DataFrame:
    """Type lines cut one by one (``line_number`` and printed texts): the columns of ``CutLines.fitting``."""
    schema: dict[str, pl.DataType] = {"line_number": pl.Int32()}
    schema |= {field.name: pl.String() for field in layout.fields}
    frame = pl.DataFrame(list(rows), schema=schema)
    return frame.select("line_number", *(typed(field, pl.col(field.name)) for field in layout.fields))


def printed_fields(lines: pl.LazyFrame, layout: Layout) -> pl.DataFrame:
    """Cut every line into its printed texts: ``line_number``, ``length`` (bytes), one text column a field."""
    return (
        lines.filter(pl.col("text").is_not_null())
        .select(
            "line_number",
            pl.col("text").str.len_chars().alias("length"),
            *(_printed(field).alias(field.name) for field in layout.fields),
        )
        .collect()
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
