"""The fixed-width layouts of FIDE's download lists since 2001, as data.

Belongs here: columns, headers and the lists they were measured on; nothing is read here. Spans are bytes of
the line, 0-based, end exclusive; blanks between two columns are given to the column on their left where it
is padded on the right. Header words often do not stand above their columns (October 2002, January and April
2003, April 2004), so a header only names a layout, and the lines themselves confirm it.
"""

import re
from dataclasses import dataclass
from typing import Final

import polars as pl

from pipeline.formats.fixed_width import Field, Layout

#: Rating types of a combined list, in the order of its columns.
COMBINED_TYPES: Final = ("standard", "rapid", "blitz")


#: What the list of March 2011 prints for players without a federation.
NO_FEDERATION: Final = "*"


#: Layouts in use no longer than this hold standard ratings only.
LAST_YEAR_OF_STANDARD_ONLY: Final = 2012


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

    @property
    def only_standard(self) -> bool:
        """Whether the layout went out of use before there were rapid and blitz lists (September 2012)."""
        return self.last_year <= LAST_YEAR_OF_STANDARD_ONLY

    def is_header(self, line: str) -> bool:
        """Whether ``line`` is this layout's header."""
        return bool(re.fullmatch(self.header, line.rstrip()))


def _of(letters: str, *lengths: int) -> dict[int, str]:
    """Shapes of texts made of ``letters``, a character class."""
    return {length: f"{letters}{{{length}}}" for length in lengths}


#: Kind of column -> shapes of its texts, see ``Field.shapes``. No list since 2001 has a rating under 1000 (0 or
#: blank means unrated), and a list of other titles may be cut by the end of its column.
_SHAPES: Final[dict[str, dict[int, str]]] = {
    "fide_id": _of("[0-9]", *range(1, 10)),
    "name": {},
    "federation": {3: "[A-Za-z]{3}", len(NO_FEDERATION): re.escape(NO_FEDERATION)},
    "sex": {1: "[MF]"},
    "title": {1: "[A-Za-z.]", 2: "[A-Za-z. ][A-Za-z.]", 3: "[A-Za-z]{3}"},
    "w_title": _of("[A-Za-z]", 1, 2, 3),
    "other_titles": _of("[A-Z,]", *range(1, 16)),
    "foa_title": _of("[A-Z]", 2, 3),
    "rating": {4: "[1-3][0-9]{3}", 1: "0"},
    "games": _of("[0-9]", 1, 2, 3),
    "k": _of("[0-9]", 1, 2),
    "birth_dmy4": {10: r"[0-9]{2}\.[0-9]{2}\.[0-9]{4}", 6: r"  \.  \."},
    "birth_dmy2": {8: r"[0-9]{2}\.[0-9]{2}\.[0-9]{2}", 6: r"  \.  \."},
    "birth_year": _of("[0-9]", *range(1, 5)),
    "flag": _of("[A-Za-z]", 1, 2, 3),
}
_NUMBERS: Final[dict[str, type[pl.DataType]]] = {
    "fide_id": pl.Int32,
    "rating": pl.Int16,
    "games": pl.Int16,
    "k": pl.Int16,
    "birth_year": pl.Int16,
}
#: Lists of other titles outgrow their column in a few lines since 2018; no name was seen to.
_WIDER: Final = {"other_titles": ",?[A-Z]{2,3}(,[A-Z]{2,3})*", "name": ".+"}


def _layout(
    name: str,
    columns: str,
    header: str,
    evidence: str,
    *,
    needed: int,
    least: int | None = None,
    last_year: int = 2100,
) -> FideLayout:
    """Build a layout from ``columns``: "name start-end", with ">" behind where the column is right-aligned.

    "/" begins a group of columns, see ``fixed_width``.
    """
    fields = []
    groups_at = tuple(group.split()[0] for group in columns.split(" / ")[1:])
    for column in columns.replace(" / ", ", ").split(", "):
        label, span, *right = column.split()
        start, end = map(int, span.split("-"))
        kind = re.sub("_(standard|rapid|blitz)$", "", label)
        shapes = {length: shape for length, shape in _SHAPES[kind].items() if length <= end - start}
        fields.append(
            Field(label, start, end, shapes, bool(right), _NUMBERS.get(kind, pl.String), _WIDER.get(kind, ""))
        )
    return FideLayout(
        name=name,
        fields=tuple(fields),
        groups_at=groups_at,
        least_width=least or fields[-1].end,
        needed_width=needed,
        header=header.replace("MONTH", r"[A-Za-z]{3,4}\.*[0-9]{0,2}"),
        evidence=evidence,
        combined="_standard" in columns,
        last_year=last_year,
    )


_WIDE: Final = "ID Number      Name {57}Fed Sex Tit  WTit OTit {11}"
_WIDE_COLUMNS: Final = (
    "fide_id 0-15, name 15-76 / federation 76-80, sex 80-84, title 84-89, w_title 89-94, other_titles 94-109"
)

LAYOUTS: Final[tuple[FideLayout, ...]] = (
    _layout(
        "fide_text_l1",
        "fide_id 0-10 >, name 12-45 / title 45-51, federation 51-59 / rating 59-63 >, games 63-68 > / flag 71-75",
        "  ID_NUMBER NAME {29}TITLE COUNTRY MONTH GAMES FLAG",
        "January 2001, counted",
        needed=68,
        last_year=2001,
    ),
    _layout(
        "fide_text_l2",
        "fide_id 0-11 >, name 12-45 / title 45-51, federation 51-60 / rating 60-64 >, games 64-70 > / "
        "birth_dmy4 71-82, flag 82-86",
        "  ID_NUMBER NAME {29}TITLE COUNTRY MONTH GAMES BIRTHDAY   FLAG",
        "April 2001 and July 2002, counted",
        needed=81,
        last_year=2002,
    ),
    _layout(
        "fide_text_l3",
        "fide_id 0-11 >, name 12-45 / title 45-51, federation 51-60 / rating 60-64 >, games 64-70 > / "
        "birth_dmy4 71-82, sex 82-86, flag 86-90",
        "  ID_NUMBER NAME {29}TITLE COUNTRY MONTH GAMES BIRTHDAY   SEX FLAG",
        "July and October 2001, April 2002, counted",
        needed=83,
        last_year=2002,
    ),
    _layout(
        "fide_text_l4",
        "fide_id 0-10 >, name 12-45 / title 45-51, federation 51-59 / rating 59-63 >, games 63-68 > / "
        "birth_dmy2 71-80, flag 80-85",
        "  ID_NUMBER NAME {29}TITLE COUNTRY MONTH GAMES BIRTHDAY FLAG",
        "January 2002, counted",
        needed=79,
        last_year=2002,
    ),
    _layout(
        "fide_text_l5",
        "fide_id 0-8 >, name 10-44 / title 44-48, federation 48-53 / rating 53-57 >, games 57-62 > / "
        "birth_dmy2 64-74, flag 74-77",
        "ID_NUMBER NAME {26}TITLE COUNTRY MONTH GAMES BIRTHDAY FLAG",
        "October 2002, counted",
        needed=72,
        last_year=2002,
    ),
    _layout(
        "fide_text_l6",
        "fide_id 0-8 >, name 10-44 / title 44-48, federation 48-53 / rating 53-57 >, games 57-62 > / "
        "birth_dmy2 64-76, flag 76-79",
        "(ID_NUMBER|   CODE  ) NAME {24,26}TITLE COUNTRY MONTH GAMES BIRTHDAY( {3})?FLAG",
        "January 2003 to April 2004, counted; July 2004 to October 2005, reported. July and October 2003, "
        "January 2004 and April 2005 have no header",
        needed=72,
        last_year=2005,
    ),
    _layout(
        "fide_text_o1",
        "fide_id 0-8 >, name 10-44 / title 44-48, federation 48-53 / rating 53-57 >, games 57-62 > / "
        "birth_year 64-70, flag 70-72",
        "ID.?number +Name +Titl *Fed +MONTH +Games *Born +Flag",
        "January 2006 to August 2012, reported; 9,999 lines of the combined list of March 2011, counted",
        needed=68,
        least=70,
        last_year=2012,
    ),
    _layout(
        "fide_text_n1",
        _WIDE_COLUMNS + " / rating 109-115, games 115-119, k 119-122 / birth_year 122-128, flag 128-132",
        _WIDE + "MONTH Gms K  B-day Flag",
        "September 2012 to August 2016, one rating type; 44 rapid and blitz lists counted",
        needed=126,
        last_year=2016,
    ),
    _layout(
        "fide_text_n2",
        _WIDE_COLUMNS
        + ", foa_title 109-113 / rating 113-119, games 119-123, k 123-126 / birth_year 126-132, flag 132-136",
        _WIDE + "FOA MONTH Gms K  B-day Flag",
        "September 2016 on, one rating type; cuts of 2025 and 2026 counted",
        needed=130,
    ),
    _layout(
        "fide_text_n3",
        _WIDE_COLUMNS + ", foa_title 109-113 / "
        "rating_standard 113-119, games_standard 119-123, k_standard 123-126 / "
        "rating_rapid 126-132, games_rapid 132-136, k_rapid 136-139 / "
        "rating_blitz 139-145, games_blitz 145-149, k_blitz 149-152 / birth_year 152-158, flag 158-162",
        _WIDE + "FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag",
        "combined list with online titles; December 2018 counted, October 2026 reported",
        needed=156,
    ),
    _layout(
        "fide_text_n4",
        _WIDE_COLUMNS + " / rating_standard 109-115, games_standard 115-119, k_standard 119-122 / "
        "rating_rapid 122-128, games_rapid 128-132, k_rapid 132-135 / "
        "rating_blitz 135-141, games_blitz 141-145, k_blitz 145-148 / birth_year 148-154, flag 154-158",
        _WIDE + "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag",
        "combined list of before the online titles, still offered as legacy; lines of 2014-2016 counted",
        needed=152,
    ),
)
