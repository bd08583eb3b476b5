"""Adding one file: it is read before it counts, so that nothing wrong is ever stored."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Final

from pipeline.formats import pairs
from pipeline.formats.file_names import list_of_file_name
from pipeline.formats.parsed import FormatError, ParsedFile
from pipeline.formats.reader import HEAD_BYTES
from pipeline.lists.editions import PAIRS_COLLECTION, forget, normalise
from pipeline.lists.lake import Lake, SourceSummary
from pipeline.lists.raw_store import RawStore, SourceFile
from pipeline.lists.reading import read_blocks

#: How long before its first day a list may come out.
AHEAD: Final = timedelta(days=62)


def add_file(
    path: Path,
    store: RawStore,
    lake: Lake,
    *,
    retrieved_at: datetime,
    list_date: date | None = None,
    rating_type: str | None = None,
    collection: str | None = None,
    mapping: str | None = None,
    origin: str | None = None,
) -> str:
    """Store a file and read it into the lake; returns what was found, one line.

    Args:
        path: the file.
        retrieved_at: when it was obtained.
        list_date, rating_type: the list it is of, where its name does not say so.
        collection: where it comes from, where its layout does not tell.
        mapping: text of a column mapping for tables of no known layout.
        origin: where it was obtained; the path's name where not told.

    Raises:
        FormatError: it cannot be accepted; nothing is stored.
        RawStoreError: it is held already as the file of another list.
    """
    content = path.read_bytes()
    file_name = _printable(path.name)
    named_date, named_type = list_of_file_name(file_name)
    blocks: Iterator[ParsedFile] | None = None
    if mapping is None and pairs.sniff(content[:HEAD_BYTES], file_name):
        found = PAIRS_COLLECTION
    else:
        blocks = read_blocks(content, file_name, mapping)
        first = next(blocks)  # a file that cannot be read is refused here, before it is stored
        blocks, found = chain([first], blocks), first.collection
    source, is_new = store.add(
        content,
        file_name,
        collection=collection or found,
        origin=origin or file_name,
        retrieved_at=retrieved_at,
        list_date=list_date or named_date,
        rating_type=rating_type or named_type,
        mapping=mapping,
    )
    try:
        summary = normalise(source, store, lake, blocks)
        _require_published(source, summary)
    except FormatError:
        if is_new:
            forget(source, lake)
            store.remove(source)
        raise
    return _said(source, summary, is_new)


def _printable(file_name: str) -> str:
    """The name as it can be shown and stored: line ends in it, or bytes that are no text, become "?"."""
    return "".join(letter if letter.isprintable() else "?" for letter in file_name)


def _require_published(source: SourceFile, summary: SourceSummary) -> None:
    """A list comes out shortly before it is valid: one of a later month is a slip of the pen or a two-digit year."""
    latest = max(source.retrieved_at, datetime.now(UTC)).date() + AHEAD
    for edition in summary.editions:
        if edition.key.list_date > latest:
            raise FormatError(
                f"{source.file_name}: {edition.key} is not published yet; if it is another month's list, "
                "add it again with --list-date YYYY-MM"
            )


def _said(source: SourceFile, summary: SourceSummary, is_new: bool) -> str:
    already = "" if is_new else " (held already)"
    if not summary.editions:
        return (
            f"{source.file_name}: pairs of FIDE and US ratings: {summary.lines_read:,} lines read, "
            f"{summary.pairs:,} pairs, {summary.rejects:,} rejected{already}"
        )
    kept = sum(edition.rows for edition in summary.editions)
    first, last = summary.editions[0], summary.editions[-1]
    lists = (
        str(first.key) if len(summary.editions) == 1 else f"{len(summary.editions)} lists, {first.key} to {last.key}"
    )
    coverage = ", ".join(sorted(Counter(edition.coverage for edition in summary.editions)))
    odd = f", {summary.notes} remark(s)" if summary.notes else ""
    return (
        f"{source.file_name}: {lists}, {coverage}, {summary.layout}: {summary.lines_read:,} lines read, "
        f"{kept:,} entries, {summary.rejects:,} rejected{odd}{already}"
    )
