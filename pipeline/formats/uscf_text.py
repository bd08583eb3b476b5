"""Text of US Chess files: which encoding, and delimited lines as cells. No meaning of columns here."""

import csv
from typing import Final

from pipeline.formats.parsed import FormatError

#: Longest line accepted; a member's line has about 100 characters.
MAX_LINE: Final = 10_000

#: Bytes that are letters in the DOS code pages 437/850 and signs or rare letters in Windows-1252.
_DOS_LETTERS: Final = frozenset(range(0x80, 0xA6)) - {0x8A, 0x9B, 0x9C, 0x9D, 0x9E, 0x9F}


def guess_code_page(high: bytes) -> str:
    """Windows-1252 or DOS 437 for text of which ``high`` are the bytes from 0x80 on.

    Accented letters lie at 0x80-0xA5 in DOS and at 0xC0-0xFF in Windows, where DOS has lines and Greek; the
    majority decides.
    """
    dos = sum(byte in _DOS_LETTERS for byte in high)
    windows = sum(byte >= 0xC0 for byte in high)
    return "cp437" if dos > windows else "cp1252"


def decode(data: bytes) -> tuple[str, str, bool]:
    """Decode a text file: (text, codec, whether the codec was guessed)."""
    try:
        return data.decode("utf-8-sig"), "utf-8", False
    except UnicodeDecodeError:
        code_page = guess_code_page(bytes(byte for byte in data if byte >= 0x80))
        return data.decode(code_page, "replace"), code_page, True


def first_line(head: bytes) -> str:
    """The first line of a file of unknown encoding, for looking at its header; "" for binary content."""
    line = head.removeprefix(b"\xef\xbb\xbf")[: MAX_LINE + 1].replace(b"\r", b"\n").split(b"\n", 1)[0]
    return "" if b"\0" in line or len(line) > MAX_LINE else line.decode("latin-1")


def split_lines(text: str) -> list[tuple[int, str]]:
    """(1-based line number, line) of the lines that are not blank.

    Raises:
        FormatError: a line is longer than ``MAX_LINE`` characters.
    """
    lines = []
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        if len(line) > MAX_LINE:
            raise FormatError(f"line {number}: {len(line)} characters, expected at most {MAX_LINE}; not a rating file")
        if line.strip(" \t\x1a\0"):
            lines.append((number, line))
    return lines


def delimiter_of(header: str) -> str | None:
    """Tab, comma, semicolon or bar, whichever splits the header most; None where none occurs."""
    counts = {mark: header.count(mark) for mark in "\t,;|"}
    best = max(counts, key=lambda mark: counts[mark])
    return best if counts[best] else None


def cells_of(line: str, delimiter: str) -> list[str]:
    """The cells of one line, parsed alone, so that an open quote spoils one line and not the file."""
    if delimiter == "\t":  # nicknames carry quotation marks: JOHN "JACK"
        cells = [cell.strip() for cell in line.split("\t")]
        return [cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell for cell in cells]
    return [cell.strip() for cell in next(csv.reader((line,), delimiter=delimiter))]
