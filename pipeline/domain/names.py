"""Keys of printed names: one key for the spellings that differ only in writing, not in the name.

Belongs here: case, diacritics, punctuation, initials, academic and chess titles in names, the order
"Surname, Given". Not here: other spellings of a name (Korchnoi, Kortchnoi) and the decision who is who
(``players``). A key finds candidates; two people may share it (two Botvinniks, two Petrosians), and a
generation mark such as "Jr" is kept apart so that it can still tell them from each other.

Every function works on a Polars expression; those on ``str`` evaluate the same expression, so both agree.
"""

from dataclasses import dataclass
from typing import Final

import polars as pl

#: Letters that Unicode does not decompose, and the umlauts as the lists print them (Huebner, Soerensen).
_LETTERS: Final = {
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "ø": "oe",
    "å": "aa",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "ı": "i",
}
_TITLE_IN_BRACKETS: Final = r"\((?:w?[gifc]m|[gmfch]|w[gmfch]|hg|hm|gh)\)"
_APOSTROPHES: Final = "['’‘´`ʼʹ]"
_ACADEMIC: Final = r"\b(?:dr|prof|ing|dipl)\b"
_GENERATION: Final = r"\b(jr|sr|junior|senior|ii|iii|iv)\b"
#: "Nunn J.D.M.", "Parma B.": a name without comma whose last words are initials with a dot.
_TRAILING_INITIALS: Final = r"^(.*?\S)[ .]+((?:[a-z]{1,3}\.[ ]?)+)$"


@dataclass(frozen=True, slots=True)
class NameParts:
    """A name taken apart, lower case ASCII. ``given`` and ``generation`` may be empty."""

    surname: str
    given: str
    generation: str


def name_parts_expr(name: pl.Expr) -> pl.Expr:
    """Take printed names apart: a struct of ``surname``, ``given`` and ``generation``, null for null.

    A name without comma is a surname alone, unless initials with dots follow it. Dots stand for blanks
    ("Beliavsky,Alexander..G"), hyphens separate words, apostrophes vanish, titles are left out.
    """
    text = _ascii(name).str.replace_all(_TITLE_IN_BRACKETS, " ").str.strip_chars()
    has_comma = text.str.contains(",", literal=True)
    split = pl.when(has_comma).then(text).otherwise(text.str.replace(_TRAILING_INITIALS, "${1},${2}"))
    surname = split.str.extract(r"^([^,]*)", 1)
    given = split.str.extract(r"^[^,]*,(.*)$", 1).fill_null("")
    generation = _words(split).str.extract(_GENERATION, 1).fill_null("")
    return (
        pl.when(name.is_not_null())
        .then(
            pl.struct(
                _without_marks(surname).alias("surname"),
                _without_marks(given).alias("given"),
                generation.replace({"junior": "jr", "senior": "sr"}).alias("generation"),
            )
        )
        .otherwise(None)
    )


def name_key_expr(name: pl.Expr) -> pl.Expr:
    """Key of printed names, ``surname,given names``: equal for spellings that differ only in writing."""
    parts = name_parts_expr(name)
    return pl.concat_str(parts.struct.field("surname"), parts.struct.field("given"), separator=",")


def name_block_expr(name: pl.Expr) -> pl.Expr:
    """Surname and first initial, ``surname,i``: the block in which candidates are compared."""
    parts = name_parts_expr(name)
    return pl.concat_str(parts.struct.field("surname"), parts.struct.field("given").str.slice(0, 1), separator=",")


def given_compatible_expr(first: pl.Expr, second: pl.Expr) -> pl.Expr:
    """Whether two ``given`` parts may be the same person's: word by word one begins with the other.

    The first two words count, a missing word agrees with anything: "r" with "robert james", "zsu" with
    "zsuzsa", but "zsu" not with "zsofia" and "robert j" not with "robert l".
    """
    agrees = pl.lit(True)
    for place in (0, 1):
        one = first.str.split(" ").list.get(place, null_on_oob=True).fill_null("")
        other = second.str.split(" ").list.get(place, null_on_oob=True).fill_null("")
        agrees = agrees & (one.str.starts_with(other) | other.str.starts_with(one))
    return agrees


def name_parts(name: str) -> NameParts:
    """``name_parts_expr`` for one name."""
    return NameParts(**pl.select(name_parts_expr(pl.lit(name)).alias("parts")).item())


def name_key(name: str) -> str:
    """``name_key_expr`` for one name."""
    return str(pl.select(name_key_expr(pl.lit(name))).item())


def name_block(name: str) -> str:
    """``name_block_expr`` for one name."""
    return str(pl.select(name_block_expr(pl.lit(name))).item())


def given_compatible(first: str, second: str) -> bool:
    """``given_compatible_expr`` for two given parts."""
    return bool(pl.select(given_compatible_expr(pl.lit(first), pl.lit(second))).item())


def _ascii(name: pl.Expr) -> pl.Expr:
    """Lower case without diacritics and apostrophes.

    Composed first, so that a decomposed umlaut is an umlaut too; apostrophes go before the decomposition,
    which would turn a spacing accent used as one into a blank.
    """
    lower = name.str.normalize("NFC").str.to_lowercase().str.replace_all(_APOSTROPHES, "")
    letters = lower.str.replace_many(list(_LETTERS), list(_LETTERS.values()))
    return letters.str.normalize("NFKD").str.replace_all(r"\p{M}", "")


def _words(text: pl.Expr) -> pl.Expr:
    """Words separated by one blank; everything but letters and digits separates."""
    return text.str.replace_all(r"[^\p{L}\p{N}]+", " ").str.strip_chars()


def _without_marks(part: pl.Expr) -> pl.Expr:
    """The words of a part without academic titles and generation marks."""
    bare = _words(part).str.replace_all(_ACADEMIC, " ").str.replace_all(_GENERATION, " ")
    return _words(bare)
