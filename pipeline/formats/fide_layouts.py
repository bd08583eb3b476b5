"""The fixed-width layouts of FIDE's download lists since 2001, as data.

Belongs here: columns, headers and the lists they were measured on; nothing is read here. Spans are bytes of
the line, 0-based, end exclusive; blanks between two columns are given to the column on their left where it
is padded on the right. Header words often do not stand above their columns (October 2002, January and April
2003, April 2004), so a header only names a layout, and the lines themselves confirm it.
"""

import re
from dataclasses import dataclass
from typing import Final

from pipeline.formats.fixed_width import Align, Field, Layout

#: Rating types of a combined list, in the order of its columns.
COMBINED_TYPES: Final = ("standard", "rapid", "blitz")


#: What the list of March 2011 prints for players without a federation.
NO_FEDERATION: Final = "*"


@dataclass(frozen=True)
class FideLayout(Layout):
    """A layout of FIDE's with what tells it apart.

    Attributes:
        header: regular expression of its first line, where it has one.
        evidence: the lists on which the columns were counted, or who reports them.
        combined: one line states standard, rapid and blitz ratings.
        last_year: year of the last list known in this layout.
    """

    header: str = ""
    evidence: str = ""
    combined: bool = False
    last_year: int = 2100

    def is_header(self, line: str) -> bool:
        """Whether ``line`` is this layout's header."""
        return bool(re.fullmatch(self.header, line.rstrip()))


#: Kind of column -> (pattern, values of a number besides 0, has few different values).
#: No list since 2001 has a rating under 1000; 0 or blank means unrated.
_KINDS: Final[dict[str, tuple[str, range | None, bool]]] = {
    "fide_id": (r"[0-9]+", range(1, 2**31), False),
    "name": (r"[^\x00-\x1f\x7f]+", None, False),
    "federation": (rf"[A-Za-z]{{3}}|{re.escape(NO_FEDERATION)}", None, True),
    "sex": (r"[MF]", None, True),
    "title": (r" ?[A-Za-z.]{1,3}", None, True),
    "w_title": (r"[A-Za-z]{1,3}", None, True),
    # The last code may be cut by the end of the column.
    "other_titles": (r"[A-Z]{0,3}(,[A-Z]{1,3})*", None, True),
    "foa_title": (r"[A-Z]{2,3}", None, True),
    "rating": (r"[0-9]+", range(1000, 4000), False),
    "games": (r"[0-9]+", range(1, 1000), False),
    "k": (r"[0-9]+", range(1, 100), False),
    "birth_dmy4": (r"[0-9]{2}\.[0-9]{2}\.[0-9]{4}|  \.  \.", None, True),
    "birth_dmy2": (r"[0-9]{2}\.[0-9]{2}\.[0-9]{2}|  \.  \.", None, True),
    "birth_year": (r"[0-9]+", range(1, 10_000), False),
    "flag": (r"[A-Za-z]{1,3}", None, True),
}
_LOOSE: Final = frozenset({"name", "title", "birth_dmy4", "birth_dmy2"})


def _layout(
    name: str,
    columns: str,
    header: str,
    evidence: str,
    *,
    needed: int,
    least: int | None = None,
    pushing: tuple[str, ...] = ("name",),
    last_year: int = 2100,
) -> FideLayout:
    """Build a layout from ``columns``: "name start-end", with ">" behind where the column is right-aligned."""
    fields = []
    for column in columns.split(", "):
        label, span, *right = column.split()
        start, end = map(int, span.split("-"))
        kind = re.sub("_(standard|rapid|blitz)$", "", label)
        pattern, numbers, few = _KINDS[kind]
        align: Align = "right" if right else "any" if kind in _LOOSE else "left"
        fields.append(Field(label, start, end, pattern, align, numbers, few))
    return FideLayout(
        name=name,
        fields=tuple(fields),
        least_width=least or fields[-1].end,
        needed_width=needed,
        pushing=pushing,
        header=header.replace("MONTH", r"[A-Za-z]{3,4}\.*[0-9]{0,2}"),
        evidence=evidence,
        combined="_standard" in columns,
        last_year=last_year,
    )


_WIDE: Final = "ID Number      Name {57}Fed Sex Tit  WTit OTit {11}"
_WIDE_COLUMNS: Final = (
    "fide_id 0-15, name 15-76, federation 76-80, sex 80-84, title 84-89, w_title 89-94, other_titles 94-109, "
)
_PUSHING: Final = ("other_titles", "name")

LAYOUTS: Final[tuple[FideLayout, ...]] = (
    _layout(
        "fide_text_l1",
        "fide_id 0-10 >, name 12-45, title 45-51, federation 51-59, rating 59-63 >, games 63-68 >, flag 71-75",
        "  ID_NUMBER NAME {29}TITLE COUNTRY MONTH GAMES FLAG",
        "January 2001, counted",
        needed=68,
        last_year=2001,
    ),
    _layout(
        "fide_text_l2",
        "fide_id 0-11 >, name 12-45, title 45-51, federation 51-60, rating 60-64 >, games 64-70 >, "
        "birth_dmy4 71-82, flag 82-86",
        "  ID_NUMBER NAME {29}TITLE COUNTRY MONTH GAMES BIRTHDAY   FLAG",
        "April 2001 and July 2002, counted",
        needed=81,
        last_year=2002,
    ),
    _layout(
        "fide_text_l3",
        "fide_id 0-11 >, name 12-45, title 45-51, federation 51-60, rating 60-64 >, games 64-70 >, "
        "birth_dmy4 71-82, sex 82-86, flag 86-90",
        "  ID_NUMBER NAME {29}TITLE COUNTRY MONTH GAMES BIRTHDAY   SEX FLAG",
        "July and October 2001, April 2002, counted",
        needed=83,
        last_year=2002,
    ),
    _layout(
        "fide_text_l4",
        "fide_id 0-10 >, name 12-45, title 45-51, federation 51-59, rating 59-63 >, games 63-68 >, "
        "birth_dmy2 71-80, flag 80-85",
        "  ID_NUMBER NAME {29}TITLE COUNTRY MONTH GAMES BIRTHDAY FLAG",
        "January 2002, counted",
        needed=79,
        last_year=2002,
    ),
    _layout(
        "fide_text_l5",
        "fide_id 0-8 >, name 10-44, title 44-48, federation 48-53, rating 53-57 >, games 57-62 >, "
        "birth_dmy2 64-74, flag 74-77",
        "ID_NUMBER NAME {26}TITLE COUNTRY MONTH GAMES BIRTHDAY FLAG",
        "October 2002, counted",
        needed=72,
        last_year=2002,
    ),
    _layout(
        "fide_text_l6",
        "fide_id 0-8 >, name 10-44, title 44-48, federation 48-53, rating 53-57 >, games 57-62 >, "
        "birth_dmy2 64-76, flag 76-79",
        "(ID_NUMBER|   CODE  ) NAME {24,26}TITLE COUNTRY MONTH GAMES BIRTHDAY( {3})?FLAG",
        "January 2003 to April 2004, counted; July 2004 to October 2005, reported. July and October 2003, "
        "January 2004 and April 2005 have no header",
        needed=72,
        last_year=2005,
    ),
    _layout(
        "fide_text_o1",
        "fide_id 0-8 >, name 10-44, title 44-48, federation 48-53, rating 53-57 >, games 57-62 >, "
        "birth_year 64-70, flag 70-72",
        "ID.?number +Name +Titl *Fed +MONTH +Games *Born +Flag",
        "January 2006 to August 2012, reported; 9,999 lines of the combined list of March 2011, counted",
        needed=68,
        least=70,
        last_year=2012,
    ),
    _layout(
        "fide_text_n1",
        _WIDE_COLUMNS + "rating 109-115, games 115-119, k 119-122, birth_year 122-128, flag 128-132",
        _WIDE + "MONTH Gms K  B-day Flag",
        "September 2012 to August 2016, one rating type; 44 rapid and blitz lists counted",
        needed=126,
        pushing=_PUSHING,
        last_year=2016,
    ),
    _layout(
        "fide_text_n2",
        _WIDE_COLUMNS + "foa_title 109-113, rating 113-119, games 119-123, k 123-126, birth_year 126-132, flag 132-136",
        _WIDE + "FOA MONTH Gms K  B-day Flag",
        "September 2016 on, one rating type; cuts of 2025 and 2026 counted",
        needed=130,
        pushing=_PUSHING,
    ),
    _layout(
        "fide_text_n3",
        _WIDE_COLUMNS + "foa_title 109-113, "
        "rating_standard 113-119, games_standard 119-123, k_standard 123-126, "
        "rating_rapid 126-132, games_rapid 132-136, k_rapid 136-139, "
        "rating_blitz 139-145, games_blitz 145-149, k_blitz 149-152, birth_year 152-158, flag 158-162",
        _WIDE + "FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag",
        "combined list with online titles; December 2018 counted, October 2026 reported",
        needed=156,
        pushing=_PUSHING,
    ),
    _layout(
        "fide_text_n4",
        _WIDE_COLUMNS + "rating_standard 109-115, games_standard 115-119, k_standard 119-122, "
        "rating_rapid 122-128, games_rapid 128-132, k_rapid 132-135, "
        "rating_blitz 135-141, games_blitz 141-145, k_blitz 145-148, birth_year 148-154, flag 154-158",
        _WIDE + "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag",
        "combined list of before the online titles, still offered as legacy; lines of 2014-2016 counted",
        needed=152,
        pushing=_PUSHING,
    ),
)
