"""Fixed-width text at speed: blocks of bytes -> lines -> typed columns, strict about every byte.

Belongs here: lines and their ends, and the cutting of whole tables of lines. How a single line is laid out is in
``fixed_width.py``; lines that do not fit are mended or refused in ``line_repair.py``.

A line becomes one text value of a single wide column, and fields are slices of it. Slices count characters, so bytes
that are not ASCII are transcribed to Latin-1 first (one byte, one character) and columns never move. But for the key
and the name, a list has few different texts in a group of neighbouring columns (federation to titles; rating, games
and K factor; birth year and flag). So each group is cut once as a whole, and only its different texts are checked
against their layout, byte by byte, and taken apart. Work goes block by block, which bounds memory and stays in the
processor's cache.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Final

import numpy as np
import polars as pl

from pipeline.formats.csv_text import as_csv_text
from pipeline.formats.fixed_width import CONTROL, Field, Layout
from pipeline.formats.parsed import FormatError

BLOCK_BYTES: Final = 8 * 1024**2
#: Column of ``_dissect`` that says whether a text is as the layout prints it.
_FITS: Final = "it fits"
_END_MARKS: Final = b"\x1a\x00"
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


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


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a block.

    Attributes:
        table: ``line_number`` and ``text`` of the lines that are not empty. Bytes that are not ASCII are the
            Latin-1 characters of the same value.
        count: number of lines, with the empty ones.
        plain: no control characters and no plus signs (a cast takes "+5" for a number) need be looked for.
    """

    table: pl.DataFrame
    count: int
    plain: bool


def split_lines(block: bytes, first_number: int = 1) -> Lines:
    """Split a block into lines. Line ends may be CRLF, LF or CR.

    Raises:
        FormatError: the bytes are not text.
    """
    if b"\n" not in block:
        block = block.replace(b"\r", b"\n")
    separator = next((code for code in range(1, 9) if code not in block), None)
    if separator is None:
        raise FormatError("the file is not text: it holds all of the control characters 0x01-0x08")
    if not block:
        return Lines(pl.DataFrame(schema={"line_number": pl.Int32, "text": pl.String}), 0, True)
    controls = int(np.count_nonzero(np.frombuffer(block, np.uint8) < 0x20))
    text = block if block.isascii() else block.decode("latin-1").encode("utf-8")
    table = pl.read_csv(
        as_csv_text(text), has_header=False, separator=chr(separator), quote_char=None, schema={"text": pl.String}
    )
    line_ends = table.height - (not block.endswith(b"\n"))
    ends_only = controls in (line_ends, 2 * line_ends)
    if not ends_only and table["text"].str.contains("\r", literal=True).any():
        return split_lines(block.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), first_number)
    numbers = pl.int_range(first_number, first_number + table.height, dtype=pl.Int32, eager=True)
    table = table.select(numbers.alias("line_number"), "text")
    if table["text"].null_count():
        table = table.drop_nulls("text")
    return Lines(table, numbers.len(), ends_only and b"+" not in block)


def cut_lines(lines: Lines, layout: Layout, columns: Sequence[pl.Expr] = ()) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Cut the lines that are exactly as ``layout`` prints them, and set the others aside.

    Args:
        lines: what to cut.
        layout: how.
        columns: what is wanted of the fields behind the name. Each is made of fields of one group, and evaluated
            once for every different text of that group. Without ``columns`` all fields are given.

    Returns:
        ``line_number``, key, name and ``columns`` of the lines that fit; ``line_number`` and ``text`` of all others.
    """
    columns = columns or [pl.col(field.name) for group in layout.groups for field in group]
    table, free = lines.table, layout.free_text
    text = pl.col("text")
    cut = table.select(
        "line_number",
        text.str.slice(0, free.start).str.strip_chars(" ").cast(layout.key.dtype, strict=False).alias(layout.key.name),
        text.str.slice(free.start, free.width).str.strip_chars(" ").alias(free.name),
    )
    fits = (cut[layout.key.name] >= 0).fill_null(False)  # a cast takes "-5" for a number
    if not lines.plain:
        fits &= ~cut[free.name].str.contains(CONTROL) & ~table["text"].str.slice(0, free.start).str.contains(
            "+", literal=True
        )
    start = free.end
    for group in layout.groups:
        # The last group runs to the end of the line, so that nothing behind it goes unseen.
        end = None if group is layout.groups[-1] else group[-1].end - start
        texts = table.select(text.str.slice(start, end)).to_series()
        values, numbers = _dissect(texts, layout, group, start, columns)
        cut = cut.hstack(values.select(pl.exclude(_FITS).gather(numbers)))
        if not values[_FITS].all():
            fits &= values[_FITS].gather(numbers)
        start = group[-1].end
    if fits.all():
        return cut, table.clear()
    return cut.filter(fits), table.filter(~fits)


def _dissect(
    texts: pl.Series, layout: Layout, group: tuple[Field, ...], start: int, columns: Sequence[pl.Expr]
) -> tuple[pl.DataFrame, pl.Series]:
    """Take the different ``texts`` of a group apart; return their values and, for each line, the row of its text."""
    different = texts.unique()
    numbers = texts.cast(pl.Enum(different)).to_physical()
    values = different.to_frame().select(
        pl.col("text").str.contains(layout.pattern(group, start)).alias(_FITS),
        *(_typed(field, _printed(field, start)) for field in group),
    )
    own = {field.name for field in group}
    return values.select(_FITS, *(column for column in columns if own.issuperset(column.meta.root_names()))), numbers


def _printed(field: Field, offset: int = 0) -> pl.Expr:
    text = pl.col("text").str.slice(field.start - offset, field.width)
    return text.str.strip_chars_start(" ") if field.right else text.str.strip_chars_end(" ")


def _typed(field: Field, printed: pl.Expr) -> pl.Expr:
    value = printed if field.dtype is pl.String else printed.cast(field.dtype, strict=False)
    return value.alias(field.name)


def type_printed(rows: Iterable[Mapping[str, object]], layout: Layout) -> pl.DataFrame:
    """Type lines cut one by one (``line_number`` and printed texts): the columns of ``cut_lines``."""
    schema: dict[str, type[pl.DataType]] = {"line_number": pl.Int32, **dict.fromkeys(layout.field, pl.String)}
    frame = pl.DataFrame(list(rows), schema=schema)
    return frame.select("line_number", *(_typed(field, pl.col(field.name)) for field in layout.fields))


def printed_fields(table: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """Cut every line into its printed texts: ``line_number``, ``length`` (bytes), one text column a field."""
    return table.select(
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
