"""The text files of the lists of 1971 to 2000 that Mark Weeks collected: fixed width, CRLF, DOS end of file.

Belongs here: the layouts of these files and how their fields are read. Not here: FIDE's own download files
from January 2001 on (fide_text), and who is who across lists (players).

A layout is recognised by its header line, whose positions are not believed: the columns are declared here,
and a line that does not fit them (blank gaps, a federation of three letters, digits where digits belong) is
rejected. Federations of 1975 to 1998 are partly back-dated by the collector: they are kept as printed.
"""

import re
from datetime import date
from typing import Final

import polars as pl

from pipeline.domain.titles import title_expr, unknown_title_expr
from pipeline.formats.encodings import decode_name
from pipeline.formats.parsed import FormatError, ParsedFile, UnknownLayoutError
from pipeline.formats.weeks_layouts import LAYOUTS, PATTERNS, WeeksLayout

_BIRTH_YEAR: Final = r"/(\d\d)$"
_BIRTH_DATE: Final = r"^(\d\d|xx)/(\d\d|xx)/\d\d$"
#: An open title in a woman's name, where the title column holds her women's title; cut off in long names.
_TITLE_IN_NAME: Final = r"[. ]*\((GM|IM|FM|I$)\)?\.?$"
_TITLE_LINE: Final = re.compile(r"(?:1st (?P<month>[A-Z][a-z]+) )?(?P<year>\d{4}) FIDE Rating List\s*$")
_MONTHS: Final = {"January": 1, "July": 7}
_HEADER_LINES: Final = 4


def _header(lines: list[str]) -> tuple[WeeksLayout, int] | None:
    """The layout whose header stands among the first lines, and the index of that line."""
    for index, line in enumerate(lines[:_HEADER_LINES]):
        for layout in LAYOUTS:
            if line.rstrip() == layout.header:
                return layout, index
    return None


def sniff(head: bytes, file_name: str) -> bool:
    """Whether one of the first four lines is the header of a known layout."""
    return _header(head[:1000].decode("latin-1").splitlines()) is not None


def parse(data: bytes) -> ParsedFile:
    """Read one list.

    Birth dates are reduced to the year (two digits are 19yy). Names that are not ASCII are decoded one by one,
    with a note. A woman's open title printed in her name goes to ``title``, the title of the column to ``w_title``,
    and the name loses the suffix; ``printed_name`` keeps what was printed. From 1999 the letters g, m, f of a woman
    are women's titles. A letter O in a rating is read as 0 and noted. The header's month becomes ``stated_month``;
    the lists of 1972 to 1974 name the year only, and the month is that of the year's only list.

    Raises:
        UnknownLayoutError: no header line of a known layout.
        FormatError: fewer than half of the lines fit the layout.
    """
    lines = data.decode("latin-1").rstrip("\x1a\r\n \0").split("\n")
    found = _header(lines)
    if found is None:
        raise UnknownLayoutError(
            "expected the header line of a list of 1971 to 2000 among the first four lines, found:\n"
            + "\n".join(line[:100] for line in lines[:_HEADER_LINES])
        )
    layout, header_index = found
    rows = (
        pl.DataFrame({"line": [line.rstrip("\r\x1a \0") for line in lines]}, schema={"line": pl.String})
        .with_row_index("line_number", offset=1)
        .slice(header_index + 1)
        .filter(pl.col("line") != "")
        .with_columns(
            # Blanks only: bytes that Latin-1 takes for white space are letters in code page 850.
            pl.col("line").str.slice(start, end - start).str.strip_chars(" ").alias(field)
            for field, (start, end) in layout.columns.items()
        )
        .with_columns(_problem(layout).alias("reason"))
    )
    kept = rows.filter(pl.col("reason").is_null())
    if kept.height * 2 < rows.height:
        raise FormatError(
            f"{layout.name}: the header fits, but {rows.height - kept.height} of {rows.height} lines do not, "
            f"for example {rows.filter(pl.col('reason').is_not_null())['line'][0][:120]!r}"
        )
    kept = _typed(kept.with_columns(_decoded(kept["name"]).alias("decoded")), layout)
    return ParsedFile(
        layout=layout.name,
        publisher="fide",
        collection="weeks",
        entries=kept,
        rejects=rows.filter(pl.col("reason").is_not_null()).select(
            "line_number", "reason", line_text=pl.col("line").str.slice(0, 500)
        ),
        notes=_notes(kept),
        lines_read=rows.height,
        stated_month=_stated_month(layout, lines[0]),
        stated_rating_type="standard",
    )


def _problem(layout: WeeksLayout) -> pl.Expr:
    """What keeps a line from fitting the layout, one sentence; null where nothing does."""
    checks = [
        pl.when(pl.col("line").str.len_chars() > layout.width).then(
            pl.lit(f"text beyond column {layout.width}, where the line should end")
        ),
        *(
            pl.when(pl.col("line").str.slice(start, end - start).str.strip_chars(" ") != "").then(
                pl.lit(f"columns {start + 1} to {end} should be blank")
            )
            for start, end in layout.gaps
        ),
        *(
            pl.when(
                ~pl.col(field).str.contains(pattern)
                & (pl.lit(field in {"federation", "rating"}) | (pl.col(field) != ""))
            ).then(
                pl.concat_str(
                    pl.lit(f"expected {field} like {pattern} in columns {start + 1} to {end}, found '"),
                    field,
                    pl.lit("'"),
                )
            )
            for field, pattern in PATTERNS.items()
            if field in layout.columns
            for start, end in [layout.columns[field]]
        ),
        pl.when(pl.col("name") == "").then(pl.lit("no name")),
    ]
    return pl.coalesce(checks)


def _decoded(names: pl.Series) -> pl.Series:
    """Names in the letters that were meant: the lists of 1999 and 2000 mix code pages."""
    odd = names.filter(names.str.len_bytes() != names.str.len_chars()).unique()
    return names.replace({name: decode_name(name) for name in odd})


def _typed(rows: pl.DataFrame, layout: WeeksLayout) -> pl.DataFrame:
    """Typed entries of lines that fit; a field the layout does not have is null."""
    rows = rows.with_columns(
        (pl.col(field).replace("", None) if field in layout.columns else pl.lit(None, pl.String)).alias(field)
        for field in ("title", "birth", "woman", "change", "games", "fide_id", "flag")
    )
    woman = (
        pl.col("woman").is_not_null()
        | pl.col("flag").str.contains("w").fill_null(False)
        # "(F)" tells a woman from a namesake on the lists of 1975 to 1990, which have no column for it.
        | pl.col("name").str.ends_with("(F)")
    )
    code = pl.col("title")
    if layout.women_share_letters:
        code = pl.when(woman).then("w" + code).otherwise(code)
    in_name = pl.col("decoded").str.extract(_TITLE_IN_NAME).replace("I", "IM")
    digits = pl.col("rating").str.replace_all("O", "0")
    return rows.select(
        "line_number",
        pl.col("fide_id").cast(pl.Int32),
        pl.col("decoded").str.replace(_TITLE_IN_NAME, "").alias("name"),
        pl.col("federation").str.to_uppercase(),
        pl.when(woman).then(pl.lit("F")).alias("sex"),
        # Every birth date of these lists lies in the 1900s or has no readable year.
        (pl.col("birth").str.extract(_BIRTH_YEAR).cast(pl.Int16) + 1900).alias("birth_year"),
        pl.coalesce(in_name, title_expr(code)).alias("title"),
        pl.when(in_name.is_not_null() & woman).then(title_expr(code)).alias("w_title"),
        digits.cast(pl.Int16).alias("rating"),
        pl.col("games").cast(pl.Int16),
        (~pl.col("flag").fill_null("").str.contains("i") if "flag" in layout.columns else pl.lit(None))
        .cast(pl.Boolean)
        .alias("active"),
        pl.col("change").cast(pl.Int16).alias("rating_change"),
        pl.col("title").alias("printed_title"),
        pl.col("flag").alias("printed_flag"),
        pl.when(in_name.is_not_null() | (pl.col("decoded") != pl.col("name"))).then("name").alias("printed_name"),
        pl.when(pl.col("rating") != digits).then("rating").alias("printed_rating"),
        unknown_title_expr(code).alias("unknown_title"),
        (pl.col("decoded") != pl.col("name")).alias("decoded"),
        (pl.col("birth").is_not_null() & ~pl.col("birth").str.contains(_BIRTH_DATE)).alias("odd_birth"),
        "birth",
    )


def _notes(entries: pl.DataFrame) -> pl.DataFrame:
    """Notes on fields that were read with a repair or could not be understood."""
    described = {
        "name_decoded_by_guess": (pl.col("decoded"), pl.col("name")),
        "rating_repaired": (pl.col("printed_rating").is_not_null(), pl.col("printed_rating")),
        "unknown_title": (pl.col("unknown_title"), pl.col("printed_title")),
        # The day and month are dropped, so the note shows the damaged text only without its digits.
        "birth_date_malformed": (pl.col("odd_birth"), pl.col("birth").str.replace_all(r"\d", "9")),
    }
    return pl.concat(
        entries.filter(condition).select(pl.lit(code).alias("code"), "line_number", "fide_id", text.alias("detail"))
        for code, (condition, text) in described.items()
    ).sort("line_number")


def _stated_month(layout: WeeksLayout, first_line: str) -> date | None:
    title = _TITLE_LINE.match(first_line)
    if title is None:
        return None
    month = _MONTHS.get(title["month"]) if title["month"] else layout.month
    return date(int(title["year"]), month, 1) if month else None
