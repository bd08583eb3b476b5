"""Reading a CSV, TSV, JSON or Parquet table with a mapping.

Belongs here: from the table to entries. What a mapping may say is in ``mapping``; opening an archive is in
``archive``.
"""

import io
import re
from typing import Final

import polars as pl

from pipeline.domain.titles import title_expr, unknown_title_expr
from pipeline.formats.csv_text import as_csv_text
from pipeline.formats.mapping import Mapping, MappingError
from pipeline.formats.parsed import FormatError, ParsedFile

_END_MARK: Final = re.compile(rb"\x1a[\s;,]*\Z")
_NUMBERS: Final[dict[str, tuple[pl.DataType, int]]] = {
    "fide_id": (pl.Int32(), 2**31 - 1),
    "uscf_id": (pl.Int32(), 2**31 - 1),
    "games": (pl.Int16(), 9999),
    "k_factor": (pl.Int16(), 999),
    "rating_change": (pl.Int16(), 3999),
    "provisional_games": (pl.Int16(), 999),
}
#: Of these numbers a 0 means "none".
_NEVER_ZERO: Final = ("fide_id", "uscf_id", "k_factor")
_YEAR: Final = r"\b(1[89]\d{2}|20\d{2})\b"
_TEXTS: Final = ("other_titles", "foa_title")
_LARGEST_RATING: Final = 3999


def parse_mapped(data: bytes, mapping: Mapping) -> ParsedFile:
    """Read a table as its mapping says.

    ``line_number`` counts rows of JSON and Parquet from 1, and lines of CSV and TSV with the header, if any, as line 1
    (a line break inside a quoted cell makes later numbers too small). Rating 0 or blank is unrated; a rating
    that is no number, and a row with neither name nor id, is rejected. With one column per rating type a row
    gives an entry for each type with a rating, and one of the first type without rating if there is none.

    Raises:
        MappingError: the table lacks a column that the mapping names.
        FormatError: the content is not of the format that the mapping says.
    """
    table = _table(data, mapping)
    texts = _mapped_texts(table, mapping)
    rows = texts.with_columns(_problem(texts, mapping).alias("reason"))
    kept = rows.filter(pl.col("reason").is_null())
    players = _players(kept, mapping)
    refused = rows.filter(pl.col("reason").is_not_null())
    shown = [name for name in refused.columns if name not in ("line_number", "reason")]
    return ParsedFile(
        layout=f"mapping_{mapping.collection}",
        publisher=mapping.publisher,
        collection=mapping.collection,
        entries=_entries(players, mapping),
        rejects=refused.select(
            "line_number",
            "reason",
            line_text=pl.concat_str(shown, separator=" | ", ignore_nulls=True).str.slice(0, 500),
        ),
        notes=_notes(players),
        lines_read=rows.height,
        stated_month=mapping.list_date.replace(day=1) if mapping.list_date else None,
        stated_rating_type=mapping.rating_type,
        coverage=mapping.coverage,
    )


def _table(data: bytes, mapping: Mapping) -> pl.DataFrame:
    """The whole table as texts, headers with single blanks, with ``line_number``."""
    header_lines = int(mapping.format in ("csv", "tsv") and not mapping.header)
    try:
        if mapping.format == "parquet":
            table = pl.read_parquet(io.BytesIO(data))
        elif mapping.format == "json":
            table = pl.read_json(io.BytesIO(data), infer_schema_length=None)
        else:
            table = pl.read_csv(
                as_csv_text(_as_utf8(_END_MARK.sub(b"", data))),
                separator="\t" if mapping.format == "tsv" else ",",
                infer_schema=False,
                has_header=not mapping.header,
            )
    except pl.exceptions.PolarsError as error:
        raise FormatError(f"not a {mapping.format} table as {mapping.source} says: {error}") from error
    if mapping.header and len(mapping.header) != table.width:
        raise MappingError(
            f"{mapping.source}: header: names {len(mapping.header)} columns, the table has {table.width}"
        )
    if mapping.header:
        table.columns = list(mapping.header)
    # A cell of JSON or Parquet that holds a list or a record is no value of an entry.
    table = table.select(name for name, dtype in table.schema.items() if not dtype.is_nested())
    table = table.rename({name: " ".join(name.split()) for name in table.columns})
    return table.select(
        pl.int_range(1 + header_lines, 1 + header_lines + pl.len(), dtype=pl.Int32).alias("line_number"),
        *(pl.col(name).cast(pl.String, strict=False).str.strip_chars() for name in table.columns),
    )


def _as_utf8(data: bytes) -> bytes:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace").encode("utf-8")
    return data


def _mapped_texts(table: pl.DataFrame, mapping: Mapping) -> pl.DataFrame:
    """Columns under the names of an entry, as texts; what means nothing is null."""
    wanted = mapping.columns | {
        f"rating_{kind}" if kind else "rating": column for kind, column in mapping.ratings.items()
    }
    for key, column in wanted.items():
        if column not in table.columns:
            raise MappingError(
                f"{mapping.source}: columns.{key}: the table has no column {column!r}; "
                f"it has {', '.join(name for name in table.columns if name != 'line_number')}"
            )
    nothing = ["", *mapping.missing]
    return table.select(
        "line_number",
        *(pl.when(~pl.col(column).is_in(nothing)).then(column).alias(key) for key, column in wanted.items()),
    )


def _rating_columns(mapping: Mapping) -> dict[str, str]:
    return {kind: f"rating_{kind}" if kind else "rating" for kind in mapping.ratings}


def _problem(texts: pl.DataFrame, mapping: Mapping) -> pl.Expr:
    """What keeps a row from being an entry; null where nothing does."""
    who = [pl.col(name).is_null() for name in ("name", "fide_id", "uscf_id") if name in texts.columns]
    checks: list[pl.Expr] = [pl.when(pl.all_horizontal(who)).then(pl.lit("neither a name nor an id"))]
    for column in _rating_columns(mapping).values():
        number = pl.col(column).str.replace(r"\.0+$", "").cast(pl.Int64, strict=False)
        wrong = pl.col(column).is_not_null() & ~number.is_between(0, _LARGEST_RATING).fill_null(False)
        checks.append(_said(wrong, "a rating", column))
    if "list_date" in texts.columns:
        checks.append(_said(pl.col("list_date").str.to_date(strict=False).is_null(), "a day YYYY-MM-DD", "list_date"))
    if "rating_type" in texts.columns:
        known = ["standard", "rapid", "blitz", "regular", "quick"]
        checks.append(_said(~pl.col("rating_type").is_in(known).fill_null(False), "a rating type", "rating_type"))
    return pl.coalesce(checks)


def _said(wrong: pl.Expr, expected: str, column: str) -> pl.Expr:
    found = pl.concat_str(pl.lit(f"expected {expected}, found '"), pl.col(column).fill_null(""), pl.lit("'"))
    return pl.when(wrong).then(found)


def _players(texts: pl.DataFrame, mapping: Mapping) -> pl.DataFrame:
    """Typed columns of every row, ratings not yet split by type."""

    def text(name: str) -> pl.Expr:
        return pl.col(name) if name in texts.columns else pl.lit(None, pl.String)

    name, code = text("name"), text("title")
    if mapping.title_pattern:
        code = pl.coalesce(code, name.str.extract(mapping.title_pattern))
        name = name.str.replace(mapping.title_pattern, "")
    known = pl.coalesce(
        code.str.to_lowercase().replace_strict(mapping.titles, default=None, return_dtype=pl.String), title_expr(code)
    )
    unknown = known.is_null() & unknown_title_expr(code)
    continued = unknown & code.is_not_null() if mapping.continued_in_title else pl.lit(False)
    name = pl.when(continued).then(pl.concat_str(name, code)).otherwise(name)
    for pattern, replacement in mapping.replacements:
        name = name.str.replace_all(pattern, replacement)
    flag = text("flag").str.to_lowercase()
    return texts.select(
        "line_number",
        name.str.strip_chars().replace("", None).alias("name"),
        text("name").alias("printed"),
        text("federation").str.to_uppercase().alias("federation"),
        pl.coalesce(
            text("sex").str.slice(0, 1).str.to_uppercase().replace_strict({"M": "M", "F": "F", "W": "F"}, default=None),
            pl.when(flag.str.contains("w", literal=True)).then(pl.lit("F")),
        ).alias("sex"),
        text("birth_year").str.extract(_YEAR).cast(pl.Int16).alias("birth_year"),
        known.alias("title"),
        title_expr(text("w_title")).alias("w_title"),
        *(text(column).str.strip_chars_start(",").replace("", None).alias(column) for column in _TEXTS),
        *(_number(text(column), column) for column in _NUMBERS),
        (
            ~flag.fill_null("").str.contains("i", literal=True) if "flag" in texts.columns else pl.lit(None, pl.Boolean)
        ).alias("active"),
        pl.when(~continued).then(code).alias("printed_title"),
        text("flag").alias("printed_flag"),
        (unknown & ~continued).alias("unknown_title"),
        continued.alias("continued"),
        pl.concat_str(
            [_unreadable(text(column), column) for column in (*_NUMBERS, "birth_year")],
            separator="; ",
            ignore_nulls=True,
        )
        .replace("", None)
        .alias("unreadable"),
        (text("list_date").str.to_date(strict=False) if mapping.list_date is None else pl.lit(mapping.list_date)).alias(
            "list_date"
        ),
        (text("rating_type") if mapping.rating_type is None else pl.lit(mapping.rating_type)).alias("rating_type"),
        *(
            pl.col(column).str.replace(r"\.0+$", "").cast(pl.Int16).replace(0, None).alias(column)
            for column in _rating_columns(mapping).values()
        ),
    ).with_columns(printed_name=pl.when(pl.col("printed") != pl.col("name")).then("printed"))


def _number(text: pl.Expr, column: str) -> pl.Expr:
    dtype, _ = _NUMBERS[column]
    number = _readable(text, column)
    return (number.replace(0, None) if column in _NEVER_ZERO else number).cast(dtype).alias(column)


def _readable(text: pl.Expr, column: str) -> pl.Expr:
    """The whole number in a text; null where there is none or one that cannot be."""
    number = text.str.replace(r"\.0+$", "").cast(pl.Int64, strict=False)
    return pl.when(number.abs() <= _NUMBERS[column][1]).then(number)


def _unreadable(text: pl.Expr, column: str) -> pl.Expr:
    """ "column: 'text'" where a text is no number, else null."""
    if column == "birth_year":
        wrong = text.is_not_null() & ~text.str.contains(_YEAR) & ~text.str.contains(r"^0+$")
    else:
        wrong = text.is_not_null() & _readable(text, column).is_null()
    return pl.when(wrong).then(pl.concat_str(pl.lit(f"{column}: '"), text, pl.lit("'")))


def _entries(players: pl.DataFrame, mapping: Mapping) -> pl.DataFrame:
    """One row per row of the table, or per rating type."""
    columns = _rating_columns(mapping)
    if "" in columns:
        return players
    unrated = pl.all_horizontal(pl.col(column).is_null() for column in columns.values())
    parts = []
    for index, (rating_type, column) in enumerate(columns.items()):
        kept = pl.col(column).is_not_null() | (unrated if index == 0 else False)
        parts.append(players.filter(kept).with_columns(pl.col(column).alias("rating"), rating_type=pl.lit(rating_type)))
    return pl.concat(parts)


def _notes(players: pl.DataFrame) -> pl.DataFrame:
    return pl.concat(
        players.filter(condition).select(
            pl.lit(code).alias("code"), "line_number", "fide_id", pl.col(column).alias("detail")
        )
        for code, condition, column in (
            ("unknown_title_code", "unknown_title", "printed_title"),
            ("name_continued_in_title", "continued", "name"),
            ("unreadable_number", pl.col("unreadable").is_not_null(), "unreadable"),
        )
    ).sort("line_number")
