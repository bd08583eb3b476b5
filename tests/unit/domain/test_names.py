import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.names import (
    NameParts,
    given_compatible,
    given_compatible_expr,
    name_block,
    name_block_expr,
    name_key,
    name_key_expr,
    name_parts,
    name_parts_expr,
)

#: Printed forms of one person over the eras that must fall into one block.
SAME_BLOCK = [
    ["Fischer, Robert James", "Fischer,R.", "Fischer, Robert J", "FISCHER, ROBERT J."],
    ["Spassky, Boris V", "Spassky,B.", "Spassky,B.V.", "Spassky,Boris.V", "Spassky, Boris V."],
    ["Korchnoi, Viktor", "Korchnoi,Viktor"],
    ["Tal,M.N.", "Tal, Mikhail N", "Tal, Mikhail N."],
    ["Karpov, Anatoly", "Karpov,An.", "Karpov,Anatoly"],
    ["Kasparov,G.", "Kasparov,Gary", "Kasparov, Garry"],
    ["Huebner, Robert", "Huebner,R.", "Huebner,Robert.Dr", "Huebner, Robert Dr.", "Hübner, Robert"],
    ["Nunn, John D M", "Nunn J.D.M.", "Nunn,J.D.M.", "Nunn,John.D.M", "Nunn, John D. M."],
    ["O´Kelly de Galway, Alberic", "O'Kelly De Galway, Albéric", "O’KELLY DE GALWAY, A."],
    ["Beliavsky, Alexander G", "Beliavsky,A.", "Beliavsky,Alexander..G"],
    ["Polgar,Zsu.", "Polgar,Zsuzsa.(GM)", "Polgar, Zsuzsa (GM)"],
    ["Arakhamia-Grant,Ketevan.(IM)", "Arakhamia-Grant, Ketevan (IM)", "Arakhamia Grant, K."],
    ["Parma B.", "Parma, Bruno", "Parma,B."],
    ["Aaberg,Anton", "Aaberg, Anton", "Åberg, Anton"],
]


@pytest.mark.parametrize("spellings", SAME_BLOCK, ids=lambda spellings: spellings[0])
def test_spellings_of_one_person_share_a_block(spellings: list[str]) -> None:
    assert len({name_block(spelling) for spelling in spellings}) == 1
    given_parts = [name_parts(spelling).given for spelling in spellings]
    assert all(given_compatible(given_parts[0], other) for other in given_parts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Beliavsky, Alexander G", "Beliavsky,Alexander..G"),
        ("Huebner, Robert", "Huebner,Robert.Dr"),
        ("Huebner, Robert", "Dr. Huebner, Robert"),
        ("Polgar, Zsuzsa", "Polgar,Zsuzsa.(GM)"),
        ("Nunn, John D M", "NUNN, John D. M."),
        ("O´Kelly de Galway, Alberic", "O'Kelly De Galway, Albéric"),
    ],
)
def test_differences_of_writing_vanish_in_the_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Fischer, Robert", "Fischer, Robert J"),
        ("Kramnik,V.", "Kramnik,Vl."),
        ("Short,N.D.", "Short,Ph.M."),
        ("Polgar,Zsu.", "Polgar,Zso."),
        ("Nunn,J.D.M.", "Nun,Ji."),
        ("Li, Chao a", "Li, Chao b"),
    ],
)
def test_homonyms_that_are_written_apart_stay_apart(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("r", "robert james", True),
        ("an", "anatoly", True),
        ("zsu", "zsuzsa", True),
        ("zsu", "zsofia", False),
        ("robert", "robert j", True),
        ("robert j", "robert l", False),
        ("n d", "ph m", False),
        ("", "mikhail", True),
    ],
)
def test_given_names_agree_word_by_word(one: str, other: str, expected: bool) -> None:
    assert given_compatible(one, other) is expected
    assert given_compatible(other, one) is expected


def test_a_generation_mark_is_no_part_of_the_key_but_is_kept() -> None:
    assert name_parts("Example Jr., Robert") == NameParts("example", "robert", "jr")
    assert name_parts("Example, Robert Junior") == NameParts("example", "robert", "jr")
    assert name_key("Example Jr., Robert") == name_key("Example, Robert")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Tal", NameParts("tal", "", "")),
        ("Nunn J.D.M.", NameParts("nunn", "j d m", "")),
        ("A Darshil", NameParts("a darshil", "", "")),
        ("De la Example, Jose Maria", NameParts("de la example", "jose maria", "")),
        ("Dring, Paula", NameParts("dring", "paula", "")),
        ("Õun, Ivi", NameParts("oun", "ivi", "")),
        ("Düzenli, Çağrı", NameParts("duezenli", "cagri", "")),
        ("", NameParts("", "", "")),
    ],
)
def test_parts(name: str, expected: NameParts) -> None:
    assert name_parts(name) == expected


def test_null_stays_null() -> None:
    frame = pl.DataFrame({"name": ["Tal", None]})
    keys = frame.select(
        key=name_key_expr(pl.col("name")),
        block=name_block_expr(pl.col("name")),
        parts=name_parts_expr(pl.col("name")),
    )
    assert keys["key"].to_list() == ["tal,", None]
    assert keys["block"].to_list() == ["tal,", None]
    assert keys["parts"].to_list()[1] is None


@given(st.lists(st.text(max_size=30), min_size=1, max_size=8))
def test_column_and_single_names_agree(names: list[str]) -> None:
    frame = pl.DataFrame({"name": names}, schema={"name": pl.String()})
    keys = frame.select(name_key_expr(pl.col("name"))).to_series().to_list()
    assert keys == [name_key(name) for name in names]


@given(st.text(alphabet="abcäÖéł,.-' JrDR()", max_size=25))
def test_the_key_of_a_key_is_itself(name: str) -> None:
    key = name_key(name)
    assert name_key(key) == key
    assert key == key.lower()


@given(st.text(max_size=12), st.text(max_size=12))
def test_agreement_is_symmetric(one: str, other: str) -> None:
    frame = pl.DataFrame({"one": [one], "other": [other]})
    forth = frame.select(given_compatible_expr(pl.col("one"), pl.col("other"))).item()
    back = frame.select(given_compatible_expr(pl.col("other"), pl.col("one"))).item()
    assert forth == back
