"""What a fixed-width line looks like: columns, and what each of them may hold.

Belongs here: the description of layouts and the reading and judging of one line. Whole files are cut in
``line_cutting.py``; which layouts exist is data of the format modules.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import polars as pl

#: Control characters; one of them inside a line means a damaged line.
CONTROL: Final = r"[\x00-\x1f]"


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

    def column_pattern(self, *, cut: bool) -> str:
        """Regular expression of the whole column; ``cut``: padding may be missing at the end of the line."""
        columns = []
        for length, shape in {**self.shapes, 0: ""}.items():
            padding = f" {{{'0,' if cut else ''}{self.width - length}}}"
            columns.append(padding + shape if self.right else shape + padding)
        return f"(?:{'|'.join(columns)})"


@dataclass(frozen=True)
class Layout:
    """The columns of one kind of line.

    Attributes:
        name: stable name of the layout.
        fields: the columns from left to right: the key, a number that is never blank; the name, which is free
            text; then the others, which have shapes.
        groups_at: names of the fields behind the name with which a group of columns begins.
        least_width: bytes of the shortest complete line; ``width`` unless lines are cut after their last text.
        needed_width: a shorter line was cut off, unless the whole file has its trailing blanks removed.
    """

    name: str
    fields: tuple[Field, ...]
    groups_at: tuple[str, ...]
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

    @property
    def key(self) -> Field:
        """The field that every line has."""
        return self.fields[0]

    @property
    def free_text(self) -> Field:
        """The field that may hold anything."""
        return self.fields[1]

    @cached_property
    def groups(self) -> tuple[tuple[Field, ...], ...]:
        """The fields behind the name, in groups of neighbours."""
        starts = [index for index, field in enumerate(self.fields) if field.name in self.groups_at]
        ends = [*starts[1:], len(self.fields)]
        return tuple(self.fields[start:end] for start, end in zip(starts, ends, strict=True))

    @cached_property
    def gaps(self) -> tuple[tuple[int, int], ...]:
        """Columns between the fields, where nothing may be printed."""
        ends = [0, *(field.end for field in self.fields)]
        starts = [*(field.start for field in self.fields), self.width]
        return tuple((end, start) for end, start in zip(ends, starts, strict=True) if end < start)

    def pattern(self, group: tuple[Field, ...], start: int) -> str:
        """Regular expression of the columns of ``group`` and the blanks between them, from byte ``start`` on."""
        parts, at = [], start
        for field in group:
            cut = field.end == self.width and self.least_width < self.width
            parts.append(f" {{{field.start - at}}}{field.column_pattern(cut=cut)}")
            at = field.end
        return f"^{''.join(parts)}$"

    def cut(self, line: str) -> dict[str, str]:
        """Cut one line into its printed fields."""
        return {field.name: field.printed(line) for field in self.fields}

    def holds(self, field: Field, text: str) -> bool:
        """Whether ``text`` can stand in ``field``."""
        return bool(field.pattern.fullmatch(text)) if text else field is not self.key

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
