"""FIDE's own download lists as text, January 2001 to today.

Belongs here: recognising which of the layouts of ``fide_layouts.py`` a file has, and the way from bytes to a
parsed file. The header names a layout and the month; sampled lines decide.
"""

import dataclasses
import io
import re
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from typing import BinaryIO, Final

import polars as pl

from pipeline.domain.entry import ENTRY_SCHEMA, LIST_KEY_SCHEMA, NOTE_SCHEMA, REJECT_SCHEMA, conform
from pipeline.formats.fide_entries import entries_of, entry_columns, list_notes, repeat_notes, with_men
from pipeline.formats.fide_layouts import LAYOUTS, FideLayout
from pipeline.formats.file_names import MONTHS
from pipeline.formats.line_cutting import cut_lines, printed_fields, read_blocks, split_lines, type_printed
from pipeline.formats.line_repair import BLANKS, MEND_AT_MOST, MendedLine, is_blank, mend
from pipeline.formats.parsed import FormatError, ParsedFile, UnknownLayoutError
from pipeline.formats.reader import HEAD_BYTES

_MONTH: Final = re.compile(rf"\b({'|'.join(MONTHS)})[a-z]?\.*([0-9]{{1,2}})\b", re.IGNORECASE)
_HEADER: Final = re.compile(r"\s*(ID.?NUMBER|CODE)\s+NAME\b.*", re.IGNORECASE)

_SAMPLE_LINES: Final = 60
#: Share of sampled lines that have to fit, with a header that names the layout and without.
_SHARE_WITH_HEADER: Final = 0.5
_SHARE_WITHOUT: Final = 0.8
_SHOWN: Final = 500
_BLOCKS_AT_ONCE: Final = 2
#: Columns of every block: completing them at the end would copy the whole list.
_ALL_COLUMNS: Final = {**ENTRY_SCHEMA, **LIST_KEY_SCHEMA}


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a file turned out to be.

    Attributes:
        layout: how its lines are to be cut.
        header: its header line, "" when it has none.
        header_line: line number of the header; 0 when it has none.
        trimmed: the trailing blanks of its lines were removed.
    """

    layout: FideLayout
    header: str
    header_line: int
    trimmed: bool

    @property
    def month(self) -> date | None:
        """First day of the month that the header names."""
        found = _MONTH.search(self.header)
        if not found:
            return None
        year = int(found[2])
        return date((1900 if year >= 70 else 2000) + year, MONTHS.index(found[1].lower()) + 1, 1)


def recognise(head: bytes) -> Recognised | None:
    """Find the layout of a list by its first lines, or None."""
    lines = re.split("\r\n|\n|\r", head[:HEAD_BYTES].removeprefix(b"\xef\xbb\xbf").decode("latin-1"))
    if len(head) >= HEAD_BYTES:
        lines.pop()
    numbered = [(number, line) for number, line in enumerate(lines, 1) if not is_blank(line)][: _SAMPLE_LINES + 1]
    header_line, header = numbered[0] if numbered and _HEADER.fullmatch(numbered[0][1]) else (0, "")
    players = [line for number, line in numbered if number != header_line]
    named = [layout for layout in LAYOUTS if layout.is_header(header)]
    if not players:
        return Recognised(named[0], header, header_line, False) if named else None
    shares = {layout.name: _share(players, layout) for layout in LAYOUTS}
    best = max(LAYOUTS, key=lambda layout: (shares[layout.name], layout in named))
    if shares[best.name] < (_SHARE_WITH_HEADER if best in named else _SHARE_WITHOUT):
        fitting = (layout for layout in named if _share_mended(players, layout) >= _SHARE_WITH_HEADER)
        if (mended := next(fitting, None)) is None:
            return None
        best = mended
    complete = sum(best.least_width <= len(line) for line in players)
    return Recognised(best, header, header_line, trimmed=complete < len(players) / 2)


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
    """Read a list; see ``parse_stream``."""
    return parse_stream(io.BytesIO(data))


def parse_stream(stream: BinaryIO) -> ParsedFile:
    """Read a list block by block, in memory bounded by the entries.

    Entries come block by block; lines that had to be mended come behind the others of their block.

    Raises:
        UnknownLayoutError: the lines fit no layout.
        FormatError: most lines are damaged.
    """
    reading: _Reading | None = None
    cutting: deque[Future[_CutBlock]] = deque()
    # Most work on a block is done by one core at a time, so that two blocks at once keep two cores busy.
    with ThreadPoolExecutor(_BLOCKS_AT_ONCE) as threads:
        for block in read_blocks(stream):
            reading = reading or _Reading(_recognised(block))
            cutting.append(threads.submit(_cut_block, block, reading.found, first=not reading.blocks))
            reading.blocks += 1
            if len(cutting) > _BLOCKS_AT_ONCE:
                reading.add(cutting.popleft().result())
        while cutting and reading:
            reading.add(cutting.popleft().result())
    return (reading or _Reading(_recognised(b""))).result()


@dataclass(frozen=True, slots=True)
class _CutBlock:
    """What a block gives by itself; line numbers count from its first line."""

    line_count: int
    fitting_count: int
    entries: pl.DataFrame
    notes: pl.DataFrame
    other: pl.DataFrame


def _cut_block(block: bytes, found: Recognised, *, first: bool) -> _CutBlock:
    lines = split_lines(block)
    if first:
        players = lines.table.filter(pl.col("line_number") > found.header_line)
        lines = dataclasses.replace(lines, table=players)
    fitting, other = cut_lines(lines, found.layout, entry_columns(found.layout, found.month))
    other = other.filter(pl.col("text").str.strip_chars(BLANKS) != "")
    entries, notes = entries_of(fitting, found.layout, found.month, ascii_only=block.isascii())
    return _CutBlock(lines.count, fitting.height, conform(entries, _ALL_COLUMNS), notes, other)


class _Reading:
    """The state of reading one list: what the blocks so far have given."""

    def __init__(self, found: Recognised) -> None:
        self.found = found
        self.blocks = 0
        self.lines_before = 0
        self.lines_read = 0
        self.entries: list[pl.DataFrame] = []
        self.notes: list[pl.DataFrame] = []
        self.refused: list[tuple[int, str, str]] = []
        self.mended = 0

    def add(self, block: _CutBlock) -> None:
        """Add the next block of the file."""
        in_file = pl.col("line_number") + self.lines_before
        self.lines_before += block.line_count
        self.lines_read += block.fitting_count + block.other.height
        self.entries.append(block.entries.with_columns(in_file))
        self.notes.append(block.notes.with_columns(in_file))
        if mended := self._mend(block.other.with_columns(in_file)):
            layout, month = self.found.layout, self.found.month
            lines = type_printed(({"line_number": n, **line.printed} for n, line in mended.items()), layout)
            entries, notes = entries_of(lines, layout, month, ascii_only=False)
            self.entries.append(conform(_with_damaged_ratings(entries, mended), _ALL_COLUMNS))
            self.notes += [notes, _repair_notes(lines, mended)]

    def _mend(self, other: pl.DataFrame) -> dict[int, MendedLine]:
        mended: dict[int, MendedLine] = {}
        for line_number, text in other.iter_rows():
            result: MendedLine | str = "too many damaged lines before this one"
            if self.mended + len(self.refused) < MEND_AT_MOST:
                result = mend(text, self.found.layout, trimmed=self.found.trimmed)
            if isinstance(result, MendedLine):
                self.mended += 1
                mended[line_number] = result
            else:
                self.refused.append((line_number, result, text[:_SHOWN]))
        return mended

    def result(self) -> ParsedFile:
        """Put the blocks together and look at the list as a whole."""
        if len(self.refused) > self.lines_read / 2:
            number, reason, _ = self.refused[0]
            raise FormatError(
                f"{len(self.refused):,} of {self.lines_read:,} lines are damaged (line {number}: {reason}); "
                "fetch the list again"
            )
        layout = self.found.layout
        entries = with_men(pl.concat([pl.DataFrame(schema=_ALL_COLUMNS), *self.entries]), layout)
        return ParsedFile(
            layout=layout.name,
            publisher="fide",
            collection="fide",
            entries=entries,
            lines_read=self.lines_read,
            rejects=pl.DataFrame(self.refused, schema=REJECT_SCHEMA, orient="row"),
            notes=pl.concat([*self.notes, repeat_notes(entries), list_notes(entries, layout)]),
            stated_month=self.found.month,
            stated_rating_type="standard" if self.found.layout.only_standard else None,
        )


def parse_printed(data: bytes) -> tuple[pl.DataFrame, FideLayout]:
    """Cut a list into its printed texts, untyped and unmended; ``fixed_width.write_lines`` writes them back."""
    found = _recognised(data)
    frames = []
    next_line = 1
    for block in read_blocks(io.BytesIO(data)):
        lines = split_lines(block, next_line)
        next_line += lines.count
        frames.append(printed_fields(lines.table.filter(pl.col("line_number") > found.header_line), found.layout))
    return pl.concat(frames), found.layout


def _recognised(head: bytes) -> Recognised:
    found = recognise(head)
    if found is None:
        raise UnknownLayoutError("the lines fit none of FIDE's text layouts; fetch the list again")
    return found


def _repair_notes(lines: pl.DataFrame, mended: dict[int, MendedLine]) -> pl.DataFrame:
    ids = dict(lines.filter(pl.col("line_number").is_in(list(mended))).select("line_number", "fide_id").iter_rows())
    rows = [(line.code, number, ids[number], line.detail) for number, line in mended.items() if line.code]
    return pl.DataFrame(rows, schema=NOTE_SCHEMA, orient="row")


def _with_damaged_ratings(entries: pl.DataFrame, mended: dict[int, MendedLine]) -> pl.DataFrame:
    """Keep what a damaged rating column held; in a combined list it belongs to no entry."""
    damaged = {number: line.damaged_text for number, line in mended.items() if line.damaged == "rating"}
    number = pl.col("line_number")
    printed = number.replace_strict(damaged, default=None, return_dtype=pl.String) if damaged else None
    return entries.with_columns(printed_rating=printed)
