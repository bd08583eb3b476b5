"""The layouts of the text files of 1971 to 2000 (see weeks): header, columns, where each was seen.

Belongs here: declarations. The columns were measured on the files; a header's words need not stand over them.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class WeeksLayout:
    """One layout: 0-based, half-open columns of its fields, and where it was seen.

    ``month`` is the month of the year's only list, for headers that name the year alone.
    ``women_share_letters``: g, m, f stand for WGM, WIM, WFM on a line marked w.
    """

    name: str
    evidence: str
    header: str
    columns: dict[str, Span]
    month: int | None = None
    women_share_letters: bool = False

    @property
    def width(self) -> int:
        """Where the last field ends."""
        return max(end for _, end in self.columns.values())

    @property
    def gaps(self) -> list[Span]:
        """Columns between the fields, which are blank."""
        spans = sorted(self.columns.values())
        return [(end, start) for (_, end), (start, _) in pairwise(spans) if start > end]


LAYOUTS: Final = (
    WeeksLayout(
        "weeks_1971",
        "July 1971; no title line, no date",
        "  Name                           Fed Rtng",
        {"title": (0, 1), "name": (2, 33), "federation": (33, 36), "rating": (37, 41), "birth": (42, 50)},
    ),
    WeeksLayout(
        "weeks_1972",
        "July 1972 and July 1973; the first women",
        "   Name                                 Fed Rtng",
        {
            "title": (0, 2),
            "name": (3, 40),
            "federation": (40, 43),
            "rating": (44, 48),
            "birth": (49, 57),
            "woman": (58, 59),
        },
        month=7,
    ),
    WeeksLayout(
        "weeks_1974",
        "May 1974; one woman",
        "  Name                          Fed Rtng",
        {
            "title": (0, 1),
            "name": (2, 32),
            "federation": (32, 35),
            "rating": (36, 40),
            "birth": (41, 49),
            "woman": (50, 51),
        },
        month=5,
    ),
    WeeksLayout(
        "weeks_1975",
        "January lists 1975 to 1990; surname and initials only",
        "Name                                 Fed  Rtng",
        {"name": (0, 37), "federation": (37, 40), "rating": (42, 46)},
    ),
    WeeksLayout(
        "weeks_1991",
        "January lists 1991 to 1998; Diff is the change since the July list before",
        "Player                               Fed  Rtng Diff",
        {"name": (0, 37), "federation": (37, 40), "rating": (42, 46), "change": (46, 51)},
    ),
    WeeksLayout(
        "weeks_1999",
        "January 1999; the header's words do not stand over their columns",
        "Player                       Country ID Number s t gam  ELO",
        {
            "name": (0, 31),
            "federation": (31, 34),
            "fide_id": (36, 46),
            "title": (47, 48),
            "woman": (49, 50),
            "games": (51, 54),
            "rating": (55, 59),
        },
        women_share_letters=True,
    ),
    WeeksLayout(
        "weeks_2000",
        "January 2000",
        "ID Number Name                           Title Fed  Rtng Games Flag",
        {
            "fide_id": (0, 8),
            "name": (10, 42),
            "title": (42, 45),
            "federation": (47, 50),
            "rating": (52, 56),
            "games": (57, 61),
            "flag": (63, 66),
        },
        women_share_letters=True,
    ),
)

#: Content of a field that is not blank. A federation or a rating may not be blank.
PATTERNS: Final = {
    "federation": r"^[A-Za-z]{3}$",
    "rating": r"^[0-9O]{4}$",  # 23O0 with a letter O occurs in July 1973
    "change": r"^[+-]?\d{1,4}$",
    "games": r"^\d{1,3}$",
    "fide_id": r"^\d{1,8}$",
    "woman": r"^w$",
}
