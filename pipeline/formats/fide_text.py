"""FIDE's own download lists as text, January 2001 to today.

Belongs here: recognising which of the layouts of ``fide_layouts.py`` a file has, and the way from bytes to a
parsed file. The header names a layout and the month; sampled lines decide.
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

import polars as pl

from pipeline.domain.entry import NOTE_SCHEMA, REJECT_SCHEMA
from pipeline.formats.fide_entries import entries_of
from pipeline.formats.fide_layouts import LAYOUTS, FideLayout
from pipeline.formats.fixed_width import cut_lines, printed_fields, scan_lines, type_printed
from pipeline.formats.line_repair import BLANKS, MEND_AT_MOST, MendedLine, is_blank, mend
from pipeline.formats.parsed import FormatError, ParsedFile, UnknownLayoutError
from pipeline.formats.reader import HEAD_BYTES

MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = re.compile(rf"\b({'|'.join(MONTHS)})[a-z]?\.*([0-9]{{1,2}})\b", re.IGNORECASE)
_HEADER: Final = re.compile(r"\s*(ID.?NUMBER|CODE)\s+NAME\b.*", re.IGNORECASE)

_SAMPLE_LINES: Final = 60
#: Share of sampled lines that have to fit, with a header that names the layout and without.
_SHARE_WITH_HEADER: Final = 0.5
_SHARE_WITHOUT: Final = 0.8
_SHOWN: Final = 500
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a file turned out to be.

    Attributes:
        layout: how its lines are to be cut.
        header: its header line, "" when it has none.
        header_line: line number of the header; 0 when it has none.
    """

    layout: FideLayout
    header: str
    header_line: int

    @property
    def month(self) -> date | None:
        """First day of the month that the header names."""
        found = _MONTH.search(self.header)
        if not found:
            return None
        year = int(found[2])
        return date((1900 if year >= 70 else 2000) + year, MONTHS.index(found[1].lower()) + 1, 1)


def recognise(data: bytes) -> Recognised | None:
    """Find the layout of a list, or None. Looks at lines from the start, the middle and the end."""
    lines, first_line = _sample(data)
    header = lines[0] if lines and _HEADER.fullmatch(lines[0]) else ""
    header_line = first_line if header else 0
    players = lines[1:] if header else lines
    named = [layout for layout in LAYOUTS if layout.is_header(header)]
    if not players:
        return Recognised(named[0], header, header_line) if named else None
    shares = {layout.name: _share(players, layout) for layout in LAYOUTS}
    best = max(LAYOUTS, key=lambda layout: (shares[layout.name], layout in named))
    if shares[best.name] >= (_SHARE_WITH_HEADER if best in named else _SHARE_WITHOUT):
        return Recognised(best, header, header_line)
    for layout in named:
        if _share_mended(players, layout) >= _SHARE_WITH_HEADER:
            return Recognised(layout, header, header_line)
    return None


def _sample(data: bytes) -> tuple[list[str], int]:
    """Lines that are not blank, from three places of the file, and the line number of the first."""
    pieces = [data[:HEAD_BYTES]]
    if len(data) > HEAD_BYTES:
        size = HEAD_BYTES // 4
        pieces = [data[start : start + size] for start in (0, len(data) // 2, len(data) - size)]
    sampled: list[str] = []
    first_line = 0
    for number, piece in enumerate(pieces):
        lines = re.split("\r\n|\n|\r", piece.removeprefix(_BYTE_ORDER_MARK).decode("latin-1").rstrip("\x00\x1a"))
        if number == 0:
            first_line = next((i for i, line in enumerate(lines, 1) if not is_blank(line)), 0)
        # The first and last lines of a piece may be cut.
        lines = lines[1 if number else 0 : None if number == len(pieces) - 1 else -1]
        sampled += [line for line in lines if not is_blank(line)][:_SAMPLE_LINES]
    return sampled, first_line


def _share(players: list[str], layout: FideLayout) -> float:
    """Share of lines that ``layout`` fits; a line that ends too early or late counts a little less."""
    fitting = [len(line) for line in players if not layout.faults(line)]
    complete = sum(layout.least_width <= length <= layout.width for length in fitting)
    return (complete + 0.9 * (len(fitting) - complete)) / len(players)


def _share_mended(players: list[str], layout: FideLayout) -> float:
    fitting = [line for line in players if isinstance(mend(line, layout, trimmed=False), MendedLine)]
    return len(fitting) / len(players)


def sniff(head: bytes, _name: str) -> bool:
    """Whether a file that begins with ``head`` is one of FIDE's text lists."""
    return recognise(head) is not None


def parse(data: bytes) -> ParsedFile:
    """Read a list.

    Raises:
        UnknownLayoutError: the lines fit no layout.
        FormatError: most lines are damaged.
    """
    found = _recognised(data)
    layout = found.layout
    cut = cut_lines(_player_lines(data, found), layout)
    other = cut.other.filter(pl.col("text").str.strip_chars(BLANKS) != "")
    mended: dict[int, MendedLine] = {}
    refused: list[tuple[int, str, str]] = []
    for line_number, text in other.iter_rows():
        result: MendedLine | str = "too many damaged lines before this one"
        if len(mended) + len(refused) < MEND_AT_MOST:
            result = mend(text, layout, trimmed=cut.trimmed)
        if isinstance(result, MendedLine):
            mended[line_number] = result
        else:
            refused.append((line_number, result, text[:_SHOWN]))
    lines_read = cut.fitting.height + other.height
    if len(refused) > lines_read / 2:
        raise FormatError(
            f"{len(refused):,} of {lines_read:,} lines are damaged (line {refused[0][0]}: {refused[0][1]}); "
            "fetch the list again"
        )
    lines = cut.fitting
    if mended:
        rows = ({"line_number": number, **line.printed} for number, line in mended.items())
        lines = pl.concat([lines, type_printed(rows, layout)]).sort("line_number")
    entries, notes = entries_of(lines, layout, found.month, ascii_only=data.isascii())
    ids = dict(lines.filter(pl.col("line_number").is_in(list(mended))).select("line_number", "fide_id").iter_rows())
    repairs = [(line.code, number, ids[number], line.detail) for number, line in mended.items() if line.code]
    return ParsedFile(
        layout=layout.name,
        publisher="fide",
        collection="fide",
        entries=_with_damaged_ratings(entries, mended),
        lines_read=lines_read,
        rejects=pl.DataFrame(refused, schema=REJECT_SCHEMA, orient="row"),
        notes=pl.concat([pl.DataFrame(repairs, schema=NOTE_SCHEMA, orient="row"), notes]),
        stated_month=found.month,
    )


def parse_printed(data: bytes) -> tuple[pl.DataFrame, FideLayout]:
    """Cut a list into its printed texts, untyped and unmended; ``fixed_width.write_lines`` writes them back."""
    found = _recognised(data)
    return printed_fields(_player_lines(data, found), found.layout), found.layout


def _recognised(data: bytes) -> Recognised:
    found = recognise(data)
    if found is None:
        raise UnknownLayoutError("the lines fit none of FIDE's text layouts; fetch the list again")
    return found


def _player_lines(data: bytes, found: Recognised) -> pl.LazyFrame:
    return scan_lines(data).filter(pl.col("line_number") > found.header_line)


def _with_damaged_ratings(entries: pl.DataFrame, mended: dict[int, MendedLine]) -> pl.DataFrame:
    """Keep what a damaged rating column held; in a combined list it belongs to no entry."""
    damaged = {number: line.damaged_text for number, line in mended.items() if line.damaged == "rating"}
    if not damaged:
        return entries
    printed = pl.col("line_number").replace_strict(damaged, default=None, return_dtype=pl.String)
    return entries.with_columns(printed_rating=printed)
