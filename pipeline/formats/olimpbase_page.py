"""OlimpBase's list pages: one list as text with links inside ``<pre>``.

Belongs here: the page's lines. Not here: the bulk file (olimpbase) and the addresses (sources).

No page was at hand. Programs that read them document: the heading ``FIDE Rating List :: April 1968``; the header
line ``pos Player_ID Name Title Fed Rtng +/- gms Birthday Sex Flag`` with early fields blank; names as links, in
square brackets on the earliest lists; ``5=`` for a shared place; a line ``Inactive players`` before an unranked
block; birth dates ``YYYY.MM.DD``. Since nothing says that values stand exactly under their words, a line is read
by what its values look like, and only change and games, both small numbers, are told apart by position.
"""

import html
import re
from datetime import date, datetime
from typing import Final

import polars as pl

from pipeline.domain.entry import REJECT_SCHEMA
from pipeline.domain.titles import title_expr
from pipeline.formats.olimpbase import FIRST_LIST_WITH_PRESENT_IDS
from pipeline.formats.parsed import FormatError, ParsedFile, UnknownLayoutError

_PRE: Final = re.compile(r"<pre\b[^>]*>(.*?)</pre>", re.IGNORECASE | re.DOTALL)
_HEADING: Final = re.compile(r"FIDE Rating List\s*(?:::)?\s*([A-Z][a-z]+ \d{4})")
_TAG: Final = re.compile(r"<[^>]{0,500}>")
_HEADER: Final = re.compile(r"^\s*pos\b.*\bName\b.*\bRtng\b")
_INACTIVE: Final = re.compile(r"^\W*inactive players\W*$", re.IGNORECASE)
#: A name is a link or stands in square brackets; \x02 and \x03 mark its ends once tags are gone.
_LINK: Final = re.compile(r"<a\b[^>]{0,500}>(.*?)</a>", re.IGNORECASE | re.DOTALL)
_LINE: Final = re.compile(
    r"^\s*(?P<numbers>(?:\d{1,9}[=.]*\s+){0,2})"
    r"[\x02\[](?P<name>[^\x02\x03\[\]]*)[\x03\]]\s*"
    r"(?:(?P<title>[a-z]{1,3})\b)?\s*(?P<federation>[A-Z]{3})\s+(?P<rating>\d{4})\b(?P<rest>.*)$"
)
_REST: Final = re.compile(r"\S+")
_SHAPES: Final = {
    "birth": re.compile(r"^\d{4}\.(?:\d\d|\?\?|xx)\.(?:\d\d|\?\?|xx)$"),
    "change": re.compile(r"^[+-]\d{1,4}$"),
    "number": re.compile(r"^\d{1,4}$"),
    "sex": re.compile(r"^[MFmfw]$"),
    "flag": re.compile(r"^[A-Za-z]{1,3}$"),
}


def sniff(head: bytes, file_name: str) -> bool:
    """Whether a page with OlimpBase's heading and fixed text begins."""
    text = head.decode("latin-1")
    return "FIDE Rating List" in text and re.search(r"<pre\b", text, re.IGNORECASE) is not None


def parse(data: bytes) -> ParsedFile:
    """Read one page. Players after the line ``Inactive players`` have ``active`` false, those before true;
    without such a line nothing is known.

    Raises:
        UnknownLayoutError: there is no fixed text with a header line.
        FormatError: no line under the header is a player.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    heading = _HEADING.search(html.unescape(_TAG.sub(" ", text[:20_000])))
    month = _month(heading[1]) if heading else None
    first_line, fixed = _fixed_text(text)
    rows, refused = _read_lines(fixed, first_line)
    if not rows:
        raise FormatError(f"OlimpBase page: none of {len(refused)} lines under the header is a player")
    entries = pl.DataFrame(
        rows,
        schema={
            "line_number": pl.Int32, "fide_id": pl.Int32, "name": pl.String, "printed_title": pl.String,
            "federation": pl.String, "rating": pl.Int16, "rating_change": pl.Int16, "games": pl.Int16,
            "birth_year": pl.Int16, "sex": pl.String, "printed_flag": pl.String, "active": pl.Boolean,
            "unread": pl.String,
        },
    )  # fmt: skip
    if entries["active"].all():
        entries = entries.with_columns(active=pl.lit(None, pl.Boolean))
    if month is None or month < FIRST_LIST_WITH_PRESENT_IDS:
        entries = entries.with_columns(fide_id=pl.lit(None, pl.Int32))
    return ParsedFile(
        layout="olimpbase_page",
        publisher="fide",
        collection="olimpbase",
        entries=entries.with_columns(title=title_expr(pl.col("printed_title"))),
        rejects=pl.DataFrame(refused, schema=REJECT_SCHEMA, orient="row"),
        notes=entries.filter(pl.col("unread").is_not_null()).select(
            pl.lit("text_not_understood").alias("code"), "line_number", pl.col("unread").alias("detail")
        ),
        lines_read=len(rows) + len(refused),
        stated_month=month,
        stated_rating_type="standard",
    )


def _month(text: str) -> date | None:
    try:
        return datetime.strptime(text, "%B %Y").date()
    except ValueError:
        return None


def _fixed_text(text: str) -> tuple[int, str]:
    """The fixed text that has a header line, and the number of its first line in the file."""
    for block in _PRE.finditer(text):
        if any(_HEADER.match(_plain(line)) for line in block[1].split("\n")):
            return 1 + text.count("\n", 0, block.start(1)), block[1]
    raise UnknownLayoutError(
        f"OlimpBase page: expected <pre> text with a line 'pos ... Name ... Rtng', found {text[:100]!r}"
    )


def _plain(line: str) -> str:
    marked = _LINK.sub("\x02\\1\x03", line)
    return html.unescape(_TAG.sub("", marked)).replace("\xa0", " ").rstrip()


def _read_lines(fixed: str, first_line: int) -> tuple[list[dict[str, object]], list[tuple[int, str, str]]]:
    rows: list[dict[str, object]] = []
    refused: list[tuple[int, str, str]] = []
    header, active = "", True
    for number, line in enumerate(fixed.split("\n"), start=first_line):
        plain = _plain(line)
        unmarked = plain.replace("\x02", "").replace("\x03", "")
        if not unmarked.strip():
            continue
        if _HEADER.match(unmarked):
            header = unmarked
        elif _INACTIVE.match(unmarked):
            active = False
        elif (found := _LINE.match(plain)) and found["name"].strip():
            # Inactive players have no place, players of the first decades no number.
            numbers = found["numbers"].split()
            player_id = numbers[-1] if len(numbers) == 2 or (numbers and not active) else None
            row: dict[str, object] = {
                "line_number": number,
                "fide_id": int(player_id) if player_id and player_id.isdigit() else None,
                "name": found["name"].strip(),
                "printed_title": found["title"],
                "federation": found["federation"],
                "rating": int(found["rating"]),
                "active": active,
            }
            # Marks stand in front of the rest: without them it lies further left.
            rest_start = found.start("rest") - plain[: found.start("rest")].count("\x02")
            rest_start -= plain[: found.start("rest")].count("\x03")
            rows.append(row | _rest(found["rest"], rest_start, header))
        else:
            refused.append((number, "expected a place, a name, a federation and a rating", unmarked[:500]))
    return rows, refused


def _rest(text: str, start: int, header: str) -> dict[str, object]:
    """Change, games, birth year, sex and flag, each by what it looks like."""
    values: dict[str, object] = {}
    numbers: list[tuple[int, int]] = []
    for token in _REST.finditer(text):
        word, end = token[0], start + token.end()
        if _SHAPES["birth"].match(word):
            values["birth_year"] = int(word[:4])
        elif _SHAPES["change"].match(word):
            values["rating_change"] = int(word)
        elif _SHAPES["number"].match(word):
            numbers.append((end, int(word)))
        elif _SHAPES["sex"].match(word) and "sex" not in values:
            values["sex"] = "M" if word in "Mm" else "F"
        elif _SHAPES["flag"].match(word):
            values["printed_flag"] = word
        else:
            values["unread"] = f"{values.get('unread', '')} {word}".strip()
    if len(numbers) == 2 and "rating_change" not in values:
        values["rating_change"], values["games"] = numbers[0][1], numbers[1][1]
    else:
        values.update((_nearest(end, header), number) for end, number in numbers)
    return values


def _nearest(end: int, header: str) -> str:
    """Whether a number that ends at ``end`` stands under ``+/-`` or under ``gms``."""
    ends = {"rating_change": header.find("+/-") + 3, "games": header.find("gms") + 3}
    return min(ends, key=lambda name: abs(ends[name] - end))
