"""From the bytes of a file to its content: open the archive, find the reader whose layout it is, read.

Belongs here: the ordered list of readers and what is said when none of them fits. No layout is known here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pipeline.formats import fide_text, fide_xml, history, olimpbase, olimpbase_page, scid, toparc, uscf, weeks
from pipeline.formats.archive import DEFAULT_LIMITS, Limits, Member, open_list
from pipeline.formats.parsed import FormatError, ParsedFile, UnknownLayoutError
from pipeline.formats.reader import HEAD_BYTES, Reader

#: Readers in the order in which they are asked; the first whose ``sniff`` says yes reads the file.
READERS: Final[tuple[Reader, ...]] = (
    Reader("fide_text", fide_text.sniff, fide_text.parse, fide_text.parse_stream),
    Reader("fide_xml", fide_xml.sniff, fide_xml.parse, fide_xml.parse_stream, fide_xml.parse_blocks),
    Reader("bundled_history", history.sniff, history.parse),
    Reader("weeks", weeks.sniff, weeks.parse),
    Reader("scid", scid.sniff, scid.parse, parse_blocks=scid.parse_blocks),
    Reader("toparc", toparc.sniff, toparc.parse),
    Reader("olimpbase", olimpbase.sniff, olimpbase.parse),
    Reader("olimpbase_page", olimpbase_page.sniff, olimpbase_page.parse),
    *uscf.READERS,
)

#: Inflated size from which a list is read in blocks.
LARGE_BYTES: Final = 64 << 20

_SHOWN_LINES: Final = 5
_SHOWN_CHARACTERS: Final = 120


def read_list(
    data: bytes, file_name: str, *, readers: tuple[Reader, ...] = READERS, limits: Limits = DEFAULT_LIMITS
) -> ParsedFile:
    """Read the rating list in ``data``, a plain file or a zip archive.

    Of an archive with several members the one that is a list is read, whatever the members are called.

    Raises:
        ArchiveError: see ``archive.open_list``.
        UnknownLayoutError: no reader knows the layout.
        FormatError: several members are lists; the list has no players; or what the reader raises.
    """
    member, reader = _found(data, file_name, readers, limits)
    with _named(file_name):
        parsed = _parse(member, reader)
    if parsed.lines_read == 0:
        raise _without_players(file_name, parsed.layout)
    if parsed.entries.height == 0:
        first = parsed.rejects["reason"][0] if parsed.rejects.height else "no line states a rating"
        raise FormatError(
            f"{file_name}: none of its {parsed.lines_read:,} lines could be read as {parsed.layout} ({first})"
        )
    return parsed


def read_list_blocks(
    data: bytes,
    file_name: str,
    *,
    readers: tuple[Reader, ...] = READERS,
    limits: Limits = DEFAULT_LIMITS,
    large: int = LARGE_BYTES,
) -> Iterator[ParsedFile]:
    """Read as ``read_list`` does; a list of ``large`` bytes or more comes in blocks where its reader can do so.

    Raises:
        FormatError: as ``read_list``; blocks that came before must be thrown away.
    """
    member, reader = _found(data, file_name, readers, limits)
    if reader.parse_blocks is None or member.size < large:
        yield read_list(data, file_name, readers=readers, limits=limits)
        return
    lines = 0
    with _named(file_name), member.open() as stream:
        for block in reader.parse_blocks(stream):
            lines += block.lines_read
            yield block
    if lines == 0:
        raise _without_players(file_name, reader.name)


def _found(data: bytes, file_name: str, readers: tuple[Reader, ...], limits: Limits) -> tuple[Member, Reader]:
    members = open_list(data, file_name, limits)
    found = [(member, reader) for member in members if (reader := _reader_of(member, readers))]
    if not found:
        raise UnknownLayoutError(_unknown(file_name, members, readers))
    if len(found) > 1:
        names = ", ".join(repr(member.name) for member, _ in found)
        raise FormatError(f"{file_name}: {len(found)} members are lists ({names}); add them one by one")
    return found[0]


@contextmanager
def _named(file_name: str) -> Iterator[None]:
    """Let every error begin with the name of the file."""
    try:
        yield
    except FormatError as error:
        if str(error).startswith(file_name):
            raise
        raise type(error)(f"{file_name}: {error}") from error


def _without_players(file_name: str, layout: str) -> FormatError:
    return FormatError(f"{file_name}: a list without players (layout {layout}); fetch it again later")


def _reader_of(member: Member, readers: tuple[Reader, ...]) -> Reader | None:
    head = member.head(HEAD_BYTES)
    return next((reader for reader in readers if reader.sniff(head, member.name)), None)


def _parse(member: Member, reader: Reader) -> ParsedFile:
    if reader.parse_stream is not None:
        with member.open() as stream:
            return reader.parse_stream(stream)
    return reader.parse(member.read())


def _unknown(file_name: str, members: tuple[Member, ...], readers: tuple[Reader, ...]) -> str:
    """Say what was found, printable and short, and what would have been understood."""
    shown = []
    for member in members[:_SHOWN_LINES]:
        lines = member.head(HEAD_BYTES).decode("latin-1").splitlines()[:_SHOWN_LINES]
        shown.append(f"{member.name} starts with:")
        shown.extend(f"  | {_printable(line)}" for line in lines)
    known = ", ".join(reader.name for reader in readers)
    return "\n".join(
        [
            f"{file_name}: no known layout fits. Known: {known}.",
            *shown,
            "If it is a table of your own, describe its columns in a mapping file (ratings add --mapping).",
        ]
    )


def _printable(line: str) -> str:
    cut = line[:_SHOWN_CHARACTERS] + ("..." if len(line) > _SHOWN_CHARACTERS else "")
    return "".join(letter if letter.isprintable() else "?" for letter in cut)
