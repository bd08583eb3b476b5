"""Crosstables of US Chess (``XtblMain.php``): ratings before and after an event, as text or as a saved page.

An event's ratings are not a published list. ``read_results`` gives them as what they are;
``parse_crosstable`` offers the ratings after the event as entries without a list date, so that nobody takes them
for a supplement unawares.
"""

import re
from typing import Final

import polars as pl

from pipeline.domain.entry import NOTE_SCHEMA, REJECT_SCHEMA
from pipeline.formats.html_page import read_page
from pipeline.formats.parsed import FormatError, ParsedFile
from pipeline.formats.uscf_table import note
from pipeline.formats.uscf_text import decode, split_lines

#: One row per player and rating system of an event.
RESULT_SCHEMA: Final[dict[str, pl.DataType]] = {
    "line_number": pl.Int32(),  # line with pair number and name; in a saved page, of its <pre> text
    "pair_number": pl.Int32(),
    "name": pl.String(),
    "state": pl.String(),
    "uscf_id": pl.Int32(),  # null where the page lacks it
    "points": pl.Float64(),
    "rating_type": pl.String(),  # regular, quick, blitz, online_regular, online_quick, online_blitz
    "pre_rating": pl.Int16(),  # null = unrated before the event
    "pre_provisional_games": pl.Int16(),
    "post_rating": pl.Int16(),
    "post_provisional_games": pl.Int16(),
}

_SYSTEMS: Final = {
    "R": "regular",
    "Q": "quick",
    "B": "blitz",
    "OR": "online_regular",
    "OQ": "online_quick",
    "OB": "online_blitz",
}
_OVER_THE_BOARD: Final = ("regular", "quick", "blitz")
_RATING: Final = r"(\d{1,4})\s*(?:P\s*(\d{1,3}))?"
_CHANGE: Final = re.compile(rf"\b(O?[RQB]):\s*(?:{_RATING}|Unrated)?\s*->\s*{_RATING}")
_MEMBER: Final = re.compile(r"^\s*(\d{8})?\s*(?:/|$)")
_RULE: Final = re.compile(r"^\s*-{20,}\s*$")

Row = dict[str, object]


def sniff(head: bytes, file_name: str) -> bool:
    """True for a crosstable, as text or inside a saved page."""
    text = head.decode("latin-1")
    return "USCF ID / Rtg (Pre-" in text or bool(
        "Pair | Player Name" in text and re.search(r"\bO?[RQB]:\s*\w* *-(?:>|&gt;)", text)
    )


def parse_crosstable(data: bytes) -> ParsedFile:
    """Ratings after the event as entries: ``rating_change`` is after minus before, ``list_date`` is null.

    Players without a member id have no entry and are counted so. Online ratings are left to ``read_results``.
    """
    results, rejects, players = _read(data)
    kept = results.filter(pl.col("uscf_id").is_not_null() & pl.col("rating_type").is_in(_OVER_THE_BOARD))
    entries = kept.select(
        "line_number",
        "uscf_id",
        "name",
        pl.col("post_rating").alias("rating"),
        (pl.col("post_rating") - pl.col("pre_rating")).alias("rating_change"),
        pl.col("post_provisional_games").alias("provisional_games"),
        "rating_type",
    )
    return ParsedFile(
        layout="uscf_crosstable",
        publisher="uscf",
        collection="uscf_crosstable",
        entries=entries,
        rejects=rejects,
        notes=pl.DataFrame(
            [note("event_ratings_not_a_list", "ratings after an event; no supplement states them like that")],
            schema=NOTE_SCHEMA,
        ),
        lines_read=players,
        lines_without_entry=players - rejects.height - entries["line_number"].n_unique(),
        coverage="extract",
    )


def read_results(data: bytes) -> pl.DataFrame:
    """Ratings before and after the event, one row per player and rating system (RESULT_SCHEMA).

    Raises:
        FormatError: no player could be found.
    """
    return _read(data)[0]


def _read(data: bytes) -> tuple[pl.DataFrame, pl.DataFrame, int]:
    text = decode(data)[0]
    if re.search(r"(?i)<pre\b", text):
        page = read_page(text)
        text = "\n".join(block.text_content() for block in page.iter("pre"))
    players = _players(text)
    if not players:
        raise FormatError(
            "crosstable: expected players such as '1 | NAME | 6.0 |W  39|' above "
            "'MI | 12345678 / R: 1500 ->1510', found none; save the page of all sections"
        )
    rows: list[Row] = []
    rejects: list[tuple[int, str, str]] = []
    for number, lines in players:
        found = _player(number, lines)
        if isinstance(found, str):
            rejects.append((number, found, " / ".join(lines)[:500]))
        rows.extend(found if not isinstance(found, str) else [])
    return (
        pl.DataFrame(rows, schema=RESULT_SCHEMA),
        pl.DataFrame(rejects, schema=REJECT_SCHEMA, orient="row"),
        len(players),
    )


def _players(text: str) -> list[tuple[int, list[str]]]:
    """Blocks of lines that begin with a pair number, each with the number of its first line."""
    blocks: list[tuple[int, list[str]]] = []
    open_block = False
    for number, line in split_lines(text):
        if re.match(r"^\s*\d+\s*\|[^|]*[A-Za-z]", line):
            blocks.append((number, [line]))
            open_block = True
        elif _RULE.match(line):
            open_block = False
        elif open_block and "|" in line:
            blocks[-1][1].append(line)
    return blocks


def _player(number: int, lines: list[str]) -> list[Row] | str:
    first = [cell.strip() for cell in lines[0].split("|")]
    second = [cell.strip() for cell in lines[1].split("|")] if len(lines) > 1 else []
    if len(first) < 3 or len(second) < 2:
        return "expected a line with name and score above a line with member id and ratings"
    member = _MEMBER.match(second[1])
    changes = [change for line in lines[1:] for change in _CHANGE.findall(line)]
    if not changes:
        return f"expected a rating before and after such as 'R: 1500 ->1510', found '{second[1]}'"
    common: Row = {
        "line_number": number,
        "pair_number": int(first[0]),
        "name": first[1] or None,
        "state": second[0] or None,
        "uscf_id": int(member[1]) if member and member[1] else None,
        "points": float(first[2]) if re.fullmatch(r"\d+(?:\.\d)?", first[2]) else None,
    }
    return [
        common
        | {
            "rating_type": _SYSTEMS[system],
            "pre_rating": _number(before),
            "pre_provisional_games": _number(games_before),
            "post_rating": _number(after),
            "post_provisional_games": _number(games_after),
        }
        for system, before, games_before, after, games_after in changes
    ]


def _number(text: str) -> int | None:
    return int(text) or None if text else None
