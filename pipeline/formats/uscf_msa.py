"""Saved member pages of the old US Chess site (``MbrDtlMain.php``): one member, three published ratings.

The site was frozen in October 2025; saved pages remain a source of older ratings. Scripts in a page are
skipped, nothing is fetched. Crosstables of the same site are in ``uscf_crosstable``.
"""

import re
from typing import Final

import polars as pl
from lxml import html

from pipeline.domain.entry import NOTE_SCHEMA
from pipeline.formats.html_page import read_page
from pipeline.formats.parsed import FormatError, ParsedFile
from pipeline.formats.uscf_membership import MEMBER_SCHEMA, expiry_expr, is_life_expr
from pipeline.formats.uscf_rating_text import (
    printed_rating_expr,
    provisional_games_expr,
    rating_expr,
    unreadable_expr,
)
from pipeline.formats.uscf_table import note
from pipeline.formats.uscf_text import decode

#: Label of the row -> rating type of the entry. Online and correspondence ratings are not over the board.
_RATING_ROWS: Final = {"Regular Rating": "regular", "Quick Rating": "quick", "Blitz Rating": "blitz"}
_OTHER_RATING_ROWS: Final = (
    "Online-Regular Rating",
    "Online-Quick Rating",
    "Online-Blitz Rating",
    "Correspondence Rating",
)
_HEADING: Final = re.compile(r"^\s*(\d{8}): +(\S.*?)\s*$")
_MONTH: Final = re.compile(r"\b(\d{4})-(\d{2})\b")
_FLOOR: Final = re.compile(r"\(Current floor is (\d{3,4})\)")
_FIDE_LINK: Final = re.compile(r"(?:event|idcode|profile)[=/](\d{4,9})\b")


def sniff(head: bytes, file_name: str) -> bool:
    """True for a saved page of the Member Services Area that has a member's details."""
    return b"MSA - Member Details" in head or (b"MbrDtlMain.php" in head and b"Member Services Area" in head)


def parse_member_page(data: bytes) -> ParsedFile:
    """Entries of a saved member page, see ``read_member_page``."""
    return read_member_page(data)[0]


def read_member_page(data: bytes) -> tuple[ParsedFile, pl.DataFrame]:
    """Read a saved member page: one entry per published rating, dated by its supplement, and member facts.

    Raises:
        FormatError: no ``ID: NAME`` heading, or no rating rows; the site's error pages look like that.
    """
    page = read_page(decode(data)[0])
    uscf_id, name = _heading(page)
    rows = _rows(page)
    if not any(label in rows for label in _RATING_ROWS):
        raise FormatError(
            f"member page of {uscf_id}: expected rows such as 'Regular Rating', "
            f"found {', '.join(rows) or 'no rows'}; "
            "save the page with the tab General"
        )
    fide_id = _fide_id(page, rows)
    ratings = pl.DataFrame(
        [
            {
                "rating_type": rating_type,
                "printed": _MONTH.sub("", _FLOOR.sub("", rows[label])).strip(),
                "month": f"{month[1]}-{month[2]}-01" if (month := _MONTH.search(rows[label])) else None,
            }
            for label, rating_type in _RATING_ROWS.items()
            if label in rows
        ],
        schema={"rating_type": pl.String, "printed": pl.String, "month": pl.String},
    )
    printed = pl.col("printed")
    entries = ratings.filter(rating_expr(printed).is_not_null()).select(
        pl.lit(1, pl.Int32).alias("line_number"),
        pl.lit(uscf_id).alias("uscf_id"),
        pl.lit(fide_id, pl.Int32).alias("fide_id"),
        pl.lit(name).alias("name"),
        pl.lit(_code(rows.get("FIDE Country")), pl.String).alias("federation"),
        pl.lit(_sex(rows.get("Gender")), pl.String).alias("sex"),
        rating_expr(printed).alias("rating"),
        provisional_games_expr(printed).alias("provisional_games"),
        printed_rating_expr(printed).alias("printed_rating"),
        pl.col("month").str.to_date("%Y-%m-%d", strict=False).alias("list_date"),
        "rating_type",
    )
    notes = [
        note(
            "rating_unreadable",
            f"member id {uscf_id}, {row['rating_type']}: '{row['printed']}' is no rating",
            1,
        )
        for row in ratings.filter(unreadable_expr(printed)).iter_rows(named=True)
    ]
    others = [label for label in _OTHER_RATING_ROWS if re.match(r"\d", rows.get(label, ""))]
    if others:
        notes.append(note("rating_system_not_used", f"member id {uscf_id}: {', '.join(others)}", 1))
    parsed = ParsedFile(
        layout="uscf_member_page",
        publisher="uscf",
        collection="uscf_page",
        entries=entries,
        notes=pl.DataFrame(notes, schema=NOTE_SCHEMA),
        lines_read=1,
        lines_without_entry=0 if entries.height else 1,
        coverage="extract",
    )
    return parsed, _member(uscf_id, fide_id, name, rows)


def _heading(page: html.HtmlElement) -> tuple[int, str]:
    for bold in page.iter("b"):
        if match := _HEADING.match(_text(bold)):
            return int(match[1]), match[2]
    raise FormatError(
        "member page: expected a heading '12345678: NAME', found none; the site answered with an error page, "
        "save the page again"
    )


def _rows(page: html.HtmlElement) -> dict[str, str]:
    """Label -> text of the second cell, for the innermost rows with two cells or more."""
    rows: dict[str, str] = {}
    for row in page.iter("tr"):
        cells = [cell for cell in row if cell.tag == "td"]
        if len(cells) >= 2 and row.find(".//table") is None and (label := _text(cells[0])):
            rows.setdefault(label.rstrip(":"), _text(cells[1]))
    return rows


def _text(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def _fide_id(page: html.HtmlElement, rows: dict[str, str]) -> int | None:
    if match := re.match(r"\d{4,9}\b", rows.get("FIDE ID", "")):
        return int(match[0])
    for link in page.iter("a"):
        target = link.get("href") or ""
        if "ratings.fide.com" in target and (match := _FIDE_LINK.search(target)):
            return int(match[1])
    return None


def _code(text: str | None) -> str | None:
    match = re.search(r"\b[A-Z]{3}\b", text or "")
    return match[0] if match else None


def _sex(text: str | None) -> str | None:
    return text[0] if text and text[0] in "MF" else None


def _member(uscf_id: int, fide_id: int | None, name: str, rows: dict[str, str]) -> pl.DataFrame:
    floors = {
        f"{rating_type}_floor": int(match[1])
        for label, rating_type in _RATING_ROWS.items()
        if (match := _FLOOR.search(rows.get(label, "")))
    }
    expiry = (rows.get("Expiration Dt.") or "").split(" ")[0] or None
    facts: dict[str, object] = {
        "line_number": 1,
        "uscf_id": uscf_id,
        "fide_id": fide_id,
        "name": name,
        "sex": _sex(rows.get("Gender")),
        "state": rows.get("State") or None,
        "federation": _code(rows.get("FIDE Country")),
        "fide_title": rows.get("FIDE Title(s)") or rows.get("FIDE Title") or None,
        "is_person": True,
        **floors,
    }
    blank: dict[str, object] = dict.fromkeys(MEMBER_SCHEMA)
    return pl.DataFrame([blank | facts], schema=MEMBER_SCHEMA).with_columns(
        expiry_expr(pl.lit(expiry, pl.String)).alias("expires"),
        is_life_expr(pl.lit(expiry, pl.String)).alias("is_life"),
    )
