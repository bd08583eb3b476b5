"""The bundled history: the top of every official standard list since July 1971 in one reviewed CSV file.

Belongs here: reading that table into entries. Not here: where the file lies (catalogue) and which edition of
a list is current (lists).

The table is what the publisher's top lists show as active, with ties at rank 100 kept; ``rank`` is not read,
since ranks are computed from ratings. ``sources`` is ``n:collections``: those that carry the rating.
"""

from typing import Final

import polars as pl

from pipeline.formats.csv_text import as_csv_text
from pipeline.formats.parsed import FormatError, ParsedFile, UnknownLayoutError

COLUMNS: Final = (
    "list_date",
    "rank",
    "name",
    "fide_id",
    "federation",
    "sex",
    "birth_year",
    "rating",
    "sources",
    "conflict",
)
HEADER: Final = ",".join(COLUMNS)


def sniff(head: bytes, file_name: str) -> bool:
    """Whether ``head`` begins with the header of the bundled history."""
    return head.splitlines()[:1] == [HEADER.encode()]


def parse(data: bytes) -> ParsedFile:
    """Read the bundled history.

    Rows without a list date, a name or a rating are rejected. A row that no collection carries gets the note
    ``no_collection_carries_value``, one on which collections differ gets ``conflicting_sources``.

    Raises:
        UnknownLayoutError: the header is not the expected one.
        FormatError: the file is not UTF-8 or a row has too many fields.
    """
    if not sniff(data[: len(HEADER) + 2], ""):
        raise UnknownLayoutError(f"expected the header {HEADER!r}, found {data[:120]!r}")
    try:
        table = pl.read_csv(as_csv_text(data), schema=dict.fromkeys(COLUMNS, pl.String()))
    except pl.exceptions.PolarsError as error:
        raise FormatError(f"bundled history: not a table of {len(COLUMNS)} columns: {error}") from error
    rows = table.with_row_index("line_number", offset=2).with_columns(
        pl.col("line_number").cast(pl.Int32),
        pl.col("list_date").str.to_date("%Y-%m-%d", strict=False),
        pl.col("fide_id").cast(pl.Int32, strict=False),
        pl.col("federation").str.to_uppercase(),
        pl.col("birth_year").cast(pl.Int16, strict=False),
        pl.col("rating").cast(pl.Int16, strict=False).alias("rating_number"),
    )
    readable = pl.all_horizontal(pl.col("list_date", "name", "rating_number").is_not_null())
    kept = rows.filter(readable)
    return ParsedFile(
        layout="bundled_history",
        publisher="fide",
        collection="bundled",
        entries=kept.drop("rating")
        .rename({"rating_number": "rating"})
        .with_columns(rating_type=pl.lit("standard"), active=pl.lit(True)),
        rejects=_rejects(rows.filter(~readable)),
        notes=_notes(kept),
        lines_read=rows.height,
        stated_rating_type="standard",
        coverage="top",
    )


def _rejects(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.select(
        "line_number",
        reason=pl.lit("expected a list date YYYY-MM-DD, a name and a rating, all readable"),
        line_text=pl.concat_str(["list_date", "name", "rating"], separator=",", ignore_nulls=True),
    )


def _notes(rows: pl.DataFrame) -> pl.DataFrame:
    """One note per row that stands on no collection, and per row on which collections differ."""
    stated = pl.concat_str("name", pl.lit(" on "), "list_date", pl.lit(": "), "rating")
    unsupported = rows.filter(pl.col("sources").str.starts_with("0:")).select(
        pl.lit("no_collection_carries_value").alias("code"),
        "line_number",
        "fide_id",
        pl.concat_str(stated, pl.lit(" stands on "), "sources").alias("detail"),
    )
    conflicting = rows.filter(pl.col("conflict").is_not_null()).select(
        pl.lit("conflicting_sources").alias("code"),
        "line_number",
        "fide_id",
        pl.concat_str(stated, pl.lit(" here, "), "conflict").alias("detail"),
    )
    return pl.concat([unsupported, conflicting]).sort("line_number")
