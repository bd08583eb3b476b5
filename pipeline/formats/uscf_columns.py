"""Column names of US Chess member files and what each means: recognised, never assumed by position.

Field names come from programs that read the files: ``MEM_ID ... R_LPB_RAT`` (golden database and its exports)
and ``R_MEM_ID ... R_RATING1`` (supplements). The header of the present tab-separated golden database is not
published anywhere we know, so plain words for the same things are accepted too, and a header without them is
refused.
"""

import re
from collections.abc import Sequence
from typing import Final

from pipeline.domain.entry import USCF_RATING_TYPES
from pipeline.formats.parsed import UnknownLayoutError

#: Role -> spellings, compared without case, blanks and punctuation.
_SPELLINGS: Final[dict[str, tuple[str, ...]]] = {
    "uscf_id": ("MEMID", "RMEMID", "MEMBERID", "MEMBERSHIPID", "USCFID", "USCHESSID", "ID"),
    "name": ("MEMNAME", "RMEMNAME", "MEMBERNAME", "PLAYERNAME", "NAME"),
    "last_name": ("LASTNAME", "LAST"),
    "first_name": ("FIRSTNAME", "FIRST"),
    "expires": ("EXPIRED", "REXPDATE", "EXPDATE", "EXPIRES", "EXPIRATION", "EXPIRATIONDATE", "EXPIRYDATE"),
    "state": ("STATE", "RSTATE", "STATEREP", "STATECOUNTRY"),
    "regular": ("RLPBRAT", "RRATING1", "REGULAR", "REGULARRATING", "RATINGREGULAR", "REGRATING", "RATING"),
    "quick": ("QLPBRAT", "RRATING2", "QUICK", "QUICKRATING", "RATINGQUICK", "QCKRATING"),
    "blitz": ("BLPBRAT", "RRATING3", "BLITZ", "BLITZRATING", "RATINGBLITZ", "BLZRATING"),
    "fide_id": ("FIDEID", "FIDENO", "FIDENUM", "FIDENUMBER", "IDFIDE"),
    "sex": ("GENDER", "SEX"),
    "birth_year": ("BYEAR", "BIRTHYEAR", "YEAROFBIRTH", "BIRTHDATE", "DOB"),
    "federation": ("FEDERATION", "FIDEFED", "FIDECOUNTRY", "FED"),
    "fide_title": ("TITLE", "FIDETITLE"),
    "status": ("STATUS", "MEMSTATUS", "MEMBERSTATUS"),
    "regular_floor": ("FLOOR", "REGULARFLOOR", "RFLOOR", "REGFLOOR"),
    "quick_floor": ("QUICKFLOOR", "QFLOOR"),
    "blitz_floor": ("BLITZFLOOR", "BFLOOR"),
}
_ROLE_OF: Final = {spelling: role for role, spellings in _SPELLINGS.items() for spelling in spellings}

#: Names that occur in US Chess files only; one of them makes a file ours even when the rest is unknown.
_OURS: Final = frozenset({"MEMID", "RMEMID", "USCFID", "USCHESSID", "MEMNAME", "RMEMNAME", "RLPBRAT", "RRATING1"})


def _key(column: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", column.upper())


def looks_like_us_header(columns: Sequence[str]) -> bool:
    """True where at least one column name occurs in US Chess files only."""
    return any(_key(column) in _OURS for column in columns)


def roles_of(columns: Sequence[str], what: str) -> dict[str, int]:
    """Map roles (``uscf_id``, ``name``, ``regular``, ...) to column positions.

    Args:
        columns: the header's names, in order.
        what: the kind of file, for the message.

    Raises:
        UnknownLayoutError: no column for member id, name or rating, or two columns with one meaning.
    """
    roles: dict[str, int] = {}
    for position, column in enumerate(columns):
        role = _ROLE_OF.get(_key(column))
        if role is None:
            continue
        if role in roles:
            first = columns[roles[role]]
            raise UnknownLayoutError(
                f"{what}: columns {first!r} and {column!r} both mean {role!r}; rename or remove one of them"
            )
        roles[role] = position
    lacking = [
        wanted
        for wanted, present in (
            ("a member id (MEM_ID)", "uscf_id" in roles),
            (
                "a name (MEM_NAME, or last and first name)",
                "name" in roles or {"last_name", "first_name"} <= roles.keys(),
            ),
            (
                "a rating (R_LPB_RAT, Q_LPB_RAT, B_LPB_RAT)",
                any(kind in roles for kind in USCF_RATING_TYPES),
            ),
        )
        if not present
    ]
    if lacking:
        raise UnknownLayoutError(
            f"{what}: expected {' and '.join(lacking)} among the columns, "
            f"found {', '.join(columns) or 'none'}; "
            "rename the columns to the names of the US Chess files, or report the new header"
        )
    return roles


def unused_columns(columns: Sequence[str], roles: dict[str, int]) -> list[str]:
    """Names of the columns that no role uses, in order."""
    used = set(roles.values())
    return [column for position, column in enumerate(columns) if position not in used]
