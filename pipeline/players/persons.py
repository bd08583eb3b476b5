"""Persons in the making: nodes joined step by step, with everything that forbids a join.

Belongs here: the forest of links and its constraints. Not here: which links are proposed, and in what order.

The constraints hold whatever proposes a link: nobody is twice on one edition of a list, holds two numbers, has
two birth years or sexes, is rated as an infant or long after death, or has two given names that do not agree.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from pipeline.players.spelling import given_agree

#: Birth years of the lists of 1971 to 1974 are off by one now and then.
BIRTH_YEAR_TOLERANCE: Final = 1
_YOUNGEST: Final = 8
_OLDEST: Final = 95
#: Lists kept names for some time after a death.
_YEARS_AFTER_DEATH: Final = 3


@dataclass(slots=True)
class Person:
    """What is known of a person so far.

    Attributes:
        holder: the person's number, if any.
        first, last: first and last list, in months since year 0.
        lists, editions: bit sets of the lists and of the editions (list and source) with an entry.
        names: surnames and given parts, shorter forms of a longer one left out.
    """

    holder: str | None
    first: int
    last: int
    lists: int = 0
    editions: int = 0
    birth_year: int | None = None
    death_year: int | None = None
    sex: str | None = None
    names: frozenset[tuple[str, str]] = frozenset()

    def months_from(self, other: "Person") -> int:
        """Months between the lists of two persons, 0 where their times overlap."""
        return max(0, other.first - self.last, self.first - other.last)

    def may_be(self, other: "Person") -> bool:
        """Whether nothing known forbids that both are one person."""
        one_number = self.holder is None or other.holder is None
        return (
            one_number
            and not self.editions & other.editions
            and self._lives_agree(other)
            and (self.sex is None or other.sex is None or self.sex == other.sex)
            and _names_agree(self.names, other.names)
        )

    def absorb(self, other: "Person") -> None:
        """Add what is known of the other."""
        self.first, self.last = min(self.first, other.first), max(self.last, other.last)
        self.lists |= other.lists
        self.editions |= other.editions
        self.birth_year = self.birth_year or other.birth_year
        self.death_year = self.death_year or other.death_year
        self.sex = self.sex or other.sex
        self.names = longest_names(self.names | other.names)

    def _lives_agree(self, other: "Person") -> bool:
        if self.birth_year is not None and other.birth_year is not None:
            return abs(self.birth_year - other.birth_year) <= BIRTH_YEAR_TOLERANCE
        return _lived(self, other) and _lived(other, self)


def _lived(known: Person, listed: Person) -> bool:
    """Whether the lists of the second lie in the life of the first, as far as it is known."""
    first_year, last_year = listed.first // 12, listed.last // 12
    born, died = known.birth_year, known.death_year
    plausible = born is None or (first_year - born >= _YOUNGEST and last_year - born <= _OLDEST)
    return plausible and (died is None or last_year - died <= _YEARS_AFTER_DEATH)


def longest_names(names: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """Names without those that are a shorter form of another ("r" beside "robert james")."""
    kept = set(names)
    return frozenset(
        (surname, given)
        for surname, given in kept
        if not any(
            other_surname == surname and len(other) > len(given) and given_agree(given, other)
            for other_surname, other in kept
        )
    )


def _names_agree(ours: frozenset[tuple[str, str]], theirs: frozenset[tuple[str, str]]) -> bool:
    """Whether some name of one agrees with one of the other; names of other surnames say nothing."""
    pairs = [(one, other) for surname, one in ours for also, other in theirs if surname == also]
    return not pairs or any(given_agree(one, other) for one, other in pairs)


@dataclass(slots=True)
class Forest:
    """Nodes and the persons they are joined to so far.

    Attributes:
        persons: by node; that of a root is the whole person.
        links: node to the root it was joined to, with method and confidence. Never shortened, so that the
            confidence of a node is the product along its way to the root.
    """

    persons: dict[int, Person]
    links: dict[int, tuple[int, str, float]] = field(default_factory=dict)
    _roots: dict[int, int] = field(default_factory=dict)

    def root(self, node: int) -> int:
        """The node that stands for the person of ``node``."""
        top = node
        while top in self._roots:
            top = self._roots[top]
        while node != top:
            self._roots[node], node = top, self._roots[node]
        return top

    def join(self, node: int, other: int, method: str, confidence: float) -> None:
        """Join two roots; the one with a number, else the later one, stays the root."""
        child, parent = sorted((node, other), key=self._rank)
        self.links[child] = (parent, method, confidence)
        self._roots[child] = parent
        self.persons[parent].absorb(self.persons[child])

    def _rank(self, root: int) -> tuple[bool, int, int, int]:
        person = self.persons[root]
        return person.holder is not None, person.last, person.first, root

    def link_of(self, node: int) -> tuple[int, str | None, float]:
        """Root of a node, method of its own link (None for a root) and confidence along the way."""
        method, confidence, top = None, 1.0, node
        while top in self.links:
            top, step, weight = self.links[top]
            method, confidence = method or step, confidence * weight
        return top, method, confidence
