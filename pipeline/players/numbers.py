"""Persons by their identification numbers, with numbers that two people held split.

Belongs here: what can be said from numbers, with names, birth years and sexes as witnesses. Not here: one person
with two numbers (``number_changes``) and people printed without any (``linking``).

FIDE gives numbers to a second person after years (that of a player who died in 1999 is held today by one born in
1997), and one line of a list may carry the number of somebody else.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import polars as pl

from pipeline.players.evidence import Evidence
from pipeline.players.spelling import given_agree

#: Birth years printed for one person differ by a year now and then; from here on they name two people.
BIRTH_YEARS_APART: Final = 2
#: Under one surname with other given names only this much tells relatives from a misprint.
RELATIVES_APART: Final = 10
#: Shortest word that two names must share to be names of one person.
_WORD_LETTERS: Final = 3


@dataclass(frozen=True, slots=True)
class _Printed:
    """One version on a number: words of the name, parts, what is stated of the person, days of its lists."""

    version_key: int
    words: frozenset[str]
    surname: str
    given: str
    birth_year: int | None
    sex: str | None
    first_list: int
    last_list: int
    is_claim: bool

    def days_from(self, other: "_Printed") -> int:
        """Days between the lists of two versions, 0 where their times overlap."""
        return max(0, other.first_list - self.last_list, self.first_list - other.last_list)


def holders(evidence: Evidence) -> pl.DataFrame:
    """The person behind the number of every version that has one.

    Args:
        evidence: what is known.

    Returns:
        ``version_key``, ``holder`` (text, one per person), ``fide_id`` (the number that names the person, null
        for those who held a number that is another's today), ``uscf_id``, ``method``, ``confidence``.
    """
    numbered = pl.any_horizontal(pl.col("fide_id", "uscf_id").is_not_null())
    versions = (
        evidence.versions.filter(numbered)
        .select("version_key", "fide_id", "uscf_id")
        .join(_reused(evidence), on="version_key", how="left")
    )
    # A record of US Chess that states somebody else's number is a member without one. So is every one of several
    # members that state the same number, or a member who states several: which is right nobody can tell here.
    claims = versions.filter(pl.col("fide_id").is_not_null(), pl.col("uscf_id").is_not_null())
    pairs = claims.filter(pl.col("part").fill_null(0) == 0).select("fide_id", "uscf_id").unique()
    one_to_one = pairs.filter(pl.col("uscf_id").is_unique(), pl.col("fide_id").is_unique())
    is_claim = pl.col("uscf_id").is_not_null()
    return (
        versions.join(one_to_one.rename({"fide_id": "claimed_fide_id"}), on="uscf_id", how="left")
        .with_columns(
            fide_id=pl.when(is_claim & (pl.col("part").fill_null(0) == 0))
            .then("claimed_fide_id")
            .when(~is_claim)
            .then("fide_id"),
            part=pl.when(~is_claim).then("part"),
            method=pl.when(is_claim & (pl.col("fide_id").is_null() | pl.col("claimed_fide_id").is_null()))
            .then(pl.lit("uscf_id"))
            .otherwise(pl.lit("fide_id")),
        )
        .select(
            "version_key",
            pl.when(pl.col("fide_id").is_null())
            .then(pl.concat_str(pl.lit("uscf "), "uscf_id"))
            .otherwise(pl.concat_str(pl.lit("fide "), "fide_id", pl.lit(" "), pl.col("part").fill_null(0)))
            .alias("holder"),
            pl.when(pl.col("part").fill_null(0) == 0).then("fide_id").alias("fide_id"),
            "uscf_id",
            pl.when(pl.col("part") > 0).then(pl.lit("fide_id_reused")).otherwise("method").alias("method"),
            pl.when(pl.col("part").is_not_null()).then(0.9).otherwise(1.0).alias("confidence"),
        )
        .sort("version_key")
    )


def _reused(evidence: Evidence) -> pl.DataFrame:
    """Versions on numbers that two or more people held: ``version_key``, ``part``.

    Part 0 is who holds the number last by FIDE's own lists; what a record of US Chess states comes after them, and
    a record whose name has no word in common with any that FIDE prints is somebody else's.
    """
    numbered = evidence.versions.filter(pl.col("fide_id").is_not_null())
    spread = pl.col("birth_year").max() - pl.col("birth_year").min()
    doubtful = (
        numbered.group_by("fide_id")
        .agg(spread.alias("spread"), pl.col("sex").drop_nulls().n_unique().alias("sexes"))
        .filter((pl.col("spread") >= BIRTH_YEARS_APART) | (pl.col("sexes") > 1))
    )
    doubled = numbered.filter(pl.col("version_key").is_in(evidence.doubles["version_key"].implode()))
    numbers = pl.concat([doubtful["fide_id"], doubled["fide_id"], _claimed_by_strangers(numbered)]).unique()
    rows = (
        numbered.filter(pl.col("fide_id").is_in(numbers.implode()))
        .select(
            "fide_id",
            "version_key",
            "birth_year",
            "sex",
            pl.col("uscf_id").is_not_null().alias("is_claim"),
            pl.col("surname", "given", "sound", "given_sound").fill_null(""),
            first_list=pl.col("first_list_date").to_physical(),
            last_list=pl.col("last_list_date").to_physical(),
        )
        .with_columns(words=_words())
        .sort("fide_id", "version_key")
    )
    doubles = {frozenset(pair) for pair in evidence.doubles.iter_rows()}
    parts: list[tuple[int, int]] = []
    for _, group in rows.group_by("fide_id", maintain_order=True):
        printed = [
            _Printed(
                row["version_key"],
                frozenset(row["words"]),
                row["surname"],
                row["given"],
                row["birth_year"],
                row["sex"],
                row["first_list"],
                row["last_list"],
                row["is_claim"],
            )
            for row in group.iter_rows(named=True)
        ]
        parts += _split(printed, doubles)
    return pl.DataFrame(parts, schema={"version_key": pl.Int32(), "part": pl.Int32()}, orient="row")


def _words() -> pl.Expr:
    """Words of a name, as printed and as sounds; short ones only where there is no other."""
    names = ("sound", "given_sound", "surname", "given")
    words = pl.concat_str(names, separator=" ", ignore_nulls=True).str.split(" ").list.unique(maintain_order=True)
    telling = words.list.eval(pl.element().filter(pl.element().str.len_chars() >= _WORD_LETTERS))
    return pl.when(telling.list.len() > 0).then(telling).otherwise(words)


def _claimed_by_strangers(numbered: pl.DataFrame) -> pl.Series:
    """Numbers that a record of US Chess states under a name unlike every name on FIDE's lists."""
    is_claim = pl.col("uscf_id").is_not_null()
    claimed = numbered.filter(is_claim).select("fide_id").unique()
    named = numbered.join(claimed, on="fide_id", how="semi").select(
        "fide_id", "version_key", "surname", "uscf_id", words=_words()
    )
    alike = (pl.col("surname") == pl.col("surname_listed")).fill_null(False) | (
        pl.col("words").list.set_intersection("words_listed").list.len() > 0
    )
    return (
        named.filter(is_claim)
        .join(named.filter(~is_claim), on="fide_id", suffix="_listed")
        .group_by("version_key", "fide_id")
        .agg(alike.any().alias("alike"))
        .filter(~pl.col("alike"))
        .get_column("fide_id")
    )


def _split(printed: list[_Printed], doubles: set[frozenset[int]]) -> list[tuple[int, int]]:
    """Give the versions of one number to its holders; nothing where there is one holder only."""
    listed = [row for row in printed if not row.is_claim]
    # A record without a name says nothing against its number.
    claims = [row for row in printed if row.is_claim and any(row.words)] if listed else []
    strangers = [row for row in claims if not any(_related(row, own) for own in listed)]
    parts = _people([row for row in printed if row not in strangers], doubles)
    last = max((part for _, part in parts), default=0)
    return parts + [(row.version_key, last + 1) for row in strangers]


def _people(printed: list[_Printed], doubles: set[frozenset[int]]) -> list[tuple[int, int]]:
    """As ``_split``, of versions that may all be the holder's."""
    if not any(_different(one, other, doubles) for one, other in combinations(printed, 2)):
        return []
    # Rows with a birth year first, so that those without one join whom their name fits; latest first.
    ordered = sorted(printed, key=lambda row: (row.birth_year is None, -row.last_list, row.version_key))
    people: list[list[_Printed]] = []
    for row in ordered:
        fitting = [
            person
            for person in people
            if any(_related(row, other) for other in person)
            and not any(_different(row, other, doubles) for other in person)
        ]
        if fitting:
            max(fitting, key=lambda person: _closeness(row, person)).append(row)
        else:
            people.append([row])
    people.sort(key=lambda person: (all(row.is_claim for row in person), -max(row.last_list for row in person)))
    return [(row.version_key, part) for part, person in enumerate(people) for row in person]


def _closeness(row: _Printed, person: list[_Printed]) -> tuple[bool, int, int]:
    same_year = any(other.birth_year == row.birth_year for other in person)
    shared = max(len(row.words & other.words) for other in person)
    return same_year, shared, -min(row.days_from(other) for other in person)


def _related(one: _Printed, other: _Printed) -> bool:
    """Whether two names have a word in common: a corrected, a married, a turned-round name has."""
    return one.surname == other.surname or bool(one.words & other.words)


def _different(one: _Printed, other: _Printed, doubles: set[frozenset[int]]) -> bool:
    """Whether two versions on one number are clearly two people's, and not one person's corrected record."""
    together = frozenset((one.version_key, other.version_key)) in doubles
    if one.birth_year is not None and other.birth_year is not None:
        apart = abs(one.birth_year - other.birth_year)
        if together or not _related(one, other):
            return apart >= BIRTH_YEARS_APART
        relatives = one.surname == other.surname and not given_agree(one.given, other.given)
        return relatives and apart >= RELATIVES_APART
    sexes_differ = one.sex is not None and other.sex is not None and one.sex != other.sex
    return (together or sexes_differ) and not _related(one, other)
