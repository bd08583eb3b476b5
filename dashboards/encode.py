"""Rows and settings as text that is safe inside a page: JSON for scripts, columns in a compact form.

Names on rating lists can carry anything. Nothing here trusts them: a value never ends a script element, and the
browser side writes it as text only.
"""

import datetime
import hashlib
import json
from pathlib import Path
from typing import Any, Final

import polars as pl

#: What JSON allows and a script element or an old reader of scripts does not.
_UNSAFE: Final = {"<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_ESCAPES: Final = {c: json.dumps(c)[1:-1] for c in [*map(chr, range(32)), '"', "\\"]} | _UNSAFE


def script_json(value: Any) -> str:
    """JSON that can stand inside ``<script>`` and in a ``.js`` file: no ``<`` and no line separators of Unicode."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for unsafe, escaped in _UNSAFE.items():
        text = text.replace(unsafe, escaped)
    return text


def json_column(name: str) -> pl.Expr:
    """Text of a column as JSON strings, each as ``script_json`` writes it; null stays null."""
    return pl.concat_str(pl.lit('"'), pl.col(name).str.replace_many(_ESCAPES), pl.lit('"'))


def json_items(*columns: str | pl.Expr) -> pl.Expr:
    """Columns that are JSON already or numbers, with commas between them; null is written as such."""
    texts = [(pl.col(c) if isinstance(c, str) else c).cast(pl.String).fill_null("null") for c in columns]
    return pl.concat_str(texts, separator=",")


def encode_frame(frame: pl.DataFrame) -> dict[str, Any]:
    """A frame by columns: ``{"n": rows, "c": {name: column}}``.

    Text and dates become ``{"u": distinct values, "i": index per row}`` (-1 is null), other values a plain list. Dates
    are ISO text, which no time zone can move. Numbers keep at most six decimals.
    """
    return {"n": frame.height, "c": {series.name: _encode(series) for series in frame}}


def _encode(series: pl.Series) -> Any:
    if series.dtype.is_temporal():
        series = series.cast(pl.String)
    if series.dtype == pl.String:
        # By a dictionary: most frames are small, and for those a join costs more than it saves.
        codes: dict[str, int] = {}
        index = [-1 if value is None else codes.setdefault(value, len(codes)) for value in series.to_list()]
        return {"u": list(codes), "i": index}
    if series.dtype.is_decimal():
        series = series.cast(pl.Float64)
    if series.dtype.is_float():
        values = series.round(6).to_list()
        return [int(v) if v is not None and v.is_integer() else v for v in values]
    return series.to_list()


def content_hash(content: str | bytes) -> str:
    """Twelve hexadecimal digits that name a file by its content."""
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:12]


def whole_content(path: Path) -> bytes | None:
    """Content of a file named ``<stem>-<content_hash>.<suffix>``; None where it is not there or not what was named."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    return content if path.stem.endswith(f"-{content_hash(content)}") else None


def span(frame: pl.DataFrame, column: str = "list_date") -> str:
    """First and last list of ``frame`` as people write them: July 1971 to September 2024."""
    dates: list[datetime.date] = frame[column].drop_nulls().sort().to_list()
    return f"{dates[0]:%B} {dates[0].year} to {dates[-1]:%B} {dates[-1].year}" if dates else "no list"
