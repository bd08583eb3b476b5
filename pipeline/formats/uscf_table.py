"""A table of US Chess members as texts -> entries of each rating type, member facts, rejects and notes.

The cells come from ``uscf_members`` under the role names of ``uscf_columns``; no file format is known here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from pipeline.domain.entry import NOTE_SCHEMA, REJECT_SCHEMA, USCF_RATING_TYPES, conform
from pipeline.formats.parsed import Coverage, ParsedFile
from pipeline.formats.uscf_membership import (
    MEMBER_SCHEMA,
    RETIRED_NAME,
    RETIRED_STATUS,
    expiry_expr,
    is_life_expr,
    is_person_expr,
    status_expr,
)
from pipeline.formats.uscf_rating_text import (
    has_marker_expr,
    printed_rating_expr,
    provisional_games_expr,
    rating_expr,
    unreadable_expr,
)

#: (line number, reason, text of the line)
Reject = tuple[int, str, str]

_FLOORS: Final = ("regular_floor", "quick_floor", "blitz_floor")


@dataclass(frozen=True, slots=True)
class MemberTable:
    """A member file as texts.

    Attributes:
        layout: name of the layout.
        cells: ``line_number`` and String columns named by role; blanks are null.
        rejects: lines that could not be cut into cells.
        notes: what is already known to be odd.
        coverage: how much of a list such a file holds.
    """

    layout: str
    cells: pl.DataFrame
    rejects: list[Reject]
    notes: list[dict[str, object]]
    coverage: Coverage


def note(code: str, detail: str, line_number: int | None = None) -> dict[str, object]:
    """A row of NOTE_SCHEMA."""
    return {"code": code, "line_number": line_number, "fide_id": None, "detail": detail}


def table_to_entries(table: MemberTable) -> tuple[ParsedFile, pl.DataFrame]:
    """Entries of each rating column (an unrated member's rating is null) and one member row per member id.

    Every line of a repeated member id has its entries, and a note: which line stands is decided for all
    publishers alike where editions are made. Of the member's facts the last line's stand. A retired id has a
    member row but no entry.
    """
    types = [name for name in USCF_RATING_TYPES if name in table.cells.columns]
    read = _typed(table.cells)
    bad_id = read.filter(pl.col("uscf_id").is_null())
    known = read.filter(pl.col("uscf_id").is_not_null()).with_columns(_line_text(table.cells).alias("line_text"))
    first = pl.col("line_number").first().over("uscf_id")
    repeats = known.with_columns(
        first.alias("first_line"), pl.col("line_text").first().over("uscf_id").alias("first_text")
    ).filter(pl.col("line_number") != pl.col("first_line"))
    rejects = pl.concat(
        [
            pl.DataFrame(table.rejects, schema=REJECT_SCHEMA, orient="row"),
            bad_id.select(
                "line_number",
                pl.format("member id: expected 1 to 8 digits, found '{}'", pl.col("printed_id").fill_null("")).alias(
                    "reason"
                ),
                _line_text(table.cells).alias("line_text"),
            ),
        ]
    ).with_columns(pl.col("line_text").str.slice(0, 500))

    persons = known.filter(pl.col("is_person"))
    entries = pl.concat([_entries_of(persons, rating_type) for rating_type in types]).sort(
        "line_number", maintain_order=True
    )
    parsed = ParsedFile(
        layout=table.layout,
        publisher="uscf",
        collection="uscf_td",
        entries=entries,
        rejects=rejects.sort("line_number", maintain_order=True),
        notes=pl.concat([pl.DataFrame(table.notes, schema=NOTE_SCHEMA), _notes(known, repeats, types)]),
        lines_read=table.cells.height + len(table.rejects),
        lines_without_entry=known.height - persons.height,
        coverage=table.coverage,
    )
    return parsed, conform(known.unique("uscf_id", keep="last", maintain_order=True), MEMBER_SCHEMA)


def _typed(cells: pl.DataFrame) -> pl.DataFrame:
    for role in ("expires", "status", "sex", "birth_year", "fide_id", "federation", *_FLOORS):
        if role not in cells.columns:
            cells = cells.with_columns(pl.lit(None, pl.String).alias(role))
    if "name" not in cells.columns:
        cells = cells.with_columns(
            pl.concat_str("last_name", "first_name", separator=", ", ignore_nulls=True).replace("", None).alias("name")
        )
    year = pl.col("birth_year").str.extract(r"((?:19|20)\d\d)", 1)
    retired = (pl.col("name").str.to_uppercase().str.strip_chars() == RETIRED_NAME).fill_null(False)
    return cells.with_columns(
        pl.col("uscf_id").alias("printed_id"),
        pl.col("uscf_id").str.extract(r"^\s*(\d{1,8})\s*$", 1).cast(pl.Int32, strict=False).replace(0, None),
        pl.col("fide_id").str.extract(r"^\s*(\d{1,9})\s*$", 1).cast(pl.Int32, strict=False).replace(0, None),
        pl.when(~retired).then(pl.col("name")).alias("name"),
        pl.col("sex").str.to_uppercase().str.extract(r"^([MF])", 1),
        year.cast(pl.Int16, strict=False).alias("birth_year"),
        pl.col("federation").str.to_uppercase(),
        pl.when(retired).then(pl.lit(RETIRED_STATUS)).otherwise(status_expr(pl.col("status"))).alias("status"),
        pl.col("expires").alias("printed_expiry"),
        expiry_expr(pl.col("expires")).alias("expires"),
        is_life_expr(pl.col("expires")).alias("is_life"),
        *(pl.col(floor).cast(pl.Int16, strict=False).replace(0, None) for floor in _FLOORS),
    ).with_columns(is_person_expr(pl.col("status")).alias("is_person"))


def _entries_of(persons: pl.DataFrame, rating_type: str) -> pl.DataFrame:
    printed = pl.col(rating_type)
    return persons.select(
        "line_number",
        "uscf_id",
        "fide_id",
        "name",
        "federation",
        "sex",
        "birth_year",
        rating_expr(printed).alias("rating"),
        provisional_games_expr(printed).alias("provisional_games"),
        printed_rating_expr(printed).alias("printed_rating"),
        pl.lit(rating_type).alias("rating_type"),
    )


def _line_text(cells: pl.DataFrame) -> pl.Expr:
    columns = [
        "printed_id" if name == "uscf_id" else "printed_expiry" if name == "expires" else name
        for name in cells.columns
        if name != "line_number"
    ]
    return pl.concat_str([pl.col(name).cast(pl.String).fill_null("") for name in columns], separator=" | ")


def _repeat_detail() -> pl.Expr:
    same = pl.col("line_text") == pl.col("first_text")
    verdict = pl.when(same).then(pl.lit("is the same")).otherwise(pl.lit("differs"))
    return pl.format("member id {} is repeated; line {} {}", "uscf_id", "first_line", verdict)


def _notes(known: pl.DataFrame, repeats: pl.DataFrame, types: Sequence[str]) -> pl.DataFrame:
    persons = known.filter(pl.col("is_person"))
    not_persons = known.filter(~pl.col("is_person"))
    parts = [
        repeats.select(pl.lit("repeated_member_id").alias("code"), "line_number", _repeat_detail().alias("detail")),
        not_persons.select(
            pl.when(pl.col("status") == RETIRED_STATUS)
            .then(pl.lit("retired_member_id"))
            .otherwise(pl.lit("duplicate_member_id"))
            .alias("code"),
            "line_number",
            pl.format("member id {} is not a person: {}", "uscf_id", "status").alias("detail"),
        ),
        known.filter(pl.col("printed_expiry").is_not_null() & pl.col("expires").is_null() & ~pl.col("is_life")).select(
            pl.lit("expiry_unreadable").alias("code"),
            "line_number",
            pl.format("member id {}: expiry '{}' is no date", "uscf_id", "printed_expiry").alias("detail"),
        ),
    ]
    for rating_type in types:
        printed = pl.col(rating_type)
        for code, found, text in (
            (
                "rating_marker_unknown",
                has_marker_expr(printed),
                "rating '{}' carries a marker of unknown meaning",
            ),
            ("rating_unreadable", unreadable_expr(printed), "'{}' is no rating; taken as not known"),
        ):
            parts.append(
                persons.filter(found).select(
                    pl.lit(code).alias("code"),
                    "line_number",
                    pl.format(f"member id {{}}, {rating_type}: {text}", "uscf_id", printed).alias("detail"),
                )
            )
    return conform(pl.concat(parts), NOTE_SCHEMA).sort("line_number", "code", maintain_order=True)
