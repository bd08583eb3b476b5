"""Tables of other people: a TOML file says which column is what, and any CSV, TSV, JSON or Parquet is a list.

Belongs here: what a mapping file may say, and what is wrong with one. Reading the table is in ``mapped_table``.

A mapping file::

    publisher = "fide"
    collection = "ecl2020"          # where such files come from; a name of your own
    format = "tsv"                  # csv, tsv, json or parquet
    rating_type = "standard"        # unless a column says it, or [rating] names one column per type
    list_date = 2006-01-01          # unless a column or the file's name says it
    coverage = "complete"           # complete (the default), supplement, top or extract
    header = ["id", "who", "rtg"]   # names of the columns of a CSV or TSV whose first line is a player already
    missing = ["NA"]                # texts that mean "nothing", beside the empty text

    [columns]                       # column of an entry = column of the table
    fide_id = "ID_number"
    name = "Name"
    rating = "Rtng"                 # or: rating = { standard = "SRtng", rapid = "RRtng" }
    flag = "Flag"                   # w = woman, i = inactive

    [titles]                        # printed code = title, beside the codes of the publisher
    "grandmaster" = "GM"

    [name]
    title_pattern = '\\s{2,}([a-z]{1,2})$'   # a title behind the name, in one column with it
    continued_in_title = true       # what is no title in the title column is the end of a name cut too early
    replace = [["  +", " "]]        # [regular expression, replacement], in this order
"""

import re
import tomllib
from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, cast, get_args

from pipeline.domain.entry import RATING_TYPES, USCF_RATING_TYPES
from pipeline.domain.titles import TITLES
from pipeline.formats.parsed import Coverage, FormatError

FORMATS: Final = ("csv", "tsv", "json", "parquet")
#: Columns of an entry that a mapping may name; ``flag`` gives active, sex and printed_flag.
COLUMNS: Final = (
    "fide_id", "uscf_id", "name", "federation", "sex", "birth_year", "title", "w_title", "other_titles",
    "foa_title", "rating", "games", "k_factor", "flag", "rating_change", "provisional_games", "rating_type",
    "list_date",
)  # fmt: skip
_TYPES_OF: Final = {"fide": RATING_TYPES, "uscf": USCF_RATING_TYPES}
_TOP_KEYS: Final = (
    "publisher", "collection", "format", "rating_type", "list_date", "coverage", "header", "missing", "columns",
    "titles", "name",
)  # fmt: skip


class MappingError(FormatError):
    """A mapping file that cannot be used; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """What a mapping file says.

    Attributes:
        source: name of the mapping file, for messages.
        columns: column of an entry -> column of the table, without the ratings.
        ratings: rating type -> column of the table; the key "" where one column holds ratings of the type that
            ``rating_type`` or a column says.
        titles: printed code, lower case -> title.
        header: names of the columns of a table without a header line; empty where it has one.
        missing: texts that mean nothing.
        title_pattern: finds a title behind the name; its first group is the code.
        replacements: repairs of names.
    """

    source: str
    publisher: str
    collection: str
    format: str
    columns: dict[str, str]
    ratings: dict[str, str]
    rating_type: str | None = None
    list_date: date | None = None
    coverage: Coverage = "complete"
    header: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    titles: dict[str, str] = field(default_factory=dict)
    title_pattern: str | None = None
    continued_in_title: bool = False
    replacements: tuple[tuple[str, str], ...] = ()


def load_mapping(text: str, name: str) -> Mapping:
    """Read a mapping file.

    Args:
        text: its content.
        name: its name, for messages.

    Raises:
        MappingError: not TOML, a key that is missing, unknown or not of its kind.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MappingError(f"{name}: not TOML: {error}") from error
    keys = _Keys(name, table)
    keys.refuse_unknown(_TOP_KEYS)
    publisher = keys.one_of("publisher", tuple(_TYPES_OF), None)
    types = _TYPES_OF[publisher]
    columns, ratings = _columns(keys.section("columns", required=True), types)
    names = keys.section("name")
    names.refuse_unknown(("title_pattern", "continued_in_title", "replace"))
    rating_type = keys.one_of("rating_type", types, "") or None
    if (rating_type or "rating_type" in columns) and "" not in ratings:
        raise keys.error("rating_type", "columns.rating already names a column for each type")
    if rating_type and "rating_type" in columns:
        raise keys.error("rating_type", "columns.rating_type says it as well; keep one of them")
    list_date = _list_date(keys)
    if list_date and "list_date" in columns:
        raise keys.error("list_date", "columns.list_date says it as well; keep one of them")
    file_format, header = keys.one_of("format", FORMATS, None), tuple(keys.texts("header"))
    if header and file_format not in ("csv", "tsv"):
        raise keys.error("header", f"columns of a {file_format} table have names already")
    return Mapping(
        source=name,
        publisher=publisher,
        collection=keys.text("collection"),
        format=file_format,
        header=header,
        columns=columns,
        ratings=ratings,
        rating_type=rating_type,
        list_date=list_date,
        coverage=cast(Coverage, keys.one_of("coverage", get_args(Coverage), "complete")),
        missing=tuple(keys.texts("missing")),
        titles=_titles(keys.section("titles")),
        title_pattern=_pattern(names, "title_pattern"),
        continued_in_title=names.truth("continued_in_title"),
        replacements=_replacements(names),
    )


@dataclass(frozen=True, slots=True)
class _Keys:
    """A table of the mapping file, read key by key with messages that name the key."""

    source: str
    table: Table[str, Any]
    prefix: str = ""

    def error(self, key: str, problem: str) -> MappingError:
        return MappingError(f"{self.source}: {self.prefix}{key}: {problem}")

    def refuse_unknown(self, known: tuple[str, ...]) -> None:
        for key in self.table:
            if key not in known:
                raise self.error(key, f"unknown key; known are {', '.join(known)}")

    def section(self, key: str, *, required: bool = False) -> "_Keys":
        value = self.table.get(key, {})
        if not isinstance(value, dict) or (required and not value):
            raise self.error(key, f"expected a table [{self.prefix}{key}]")
        return _Keys(self.source, value, f"{self.prefix}{key}.")

    def text(self, key: str) -> str:
        value = self.table.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.error(key, f"expected a text, found {value!r}" if key in self.table else "is missing")
        return value

    def one_of(self, key: str, allowed: tuple[str, ...], default: str | None) -> str:
        if key not in self.table and default is not None:
            return default
        value = self.text(key)
        if value not in allowed:
            raise self.error(key, f"expected one of {', '.join(allowed)}, found {value!r}")
        return value

    def texts(self, key: str) -> list[str]:
        value = self.table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error(key, f"expected a list of texts, found {value!r}")
        return value

    def truth(self, key: str) -> bool:
        value = self.table.get(key, False)
        if not isinstance(value, bool):
            raise self.error(key, f"expected true or false, found {value!r}")
        return value


def _columns(keys: _Keys, types: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str]]:
    keys.refuse_unknown(COLUMNS)
    columns = {key: keys.text(key) for key in keys.table if key != "rating"}
    if not columns.keys() & {"name", "fide_id", "uscf_id"}:
        raise keys.error("name", "is missing, and no column holds an id: nobody could be told from anybody")
    if "rating" not in keys.table:
        raise keys.error("rating", "is missing")
    if isinstance(keys.table["rating"], str):
        return columns, {"": keys.text("rating")}
    by_type = keys.section("rating", required=True)
    by_type.refuse_unknown(types)
    return columns, {rating_type: by_type.text(rating_type) for rating_type in by_type.table}


def _list_date(keys: _Keys) -> date | None:
    value = keys.table.get("list_date")
    if isinstance(value, str):
        try:
            value = date.fromisoformat(value)
        except ValueError:
            raise keys.error("list_date", f"expected a day like 2006-01-01, found {value!r}") from None
    if value is not None and type(value) is not date:
        raise keys.error("list_date", f"expected a day like 2006-01-01, found {value!r}")
    return value


def _titles(keys: _Keys) -> dict[str, str]:
    return {code.lower(): keys.one_of(code, TITLES, None) for code in keys.table}


def _pattern(keys: _Keys, key: str) -> str | None:
    if key not in keys.table:
        return None
    pattern = keys.text(key)
    _check_pattern(keys, key, pattern)
    if re.compile(pattern).groups < 1:
        raise keys.error(key, "expected a regular expression with a group () around the title")
    return pattern


def _check_pattern(keys: _Keys, key: str, pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise keys.error(key, f"{pattern!r} is not a regular expression: {error}") from error


def _replacements(keys: _Keys) -> tuple[tuple[str, str], ...]:
    pairs = keys.table.get("replace", [])
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(item, str) for item in pair)):
            raise keys.error("replace", f"expected pairs [regular expression, replacement], found {pair!r}")
        _check_pattern(keys, "replace", pair[0])
    return tuple((pattern, replacement) for pattern, replacement in pairs)
