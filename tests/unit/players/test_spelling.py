"""How spellings are compared. All people are invented; the pairs of letters are those of real lists."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.names import given_compatible
from pipeline.players.spelling import given_agree, given_sound_agree, letters_agreed, sound_expr, with_parts

words = st.text("abcdeiou", min_size=0, max_size=8)


def sound(text: str) -> str:
    return str(pl.select(sound_expr(pl.lit(text))).item())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("yuschtschenkow", "iushtchenkov"),
        ("rosenfels", "rozenfels"),
        ("cseltsov", "tseltsov"),
        ("hueberg", "huberg"),
        ("mihailov", "mikhailov"),
        ("krassilnikoff", "krasilnikov"),
        ("zaitsiev", "zaytsev"),
    ],
)
def test_transliterations_sound_alike(one: str, other: str) -> None:
    assert sound(one) == sound(other)


@pytest.mark.parametrize(("one", "other"), [("ivanov", "ivanova"), ("petrov", "petrosian"), ("karlin", "kerlin")])
def test_other_names_do_not(one: str, other: str) -> None:
    assert sound(one) != sound(other)


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("r", "robert james", True),
        ("zsu", "zsuzsa", True),
        ("zsu", "zsofia", False),
        ("robert j", "robert l", False),
        ("", "anna", True),
        ("ivan", "ivana", False),
        ("al", "ala", True),  # too short to be a name of its own
    ],
)
def test_given_names_agree_word_by_word(one: str, other: str, agree: bool) -> None:
    assert given_agree(one, other) is agree
    assert given_agree(other, one) is agree


@given(words, words)
def test_agreement_is_never_wider_than_that_of_names(one: str, other: str) -> None:
    if given_agree(one, other):
        assert given_compatible(one, other)


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("aleksandr", "aleksander", True),
        ("sergei", "serge", True),
        ("aleksander", "aleksei", False),
        ("olek", "olga", False),
    ],
)
def test_spellings_of_one_given_name(one: str, other: str, agree: bool) -> None:
    assert given_sound_agree(one, other) is agree


def test_longer_agreement_says_more() -> None:
    assert letters_agreed("vl", "vladimir") > letters_agreed("v", "vladimir")
    assert letters_agreed("n d", "nigel d") == 2


def test_marks_of_registers_are_left_out() -> None:
    names = pl.DataFrame({"name": ["Wimbledore, Arthur2", "Wimbledore, Arthur NOR", "Wimbledore, Arthur (2)", None]})
    parts = with_parts(names)
    assert parts["given"].to_list() == ["arthur", "arthur", "arthur", None]
    assert parts["name"].to_list() == names["name"].to_list()
