"""Lines that are not as their layout prints them: find the one reading that fits, or refuse the line.

Belongs here: judging single damaged lines. A reading counts only when every field of it holds what it may
hold; when two readings fit and differ, the line is refused. A line is never read at columns that were not
checked.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pipeline.formats.fixed_width import CONTROL, Field, Layout

#: More damaged lines than this are refused unread, so that a hostile file costs bounded time.
MEND_AT_MOST: Final = 20_000
#: Longest line that is looked at; the widest layout has 162 bytes.
LONGEST_LINE: Final = 1000

#: A line of these only is no player line: blanks and end-of-file marks.
BLANKS: Final = " \t\x00\x1a"

_PUSHED_AT_MOST: Final = 40
_SHIFTED_AT_MOST: Final = 3
_CONTROL: Final = re.compile(CONTROL)
#: A line without one of these says nothing about a player.
_ESSENTIAL: Final = ("fide_id", "name", "federation")


@dataclass(frozen=True, slots=True)
class MendedLine:
    """A line that could be read after all.

    Attributes:
        printed: the printed text of every field.
        code: note code that says what was wrong; "" when nothing was.
        detail: the same in words.
        damaged: field whose text was unreadable and is left blank.
        damaged_text: what it held.
    """

    printed: dict[str, str]
    code: str = ""
    detail: str = ""
    damaged: str = ""
    damaged_text: str = ""


def is_blank(line: str) -> bool:
    """Whether ``line`` has nothing but blanks and end-of-file marks."""
    return not line.strip(BLANKS)


def mend(line: str, layout: Layout, *, trimmed: bool) -> MendedLine | str:
    """Read a line that does not fit, or say why it cannot be read.

    Args:
        line: the line as Latin-1 text, without its line end.
        layout: what it should look like.
        trimmed: the file has the trailing blanks of its lines removed, so short lines are usual.
    """
    if len(line) > LONGEST_LINE:
        return f"expected a line of {layout.width} bytes ({layout.name}), found one of {len(line):,}"
    if found := _CONTROL.search(line):
        return f"expected text ({layout.name}), found the control character {found[0]!r} at byte {found.start()}"
    faults = layout.faults(line)
    long_enough = trimmed or len(line) >= layout.needed_width
    if not faults and long_enough:
        short = len(line) < layout.least_width and not trimmed
        detail = f"{len(line)} bytes instead of {layout.width}"
        return MendedLine(layout.cut(line), "line_shorter_than_layout" if short else "", detail if short else "")
    for readings in (_as_utf8, _pushed, _shifted, _narrowed):
        ways = {tuple(mended.printed.items()): mended for mended in readings(line, layout, trimmed)}
        if len(ways) == 1:
            return next(iter(ways.values()))
        if ways:
            return f"expected {layout.name}, found a line that can be read in {len(ways)} ways"
    if not long_enough:
        return f"expected a line of {layout.width} bytes ({layout.name}), found one cut off after {len(line)}"
    if len(faults) == 1 and len(line.rstrip(" ")) <= layout.width:
        printed = layout.cut(line)
        damaged = next((f for f in layout.fields if not layout.holds(f, printed[f.name])), None)
        if damaged is not None and damaged.name not in _ESSENTIAL:
            return _without(damaged, printed, faults[0])
    return f"expected {layout.name}, found: {'; '.join(faults[:3])}"


def _without(damaged: Field, printed: dict[str, str], fault: str) -> MendedLine:
    """Keep a line of which one lesser field is unreadable; that field becomes unknown."""
    kind = damaged.name.split("_")[0]
    code = {"rating": "rating_unreadable", "birth": "birth_year_damaged"}.get(kind, "field_unreadable")
    return MendedLine({**printed, damaged.name: ""}, code, fault, damaged.name, printed[damaged.name].strip())


def _fits_width(length: int, layout: Layout, trimmed: bool) -> bool:
    return length <= layout.width and (trimmed or length >= layout.least_width)


def _as_utf8(line: str, layout: Layout, trimmed: bool) -> Iterator[MendedLine]:
    """A line padded by characters but written in UTF-8: its bytes are more than its columns."""
    if line.isascii():
        return
    try:
        text = line.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return
    if _fits_width(len(text), layout, trimmed) and not layout.faults(text):
        printed = {name: value.encode().decode("latin-1") for name, value in layout.cut(text).items()}
        yield MendedLine(printed)


def _pushed(line: str, layout: Layout, trimmed: bool) -> Iterator[MendedLine]:
    """A text wider than its column pushed the rest of the line to the right."""
    for field in _movable(layout):
        for extra in range(1, _PUSHED_AT_MOST + 1):
            if not _fits_width(len(line) - extra, layout, trimmed):
                continue
            printed = _cut_moved(line, layout, field, extra)
            wide = printed[field.name]
            if len(wide) >= field.width and re.fullmatch(field.wider, wide) and _rest_fits(printed, layout, field):
                detail = f"{field.name} needs {len(wide)} of {field.width} bytes; the rest stands {extra} further right"
                yield MendedLine(printed, "field_wider_than_column", detail)


def _shifted(line: str, layout: Layout, trimmed: bool) -> Iterator[MendedLine]:
    """The whole line stands too far left or right."""
    for by in range(-_SHIFTED_AT_MOST, _SHIFTED_AT_MOST + 1):
        moved = line[by:] if by > 0 else " " * -by + line
        only_blanks_lost = by <= 0 or not line[:by].strip(" ")
        if by and only_blanks_lost and _fits_width(len(moved), layout, trimmed) and not layout.faults(moved):
            where = f"{abs(by)} {'right' if by > 0 else 'left'}"
            yield MendedLine(layout.cut(moved), "line_shifted", f"the line stands {where} of its columns")


def _narrowed(line: str, layout: Layout, trimmed: bool) -> Iterator[MendedLine]:
    """Bytes are missing in or behind a text, so that the rest of the line stands too far left."""
    for field in _movable(layout):
        for missing in range(1, _SHIFTED_AT_MOST + 1):
            if _fits_width(len(line) + missing, layout, trimmed):
                printed = _cut_moved(line, layout, field, -missing)
                if layout.holds(field, printed[field.name]) and _rest_fits(printed, layout, field):
                    detail = f"the line stands {missing} left of its columns after {field.name}"
                    yield MendedLine(printed, "line_shifted", detail)


def _movable(layout: Layout) -> list[Field]:
    return [field for field in layout.fields if field.wider]


def _rest_fits(printed: dict[str, str], layout: Layout, moved: Field) -> bool:
    """Whether all fields but ``moved`` hold what they may, and the line states a federation."""
    others = (field for field in layout.fields if field is not moved)
    return printed.get("federation") != "" and all(layout.holds(field, printed[field.name]) for field in others)


def _cut_moved(line: str, layout: Layout, field: Field, by: int) -> dict[str, str]:
    """Cut ``line`` with everything behind ``field`` standing ``by`` bytes further right."""
    straight = layout.cut(line[: field.start])
    moved = layout.cut(" " * field.end + line[field.end + by :])
    printed = {f.name: (moved if f.start >= field.end else straight)[f.name] for f in layout.fields}
    return {**printed, field.name: line[field.start : field.end + by].strip(" ")}
