"""Federation codes: how they are written and which code follows which.

Belongs here: pure questions to a table of codes. Not here: the codes (catalogue ``federations``) and
transfers of players. A successor says that the body or the state went on under other codes; it says nothing
about when a player changed federation, since the lists of 1991 to 1998 known today print later codes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl


def code_expr(printed: pl.Expr) -> pl.Expr:
    """Federation codes in upper case without blanks ("Col" is COL); null for an empty field."""
    code = printed.str.strip_chars().str.to_uppercase()
    return pl.when(code != "").then(code).otherwise(None)


@dataclass(frozen=True, slots=True)
class FederationCodes:
    """Known codes and their direct successors.

    Attributes:
        names: code to the name of the country or body.
        direct_successors: code to the codes that follow it, empty for codes in use.
    """

    names: dict[str, str]
    direct_successors: dict[str, tuple[str, ...]]

    @classmethod
    def from_frame(cls, rows: pl.DataFrame) -> "FederationCodes":
        """Codes of a frame with the columns code, name and successors (codes joined by a blank).

        Raises:
            ValueError: a successor is not a code of the frame, or a code follows itself.
        """
        names = dict(zip(rows["code"], rows["name"], strict=True))
        successors = {
            code: tuple((following or "").split())
            for code, following in zip(rows["code"], rows["successors"], strict=True)
        }
        codes = cls(names, successors)
        for code, following in successors.items():
            if unknown := [name for name in following if name not in names]:
                raise ValueError(f"federation {code}: unknown successor {', '.join(unknown)}")
            if code in codes.successors(code):
                raise ValueError(f"federation {code} is among its own successors")
        return codes

    def successors(self, code: str) -> frozenset[str]:
        """Every code that follows ``code``, directly or by way of others (URS: USR and all after it)."""
        return frozenset(self._following(code, set()))

    def may_follow(self, earlier: str, later: str) -> bool:
        """Whether one player can carry ``earlier`` and then ``later`` without having changed federation."""
        return earlier == later or later in self.successors(earlier)

    def renamed_to(self, code: str) -> str:
        """The code of the same body today (ROM: ROU); itself where a state broke up or goes on."""
        following = self.direct_successors.get(code, ())
        return self.renamed_to(following[0]) if len(following) == 1 else code

    def _following(self, code: str, seen: set[str]) -> Iterator[str]:
        for following in self.direct_successors.get(code, ()):
            if following not in seen:
                seen.add(following)
                yield following
                yield from self._following(following, seen)
