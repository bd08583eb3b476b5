"""The one schema of an entry: what a rating list states about one player, whatever the era and the publisher.

An entry is a player's row on one edition of one rating list. Unknown is null, never 0: an unrated player has
``rating`` null, an unknown birth year is null, a K factor that is not printed is null.
"""

from typing import Final

import polars as pl

#: Columns of an entry, in order. Name, title, federation and sex belong to the list they were printed on.
ENTRY_SCHEMA: Final[dict[str, pl.DataType]] = {
    "line_number": pl.Int32(),  # 1-based line of the file (XML: 1-based player element)
    "fide_id": pl.Int32(),
    "uscf_id": pl.Int32(),
    "name": pl.String(),  # as printed, decoded, outer blanks removed; "" never occurs (null = no name printed)
    "federation": pl.String(),  # as printed, upper case
    "sex": pl.String(),  # "M", "F" or null (not stated)
    "birth_year": pl.Int16(),
    "title": pl.String(),  # one of domain.titles.TITLES or null
    "w_title": pl.String(),
    "other_titles": pl.String(),  # comma list as printed, without an empty first item
    "foa_title": pl.String(),
    "rating": pl.Int16(),
    "games": pl.Int16(),  # rated games in the period before the list
    "k_factor": pl.Int16(),
    "active": pl.Boolean(),  # null where the list has no flag
    "rating_change": pl.Int16(),  # printed change (Weeks "Diff", OlimpBase "+/-")
    "provisional_games": pl.Int16(),  # US Chess: number after "/" or "P"; null = established or not stated
    "printed_title": pl.String(),  # the code exactly as printed
    "printed_flag": pl.String(),
    "printed_name": pl.String(),  # bytes as Latin-1, only where decoding or repair changed the name
    "printed_rating": pl.String(),  # only where the printed text is not simply the number
}

#: Two more columns for files that hold several lists (Scid, OlimpBase, the bundled history, combined lists).
LIST_KEY_SCHEMA: Final[dict[str, pl.DataType]] = {"list_date": pl.Date(), "rating_type": pl.String()}

REJECT_SCHEMA: Final[dict[str, pl.DataType]] = {
    "line_number": pl.Int32(),
    "reason": pl.String(),  # what was expected and what was found, one sentence
    "line_text": pl.String(),  # Latin-1 text of the line, cut at 500 characters
}

NOTE_SCHEMA: Final[dict[str, pl.DataType]] = {
    "code": pl.String(),  # stable snake_case code, e.g. "name_decoded_by_guess"
    "line_number": pl.Int32(),  # null when about the whole file
    "fide_id": pl.Int32(),
    "detail": pl.String(),
}

RATING_TYPES: Final = ("standard", "rapid", "blitz")
USCF_RATING_TYPES: Final = ("regular", "quick", "blitz")


def conform(frame: pl.DataFrame, schema: dict[str, pl.DataType]) -> pl.DataFrame:
    """Return ``frame`` with exactly the columns and types of ``schema``; absent columns become null."""
    if list(frame.schema.items()) == list(schema.items()):
        return frame  # selecting would copy a frame that was put together from many blocks
    return frame.select(
        (pl.col(name) if name in frame.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in schema.items()
    )
