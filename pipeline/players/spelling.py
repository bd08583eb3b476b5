"""How two spellings of a name are compared: a key that forgives transliteration, and whether given names agree.

Belongs here: comparing spellings. Not here: taking printed names apart (``domain.names``) and deciding who is
who. Nothing here says that two people are one; it says which names may belong to one person.
"""

from typing import Final

import polars as pl

from pipeline.domain.names import name_parts_expr

#: Marks that Scid's file appends to tell homonyms apart: "Fischer, Robert2", "Botvinnik, Mikhail URS".
_HOMONYM_MARK: Final = r"(\p{Ll}\.?)(?:\d+| [A-Z]{3}|\s*\(\d+\))$"

#: Letters that lists of different eras use for one sound. Order matters; "q" stands for ch, ts, cz, cs.
_SOUNDS: Final = (
    (r"tsch|tch|tsh|ch|cz|cs|ts|tz", "q"),
    (r"sch|sh|sz", "s"),
    (r"dzh|dj|zh", "z"),
    (r"kh", "h"),
    (r"ck|x", "k"),
    (r"ph", "f"),
    (r"th", "t"),
    (r"gh", "g"),
    (r"c", "k"),
    (r"ks", "k"),
    (r"w", "v"),
    (r"z", "s"),
    (r"[jy]", "i"),
    (r"ue", "u"),
    (r"oe", "o"),
    (r"ae", "a"),
    (r"ff?\b", "v"),
    (r"ie", "e"),
)
#: Doubled letters count once. Rust's expressions know no back reference: one group a letter, of which one matches.
_DOUBLED: Final = "abdefghiklmnopqrstuv"
_SINGLE: Final = (
    "|".join(f"({letter}){letter}+" for letter in _DOUBLED),
    "".join(f"${{{group}}}" for group in range(1, len(_DOUBLED) + 1)),
)
#: A name and its parts: as they are compared, and as sounds.
PARTS_SCHEMA: Final = dict.fromkeys(("name", "surname", "given", "generation", "sound", "given_sound"), pl.String())
#: Letters that may differ at the end of two given names that begin alike (Aleksandr, Alexander).
_FREE_ENDING: Final = 2
_SAME_BEGINNING: Final = 4


def parts_of(names: pl.Series) -> pl.DataFrame:
    """The distinct names, taken apart: columns of PARTS_SCHEMA.

    Marks that collections append to tell homonyms apart are left out.
    """
    parts = name_parts_expr(pl.col("name").str.replace(_HOMONYM_MARK, "${1}"))
    # Lazy, so that the struct is made once and not for each of its fields.
    distinct = names.drop_nulls().unique().alias("name").to_frame()
    taken = distinct.lazy().with_columns(parts=parts).unnest("parts").collect()
    surnames, givens = pl.collect_all([_sounds(taken["surname"], "sound"), _sounds(taken["given"], "given_sound")])
    return taken.join(surnames, on="surname").join(givens, on="given").select(PARTS_SCHEMA.keys())


def with_parts(frame: pl.DataFrame, name: str = "name") -> pl.DataFrame:
    """Add the parts of a column of names (``parts_of``), in the same order of rows."""
    return frame.join(parts_of(frame[name]), left_on=name, right_on="name", how="left", maintain_order="left")


def _sounds(words: pl.Series, alias: str) -> pl.LazyFrame:
    return words.to_frame().lazy().unique().with_columns(sound_expr(pl.col(words.name)).alias(alias))


def sound_expr(words: pl.Expr) -> pl.Expr:
    """Key of lower-case ASCII words, equal for usual transliterations (Jussupow, Yusupov)."""
    key = words
    for pattern, sound in (*_SOUNDS, _SINGLE):
        key = key.str.replace_all(pattern, sound)
    return key


def given_agree(one: str, other: str) -> bool:
    """Whether two given parts may be one person's: each of the first two words begins with the other.

    As ``domain.names.given_compatible``, for single values, and stricter in one point: an ending "a" tells a
    woman's name from a man's (Ivan, Ivana), so that alone is no abbreviation.
    """
    ones, others = one.split(" ")[:2], other.split(" ")[:2]
    return all(_word_agrees(*words) for words in zip(ones, others, strict=False))


def _word_agrees(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and not (len(short) > 2 and long == short + "a")


def given_sound_agree(one: str, other: str) -> bool:
    """Whether the first given names, as keys of ``sound_expr``, are spellings of one name or its initial."""
    first, second = one.split(" ")[0], other.split(" ")[0]
    if _word_agrees(first, second):
        return True
    common = common_beginning(first, second)
    feminine = first.endswith("a") != second.endswith("a")
    endings = max(len(first), len(second)) - common
    return common >= _SAME_BEGINNING and endings <= _FREE_ENDING and not feminine


def common_beginning(one: str, other: str) -> int:
    """Number of letters two words begin with in common."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def letters_agreed(one: str, other: str) -> int:
    """How much two agreeing given parts say about each other: letters in common in the first two words."""
    words = zip(one.split(" ")[:2], other.split(" ")[:2], strict=False)
    return sum(common_beginning(a, b) for a, b in words)
