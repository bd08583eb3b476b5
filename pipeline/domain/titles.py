"""Title codes of all eras and what they mean today.

Source: the codes counted on the lists themselves. 2001-2012 print ``g m f c wg wm wf wc`` (``h``, ``wh``, ``gh``
honorary), the lists of September 2012 to October 2013 ``WF`` and ``WC``, later ones ``WFM`` and ``WCM``.
"""

from typing import Final

import polars as pl

OPEN_TITLES: Final = ("GM", "IM", "FM", "CM")
WOMEN_TITLES: Final = ("WGM", "WIM", "WFM", "WCM")
TITLES: Final = OPEN_TITLES + WOMEN_TITLES

#: Honorary codes: known, kept as printed, never counted as the full title.
HONORARY_CODES: Final = frozenset({"h", "wh", "gh", "WH", "HG", "HM"})

#: Printed code -> title. Codes are case sensitive only where cases differ in meaning (they do not).
TITLE_OF_CODE: Final[dict[str, str]] = {
    "g": "GM",
    "m": "IM",
    "f": "FM",
    "c": "CM",
    "gm": "GM",
    "wg": "WGM",
    "wm": "WIM",
    "wf": "WFM",
    "wc": "WCM",
    **{title.lower(): title for title in TITLES},
}


def title_expr(printed: pl.Expr) -> pl.Expr:
    """Normalise printed title codes: a title of ``TITLES``, or null for none, honorary and unknown codes."""
    return printed.str.to_lowercase().replace_strict(TITLE_OF_CODE, default=None, return_dtype=pl.String)


def unknown_title_expr(printed: pl.Expr) -> pl.Expr:
    """True where a code is printed that is neither a known title nor an honorary code."""
    known = [*TITLE_OF_CODE, *(code.lower() for code in HONORARY_CODES)]
    return printed.is_not_null() & ~printed.str.to_lowercase().is_in(known)
