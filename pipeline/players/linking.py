"""Linking: people printed without a number, to those with one and to each other.

Belongs here: the order in which candidates are joined and when a candidate counts as the only one. Not here: how
candidates are found (``candidates``) and what forbids a join (``persons``). Ratings play no part.

Steps go from what is surest to what is least sure. In each a node is joined to another person only if that is the
only candidate of the step: one person on the same list in another edition, or one among those listed before, at
the same time, or afterwards. Two candidates leave it unlinked.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from pipeline.players import candidates as relation
from pipeline.players.evidence import Evidence
from pipeline.players.nodes import Nodes
from pipeline.players.persons import Forest, Person, longest_names

#: A step is repeated while it still joins something, at most so often.
_REPEATS: Final = 4


@dataclass(frozen=True, slots=True)
class Step:
    """What a candidate of a step must be like.

    Attributes:
        method: name of the link's method.
        confidence: how sure such a link is. Set below what was measured: of the links made without Scid's file
            99.4 % by name, 99.2 % by initials and 97 % by transliteration led to the person Scid's file has.
        relations: how the names may relate.
        federation: how far the federations may be apart.
        months: longest time between the lists of the two; None = they must be on one list, in other editions.
        full: whether both must print a given name in full.
        same_birth_year: whether both must state the same year of birth.
    """

    method: str
    confidence: float
    relations: frozenset[int]
    federation: int
    months: int | None
    full: bool = False
    same_birth_year: bool = False


_EXACT: Final = frozenset({relation.SAME_NAME})
_SPELLED: Final = frozenset({relation.SAME_NAME, relation.SAME_AS_ALTERNATIVE})
_AGREEING: Final = frozenset({relation.SAME_NAME, relation.AGREES})
_ALL_AGREEING: Final = frozenset(
    {relation.SAME_NAME, relation.SAME_AS_ALTERNATIVE, relation.AGREES, relation.AGREES_WITH_ALTERNATIVE}
)
_BARE: Final = frozenset({relation.SURNAME_ONLY})
_SOUND: Final = frozenset({relation.SOUNDS_ALIKE})
_BODY, _FAMILY, _ANY = relation.SAME_BODY, relation.SAME_FAMILY, relation.OTHER_FEDERATION
_EVER: Final = 12 * 100

STEPS: Final = (
    Step("same_list_name", 0.98, _EXACT, _FAMILY, None),
    Step("same_list_alternative", 0.95, _SPELLED, _FAMILY, None),
    Step("same_list_initials", 0.93, _AGREEING, _BODY, None),
    Step("same_list_initials", 0.92, _ALL_AGREEING, _FAMILY, None),
    Step("name_and_birth_year", 0.98, _SPELLED, _FAMILY, _EVER, full=True, same_birth_year=True),
    Step("same_list_name", 0.9, _SPELLED, _ANY, None, full=True),
    Step("name", 0.95, _EXACT, _BODY, 24, full=True),
    Step("name", 0.93, _EXACT, _FAMILY, 24, full=True),
    Step("initials", 0.85, _AGREEING, _BODY, 24),
    Step("initials", 0.85, _AGREEING, _FAMILY, 24),
    Step("alternative", 0.85, _ALL_AGREEING, _FAMILY, 24),
    Step("name", 0.88, _EXACT, _FAMILY, relation.LONGEST_GAP_MONTHS, full=True),
    Step("alternative", 0.85, _SPELLED, _FAMILY, relation.LONGEST_GAP_MONTHS, full=True),
    Step("same_list_transliteration", 0.85, _SOUND, _FAMILY, None),
    Step("transliteration", 0.75, _SOUND, _BODY, 24),
    Step("transliteration", 0.75, _SOUND, _FAMILY, 24),
    Step("initials", 0.75, _ALL_AGREEING, _FAMILY, 60),
    Step("name_other_federation", 0.75, _SPELLED, _ANY, 24, full=True),
    Step("surname", 0.7, _BARE, _FAMILY, 24),
)


#: Two nodes and the given letters agreed on.
_Edge = tuple[int, int, int]


def persons_of(evidence: Evidence, nodes: Nodes, wanted: pl.Series) -> Forest:
    """One person per node, for the nodes that may be linked, before anything is."""
    facts = nodes.facts.filter(pl.col("node").is_in(wanted.implode()))
    sets = _bit_sets(evidence, nodes, wanted)
    names = (
        nodes.names.filter(pl.col("node").is_in(wanted.implode()), pl.col("origin") == "printed")
        .group_by("node")
        .agg(pl.struct("surname", "given").alias("names"))
    )
    by_node = {
        node: longest_names((name["surname"], name["given"]) for name in listed) for node, listed in names.iter_rows()
    }
    month = {
        name: pl.col(name).dt.year() * 12 + pl.col(name).dt.month() - 1
        for name in ("first_list_date", "last_list_date")
    }
    return Forest(
        {
            row["node"]: Person(
                row["holder"],
                row["first_list_date"],
                row["last_list_date"],
                *sets.get(row["node"], (0, 0)),
                birth_year=row["birth_year"],
                death_year=row["death_year"],
                sex=row["sex"],
                names=by_node.get(row["node"], frozenset()),
            )
            for row in facts.with_columns(**month).iter_rows(named=True)
        }
    )


def _bit_sets(evidence: Evidence, nodes: Nodes, wanted: pl.Series) -> dict[int, tuple[int, int]]:
    """Lists and editions of each node as bit sets."""
    members = nodes.members.filter(pl.col("node").is_in(wanted.implode()))
    seen = evidence.appearances(members["version_key"], False).join(members, on="version_key")
    lists = seen["list_key"].rank("dense").to_numpy() - 1
    editions = seen.select(pl.struct("list_key", "source_key").rank("dense")).to_series().to_numpy() - 1
    places = {node: place for place, node in enumerate(wanted)}
    rows = seen["node"].replace_strict(places, return_dtype=pl.Int32).to_numpy() if seen.height else lists
    return {
        node: (list_bits, edition_bits)
        for node, list_bits, edition_bits in zip(
            wanted, _packed(rows, lists, len(places)), _packed(rows, editions, len(places)), strict=True
        )
    }


def _packed(rows: np.ndarray, columns: np.ndarray, height: int) -> list[int]:
    width = int(columns.max()) + 1 if len(columns) else 1
    marks = np.zeros((height, width), dtype=bool)
    marks[rows.astype(np.int64), columns.astype(np.int64)] = True
    return [int.from_bytes(row.tobytes(), "big") for row in np.packbits(marks, axis=1)]


def link(forest: Forest, pairs: pl.DataFrame, steps: Sequence[Step] = STEPS) -> None:
    """Join the nodes of the forest, step by step.

    Args:
        forest: result of ``persons_of``; joined in place.
        pairs: result of ``candidate_pairs``.
        steps: in their order.
    """
    for step in steps:
        usable = pairs.filter(
            pl.col("relation").is_in(list(step.relations)),
            pl.col("federation_relation") <= step.federation,
            pl.col("is_full") | (not step.full),
        )
        edges = list(zip(usable["node"], usable["other"], usable["letters"], strict=True))
        for _ in range(_REPEATS):
            if not _take(forest, edges, step):
                break


def _take(forest: Forest, edges: Iterable[_Edge], step: Step) -> int:
    """Join every node that has one candidate only; the number of joins."""
    proposals = _proposals(forest, edges, step)
    chosen = _only_candidates(forest, proposals)
    joined = 0
    for node, other in sorted(chosen, key=lambda pair: (-proposals[pair[0]][pair[1]], pair)):
        root, other_root = forest.root(node), forest.root(other)
        if root != other_root and forest.persons[root].may_be(forest.persons[other_root]):
            forest.join(root, other_root, step.method, step.confidence)
            joined += 1
    return joined


def _proposals(forest: Forest, edges: Iterable[_Edge], step: Step) -> dict[int, dict[int, int]]:
    """Candidates of every person without a number, with the letters agreed on."""
    proposals: dict[int, dict[int, int]] = defaultdict(dict)
    for one_node, other_node, letters in edges:
        node, other = forest.root(one_node), forest.root(other_node)
        if node == other:
            continue
        ours, theirs = forest.persons[node], forest.persons[other]
        if not _meets(ours, theirs, step) or not ours.may_be(theirs):
            continue
        for one, two, person in ((node, other, ours), (other, node, theirs)):
            if person.holder is None:
                proposals[one][two] = max(letters, proposals[one].get(two, 0))
    return proposals


def _meets(ours: Person, theirs: Person, step: Step) -> bool:
    if step.same_birth_year and (ours.birth_year is None or ours.birth_year != theirs.birth_year):
        return False
    if step.months is None:
        return bool(ours.lists & theirs.lists)
    return ours.months_from(theirs) <= step.months


def _only_candidates(forest: Forest, proposals: dict[int, dict[int, int]]) -> list[tuple[int, int]]:
    """Pairs in which the first has no other candidate as good, and the second is not claimed by two on one edition."""
    best: dict[int, list[int]] = {}
    for node, found in proposals.items():
        winners = _best_of_each_side(forest, node, found)
        # Several are one candidate if they may all be one person; else nobody can tell which of them it is.
        if all(
            forest.persons[one].may_be(forest.persons[other])
            for place, one in enumerate(winners)
            for other in winners[:place]
        ):
            best[node] = winners
    claims: dict[int, list[int]] = defaultdict(list)
    for node, winners in best.items():
        for other in winners:
            # Between two without numbers the choice must be mutual.
            if forest.persons[other].holder is not None or node in best.get(other, ()):
                claims[other].append(node)
    return [
        (node, other)
        for other, nodes in claims.items()
        for node in nodes
        if not any(
            forest.persons[node].editions & forest.persons[rival].editions
            and proposals[rival][other] >= proposals[node][other]
            for rival in nodes
            if rival != node
        )
    ]


def _best_of_each_side(forest: Forest, node: int, found: dict[int, int]) -> list[int]:
    """Candidates that agree on most letters, of those listed before the person, afterwards, and at the same time."""
    sides: dict[int, dict[int, int]] = defaultdict(dict)
    for other, letters in found.items():
        sides[_side(forest.persons[node], forest.persons[other])][other] = letters
    return [other for side in sides.values() for other, letters in side.items() if letters == max(side.values())]


def _side(person: Person, other: Person) -> int:
    """-1 where the other was listed before the person, 1 afterwards, 0 at the same time."""
    return -1 if other.last < person.first else 1 if other.first > person.last else 0
