"""Names in unknown code pages: the letters that were meant, never a replacement or control character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.formats.encodings import decode_name


def transcribed(name: str, code_page: str) -> str:
    return name.encode(code_page).decode("latin-1")


@pytest.mark.parametrize("code_page", ["cp850", "cp437", "cp1252", "utf-8"])
@pytest.mark.parametrize(
    "name", ["Ibarruñez Teba, Maté", "Ñandubay, Juan", "Müllerson, Günther", "Håvardsen, Åse", "Çelebi, François"]
)
def test_the_same_name_from_every_code_page(name: str, code_page: str) -> None:
    assert decode_name(transcribed(name, code_page)) == name


@pytest.mark.parametrize(
    ("name", "code_page"),
    [
        ("Conceição, João Tomás", "cp1252"),
        ("Úrsulas, Ñata", "cp850"),
        ("Skøienberg, Bjørn", "cp850"),
        ("Skøienberg, Bjørn", "cp1252"),
        ("Wałęsowski, Łukasz", "cp1250"),
        ("Παπαδοπούλου, Ελένη", "cp1253"),
    ],
)
def test_names_that_only_one_code_page_gives(name: str, code_page: str) -> None:
    assert decode_name(transcribed(name, code_page)) == name


def test_an_abbreviated_maria_keeps_its_ordinal_sign() -> None:
    assert decode_name(transcribed("Ejemplo Nadie, Jose Mª", "cp850")) == "Ejemplo Nadie, Jose Mª"


@pytest.mark.parametrize("code_page", ["cp850", "cp1252"])
def test_an_accent_for_an_apostrophe(code_page: str) -> None:
    assert decode_name(transcribed("O´Nobody, Sean", code_page)) == "O´Nobody, Sean"


def test_ascii_is_left_alone() -> None:
    assert decode_name("O'Nobody, Sean-Paul \t|") == "O'Nobody, Sean-Paul \t|"


@given(st.binary(max_size=40))
def test_never_a_replacement_or_control_character_and_always_the_same(raw: bytes) -> None:
    printable = bytes(byte for byte in raw if byte >= 0x20)
    name = decode_name(printable.decode("latin-1"))
    assert name == decode_name(printable.decode("latin-1"))
    assert "\ufffd" not in name
    assert "\xad" not in name
    assert not any("\x80" <= letter <= "\x9f" for letter in name)
    assert (name == "") == (printable == b"")
