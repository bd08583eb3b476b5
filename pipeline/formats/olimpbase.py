"""OlimpBase's bulk file: every list of 1967 to 2001 in one file of semicolons.

Belongs here: the file's 15 fields. Not here: the list pages (olimpbase_page).

No copy of the file was at hand. The fields are those that programs reading it document: blank; name; name again;
YYYYMM; FIDE id; birth date YYYY.MM.DD; title; federation; rating; change; games; flag; note; federation again;
blank. Anything else is rejected line by line, so a different file shows itself.

OlimpBase keeps one modern spelling per person for all years. Lists before July 1971 are unofficial (the
catalogue's calendar says so); two of them have no month (``00``).
"""

from datetime import date
from typing import Final

import polars as pl

from pipeline.domain.titles import title_expr, unknown_title_expr
from pipeline.formats.parsed import FormatError, ParsedFile, UnknownLayoutError

_FIELDS: Final = (
    "blank", "name", "name_again", "month", "fide_id", "birth_date", "title", "federation", "rating", "change",
    "games", "flag", "note", "federation_again", "blank_again",
)  # fmt: skip

#: Ids of 1990 used another numbering (58971 for 4100018): linking by them would join strangers. From this list
#: on they are known to be the present ones.
FIRST_LIST_WITH_PRESENT_IDS: Final = date(1999, 1, 1)

_EXPECTED: Final = {
    "name": r"\S",
    "month": r"^(19|20)\d{2}(0\d|1[0-2])$",
    "fide_id": r"^\d{0,9}$",
    "rating": r"^(\d{4})?$",
    "change": r"^([+-]?\d{1,4})?$",
    "games": r"^\d{0,3}$",
}


def sniff(head: bytes, file_name: str) -> bool:
    """Whether one of the first three lines has the 15 fields with a month in the fourth."""
    for line in head.split(b"\n", 3)[:3]:
        cells = line.rstrip(b"\r").split(b";")
        if len(cells) == len(_FIELDS) and len(cells[3]) == 6 and cells[3].isdigit():
            return True
    return False


def parse(data: bytes) -> ParsedFile:
    """Read the bulk file; ``list_date`` is the first of the month, January where the month is ``00`` (noted).

    A first line without any digit is a header. A line without a rating (a player struck off a list) states
    nothing and is counted in ``lines_without_entry``. ``active`` is null on lists without any flag ``i``.

    Raises:
        UnknownLayoutError: the first lines do not have the fields.
        FormatError: fewer than half of the lines do.
    """
    if not sniff(data[:4096], ""):
        raise UnknownLayoutError(
            f"OlimpBase file: expected {len(_FIELDS)} fields a line with YYYYMM in the fourth, found {data[:100]!r}"
        )
    rows = _rows(data)
    readable = rows.filter(pl.col("reason").is_null())
    if readable.height * 2 < rows.height:
        raise FormatError(
            f"OlimpBase file: {rows.height - readable.height:,} of {rows.height:,} lines do not have the fields, "
            f"the first: {rows.filter(pl.col('reason').is_not_null())['reason'][0]}"
        )
    kept = _typed(readable.filter(pl.col("rating") != ""))
    return ParsedFile(
        layout="olimpbase_bulk",
        publisher="fide",
        collection="olimpbase",
        entries=kept,
        rejects=rows.filter(pl.col("reason").is_not_null()).select(
            "line_number", "reason", line_text=pl.col("line").str.slice(0, 500)
        ),
        notes=_notes(kept),
        lines_read=rows.height,
        lines_without_entry=readable.height - kept.height,
        stated_rating_type="standard",
    )


def _rows(data: bytes) -> pl.DataFrame:
    """Lines cut into fields, with what is wrong with them."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    lines = text.rstrip("\x1a\r\n \0").split("\n")
    has_header = not any(letter.isdigit() for letter in lines[0])
    return (
        pl.DataFrame({"line": lines}, schema={"line": pl.String})
        .with_row_index("line_number", offset=1)
        .slice(int(has_header))
        .with_columns(pl.col("line_number").cast(pl.Int32), pl.col("line").str.strip_chars_end("\r"))
        .filter(pl.col("line").str.strip_chars() != "")
        .with_columns(pl.col("line").str.split(";").alias("cells"))
        .with_columns(
            pl.col("cells").list.get(index, null_on_oob=True).str.strip_chars().fill_null("").alias(name)
            for index, name in enumerate(_FIELDS)
        )
        .with_columns(_problem().alias("reason"))
    )


def _problem() -> pl.Expr:
    count = pl.col("cells").list.len()
    return pl.coalesce(
        pl.when(count != len(_FIELDS)).then(
            pl.concat_str(pl.lit(f"expected {len(_FIELDS)} fields, found "), count.cast(pl.String))
        ),
        *(
            pl.when(~pl.col(name).str.contains(pattern)).then(
                pl.concat_str(pl.lit(f"expected {name} like {pattern}, found '"), name, pl.lit("'"))
            )
            for name, pattern in _EXPECTED.items()
        ),
    )


def _typed(rows: pl.DataFrame) -> pl.DataFrame:
    code = pl.col("title").replace("", None)
    flag = pl.col("flag").replace("", None)
    list_date = pl.date(
        pl.col("month").str.slice(0, 4).cast(pl.Int32),
        pl.max_horizontal(pl.col("month").str.slice(4).cast(pl.Int8), pl.lit(1, pl.Int8)),
        1,
    )
    inactive = flag.str.to_lowercase().str.contains("i").fill_null(False)
    present = list_date >= FIRST_LIST_WITH_PRESENT_IDS
    stated_id = pl.col("fide_id").replace(["", "0"], None).cast(pl.Int32)
    return rows.select(
        "line_number",
        "name",
        pl.when(present).then(stated_id).alias("fide_id"),
        pl.coalesce(pl.col("federation").replace("", None), pl.col("federation_again").replace("", None))
        .str.to_uppercase()
        .alias("federation"),
        pl.when(flag.str.to_lowercase().str.contains("w")).then(pl.lit("F")).alias("sex"),
        pl.col("birth_date").str.extract(r"^(1[89]\d{2})").cast(pl.Int16).alias("birth_year"),
        title_expr(code).alias("title"),
        pl.col("rating").cast(pl.Int16),
        pl.col("games").replace("", None).cast(pl.Int16),
        pl.when(inactive.any().over("month")).then(~inactive).alias("active"),
        pl.col("change").replace("", None).cast(pl.Int16).alias("rating_change"),
        code.alias("printed_title"),
        flag.alias("printed_flag"),
        list_date.alias("list_date"),
        pl.lit("standard").alias("rating_type"),
        (~present & stated_id.is_not_null()).alias("early_id"),
        pl.col("month").str.ends_with("00").alias("no_month"),
        unknown_title_expr(code).alias("unknown_title"),
    )


def _notes(entries: pl.DataFrame) -> pl.DataFrame:
    about_lists = [
        entries.filter(pl.col(column))
        .group_by("list_date")
        .len()
        .sort("list_date")
        .select(
            pl.lit(code).alias("code"),
            pl.lit(None, pl.Int32).alias("line_number"),
            pl.concat_str("list_date", pl.lit(": "), "len", pl.lit(" lines")).alias("detail"),
        )
        for code, column in (("month_unknown", "no_month"), ("early_fide_ids_left_out", "early_id"))
    ]
    titles = entries.filter("unknown_title").select(
        pl.lit("unknown_title_code").alias("code"), "line_number", pl.col("printed_title").alias("detail")
    )
    return pl.concat([*about_lists, titles])
