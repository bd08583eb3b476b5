"""Persons by their identification numbers: re-used numbers split, changed numbers joined.

Belongs here: what can be said from numbers, with names and birth years as witnesses. Not here: people printed
without any number (``linking``).

Identification numbers are given to a second person after years (a number of a player who died in 1999 is held
today by one born in 1997), and one line of a list may carry the number of somebody else. A person may also get a
second number. Both are told by name, birth year, sex, federation and the lists on which the numbers occur.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import polars as pl

from pipeline.players.evidence import Evidence
from pipeline.players.nodes import unanimous
from pipeline.players.spelling import given_agree

#: Birth years printed for one person differ by a year now and then; from here on they name two people.
BIRTH_YEARS_APART: Final = 2
#: Under one surname with other given names only this much tells relatives from a misprint.
RELATIVES_APART: Final = 10
#: Longest time between the last list with the old number and the first with the new one.
LONGEST_CHANGE_MONTHS: Final = 24
#: Shortest word that two names must share to be names of one person.
_WORD_LETTERS: Final = 3


@dataclass(frozen=True, slots=True)
class _Printed:
    """One version on a number: words of the name as sounds, parts, what is stated of the person, days of its lists."""

    version_key: int
    words: frozenset[str]
    surname: str
    given: str
    birth_year: int | None
    sex: str | None
    first_list: int
    last_list: int

    def days_from(self, other: "_Printed") -> int:
        """Days between the lists of two versions, 0 where their times overlap."""
        return max(0, other.first_list - self.last_list, self.first_list - other.last_list)


def holders(evidence: Evidence) -> pl.DataFrame:
    """The person behind the number of every version that has one.

    Args:
        evidence: what is known, names taken apart (``spelling.with_parts``).

    Returns:
        ``version_key``, ``holder`` (text, one per person), ``fide_id`` (the number that names the person, null
        for those who held a number that is another's today), ``uscf_id``, ``method``, ``confidence``.
    """
    versions = evidence.versions.filter(pl.any_horizontal(pl.col("fide_id", "uscf_id").is_not_null()))
    pairs = versions.filter(pl.col("fide_id").is_not_null(), pl.col("uscf_id").is_not_null()).select(
        "fide_id", "uscf_id"
    )
    one_to_one = pairs.unique().filter(pl.col("uscf_id").is_unique(), pl.col("fide_id").is_unique())
    numbered = (
        versions.select("version_key", "fide_id", "uscf_id")
        .join(one_to_one.rename({"fide_id": "linked_fide_id"}), on="uscf_id", how="left")
        .select(
            "version_key",
            "uscf_id",
            fide_id=pl.coalesce("fide_id", "linked_fide_id"),
            method=pl.when(pl.col("fide_id").is_not_null()).then(pl.lit("fide_id")).otherwise(pl.lit("uscf_id")),
            confidence=pl.lit(1.0),
        )
    )
    parts = _reused(evidence)
    return (
        numbered.join(parts, on="version_key", how="left")
        .select(
            "version_key",
            pl.when(pl.col("fide_id").is_null())
            .then(pl.concat_str(pl.lit("uscf "), "uscf_id"))
            .otherwise(pl.concat_str(pl.lit("fide "), "fide_id", pl.lit(" "), pl.col("part").fill_null(0)))
            .alias("holder"),
            pl.when(pl.col("part").fill_null(0) == 0).then("fide_id").alias("fide_id"),
            "uscf_id",
            pl.when(pl.col("part") > 0).then(pl.lit("fide_id_reused")).otherwise("method").alias("method"),
            pl.when(pl.col("part").is_not_null()).then(0.9).otherwise("confidence").alias("confidence"),
        )
        .sort("version_key")
    )


def _reused(evidence: Evidence) -> pl.DataFrame:
    """Versions on numbers that two or more people held: ``version_key``, ``part`` (0 = who holds it last)."""
    numbered = evidence.versions.filter(pl.col("fide_id").is_not_null())
    spread = pl.col("birth_year").max() - pl.col("birth_year").min()
    doubtful = (
        numbered.group_by("fide_id")
        .agg(spread.alias("spread"), pl.col("sex").drop_nulls().n_unique().alias("sexes"))
        .filter((pl.col("spread") >= BIRTH_YEARS_APART) | (pl.col("sexes") > 1))
    )
    doubled = numbered.filter(pl.col("version_key").is_in(evidence.doubles["version_key"].implode()))
    numbers = pl.concat([doubtful["fide_id"], doubled["fide_id"]]).unique()
    rows = (
        numbered.filter(pl.col("fide_id").is_in(numbers.implode()))
        .select(
            "fide_id",
            "version_key",
            "birth_year",
            "sex",
            pl.col("surname", "given", "sound", "given_sound").fill_null(""),
            first_list=pl.col("first_list_date").to_physical(),
            last_list=pl.col("last_list_date").to_physical(),
        )
        .with_columns(words=pl.concat_str("sound", pl.lit(" "), "given_sound").str.split(" "))
        .sort("fide_id", "version_key")
    )
    doubles = {frozenset(pair) for pair in evidence.doubles.iter_rows()}
    parts: list[tuple[int, int]] = []
    for _, group in rows.group_by("fide_id", maintain_order=True):
        printed = [
            _Printed(
                row["version_key"],
                frozenset(word for word in row["words"] if len(word) >= _WORD_LETTERS),
                row["surname"],
                row["given"],
                row["birth_year"],
                row["sex"],
                row["first_list"],
                row["last_list"],
            )
            for row in group.iter_rows(named=True)
        ]
        parts += _split(printed, doubles)
    return pl.DataFrame(parts, schema={"version_key": pl.Int32(), "part": pl.Int32()}, orient="row")


def _split(printed: list[_Printed], doubles: set[frozenset[int]]) -> list[tuple[int, int]]:
    """Give the versions of one number to its holders; nothing where there is one holder only."""
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
    people.sort(key=lambda person: -max(row.last_list for row in person))
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


def changed_numbers(evidence: Evidence, numbered: pl.DataFrame) -> pl.DataFrame:
    """Pairs of holders that are one person who got another number: ``holder``, ``later_holder``, ``confidence``.

    Both print the same full name, and nobody else holds a number under it: of the same federation and year of
    birth (0.9), or of the whole world while no years contradict (0.8). The new number begins after the old one
    ended, within LONGEST_CHANGE_MONTHS; or another edition of a list has the new number where one has the old
    (collections of later years know the new one only), and no edition has both.

    Args:
        evidence: what is known, names taken apart (``spelling.with_parts``).
        numbered: result of ``holders``.
    """
    known = (
        evidence.versions.filter(pl.col("fide_id").is_not_null(), pl.col("name").is_not_null())
        .join(numbered.filter(pl.col("method") != "fide_id_reused"), on="version_key")
        .select("holder", "surname", "given", "generation", "federation", "birth_year", "sex")
        # An initial is no full name: too many people share it.
        .filter(pl.col("given").str.split(" ").list.first().str.len_chars() >= _WORD_LETTERS)
        .unique()
    )
    name = ["surname", "given", "generation"]
    dated = known.filter(pl.col("birth_year").is_not_null(), pl.col("federation").is_not_null())
    pairs = pl.concat(
        [
            _only_two(dated, [*name, "federation", "birth_year"]).with_columns(confidence=pl.lit(0.9)),
            _only_two(known, name).with_columns(confidence=pl.lit(0.8)),
        ]
    ).unique(["holder", "other"], keep="first", maintain_order=True)
    facts = known.group_by("holder").agg(pl.col("birth_year").max(), unanimous("sex"))
    spans = (
        evidence.versions.join(numbered.select("version_key", "holder"), on="version_key")
        .join(pl.concat([pairs["holder"], pairs["other"]]).unique().to_frame(), on="holder", how="semi")
        .group_by("holder")
        .agg(pl.col("first_list_date").min(), pl.col("last_list_date").max())
        .join(facts, on="holder")
    )
    both = pairs.join(spans, on="holder").join(spans, left_on="other", right_on="holder", suffix="_other")
    both = both.filter(
        (pl.col("birth_year") == pl.col("birth_year_other")).fill_null(True),
        (pl.col("sex") == pl.col("sex_other")).fill_null(True),
    )
    # The later number is the one with the later last list, then the later first one.
    last, last_other = pl.col("last_list_date"), pl.col("last_list_date_other")
    turned = (last_other < last) | (
        (last_other == last) & (pl.col("first_list_date_other") < pl.col("first_list_date"))
    )
    found = pl.concat([_one_after_the_other(both), _beside_each_other(evidence, numbered, both)])
    return (
        found.select(
            pl.when(turned).then("other").otherwise("holder").alias("holder"),
            pl.when(turned).then("holder").otherwise("other").alias("later_holder"),
            "confidence",
        )
        .filter(pl.col("holder").is_unique(), pl.col("later_holder").is_unique())
        .sort("holder")
    )


def _only_two(known: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """Pairs of holders that alone share the key: ``holder``, ``other``."""
    return (
        known.select(*key, "holder")
        .unique()
        .filter(pl.len().over(key) == 2)
        .sort(*key, "holder")
        .group_by(key, maintain_order=True)
        .agg("holder")
        .select(pl.col("holder").list.first(), other=pl.col("holder").list.last())
        .unique(maintain_order=True)
    )


def _one_after_the_other(both: pl.DataFrame) -> pl.DataFrame:
    longest = f"{LONGEST_CHANGE_MONTHS}mo"

    def follows(ended: str, begun: str) -> pl.Expr:
        return (pl.col(ended) < pl.col(begun)) & (pl.col(begun) <= pl.col(ended).dt.offset_by(longest))

    return both.filter(
        follows("last_list_date", "first_list_date_other") | follows("last_list_date_other", "first_list_date")
    )


def _beside_each_other(evidence: Evidence, numbered: pl.DataFrame, both: pl.DataFrame) -> pl.DataFrame:
    """Pairs on one list in different editions, and never on one edition."""
    overlapping = both.filter(
        pl.col("first_list_date") <= pl.col("last_list_date_other"),
        pl.col("first_list_date_other") <= pl.col("last_list_date"),
    )
    wanted = pl.concat([overlapping["holder"], overlapping["other"]]).unique().to_frame()
    members = numbered.join(wanted, on="holder", how="semi").select("version_key", "holder")
    seen = evidence.appearances(members["version_key"], True).join(members, on="version_key")
    on_one_list = overlapping.join(seen.select("holder", "list_key", "source_key"), on="holder").join(
        seen.select(pl.col("holder").alias("other"), "list_key", other_source_key="source_key"),
        on=["other", "list_key"],
    )
    apart = (
        on_one_list.group_by("holder", "other")
        .agg((pl.col("source_key") == pl.col("other_source_key")).any().alias("on_one_edition"))
        .filter(~pl.col("on_one_edition"))
    )
    return overlapping.join(apart, on=["holder", "other"], how="semi")
