"""Names typed in an unknown code page: decide name by name which letters were meant.

Belongs here: code pages and the judgement of names. Federations sent FIDE their players in the code page of
their own machines, so one list mixes at least two: byte 0xA4 is an n with tilde in code page 850 and 0xF1 is
one in Windows-1252, and the lists of 2001-2004 hold both. No decoding of a whole file is right.

The bytes arrive as a Latin-1 text (one character a byte). Every candidate decodes the whole name; the one
that gives letters in a sensible case wins, and of equals the earlier one.
"""

import unicodedata
from typing import Final

#: Code pages in order of preference. UTF-8 decodes hardly anything that was not written in it.
CODE_PAGES: Final = ("utf-8", "cp1252", "cp850", "cp437", "cp1250", "cp1253")

#: Letters met in names of FIDE's federations; rarer ones (a thorn, a yen sign read as one) count less.
_USUAL: Final = frozenset("áàâäãåæçéèêëíìîïñóòôöõøúùûüýšžÁÀÂÄÃÅÆÇÉÈÊËÍÌÎÏÑÓÒÔÖÕØÚÙÛÜÝŠŽßćčđłńśźżąęőűřěůŁŚŹŻĆČĐŐŰŘ")
#: "M" with one of these is short for Maria.
_ORDINALS: Final = "ªº"
#: Typed for an apostrophe between two capitals.
_APOSTROPHES: Final = "´’"
_BAD_SIGN: Final = -8
_BAD_CASE: Final = -4
_BAD_SCRIPT: Final = -4


def decode_name(latin1: str) -> str:
    """Decode a name given as a Latin-1 text of its bytes.

    ASCII stays as it is. Never returns U+FFFD, a control character of U+0080-U+009F or a sign that cannot be seen
    (a soft hyphen): a byte that no candidate can make sense of is kept as the sign that a code page shows for it.
    """
    if latin1.isascii():
        return latin1
    raw = latin1.encode("latin-1")
    candidates = []
    for order, code_page in enumerate(CODE_PAGES):
        try:
            text = raw.decode(code_page)
        except UnicodeDecodeError:
            continue
        if not any("\x80" <= letter <= "\x9f" or letter in "\xad\ufffd" for letter in text):
            candidates.append((_plausibility(text), -order, text))
    return max(candidates)[2]


def _plausibility(text: str) -> int:
    """Judge a decoded name: letters, of one script in a word, capitals where a name has capitals."""
    score = 0
    for place, letter in enumerate(text):
        if letter.isascii():
            continue
        if letter in _ORDINALS and place and text[place - 1].isalpha():
            continue
        if letter in _APOSTROPHES and text[place - 1 : place].isupper() and text[place + 1 : place + 2].isupper():
            continue
        if not letter.isalpha() or unicodedata.normalize("NFKC", letter) != letter:
            score += _BAD_SIGN
            continue
        score += 2 if letter in _USUAL or _greek(letter) else 0
        before = text[place - 1] if place else " "
        after = text[place + 1] if place + 1 < len(text) else " "
        neighbours = [other for other in (before, after) if other.isalpha()]
        if any(_greek(other) != _greek(letter) for other in neighbours):
            score += _BAD_SCRIPT
        if letter.isupper() and before.isalpha() and before.islower():
            score += _BAD_CASE
        if letter.isupper() and not before.isalpha() and after.isupper() != after.isalpha():
            score += 1  # a capital at the start of a word
        if letter.islower() and before.isalpha() and before.isupper() and after.isupper():
            score += _BAD_CASE
        if letter.islower() and not before.isalpha() and before not in "'-":
            score += _BAD_CASE
    return score


def _greek(letter: str) -> bool:
    return "\u0370" <= letter <= "\u03ff"
