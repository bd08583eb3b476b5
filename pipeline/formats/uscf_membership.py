"""What the records of US Chess say about members: one schema, expiry dates, who counts as a person.

Ratings do not belong here (they are entries). Nothing beyond the year of a birth date and no contact data is
kept, whatever a file holds.
"""

from datetime import date
from typing import Final

import polars as pl

#: One row per record of a member. Unknown is null.
MEMBER_SCHEMA: Final[dict[str, pl.DataType]] = {
    "line_number": pl.Int32(),  # line or record of the file, as in its entries
    "uscf_id": pl.Int32(),
    "fide_id": pl.Int32(),  # only where the record itself states it
    "name": pl.String(),  # as printed; null on a retired id
    "sex": pl.String(),  # "M", "F" or null
    "birth_year": pl.Int16(),
    "state": pl.String(),  # US state or country code, as printed
    "federation": pl.String(),  # FIDE federation, where stated
    "fide_title": pl.String(),  # as printed
    "status": pl.String(),  # snake_case of the API's word, "retired_id", or null = not stated
    "is_person": pl.Boolean(),  # false: a retired or duplicate id, which must not be counted
    "expires": pl.Date(),  # end of the membership; null = not stated, or life member
    "is_life": pl.Boolean(),  # null where no expiry is stated
    "regular_floor": pl.Int16(),
    "quick_floor": pl.Int16(),
    "blitz_floor": pl.Int16(),
}

#: The text that stands in the place of a name on an id that is no longer used.
RETIRED_NAME: Final = "INACTIVE ID"
RETIRED_STATUS: Final = "retired_id"
#: Records with these statuses are second ids of persons, not persons.
NOT_A_PERSON: Final = (RETIRED_STATUS, "duplicate_id")

#: Expiry printed for a life member: two digits in director files, four on the web and in the API.
LIFE_EXPIRY: Final = ("12/31/99", "12/31/2099", "2099-12-31", "20991231")
#: Two-digit years from here on are 19yy. Members' numbers and dBase files do not go further back.
_CENTURY_PIVOT: Final = 70

_SLASHED: Final = r"^(\d{1,2})/(\d{1,2})/(\d{2}|\d{4})$"
_DASHED: Final = r"^(\d{4})-?(\d{2})-?(\d{2})(?:T.*)?$"


def _as_date(year: pl.Expr, month: pl.Expr, day: pl.Expr) -> pl.Expr:
    return pl.concat_str(year, month.str.zfill(2), day.str.zfill(2), separator="-").str.to_date(
        "%Y-%m-%d", strict=False
    )


def status_expr(printed: pl.Expr) -> pl.Expr:
    """A status in snake_case: ``DuplicateId`` -> ``duplicate_id``; null for blank and ``None``."""
    words = printed.str.strip_chars().str.replace_all(r"([a-z])([A-Z])", "${1}_$2").str.to_lowercase()
    return words.str.replace_all(" ", "_").replace({"": None, "none": None})


def is_person_expr(status: pl.Expr) -> pl.Expr:
    """False for second ids of persons (``NOT_A_PERSON``); true where no status is stated."""
    return (~status.is_in(NOT_A_PERSON)).fill_null(True)


def is_life_expr(printed: pl.Expr) -> pl.Expr:
    """True where the printed expiry is the mark of a life member; null where nothing is printed."""
    return printed.is_in(LIFE_EXPIRY)


def expiry_expr(printed: pl.Expr) -> pl.Expr:
    """The printed expiry as a date; null for life members, blanks and texts that are no date.

    Accepts ``M/D/YY``, ``M/D/YYYY``, ``YYYY-MM-DD`` and dBase's ``YYYYMMDD``. Years 70-99 are 19yy.
    """
    year = printed.str.extract(_SLASHED, 3)
    century = pl.when(year.cast(pl.Int32, strict=False) < _CENTURY_PIVOT).then(pl.lit("20")).otherwise(pl.lit("19"))
    slashed = _as_date(
        pl.when(year.str.len_chars() == 2).then(pl.concat_str(century, year)).otherwise(year),
        printed.str.extract(_SLASHED, 1),
        printed.str.extract(_SLASHED, 2),
    )
    dashed = _as_date(*(printed.str.extract(_DASHED, group) for group in (1, 2, 3)))
    return pl.when(is_life_expr(printed)).then(None).otherwise(pl.coalesce(slashed, dashed))


def membership_on(day: date) -> pl.Expr:
    """``life``, ``current``, ``expired`` or ``unknown`` for each row of a member frame, as of ``day``.

    A rating stays valid after the membership ends: an expired member is a rated player, not a current one.
    """
    return (
        pl.when(pl.col("is_life"))
        .then(pl.lit("life"))
        .when(pl.col("expires").is_null())
        .then(pl.lit("unknown"))
        .when(pl.col("expires") >= day)
        .then(pl.lit("current"))
        .otherwise(pl.lit("expired"))
        .alias("membership")
    )
