"""How US Chess prints a rating: the number, the games of a provisional rating, markers.

One grammar for director files, member pages and crosstables; nothing about files belongs here.
"""

from typing import Final

import polars as pl

#: number, then optionally ``/12``, ``P12``, `` P12`` or `` (Based on 12 games)``, then optionally ``*``.
RATING_TEXT: Final = r"^\s*(\d{1,4})\s*(?:(?:/|P)\s*(\d{1,3})|\(Based on (\d{1,3}) games?\))?\s*(\*?)\s*$"
#: Texts that mean "no rating" besides a blank and 0.
UNRATED_TEXT: Final = r"(?i)^\s*(?:\(?unrated\)?\.?|unr\.?|nr|-+)?\s*$"


def rating_expr(printed: pl.Expr) -> pl.Expr:
    """The rating; null for unrated (blank, 0, "Unrated") and for texts that are no rating."""
    number = printed.str.extract(RATING_TEXT, 1).cast(pl.Int16, strict=False)
    return pl.when(number > 0).then(number)


def provisional_games_expr(printed: pl.Expr) -> pl.Expr:
    """Games behind a provisional rating; null for an established one. The number is no part of the rating."""
    return pl.coalesce(printed.str.extract(RATING_TEXT, 2), printed.str.extract(RATING_TEXT, 3)).cast(
        pl.Int16, strict=False
    )


def has_marker_expr(printed: pl.Expr) -> pl.Expr:
    """True where an asterisk follows the number; the director files do not say what it means."""
    return (printed.str.extract(RATING_TEXT, 4) == "*").fill_null(False)


def unreadable_expr(printed: pl.Expr) -> pl.Expr:
    """True where something is printed that is neither a rating nor a word for "unrated"."""
    return (printed.is_not_null() & ~printed.str.contains(RATING_TEXT) & ~printed.str.contains(UNRATED_TEXT)).fill_null(
        False
    )


def printed_rating_expr(printed: pl.Expr) -> pl.Expr:
    """The printed text, only where it is not simply the number (schema rule of ``printed_rating``)."""
    text = printed.str.strip_chars()
    return pl.when((text != "") & ~text.str.contains(r"^[1-9]\d*$")).then(text)
