"""What identity is decided on: the printed attributes, where they were printed, and spellings known elsewhere.

Belongs here: the inputs of ``identity.resolve`` and their columns. Not here: any decision.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import polars as pl

VERSION_COLUMNS: Final = (
    "fide_id",
    "uscf_id",
    "name",
    "federation",
    "sex",
    "birth_year",
    "title",
    "w_title",
    "other_titles",
    "foa_title",
    "printed_title",
)

#: Persons and spellings a collection states beside its lists (Scid's file): one row per person and spelling.
#: The first four columns are those printed on the collection's lists and so find the person's version.
REGISTER_SCHEMA: Final[dict[str, pl.DataType]] = {
    "name": pl.String(),
    "fide_id": pl.Int32(),
    "federation": pl.String(),
    "birth_year": pl.Int16(),
    "federations": pl.String(),  # every federation of the person, joined by "/"
    "death_year": pl.Int16(),
    "alternative_name": pl.String(),  # null where the person has no other spelling
    "source_key": pl.Int32(),
}

#: Two versions printed on one identification number on one edition.
DOUBLES_SCHEMA: Final[dict[str, pl.DataType]] = {"version_key": pl.Int32(), "other_version_key": pl.Int32()}

#: Which edition (list and source file) has a version as an entry.
APPEARANCE_SCHEMA: Final[dict[str, pl.DataType]] = {
    "version_key": pl.Int32(),
    "list_key": pl.Int16(),
    "source_key": pl.Int32(),
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """The inputs of identity.

    Attributes:
        versions: ``version_key``, VERSION_COLUMNS, the name taken apart (``spelling.with_parts``),
            ``first_list_date``, ``last_list_date``; one row per distinct combination of printed attributes.
        appearances: gives the rows of APPEARANCE_SCHEMA of some versions: on every list (True), or only on lists
            that have entries without any number. A function, since all appearances are as many as all entries
            and few are needed.
        doubles: rows of DOUBLES_SCHEMA.
        register: rows of REGISTER_SCHEMA.
    """

    versions: pl.DataFrame
    appearances: Callable[[pl.Series, bool], pl.DataFrame]
    doubles: pl.DataFrame
    register: pl.DataFrame

    def on(self, version_keys: pl.Series) -> "Evidence":
        """The same of some versions only."""
        return replace(self, versions=self.versions.filter(pl.col("version_key").is_in(version_keys.implode())))
