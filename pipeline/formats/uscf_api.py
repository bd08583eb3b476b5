"""Answers of the US Chess ratings API (v1): members with their ratings, and the monthly supplements of a member.

Two shapes of file are read: the raw file that ``sources.uscf_api`` writes (JSON lines, one member or one member's
supplements a line), and single saved answers of ``/members/{id}`` and ``/members?...``. Absent fields mean "no
value": the API omits them. Asking the API does not belong here.
"""

import io
import json
from typing import Any, Final

import polars as pl

from pipeline.domain.entry import NOTE_SCHEMA, REJECT_SCHEMA, conform
from pipeline.formats.parsed import FormatError, ParsedFile, UnknownLayoutError
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

#: Rating codes, and the long names that the API sent in its first days (October 2025).
_SYSTEMS: Final = {
    "R": "regular",
    "Q": "quick",
    "B": "blitz",
    "OverTheBoardRegular": "regular",
    "OverTheBoardQuick": "quick",
    "OverTheBoardBlitz": "blitz",
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
    rated = _ratings(known, members)
    entries = rated.filter(pl.col("rating_type").is_not_null())
    parsed = ParsedFile(
        layout="uscf_api",
        publisher="uscf",
        collection="uscf_api",
        entries=entries,
        rejects=_rejects(unknown),
        notes=_notes(facts, rated),
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
    except ValueError:
        head, rest = None, b""
    if isinstance(head, dict) and ("member" in head or "supplements" in head):
        return text
    try:
        answers = [json.loads(text)] if head is None else [head, *map(json.loads, rest.splitlines())]
    except ValueError as error:
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
            pl.element().filter(_system(pl.element().struct.field("ratingSystem")) == name).struct.field("floor")
        )
        .list.first()
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


def _ratings(known: pl.DataFrame, members: pl.DataFrame) -> pl.DataFrame:
    """All ratings of persons, over the board or not; ``rating_type`` is null for systems that have no lists here."""
    history = known.filter(pl.col("supplements").list.len() > 0)
    with_history = history["uscf_id"].unique()
    rating = pl.col("ratings").struct.field
    own = (
        known.filter(pl.col("member").is_not_null() & ~pl.col("uscf_id").is_in(with_history.implode()))
        .select(
            "line_number",
            "uscf_id",
            _month(pl.col("retrieved")).alias("list_date"),
            pl.col("member").struct.field("ratings"),
        )
        .explode("ratings")
        .with_columns(
            rating("ratingSystem").alias("system"),
            rating("rating"),
            pl.when(rating("isProvisional")).then(rating("gamesPlayed")).alias("provisional_games"),
            rating("isProvisional").fill_null(False).alias("is_provisional"),
        )
        .drop("ratings")
    )
    published = (
        history.select("line_number", "uscf_id", "supplements")
        .explode("supplements")
        .unnest("supplements")
        .explode("ratings")
        .select(
            "line_number",
            "uscf_id",
            _month(pl.col("ratingSupplementDate")).alias("list_date"),
            rating("source").alias("system"),
            rating("rating"),
            pl.when(rating("provisionalGameCount") > 0).then(rating("provisionalGameCount")).alias("provisional_games"),
            pl.lit(False).alias("is_provisional"),
        )
    )
    person = members.select("uscf_id", "name", "fide_id", "sex", "federation", "is_person")
    return (
        pl.concat([own, published], how="diagonal")
        .filter(pl.col("system").is_not_null())
        .join(person, on="uscf_id", how="left", maintain_order="left")
        .filter(pl.col("is_person").fill_null(True))
        .with_columns(
            _system(pl.col("system")).alias("rating_type"),
            pl.when(pl.col("rating") > 0).then(pl.col("rating")).alias("rating"),
            # today's federation says nothing about the months of the supplements
            pl.when(~pl.col("line_number").is_in(history["line_number"].implode())).then("federation"),
        )
    )


def _month(printed: pl.Expr) -> pl.Expr:
    return printed.str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False).dt.month_start()


def _system(printed: pl.Expr) -> pl.Expr:
    return printed.replace_strict(_SYSTEMS, default=None, return_dtype=pl.String)


def _rejects(unknown: pl.DataFrame) -> pl.DataFrame:
    rejects = unknown.select(
        "line_number",
        pl.format("member id: expected 1 to 8 digits, found '{}'", pl.col("printed_id").fill_null("")).alias("reason"),
        pl.col("printed_id").fill_null("").alias("line_text"),
    )
    return conform(rejects, REJECT_SCHEMA)


def _notes(facts: pl.DataFrame, rated: pl.DataFrame) -> pl.DataFrame:
    others = rated.filter(pl.col("rating_type").is_null() & pl.col("rating").is_not_null())["system"].unique().sort()
    uncounted = rated.filter(
        pl.col("is_provisional") & pl.col("provisional_games").is_null() & pl.col("rating").is_not_null()
    )
    parts = [
        facts.filter(pl.col("uscf_id").is_first_distinct().not_()).select(
            pl.lit("repeated_member_id").alias("code"),
            "line_number",
            pl.format("member id {} is repeated", "uscf_id").alias("detail"),
        ),
        facts.filter(~pl.col("is_person")).select(
            pl.lit("duplicate_member_id").alias("code"),
            "line_number",
            pl.format("member id {} is not a person: {}", "uscf_id", "status").alias("detail"),
        ),
        uncounted.select(
            pl.lit("provisional_without_games").alias("code"),
            "line_number",
            pl.format("member id {}, {}: provisional, number of games not stated", "uscf_id", "system").alias("detail"),
        ),
        pl.DataFrame(
            {"code": ["rating_system_not_used"] * bool(len(others)), "detail": [", ".join(others)] * bool(len(others))},
            schema={"code": pl.String, "detail": pl.String},
        ).with_columns(pl.lit(None, pl.Int32).alias("line_number")),
    ]
    return conform(pl.concat(parts, how="diagonal"), NOTE_SCHEMA)
