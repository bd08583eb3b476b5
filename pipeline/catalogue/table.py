"""How a catalogue table is declared, read and validated.

Belongs here: the types of a declaration and the checks every file must pass. Not here: the declarations
themselves (``tables.py``) and anything that knows what a particular table means.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl

DATA_FOLDER: Final = Path(__file__).parent / "data"
#: Line of the first data row: line 1 is the header. No value of a catalogue file contains a line break.
FIRST_DATA_LINE: Final = 2


class CatalogueError(Exception):
    """A catalogue file breaks its declaration. The message names file, line, what was expected and found."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key to one column of another table (every value that is not null must occur there)."""

    table: str
    column: str


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its type, its meaning, and what its values must satisfy.

    Attributes:
        name: header of the column in the file.
        dtype: Polars type of the loaded column.
        description: one sentence; becomes the comment of the column in the published file.
        nullable: whether the field may be empty (an empty field is null).
        allowed: the only values that may occur, if the values are a closed set.
        references: the table and column in which every value must occur.
    """

    name: str
    dtype: pl.DataType
    description: str
    nullable: bool = False
    allowed: tuple[str, ...] = ()
    references: Reference | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One catalogue table: a CSV file in ``data/`` with a header that equals the declared columns."""

    name: str
    description: str
    source: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]

    @property
    def path(self) -> Path:
        return DATA_FOLDER / f"{self.name}.csv"

    @property
    def schema(self) -> dict[str, pl.DataType]:
        return {column.name: column.dtype for column in self.columns}


def read(table: Table, path: Path | None = None) -> pl.DataFrame:
    """Read and validate the file of ``table`` (types, required values, allowed values, unique key).

    Args:
        table: the declaration.
        path: the file, when it is not the one in ``data/``.

    Returns:
        The rows in file order, columns and types as declared.

    Raises:
        CatalogueError: naming the file, the first offending line, and what was expected.
    """
    file = path or table.path
    try:
        text = pl.read_csv(file, infer_schema=False)
    except FileNotFoundError:
        raise CatalogueError(f"{file}: file is missing; expected the catalogue table {table.name!r}") from None
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        raise CatalogueError(f"{file}: not a readable CSV file in UTF-8: {error}") from error
    expected = list(table.schema)
    if text.columns != expected:
        raise CatalogueError(
            f"{file}, line 1: expected the columns {','.join(expected)}, found {','.join(text.columns)}"
        )
    frame = text.select(_parsed(text, column, file) for column in table.columns)
    _check_key(frame, table, file)
    return frame


def check_references(table: Table, frame: pl.DataFrame, column: Column, target: pl.DataFrame) -> None:
    """Raise ``CatalogueError`` where a value of ``column`` does not occur in the column it refers to."""
    reference = column.references
    if reference is None:
        return
    unknown = frame[column.name].is_not_null() & ~frame[column.name].is_in(target[reference.column].implode())
    _refuse(
        frame[column.name],
        unknown,
        table.path,
        f"column {column.name}: expected a value of {reference.table}.{reference.column}",
    )


def _parsed(text: pl.DataFrame, column: Column, file: Path) -> pl.Series:
    """The column in its declared type; every rule about single values is checked on the way."""
    raw = text[column.name]
    where = f"column {column.name}"
    values = _as_type(raw, column.dtype)
    _refuse(raw, raw.is_not_null() & values.is_null(), file, f"{where}: expected a value of type {column.dtype}")
    if not column.nullable:
        _refuse(raw, raw.is_null(), file, f"{where}: a value is required, found an empty field")
    if column.allowed:
        stray = raw.is_not_null() & ~raw.is_in(list(column.allowed))
        _refuse(raw, stray, file, f"{where}: expected one of {', '.join(column.allowed)}")
    if column.dtype == pl.String():
        _refuse(raw, raw != raw.str.strip_chars(), file, f"{where}: no blanks at either end")
    return values.alias(column.name)


def _as_type(raw: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Values of a text column in ``dtype``, null where it is none (ISO dates; true, false)."""
    if dtype == pl.Boolean():
        return raw.replace_strict({"true": True, "false": False}, default=None, return_dtype=pl.Boolean())
    if dtype == pl.Date():
        return raw.str.to_date("%Y-%m-%d", strict=False)
    return raw.cast(dtype, strict=False)


def _check_key(frame: pl.DataFrame, table: Table, file: Path) -> None:
    # A null in a key is a value like any other here: "no lower limit" is one band, not an unknown one.
    repeated = frame.select(table.key).is_duplicated()
    shown = frame.select(pl.format(" / ".join("{}" for _ in table.key), *table.key)).to_series()
    _refuse(shown, repeated, file, f"key {', '.join(table.key)}: expected to be unique")


def _refuse(shown: pl.Series, wrong: pl.Series, file: Path, expected: str) -> None:
    """Raise for the first row where ``wrong`` is true."""
    rows = wrong.fill_null(False).arg_true()
    if rows.is_empty():
        return
    row = rows[0]
    more = f" (and {len(rows) - 1} more)" if len(rows) > 1 else ""
    raise CatalogueError(f"{file}, line {row + FIRST_DATA_LINE}: {expected}; found {shown[row]!r}{more}")
