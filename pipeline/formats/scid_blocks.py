"""Scid's ratings file, cut into blocks of whole players, and the grammar of a player's first line.

Belongs here: what ``scid`` (ratings by list) and ``scid_people`` (persons and spellings) both need. Not here:
what a rating or a spelling means.

Grammar, from the comments of the file itself (Debian's scid-rating-data 202104-1, ratings0421.ssp): a player's
first line is not indented, ``Name #titles federation/federation [highest] born--died flags``; the indented lines
after it are ``= other spelling``, ``%Bio ...`` and ``%Elo year:value,value ...``. ``@SITE`` ends the players.
"""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import polars as pl

from pipeline.formats.csv_text import as_csv_text
from pipeline.formats.parsed import FormatError

#: Text of one block; with it the whole file is read in 0.6 GB.
BLOCK_BYTES: Final = 8 * 1024**2
#: Longest stretch without the beginning of a player; the longest real player has under 10 kB.
_MAX_PLAYER_BYTES: Final = 1024**2

_PLAYER_START: Final = re.compile(rb"^[^\s#]", re.MULTILINE)
_OTHER_SECTION: Final = re.compile(rb"^@(?!PLAYER)[A-Z]+\s", re.MULTILINE)

Source = bytes | Path | BinaryIO

#: Placeholder number that six different people carry.
_NOBODY: Final = "9999999"
_HEAD: Final = (
    r"^(?P<name>.*?)\s*#(?P<titles>\S+)\s+(?P<federations>[A-Za-z]{3}(?:/[A-Za-z]{3})*)?\s*"
    r"\[(?P<highest>[^\]]*)\]\s*(?P<born>[\d?.]*?)(?:--(?P<died>[\d?.]*))?(?:\s+(?P<flags>\S.*?))?\s*$"
)


def player_blocks(source: Source, block_bytes: int = BLOCK_BYTES) -> Iterator[tuple[int, bytes]]:
    """Yield (number of the first line, text) of blocks that hold whole players only.

    Memory is bounded by ``block_bytes`` whatever the size of the file.

    Raises:
        FormatError: a stretch of a megabyte in which no player begins.
    """
    if isinstance(source, Path):
        with source.open("rb") as file:
            yield from player_blocks(file, block_bytes)
        return
    stream: BinaryIO = io.BytesIO(source) if isinstance(source, bytes) else source
    line_number = 1
    rest = b""
    while chunk := stream.read(block_bytes):
        text = rest + chunk
        if end := _OTHER_SECTION.search(text):
            if end.start():
                yield line_number, text[: end.start()]
            return
        cut = _last_player_start(text)
        if cut == 0 and len(text) > block_bytes + _MAX_PLAYER_BYTES:
            raise FormatError(f"Scid ratings file: no player begins within {len(text):,} bytes at line {line_number}")
        block, rest = text[:cut], text[cut:]
        if block:
            yield line_number, block
            line_number += block.count(b"\n")
    if rest:
        yield line_number, rest


def _last_player_start(text: bytes) -> int:
    """Offset of the last line that begins a player; 0 when none does after the first byte."""
    window = 4096
    while True:
        begin = max(0, len(text) - window)
        starts = [match.start() for match in _PLAYER_START.finditer(text, begin)]
        if starts or begin == 0:
            return starts[-1] if starts else 0
        window *= 8


def lines_of(first_line: int, block: bytes) -> pl.DataFrame:
    """Lines of a block: ``line_number``, ``line``, ``person`` (line number of the player's first line)."""
    if not block.isascii():
        try:
            block.decode("utf-8")
        except UnicodeDecodeError:
            block = block.decode("latin-1").encode("utf-8")
    lines = pl.read_csv(
        as_csv_text(block.replace(b"\x01", b" ")),  # the separator must be a byte that no line holds
        has_header=False,
        separator="\x01",
        quote_char=None,
        schema={"line": pl.String()},
        truncate_ragged_lines=True,
    )
    head = ~pl.col("line").str.contains(r"^[\s#@]")
    return lines.with_row_index("line_number", offset=first_line).select(
        pl.col("line_number").cast(pl.Int32),
        "line",
        pl.when(head).then("line_number").forward_fill().cast(pl.Int32).alias("person"),
    )


def persons_of(lines: pl.DataFrame) -> pl.DataFrame:
    """One row per player of ``lines_of``.

    Columns: person, name, fide_id, fide_id_deprecated (marked so: player dead, number dropped or merged), titles
    (as printed), federations (list, earliest first), sex ("F" or null), birth_year, death_year, flags.
    """
    ids = (
        lines.filter(pl.col("line").str.contains("%Bio FIDEID", literal=True))
        .select("person", stated=pl.col("line").str.extract(r"%Bio FIDEID\s+(\d{1,9}(?:deprecated)?)\s*$"))
        .unique("person", keep="last", maintain_order=True)
        .select(
            "person",
            fide_id=pl.col("stated").str.extract(r"^(\d+)").replace(_NOBODY, None).cast(pl.Int32),
            fide_id_deprecated=pl.col("stated").str.ends_with("deprecated"),
        )
    )
    fact = pl.col("head").struct.field
    return (
        lines.filter(pl.col("person") == pl.col("line_number"))
        .select("person", "line", head=pl.col("line").str.extract_groups(_HEAD))
        .join(ids, on="person", how="left", maintain_order="left")
        .select(
            "person",
            # A line outside the grammar still names somebody: everything before "#".
            pl.coalesce(fact("name"), pl.col("line").str.extract(r"^([^#]*)").str.strip_chars()).alias("name"),
            "fide_id",
            pl.col("fide_id_deprecated").fill_null(False),
            fact("titles").replace("-", None).alias("titles"),
            fact("federations").str.to_uppercase().str.split("/").alias("federations"),
            pl.when(
                fact("flags").str.contains("w").fill_null(False)
                | fact("titles").str.contains(r"(?i)(^|\+)(w([gifc]m)?|cl[gm])($|\+)").fill_null(False)
            )
            .then(pl.lit("F"))
            .alias("sex"),
            _year(fact("born")).alias("birth_year"),
            _year(fact("died")).alias("death_year"),
            fact("flags").alias("flags"),
        )
    )


def _year(date_text: pl.Expr) -> pl.Expr:
    """Year of ``1943``, ``1943.05.23`` or ``1943.??.??``; null for ``????``, ``0000`` and anything else."""
    return date_text.str.extract(r"^(1\d{3}|20\d{2})").cast(pl.Int16)
