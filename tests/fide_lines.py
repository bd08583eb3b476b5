"""Write invented lines of every fixed-width layout of FIDE, for tests.

The spans are those of the published documentation of the lists (where the text stands, without the blanks around
it), written down here a second time on purpose: a slip in the readers' table shows up as a difference.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

#: field -> (start, end, stands at the right end)
Spans = Mapping[str, tuple[int, int, bool]]


@dataclass(frozen=True)
class TestLayout:
    """A layout as the lists print it. ``header`` holds MONTH where the list's month stands."""

    __test__ = False

    name: str
    width: int
    spans: Spans
    header: str
    month_code: str = ""
    least_width: int = 0

    @property
    def combined(self) -> bool:
        return "rating_standard" in self.spans

    def header_line(self) -> str:
        return self.header.replace("MONTH", self.month_code)

    def line(self, values: Mapping[str, str]) -> str:
        """Print the values of one player, each in its column, as Latin-1 text."""
        letters = [" "] * self.width
        for field, text in values.items():
            start, end, right = self.spans[field]
            assert len(text) <= end - start, f"{field} {text!r} is wider than its column"
            begin = end - len(text) if right else start
            letters[begin : begin + len(text)] = text
        return "".join(letters)

    def file(self, players: Sequence[Mapping[str, str]], line_end: str = "\r\n", header: bool = True) -> bytes:
        lines = [self.header_line()] if header else []
        lines += [self.line(values) for values in players]
        return "".join(line + line_end for line in lines).encode("latin-1")


def _spans(text: str) -> Spans:
    spans = {}
    for part in text.split(", "):
        field, span, *right = part.split()
        start, end = span.split("-")
        spans[field] = (int(start), int(end), bool(right))
    return spans


_WIDE = "ID Number      Name" + " " * 57 + "Fed Sex Tit  WTit OTit" + " " * 11
_N = "fide_id 0-15, name 15-76, federation 76-79, sex 80-81, title 84-89, w_title 89-94, other_titles 94-109, "
_OLD = "name 10-42, title 44-46, federation 48-51, rating 53-57 r, games 60-62 r, "

LAYOUTS: Final = {
    layout.name: layout
    for layout in (
        TestLayout(
            "fide_text_l1",
            75,
            _spans(
                "fide_id 2-10 r, name 12-44, title 45-47, federation 51-54, rating 59-63 r, games 66-68 r, flag 71-74"
            ),
            "  ID_NUMBER NAME                             TITLE COUNTRY MONTH GAMES FLAG",
            "JAN01",
        ),
        TestLayout(
            "fide_text_l2",
            86,
            _spans(
                "fide_id 3-11 r, name 12-44, title 45-47, federation 51-54, rating 60-64 r, games 68-70 r, "
                "birth_dmy4 71-81, flag 82-85"
            ),
            "  ID_NUMBER NAME                             TITLE COUNTRY MONTH GAMES BIRTHDAY   FLAG",
            "JUL02",
        ),
        TestLayout(
            "fide_text_l3",
            90,
            _spans(
                "fide_id 3-11 r, name 12-44, title 45-47, federation 51-54, rating 60-64 r, games 68-70 r, "
                "birth_dmy4 71-81, sex 82-83, flag 86-89"
            ),
            "  ID_NUMBER NAME                             TITLE COUNTRY MONTH GAMES BIRTHDAY   SEX FLAG",
            "JUL01",
        ),
        TestLayout(
            "fide_text_l4",
            85,
            _spans(
                "fide_id 2-10 r, name 12-43, title 45-47, federation 51-54, rating 59-63 r, games 66-68 r, "
                "birth_dmy2 71-79, flag 80-83"
            ),
            "  ID_NUMBER NAME                             TITLE COUNTRY MONTH GAMES BIRTHDAY FLAG ",
            "JAN02",
        ),
        TestLayout(
            "fide_text_l5",
            77,
            _spans("fide_id 0-8 r, " + _OLD + "birth_dmy2 64-72, flag 74-76"),
            "ID_NUMBER NAME                          TITLE COUNTRY MONTH GAMES BIRTHDAY FLAG",
            "OCT02",
        ),
        TestLayout(
            "fide_text_l6",
            79,
            _spans("fide_id 0-8 r, " + _OLD + "birth_dmy2 64-72, flag 76-78"),
            "ID_NUMBER NAME                        TITLE COUNTRY MONTH GAMES BIRTHDAY   FLAG ",
            "JAN03",
        ),
        TestLayout(
            "fide_text_o1",
            72,
            _spans("fide_id 0-8 r, " + _OLD + "birth_year 64-68, flag 70-72"),
            "ID number Name                              TitlFed  MONTH GamesBorn  Flag",
            "Mar11",
            least_width=70,
        ),
        TestLayout(
            "fide_text_n1",
            132,
            _spans(_N + "rating 109-115, games 115-119, k 119-122, birth_year 122-128, flag 128-132"),
            _WIDE + "MONTH Gms K  B-day Flag",
            "sep12",
        ),
        TestLayout(
            "fide_text_n2",
            136,
            _spans(
                _N + "foa_title 109-113, rating 113-119, games 119-123, k 123-126, birth_year 126-132, flag 132-136"
            ),
            _WIDE + "FOA MONTH Gms K  B-day Flag",
            "MAR26",
        ),
        TestLayout(
            "fide_text_n3",
            162,
            _spans(
                _N + "foa_title 109-113, rating_standard 113-119, games_standard 119-123, k_standard 123-126, "
                "rating_rapid 126-132, games_rapid 132-136, k_rapid 136-139, rating_blitz 139-145, "
                "games_blitz 145-149, k_blitz 149-152, birth_year 152-158, flag 158-162"
            ),
            _WIDE + "FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag",
        ),
        TestLayout(
            "fide_text_n4",
            158,
            _spans(
                _N + "rating_standard 109-115, games_standard 115-119, k_standard 119-122, rating_rapid 122-128, "
                "games_rapid 128-132, k_rapid 132-135, rating_blitz 135-141, games_blitz 141-145, k_blitz 145-148, "
                "birth_year 148-154, flag 154-158"
            ),
            _WIDE + "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag",
        ),
    )
}
