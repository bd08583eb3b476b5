"""Search index of the player page: which file holds the players whose names have a word that begins so.

A beginning of a word leads to the players who have such a word. Where they are more than ``INDEX_LIMIT``, the next
letter divides them, and a word too common to divide is divided by the beginnings of the other words of a name. Keys:
"karp" everybody with a word that begins so; "karp*" only the strongest of many; "kumar " everybody with exactly this
word; "kumar a" or "kumar am" those of them with another word that begins so. What is told of a player is decided in
``dashboards/players_data.py``.
"""

import re
import unicodedata
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable
from heapq import nsmallest
from typing import Final

import polars as pl

INDEX_LIMIT: Final = 2500
STRONGEST: Final = 100
#: Shorter words (initials) lead nowhere of their own.
SHORTEST: Final = 2

_LETTERS: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
_LAST_CHARACTER: Final = "\U0010ffff"
_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")


def fold(text: str) -> str:
    """Letters without marks and case, words by single blanks; the browser folds what is typed in the same way."""
    plain = text.lower()
    if not plain.isascii():
        parts = unicodedata.normalize("NFKD", plain)
        plain = "".join(c for c in parts if not unicodedata.category(c).startswith("M")).translate(_LETTERS)
    return _BETWEEN_WORDS.sub(" ", plain).strip()


def words_of(texts: pl.Series) -> pl.Series:
    """The different words of each text, folded, in order, by single blanks."""
    frame = texts.to_frame("text").with_row_index("place")
    # Nearly all texts are ASCII, and ``fold`` leaves of them what this finds.
    words = frame.select("place", word=pl.col("text").str.to_lowercase().str.extract_all("[a-z0-9]+"))
    ordered = (
        words.explode("word", empty_as_null=True)
        .sort("place", "word")
        .filter(pl.col("place").ne_missing(pl.col("place").shift()) | pl.col("word").ne_missing(pl.col("word").shift()))
    )
    joined = ordered.group_by("place", maintain_order=True).agg("word").select(words=pl.col("word").list.join(" "))
    others = frame.filter(pl.col("text").str.len_bytes() != pl.col("text").str.len_chars())
    folded = [" ".join(sorted(set(fold(text).split(" ")))) for text in others["text"]]
    return joined["words"].scatter(others["place"], pl.Series(folded, dtype=pl.String))


class PlayersIndex:
    """Divides players, strongest first, by the words of their names.

    ``words`` (by blanks) and ``rows`` (JSON) have one item per player, whose number here is its place. ``put`` stores
    the rows of one part and returns the name of its file; ``manifest`` tells the file of each key.
    """

    def __init__(self, words: pl.Series, rows: pl.Series, put: Callable[[bytes], str]) -> None:
        self.manifest: dict[str, str] = {}
        self._words: list[str] = words.to_list()
        self._rows: list[bytes] = rows.to_list()
        self._put_rows = put
        holders = (
            pl.DataFrame({"word": words.str.split(" ")})
            .with_row_index("place")
            .explode("word")
            .filter(pl.col("word").str.len_chars() >= SHORTEST)
            .group_by("word")
            .agg("place")
            .sort("word")
        )
        # Words in order, and places in order of words: those of words with the same beginning stand together.
        self._ordered: list[str] = holders["word"].to_list()
        self._places: list[int] = holders["place"].explode().to_list()
        self._starts: list[int] = [0, *holders["place"].list.len().cum_sum().to_list()]
        self._divide("", 0, len(self._ordered))

    def _put(self, key: str, places: Iterable[int]) -> None:
        self.manifest[key] = self._put_rows(b",".join(map(self._rows.__getitem__, places)))

    def _holders(self, first: int, end: int) -> set[int]:
        """Places of the players with any of the words from number ``first`` to before ``end``."""
        return set(self._places[self._starts[first] : self._starts[end]])

    def _divide(self, beginning: str, first: int, end: int) -> None:
        """Store the players whose words from ``first`` to before ``end``, all with this beginning, lead to them."""
        places = self._holders(first, end)
        if len(places) <= INDEX_LIMIT:
            self._put(beginning, sorted(places))
            return
        if len(beginning) >= SHORTEST:
            self._put(beginning + "*", nsmallest(STRONGEST, places))
        if self._ordered[first] == beginning:
            self._divide_word(beginning, first)
            first += 1
        while first < end:
            longer = self._ordered[first][: len(beginning) + 1]
            others = bisect(self._ordered, longer + _LAST_CHARACTER, first, end)
            self._divide(longer, first, others)
            first = others

    def _divide_word(self, word: str, number: int) -> None:
        places = sorted(self._holders(number, number + 1))
        if len(places) <= INDEX_LIMIT:
            self._put(word + " ", places)
            return
        for first, part in self._by_other_words(word, places, "").items():
            if len(part) <= INDEX_LIMIT:
                self._put(f"{word} {first}", part)
            else:
                for longer, smaller in self._by_other_words(word, part, first).items():
                    self._put(f"{word} {longer}", smaller)

    def _by_other_words(self, word: str, places: Iterable[int], beginning: str) -> dict[str, dict[int, None]]:
        """Players of ``places``, in their order, by one more letter of their other words that begin so."""
        parts: defaultdict[str, dict[int, None]] = defaultdict(dict)
        for place in places:
            for other in self._words[place].split(" "):
                if other != word and len(other) >= SHORTEST and other.startswith(beginning):
                    parts[other[: len(beginning) + 1]][place] = None
        return parts
