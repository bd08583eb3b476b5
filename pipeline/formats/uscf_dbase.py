"""dBase III tables of US Chess (``TARATSUP.DBF``, ``TARSFLE.DBF``) as a frame of texts.

dbfread reads and checks the header; the records, which have a fixed length, are cut here so that a field
keeps its record number, deleted records are seen in their place, and a million members take seconds. What the
columns mean is decided in ``uscf_columns``.
"""

import tempfile
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from dbfread import DBF
from numpy.typing import NDArray

from pipeline.formats.parsed import FormatError
from pipeline.formats.uscf_text import guess_code_page

_VERSIONS: Final = frozenset({0x03, 0x83})  # dBase III without and with a memo file
_LIVE, _DELETED, _END = 0x20, 0x2A, 0x1A
#: Language driver byte (offset 29) of the two code pages seen; 0 = not stated.
_DRIVERS: Final = {0x01: "cp437", 0x1B: "cp437", 0x02: "cp850", 0x37: "cp850", 0x03: "cp1252", 0x57: "cp1252"}
#: Field types whose bytes are text.
_TEXT_TYPES: Final = "CNFDL"


@dataclass(frozen=True, slots=True)
class DbaseTable:
    """A table as texts.

    Attributes:
        columns: field names in file order.
        cells: one String column per field plus ``line_number`` (1-based record number); blanks are null.
        deleted: record numbers marked as deleted.
        stated_records: records the header promises; a different count means a cut file.
        code_page: Python codec of the text.
        code_page_guessed: True where the header does not state the code page and the bytes had to decide.
    """

    columns: list[str]
    cells: pl.DataFrame
    deleted: list[int]
    stated_records: int
    code_page: str
    code_page_guessed: bool


def is_dbase(data: bytes) -> bool:
    """True for a dBase III header: version byte, a possible date, and lengths that fit the file."""
    if len(data) < 33 or data[0] not in _VERSIONS or not (1 <= data[2] <= 12 and 1 <= data[3] <= 31):
        return False
    header = int.from_bytes(data[8:10], "little")
    return header >= 65 and header <= len(data) and int.from_bytes(data[10:12], "little") > 1


def read_dbase(data: bytes) -> DbaseTable:
    """Read a dBase III table.

    Raises:
        FormatError: the header is broken, or the file ends before the records that its header promises.
    """
    table = _open(data)
    header_length, record_length = int(table.header.headerlen), int(table.header.recordlen)
    promised = int(table.header.numrecords)
    in_fields = 1 + sum(int(field.length) for field in table.fields)
    if record_length != in_fields:
        raise FormatError(
            f"dBase file: a record should have {record_length} bytes, its fields have {in_fields}; "
            "the header is broken, fetch the file again"
        )
    available = (len(data) - header_length) // record_length
    if available < promised:
        raise FormatError(
            f"dBase file: {promised} records promised, {available} present; the file was cut, fetch it again"
        )
    records = np.frombuffer(data, np.uint8, promised * record_length, header_length).reshape(promised, record_length)
    code_page, guessed = _code_page(data, records)
    marks = records[:, 0] if promised else np.empty(0, np.uint8)
    strange = np.flatnonzero((marks != _LIVE) & (marks != _DELETED))
    if strange.size:
        raise FormatError(
            f"dBase file: record {int(strange[0]) + 1} starts with byte {int(marks[strange[0]]):#04x}, "
            "expected a blank or an asterisk; the file is damaged, fetch it again"
        )
    columns: dict[str, list[str]] = {}
    start = 1
    for field in table.fields:
        if field.type in _TEXT_TYPES:
            columns[field.name] = _texts(records, start, int(field.length), code_page)
        start += int(field.length)
    cells = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)).with_columns(
        pl.all().str.strip_chars(" \0").replace("", None)
    )
    return DbaseTable(
        columns=list(columns),
        cells=cells.with_columns(pl.int_range(1, promised + 1, dtype=pl.Int32).alias("line_number")),
        deleted=[int(position) + 1 for position in np.flatnonzero(marks == _DELETED)],
        stated_records=promised,
        code_page=code_page,
        code_page_guessed=guessed,
    )


def _open(data: bytes) -> Any:
    # dbfread opens files by name only. The code page of field names is plain ASCII in every edition known.
    with tempfile.NamedTemporaryFile(suffix=".dbf") as file:
        file.write(data[: 32 + 32 * 256])
        file.flush()
        try:
            table = DBF(file.name, encoding="latin-1", ignorecase=False, ignore_missing_memofile=True)
        except Exception as error:
            raise FormatError(f"dBase file: the header cannot be read ({error}); fetch the file again") from error
    if not table.fields or len(set(table.field_names)) != len(table.field_names):
        raise FormatError(f"dBase file: no usable field names in the header, found {table.field_names}")
    return table


def _code_page(data: bytes, records: NDArray[np.uint8]) -> tuple[str, bool]:
    stated = _DRIVERS.get(data[29])
    if stated is not None:
        return stated, False
    high = records[records >= 0x80].tobytes()
    return guess_code_page(high), bool(high)


def _texts(records: NDArray[np.uint8], start: int, length: int, code_page: str) -> list[str]:
    block = np.ascontiguousarray(records[:, start : start + length])
    if not block.size:
        return []
    return [value.decode(code_page, "replace") for value in block.view(f"S{length}").ravel().tolist()]
