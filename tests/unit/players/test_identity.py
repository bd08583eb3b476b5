"""Who is who on invented lists: each kind of link, and everything that must stay apart. All people are invented."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from unittest import mock

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.domain.list_key import ListKey
from pipeline.players import identity
from pipeline.players.evidence import (
    APPEARANCE_SCHEMA,
    DOUBLES_SCHEMA,
    REGISTER_SCHEMA,
    VERSION_COLUMNS,
    Evidence,
)
from pipeline.players.identity import FIRST_NAMED_PLAYER, FIRST_USCF_PLAYER, alternative_names, resolve
from pipeline.players.number_changes import changed_numbers
from pipeline.players.numbers import holders
from pipeline.players.questions import in_question
from pipeline.players.spelling import with_parts


@dataclass(frozen=True)
class Printed:
    """One line of a list. ``source`` tells editions of one list apart; ``behind`` marks a line that does not stand."""

    year: int
    name: str
    federation: str | None = "NOR"
    fide_id: int | None = None
    birth_year: int | None = None
    sex: str | None = None
    uscf_id: int | None = None
    source: int = 0
    behind: bool = False
    month: int = 1

    @property
    def attributes(self) -> tuple[object, ...]:
        return (self.fide_id, self.uscf_id, self.name, self.federation, self.sex, self.birth_year)

    @property
    def list_date(self) -> date:
        return date(self.year, self.month, 1)

    @property
    def edition(self) -> tuple[int, int]:
        # Every list has a source file of its own, but for sources that hold many lists (1 and up).
        return ListKey("fide", "standard", self.list_date).number, self.source or self.year * 100


def evidence(lines: Iterable[Printed], register: Iterable[dict[str, object]] = ()) -> Evidence:
    """What identity sees of these lines."""
    lines = list(lines)
    keys = {attributes: key for key, attributes in enumerate(dict.fromkeys(line.attributes for line in lines), 1)}
    versions = [
        {
            "version_key": key,
            **dict(zip(("fide_id", "uscf_id", "name", "federation", "sex", "birth_year"), attributes, strict=True)),
            "first_list_date": min(line.list_date for line in lines if line.attributes == attributes),
            "last_list_date": max(line.list_date for line in lines if line.attributes == attributes),
        }
        for attributes, key in keys.items()
    ]
    empty = dict.fromkeys(VERSION_COLUMNS[6:], pl.String())
    integers = {"version_key": pl.Int32(), "fide_id": pl.Int32(), "uscf_id": pl.Int32(), "birth_year": pl.Int16()}
    texts = dict.fromkeys(("name", "federation", "sex"), pl.String())
    dates = dict.fromkeys(("first_list_date", "last_list_date"), pl.Date())
    frame = pl.DataFrame(versions, schema={**integers, **texts, **dates, **empty})
    seen = pl.DataFrame(
        [(keys[line.attributes], *line.edition) for line in lines if not line.behind],
        schema=APPEARANCE_SCHEMA,
        orient="row",
    )
    standing = {(line.fide_id, line.edition): keys[line.attributes] for line in lines if not line.behind}
    doubles = [
        (keys[line.attributes], standing[line.fide_id, line.edition])
        for line in lines
        if line.behind and keys[line.attributes] != standing[line.fide_id, line.edition]
    ]
    return Evidence(
        versions=with_parts(frame),
        appearances=lambda version_keys, every_list: seen.filter(pl.col("version_key").is_in(version_keys.implode())),
        doubles=pl.DataFrame(doubles, schema=DOUBLES_SCHEMA, orient="row"),
        register=pl.DataFrame(list(register), schema=REGISTER_SCHEMA),
    )


def persons(*lines: Printed, register: Iterable[dict[str, object]] = ()) -> list[tuple[int, str]]:
    """Person and method of every line, in order."""
    known = evidence(lines, register)
    links = known.versions.join(resolve(known), on="version_key")
    found = {
        (row["fide_id"], row["uscf_id"], row["name"], row["federation"], row["sex"], row["birth_year"]): row
        for row in links.iter_rows(named=True)
    }
    return [(found[line.attributes]["player_id"], found[line.attributes]["link_method"]) for line in lines]


def ids(*lines: Printed, register: Iterable[dict[str, object]] = ()) -> list[int]:
    return [player_id for player_id, _ in persons(*lines, register=register)]


def methods(*lines: Printed) -> list[str]:
    return [method for _, method in persons(*lines)]


def registered(line: Printed, alternative: str | None = None, **more: object) -> dict[str, object]:
    """A row of a register about the person of a line."""
    return {
        "name": line.name,
        "fide_id": line.fide_id,
        "federation": line.federation,
        "birth_year": line.birth_year,
        "federations": line.federation,
        "death_year": None,
        "alternative_name": alternative,
        "source_key": line.source,
        **more,
    }


def test_a_number_is_a_person_whatever_is_printed_with_it() -> None:
    lines = [
        Printed(2003, "Quillfeather, Ann", "NOR", 91, 1980, "F"),
        Printed(2005, "Quillfeather-Moss, Ann", "SWE", 91, 1980, "F"),
    ]
    assert persons(*lines) == [(91, "fide_id"), (91, "fide_id")]


def test_initials_join_the_only_name_they_fit() -> None:
    old, new = Printed(1990, "Wimbledore,A."), Printed(1991, "Wimbledore, Arthur", fide_id=92)
    assert persons(old, new) == [(92, "initials"), (92, "fide_id")]


def test_initials_that_fit_two_names_join_neither() -> None:
    old = Printed(1990, "Wimbledore,A.")
    first, second = Printed(1991, "Wimbledore, Arthur", fide_id=92), Printed(1991, "Wimbledore, Albert", fide_id=93)
    assert ids(old, first, second)[0] >= FIRST_NAMED_PLAYER


def test_two_of_one_list_are_never_one_person() -> None:
    long, short = Printed(1990, "Wimbledore,Ar."), Printed(1990, "Wimbledore,A.")
    later = Printed(1991, "Wimbledore, Arthur", fide_id=92)
    found = persons(long, short, later)
    assert found[0] == (92, "initials")
    assert found[1][0] != 92
    assert found[1][1] == "unmatched"


def test_initials_do_not_bridge_many_years() -> None:
    assert len(set(ids(Printed(1980, "Wimbledore,A."), Printed(1990, "Wimbledore, Arthur", fide_id=92)))) == 2


def test_a_full_name_bridges_some_years_but_not_a_generation() -> None:
    near = ids(Printed(1990, "Wimbledore, Arthur"), Printed(1997, "Wimbledore, Arthur", fide_id=92))
    far = ids(Printed(1984, "Wimbledore, Arthur"), Printed(1999, "Wimbledore, Arthur", fide_id=92))
    assert near == [92, 92]
    assert far[0] != far[1]


def test_a_year_of_birth_bridges_any_time_and_forbids_what_contradicts_it() -> None:
    old = Printed(1974, "Wimbledore, Arthur", birth_year=1940)
    assert persons(old, Printed(2001, "Wimbledore, Arthur", fide_id=92, birth_year=1940))[0] == (
        92,
        "name_and_birth_year",
    )
    apart = ids(old, Printed(1975, "Wimbledore, Arthur", fide_id=92, birth_year=1950))
    assert apart[0] != apart[1]


def test_nobody_is_rated_before_school() -> None:
    old, young = Printed(1990, "Wimbledore,A."), Printed(1991, "Wimbledore, Arthur", fide_id=92, birth_year=1985)
    assert ids(old, young)[0] != 92


def test_sexes_are_not_mixed() -> None:
    old = Printed(1990, "Wimbledore, Robin", sex="F")
    assert ids(old, Printed(1991, "Wimbledore, Robin", fide_id=92, sex="M"))[0] != 92


def test_given_names_that_differ_by_a_feminine_ending_are_two_people() -> None:
    assert ids(Printed(1990, "Wimbledore, Ivan"), Printed(1991, "Wimbledore, Ivana", fide_id=92))[0] != 92


@pytest.mark.parametrize(
    ("before", "after"),
    [("USR", "EST"), ("URS", "USR"), ("DDR", "GER"), ("YUG", "SLO"), ("CSR", "SVK"), ("ROM", "ROU")],
)
def test_federations_that_follow_each_other_are_one_family(before: str, after: str) -> None:
    old, new = Printed(1990, "Wimbledore,A.", before), Printed(1991, "Wimbledore, Arthur", after, fide_id=92)
    assert ids(old, new) == [92, 92]


def test_initials_do_not_cross_federations_but_full_names_nobody_else_has_do() -> None:
    new = Printed(1991, "Wimbledore, Arthur", "ISL", fide_id=92)
    assert ids(Printed(1990, "Wimbledore,A."), new)[0] != 92
    assert persons(Printed(1990, "Wimbledore, Arthur"), new)[0] == (92, "name_other_federation")


def test_the_federation_decides_between_homonyms() -> None:
    old = Printed(1990, "Wimbledore, Arthur", "SUI")
    homonyms = [
        Printed(1991, "Wimbledore, Arthur", code, fide_id=number) for code, number in (("SUI", 92), ("NOR", 93))
    ]
    assert ids(old, *homonyms)[0] == 92


def test_a_generation_mark_keeps_father_and_son_apart() -> None:
    old = Printed(1990, "Wimbledore, Arthur Sr")
    son = Printed(1991, "Wimbledore, Arthur Jr", fide_id=92)
    assert ids(old, son)[0] != 92


def test_another_edition_of_the_same_list_shows_who_is_meant() -> None:
    # Two people fit the initials, one of them is on this list in the other edition.
    line = Printed(1986, "Wimbledore,A.", source=5)
    there = Printed(1986, "Wimbledore, Arthur", fide_id=92, source=1)
    elsewhere = Printed(1988, "Wimbledore, Albert", fide_id=93, source=1)
    assert persons(line, there, elsewhere)[0] == (92, "same_list_initials")


def test_chain_of_three_notations() -> None:
    lines = [
        Printed(1974, "Wimbledore, Arthur", "URS", birth_year=1950),
        Printed(1975, "Wimbledore,A.", "USR"),
        Printed(1990, "Wimbledore,A.", "USR"),
        Printed(1991, "Wimbledore,Arthur", "LAT"),
        Printed(1999, "Wimbledore, Arthur", "LAT", fide_id=92),
        Printed(2001, "Wimbledore, Arthur", "LAT", fide_id=92, birth_year=1950),
    ]
    assert set(ids(*lines)) == {92}


def test_between_two_different_people_initials_belong_to_neither() -> None:
    before, between, after = (
        Printed(1974, "Wimbledore, Arthur"),
        Printed(1975, "Wimbledore,A."),
        Printed(1976, "Wimbledore, Albert"),
    )
    assert len(set(ids(before, between, after))) == 3


def test_transliterations_are_joined_inside_a_family_of_federations() -> None:
    old = Printed(1990, "Yuschtschenkow,S.", "USR")
    assert persons(old, Printed(1991, "Iushtchenkov, Sergei", "UKR", fide_id=92))[0][0] == 92
    assert ids(old, Printed(1991, "Iushtchenkov, Sergei", "ISL", fide_id=92))[0] != 92


def test_spellings_of_a_register_find_the_person() -> None:
    register_line = Printed(1990, "Quillfeather, Ann", fide_id=94, source=1)
    printed = Printed(1990, "Federkiel,A.", source=5)
    rows = [registered(register_line, "Federkiel, Ann")]
    assert ids(printed, register_line, register=rows) == [94, 94]
    assert ids(printed, register_line)[0] != 94


def test_the_dead_are_not_rated_years_later() -> None:
    champion = Printed(1984, "Wimbledore, Arthur", birth_year=1920, source=1)
    later = Printed(1990, "Wimbledore, Arthur", source=5)
    alive, dead = registered(champion), registered(champion, death_year=1984)
    assert len(set(ids(champion, later, register=[alive]))) == 1
    assert len(set(ids(champion, later, register=[dead]))) == 2


def test_marks_of_a_register_are_no_part_of_the_name() -> None:
    first = Printed(1990, "Wimbledore, Arthur2", fide_id=92, source=1)
    assert ids(Printed(1990, "Wimbledore,Arthur", source=5), first)[0] == 92


def test_a_number_given_to_somebody_else_names_the_later_person() -> None:
    old = [
        Printed(1999, "Moorcastle, Lena", fide_id=95),
        Printed(2001, "Moorcastle, Lena", fide_id=95, birth_year=1950),
    ]
    new = Printed(2013, "Ottergreen, Tom", fide_id=95, birth_year=1999)
    found = persons(*old, new)
    assert found[2] == (95, "fide_id")
    assert found[0] == found[1]
    assert found[0][0] >= FIRST_NAMED_PLAYER
    assert found[0][1] == "fide_id_reused"


def test_a_number_under_two_sexes_and_two_names_was_held_by_two_people() -> None:
    old = Printed(2000, "Moorcastle, Lena", fide_id=95, sex="F")
    new = Printed(2013, "Ottergreen, Tom", fide_id=95, sex="M")
    mistyped = Printed(2001, "Moorcastle, Lena", fide_id=95, sex="M")
    found = ids(old, mistyped, new)
    assert found[2] == 95
    assert found[0] == found[1] != 95


def test_a_corrected_year_of_birth_or_a_new_surname_makes_no_new_person() -> None:
    corrected = [
        Printed(year, "Moorcastle, Lena", fide_id=95, birth_year=born) for year, born in ((2001, 1950), (2004, 1960))
    ]
    married = Printed(2006, "Moorcastle-Reed, Lena", fide_id=95, birth_year=1961)
    assert set(ids(*corrected, married)) == {95}


def test_two_lines_on_one_number_with_two_years_of_birth_are_two_people() -> None:
    lines = [
        Printed(2003, "Moorcastle, Tom", fide_id=95, birth_year=1970),
        Printed(2003, "Moorcastle, Tom", fide_id=95, birth_year=1964, behind=True),
        Printed(2004, "Moorcastle, Tom", fide_id=95, birth_year=1970),
    ]
    found = ids(*lines)
    assert found[0] == found[2] == 95
    assert found[1] != 95


def test_a_changed_number_is_one_person_under_the_later_number() -> None:
    old = Printed(2001, "Moorcastle, Lena", fide_id=95, birth_year=1950)
    new = Printed(2002, "Moorcastle, Lena", fide_id=9501, birth_year=1950)
    assert persons(old, new) == [(9501, "fide_id_changed"), (9501, "fide_id")]


@pytest.mark.parametrize(
    "other",
    [
        Printed(2001, "Moorcastle, Lena", fide_id=9501, birth_year=1950),  # both on one list
        Printed(2002, "Moorcastle, Lena", fide_id=9501, birth_year=1970),
        Printed(2006, "Moorcastle, Lena", fide_id=9501, birth_year=1950),  # long after
        Printed(2002, "Moorcastle, L", fide_id=9501, birth_year=1950),
    ],
)
def test_two_numbers_are_two_people_otherwise(other: Printed) -> None:
    assert ids(Printed(2001, "Moorcastle, Lena", fide_id=95, birth_year=1950), other) == [95, 9501]


def test_three_of_one_name_and_year_are_left_alone() -> None:
    lines = [Printed(2001 + place, "Moorcastle, Lena", fide_id=95 + place, birth_year=1950) for place in range(3)]
    assert ids(*lines) == [95, 96, 97]


def test_members_of_us_chess_are_their_own_unless_a_record_states_the_fide_number() -> None:
    lines = [
        Printed(2024, "WIMBLEDORE, ARTHUR", "USA", uscf_id=12),
        Printed(2024, "Wimbledore, Arthur", "USA", fide_id=92),
        Printed(2024, "QUILLFEATHER, ANN", "USA", uscf_id=13, fide_id=94, month=2),
        Printed(2024, "QUILLFEATHER, ANN", "USA", uscf_id=13, month=3),
    ]
    assert persons(*lines) == [
        (FIRST_USCF_PLAYER + 12, "uscf_id"),
        (92, "fide_id"),
        (94, "fide_id"),
        (94, "uscf_id"),
    ]


def test_a_us_record_with_somebody_elses_number_takes_nothing_from_him() -> None:
    owner = Printed(2020, "Wimbledore, Arthur", "USA", fide_id=92, birth_year=1950, sex="M")
    claims = [
        Printed(2024, "QUILLFEATHER, ANN", "USA", fide_id=92, uscf_id=13, sex="F", birth_year=1990),
        Printed(2024, "QUILLFEATHER, ANN", "USA", uscf_id=13, sex="F", month=2),
    ]
    assert ids(owner, *claims) == [92, FIRST_USCF_PLAYER + 13, FIRST_USCF_PLAYER + 13]


@pytest.mark.parametrize("listed", [["Wimbledore, Arthur"], ["Wimbledore, Arthur", "Ottergreen, Arthur"], ["Xu, Yi"]])
def test_a_us_record_of_quite_another_name_is_somebody_else_though_nothing_else_is_known(listed: list[str]) -> None:
    owner = [Printed(2020 + place, name, "USA", fide_id=92) for place, name in enumerate(listed)]
    claim = Printed(2024, "QUILLFEATHER, ANN", "USA", fide_id=92, uscf_id=13)
    assert ids(*owner, claim) == [92] * len(owner) + [FIRST_USCF_PLAYER + 13]


@pytest.mark.parametrize(
    ("listed", "stated"),
    [
        ("Wimbledore, Arthur", "ARTHUR J WIMBLEDORE"),
        ("Wimbledore, Ann", "QUILLFEATHER, ANN"),
        ("Xu, Yi", "YI XU"),
        ("Yusupov, Artur", "JUSSUPOW, A"),
    ],
)
def test_a_us_record_with_a_word_of_the_name_is_the_holder_of_the_number(listed: str, stated: str) -> None:
    claim = Printed(2024, stated, "USA", fide_id=92, uscf_id=13)
    assert ids(Printed(2020, listed, "USA", fide_id=92), claim) == [92, 92]


def test_two_us_members_that_state_one_number_are_two_people() -> None:
    lines = [
        Printed(2020, "Wimbledore, Arthur", "USA", fide_id=92),
        Printed(2024, "WIMBLEDORE, ARTHUR", "USA", fide_id=92, uscf_id=13),
        Printed(2024, "WIMBLEDORE, ART", "USA", fide_id=92, uscf_id=14),
    ]
    assert ids(*lines) == [92, FIRST_USCF_PLAYER + 13, FIRST_USCF_PLAYER + 14]


def test_numbers_of_people_without_one_stay_when_lists_are_added() -> None:
    lines = [Printed(1975, "Wimbledore,A."), Printed(1975, "Quillfeather,B.", "SWE")]
    alone, more = ids(*lines), ids(*lines, Printed(1977, "Ottergreen,C."), Printed(1977, "Wimbledore,A."))
    assert more[:2] == alone
    assert all(FIRST_NAMED_PLAYER <= number < FIRST_USCF_PLAYER for number in more)


def test_order_of_the_evidence_does_not_matter() -> None:
    lines = [
        Printed(1974, "Wimbledore, Arthur", "URS", birth_year=1950),
        Printed(1975, "Wimbledore,A.", "USR"),
        Printed(1999, "Wimbledore, Arthur", "LAT", fide_id=92),
        Printed(1990, "Quillfeather,B.", "SWE"),
        Printed(1991, "Quillfeather, Bo", "SWE"),
    ]
    forwards, backwards = persons(*lines), persons(*reversed(lines))
    assert forwards == list(reversed(backwards))


def test_confidence_shrinks_along_a_chain() -> None:
    lines = [
        Printed(1989, "Wimbledore,A.", "USR"),
        Printed(1991, "Wimbledore, Arthur", "LAT"),
        Printed(1993, "Wimbledore, Arthur", "LAT", fide_id=92),
        Printed(1989, "Ottergreen,C."),
    ]
    known = evidence(lines)
    confidence = known.versions.join(resolve(known), on="version_key")["link_confidence"].to_list()
    assert confidence[2] == 1.0
    assert confidence[0] < confidence[1] < 1.0
    assert confidence[3] is None


def test_methods_tell_the_unmatched_from_those_seen_again() -> None:
    lines = [Printed(1975, "Wimbledore,A."), Printed(1977, "Wimbledore,A."), Printed(1977, "Quillfeather,B.")]
    assert methods(*lines) == ["same_name", "same_name", "unmatched"]


def test_hand_checked_spellings_join_what_no_rule_could() -> None:
    lines = [
        Printed(1984, "Nun,Ji.", "ENG"),
        Printed(1984, "Nun,Ji.", "CSR"),
        Printed(1986, "Nunn J.D.M.", "ENG"),
        Printed(1999, "Nunn, John D.M.", "ENG", fide_id=400017),
        Printed(1999, "Nun, Jiri", "CZE", fide_id=300179),
    ]
    found = persons(*lines)
    assert found[0] == (400017, "hand_checked")
    assert found[2] == (400017, "hand_checked")
    assert found[1][0] != 400017


def test_alternative_names_come_from_register_and_catalogue() -> None:
    line = Printed(1990, "Quillfeather, Ann", fide_id=94, source=1)
    known = evidence([line, Printed(1986, "Nunn J.D.M.", "ENG")], [registered(line, "Federkiel, Ann")])
    names = alternative_names(known, resolve(known))
    assert ("Federkiel, Ann", "register") in names.filter(player_id=94).select("name", "name_source").rows()
    assert ("Nun,Ji.", "catalogue") in names.select("name", "name_source").rows()


def test_no_evidence_at_all() -> None:
    assert resolve(evidence([])).height == 0


def test_ratings_are_no_evidence() -> None:
    columns = {*VERSION_COLUMNS, *APPEARANCE_SCHEMA, *DOUBLES_SCHEMA, *REGISTER_SCHEMA}
    assert not [column for column in columns if "rating" in column]


@st.composite
def lists_of_few_names(draw: st.DrawFn) -> list[Printed]:
    """Lines of few names, numbers and federations, so that all that may be in question comes about."""
    names = [
        "Wimbledore, Arthur",
        "Wimbledore,A.",
        "Vimbledore, Artur",
        "Wimbledore",
        "Quillfeather, Ann",
        "Ottergreen,C",
    ]
    line = st.builds(
        Printed,
        year=st.integers(1985, 1997),
        name=st.sampled_from(names),
        federation=st.sampled_from(["NOR", "SWE", "URS", "RUS", None]),
        fide_id=st.sampled_from([None, None, 91, 92, 93, 94]),
        birth_year=st.sampled_from([None, None, 1940, 1941, 1975]),
        sex=st.sampled_from([None, None, "F", "M"]),
        source=st.sampled_from([0, 1]),
    )
    lines = draw(st.lists(line, min_size=1, max_size=14))
    claims = [
        Printed(1996, "Wimbledore, Arthur", "USA", draw(st.sampled_from([None, 91, 95])), uscf_id=number)
        for number in draw(st.lists(st.integers(501, 503), max_size=2))
    ]
    seen: set[tuple[object, ...]] = set()
    kept = []
    for one in [*lines, *claims]:
        # An edition has a number once.
        entry = (one.edition, one.fide_id or one.uscf_id or one.name)
        if entry not in seen:
            seen.add(entry)
            kept.append(one)
    return kept


@given(lists_of_few_names(), st.data())
@settings(max_examples=30)
def test_those_not_in_question_are_who_a_look_at_everybody_finds(lines: list[Printed], data: st.DataObject) -> None:
    stated = data.draw(st.lists(st.sampled_from(lines), max_size=2))
    known = evidence(lines, [registered(line, "Vimbeldor, Artur", death_year=1995) for line in stated])
    with mock.patch.object(identity, "in_question", lambda evidence, *_: evidence.versions["version_key"]):
        everybody = resolve(known)
    assert resolve(known).equals(everybody)


def test_most_are_not_in_question() -> None:
    lines = [
        Printed(1989, "Wimbledore,A."),
        Printed(1991, "Wimbledore, Arthur", fide_id=92),
        Printed(1992, "Wimbledore-Moss, Arthur", fide_id=92),
        Printed(1991, "Quillfeather, Ann", fide_id=93),
        Printed(1994, "Ottergreen, Cyril", fide_id=94, birth_year=1950),
        Printed(1995, "Ottergreen, Cyril", fide_id=95, birth_year=1950),
    ]
    known = evidence(lines)
    numbered = holders(known)
    asked = in_question(known, numbered, changed_numbers(known, numbered))
    names = known.versions.filter(pl.col("version_key").is_in(asked.implode()))["name"].to_list()
    assert names == [line.name for line in lines if line.fide_id != 93]
