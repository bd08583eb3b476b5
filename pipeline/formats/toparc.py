"""FIDE's top-100 pages ("toparc"), saved as tab-separated text.

Belongs here: the pages' table. Not here: which list a page is of: it does not say, so the file name or the
caller does (pages of the archive carry day 27, which means nothing).

Evidence: 41 pages from July 2000 to December 2012, 100 to 105 rows (all players tied at the end are shown), each
cell with a leading blank. The pages show players whom FIDE counts as active.
"""

from typing import Final

import polars as pl

from pipeline.domain.titles import WOMEN_TITLES, title_expr, unknown_title_expr
from pipeline.formats.parsed import ParsedFile, UnknownLayoutError

HEADER: Final = "Rank\tName\tTitle\tCountry\tRating\tGames\tB-Year"
_COLUMNS: Final = ("rank", "name", "title", "federation", "rating", "games", "birth_year")
_EXPECTED: Final = {
    "rank": r"^\d{1,3}$",
    "name": r"\S",
    "federation": r"^[A-Za-z]{3}$",
    "rating": r"^\d{4}$",
    "games": r"^\d{0,3}$",
    "birth_year": r"^(\d{4})?$",
}


def sniff(head: bytes, file_name: str) -> bool:
    """Whether the first line that is not blank is the header of these pages."""
    return head.lstrip().split(b"\n", 1)[0].rstrip().decode("latin-1") == HEADER


def parse(data: bytes) -> ParsedFile:
    """Read one page; ``rank`` is checked, not kept, since ranks are computed from ratings.

    Raises:
        UnknownLayoutError: the header is another one.
    """
    if not sniff(data, ""):
        raise UnknownLayoutError(f"expected the header {HEADER!r}, found {data[:80]!r}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    rows = (
        pl.DataFrame({"line": text.rstrip("\x1a\r\n ").split("\n")}, schema={"line": pl.String})
        .with_row_index("line_number", offset=1)
        .with_columns(pl.col("line").str.strip_chars("\r\n"))
        .filter(~pl.col("line").str.strip_chars().is_in(["", HEADER]))
        .with_columns(pl.col("line").str.split("\t").alias("cells"))
        .with_columns(
            pl.col("cells").list.get(index, null_on_oob=True).str.strip_chars().fill_null("").alias(name)
            for index, name in enumerate(_COLUMNS)
        )
        .with_columns(_problem().alias("reason"))
    )
    kept = rows.filter(pl.col("reason").is_null()).with_columns(pl.col("rating").cast(pl.Int16))
    code = pl.col("title").replace("", None)
    notes = [
        kept.filter(unknown_title_expr(code)).select(
            pl.lit("unknown_title_code").alias("code"), "line_number", pl.col("title").alias("detail")
        ),
        # One real page, July 2001, has a 2702 below a 2699.
        kept.filter((pl.col("rating").diff() > 0).fill_null(False)).select(
            pl.lit("rating_above_the_one_before").alias("code"),
            "line_number",
            pl.col("rating").cast(pl.String).alias("detail"),
        ),
    ]
    return ParsedFile(
        layout="toparc",
        publisher="fide",
        collection="fide_top100",
        entries=kept.select(
            "line_number",
            "name",
            "rating",
            pl.col("federation").str.to_uppercase(),
            pl.when(title_expr(code).is_in(WOMEN_TITLES)).then(pl.lit("F")).alias("sex"),
            pl.col("birth_year").replace(["", "0000"], None).cast(pl.Int16),
            title_expr(code).alias("title"),
            pl.col("games").replace("", None).cast(pl.Int16),
            pl.lit(True).alias("active"),
            code.alias("printed_title"),
        ),
        rejects=rows.filter(pl.col("reason").is_not_null()).select(
            "line_number", "reason", line_text=pl.col("line").str.slice(0, 500)
        ),
        notes=pl.concat(notes),
        lines_read=rows.height,
        stated_rating_type="standard",
        coverage="top",
    )


def _problem() -> pl.Expr:
    """What is wrong with a row, one sentence; null where nothing is."""
    return pl.coalesce(
        pl.when(pl.col("cells").list.len() != len(_COLUMNS)).then(
            pl.concat_str(pl.lit(f"expected {len(_COLUMNS)} cells, found "), pl.col("cells").list.len().cast(pl.String))
        ),
        *(
            pl.when(~pl.col(name).str.contains(pattern)).then(
                pl.concat_str(pl.lit(f"expected {name} like {pattern}, found '"), name, pl.lit("'"))
            )
            for name, pattern in _EXPECTED.items()
        ),
    )
