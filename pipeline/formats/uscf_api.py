"""Answers of the US Chess ratings API (v1): members with their ratings, and the monthly supplements of a member.

Two shapes of file are read: the raw file that ``sources.uscf_api`` writes (JSON lines, one member or one member's
supplements a line), and single saved answers of ``/members/{id}`` and ``/members?...``. Absent fields mean "no
value": the API omits them. Asking the API does not belong here.
"""

import io
import json
from typing import Any, Final

import polars as pl

from pipeline.domain.entry import REJECT_SCHEMA, conform
from pipeline.formats.parsed import FormatError, ParsedFile, UnknownLayoutError
from pipeline.formats.uscf_api_ratings import notes_of, ratings_of, system_expr
from pipeline.formats.uscf_membership import (
    MEMBER_SCHEMA,
    expiry_expr,
    is_life_expr,
    is_person_expr,
    status_expr,
)

_RATING: Final = pl.Struct(
    {
        "rating": pl.Int32,
        "ratingSystem": pl.String,
        "gamesPlayed": pl.Int32,
        "isProvisional": pl.Boolean,
        "floor": pl.Int32,
    }
)
_MEMBER: Final = pl.Struct(
    {
        "id": pl.String,
        "firstName": pl.String,
        "lastName": pl.String,
        "stateRep": pl.String,
        "expirationDate": pl.String,
        "fideId": pl.String,
        "fideCountry": pl.String,
        "fideTitle": pl.String,
        "gender": pl.String,
        "status": pl.String,
        "ratings": pl.List(_RATING),
    }
)
_SUPPLEMENT: Final = pl.Struct(
    {
        "ratingSupplementDate": pl.String,
        "ratings": pl.List(pl.Struct({"source": pl.String, "rating": pl.Int32, "provisionalGameCount": pl.Int32})),
    }
)
#: A line of the raw file. Fields that are not named here are not read.
_LINE: Final[dict[str, Any]] = {
    "member": _MEMBER,
    "member_id": pl.String,
    "supplements": pl.List(_SUPPLEMENT),
    "retrieved": pl.String,
}


def sniff(head: bytes, file_name: str) -> bool:
    """True for the raw file of the fetcher and for saved answers about members."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:4096]
    if not start.startswith(b"{"):
        return False
    lines = b'"member"' in start or (b'"member_id"' in start and b'"supplements"' in start)
    answer = b'"ratingSystem"' in head and b'"firstName"' in head and b'"openapi"' not in start
    return lines or answer


def parse_api(data: bytes) -> ParsedFile:
    """Entries of API answers, see ``read_api``."""
    return read_api(data)[0]


def read_api(data: bytes) -> tuple[ParsedFile, pl.DataFrame]:
    """Read API answers: entries, and member facts (MEMBER_SCHEMA).

    A supplement is a list of its month. A member's own ratings are of the month of retrieval where the file states
    it; where the file has the member's supplements too, these are the ratings and the member line states facts
    only. Entries of a supplement carry name and FIDE id of the member line of the same file. Records with status
    ``DuplicateId`` have facts but no entries.

    Raises:
        FormatError: not JSON, cut off, or a value of an unexpected type.
        UnknownLayoutError: JSON, but not about members; the message names the fields found.
    """
    lines = _lines(data)
    try:
        frame = pl.read_ndjson(io.BytesIO(lines), schema=_LINE)
    except (pl.exceptions.ComputeError, pl.exceptions.SchemaError) as error:
        reason = str(error).splitlines()[0]
        raise FormatError(f"API answers: a value of an unexpected type ({reason}); fetch them again") from error
    frame = frame.with_row_index("line_number", offset=1).with_columns(pl.col("line_number").cast(pl.Int32))
    frame = frame.with_columns(
        pl.coalesce(pl.col("member").struct.field("id"), "member_id").alias("printed_id")
    ).with_columns(pl.col("printed_id").str.extract(r"^(\d{1,8})$", 1).cast(pl.Int32, strict=False).alias("uscf_id"))
    unknown = frame.filter(pl.col("uscf_id").is_null())
    known = frame.filter(pl.col("uscf_id").is_not_null())
    facts = _facts(known.filter(pl.col("member").is_not_null()))
    members = facts.unique("uscf_id", keep="last", maintain_order=True)
    rated = ratings_of(known, members)
    entries = rated.filter(pl.col("rating_type").is_not_null() & ~pl.col("has_no_month"))
    parsed = ParsedFile(
        layout="uscf_api",
        publisher="uscf",
        collection="uscf_api",
        entries=entries,
        rejects=_rejects(unknown),
        notes=notes_of(facts, rated),
        lines_read=frame.height,
        lines_without_entry=known.height - entries["line_number"].n_unique(),
        coverage="extract",
    )
    return parsed, conform(members, MEMBER_SCHEMA)


def _lines(data: bytes) -> bytes:
    """The raw file's lines as they are; saved answers brought into that shape."""
    text = data.removeprefix(b"\xef\xbb\xbf").strip()
    if not text:
        raise FormatError("API answers: an empty file; fetch them again")
    first, _, rest = text.partition(b"\n")
    try:
        head = json.loads(first)
    except (ValueError, RecursionError):
        head, rest = None, b""
    if isinstance(head, dict) and ("member" in head or "supplements" in head):
        return text
    try:
        answers = [json.loads(text)] if head is None else [head, *map(json.loads, rest.splitlines())]
    except (ValueError, RecursionError) as error:
        raise FormatError(f"API answers: not JSON ({error}); the file was cut, fetch it again") from error
    records = [record for answer in answers for record in _records(answer)]
    if not records:
        raise FormatError("API answers: a page without members; ask for an earlier Offset")
    return "\n".join(json.dumps({"member": record}) for record in records).encode()


def _records(answer: object) -> list[dict[str, Any]]:
    items = answer.get("items") if isinstance(answer, dict) and "items" in answer else [answer]
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise UnknownLayoutError("API answers: expected a member or a page of members, found another kind of JSON")
    for item in items:
        if "ratingSupplementDate" in item:
            raise UnknownLayoutError(
                "API answers: a page of supplements does not say whose they are; "
                'wrap it as {"member_id": "12345678", "supplements": [items]}'
            )
        if "id" not in item or not ("lastName" in item or "firstName" in item):
            raise UnknownLayoutError(
                f"API answers: expected a member with id, firstName, lastName; found the fields "
                f"{', '.join(sorted(item)) or '(none)'}"
            )
    return items


def _facts(lines: pl.DataFrame) -> pl.DataFrame:
    field = pl.col("member").struct.field
    names = [pl.when(field(part) != "").then(field(part)) for part in ("lastName", "firstName")]
    status = status_expr(field("status"))
    floors = [
        field("ratings")
        .list.eval(
            pl.element().filter(system_expr(pl.element().struct.field("ratingSystem")) == name).struct.field("floor")
        )
        .list.first()
        .cast(pl.Int16, strict=False)
        .alias(f"{name}_floor")
        for name in ("regular", "quick", "blitz")
    ]
    return lines.select(
        "line_number",
        "uscf_id",
        field("fideId").str.extract(r"^0*([1-9]\d{0,8})$", 1).cast(pl.Int32, strict=False).alias("fide_id"),
        pl.concat_str(names, separator=", ", ignore_nulls=True).replace("", None).alias("name"),
        field("gender").str.extract(r"^(M|F)", 1).alias("sex"),
        field("stateRep").alias("state"),
        field("fideCountry").str.to_uppercase().alias("federation"),
        field("fideTitle").alias("fide_title"),
        status.alias("status"),
        is_person_expr(status).alias("is_person"),
        expiry_expr(field("expirationDate")).alias("expires"),
        is_life_expr(field("expirationDate")).alias("is_life"),
        *floors,
    )


def _rejects(unknown: pl.DataFrame) -> pl.DataFrame:
    rejects = unknown.select(
        "line_number",
        pl.format("member id: expected 1 to 8 digits, found '{}'", pl.col("printed_id").fill_null("")).alias("reason"),
        pl.col("printed_id").fill_null("").alias("line_text"),
    )
    return conform(rejects, REJECT_SCHEMA)
