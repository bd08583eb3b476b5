"""The catalogue's tables: what each holds, its columns, its key, its source; and how to load one.

Belongs here: declarations and loading. The mechanism is in ``table.py``, the values are in ``data/*.csv``.
"""

from functools import cache
from typing import Final

import polars as pl

from pipeline.catalogue.conversions import PUBLISHED_CONVERSIONS
from pipeline.catalogue.published import FIGURE_TABLES
from pipeline.catalogue.table import CatalogueError, Column, Reference, Table, check_references, read

TEXT: Final = pl.String()
DATE: Final = pl.Date()
RATING: Final = pl.Int16()
COUNT: Final = pl.Int32()
NUMBER: Final = pl.Float64()
FLAG: Final = pl.Boolean()

RATING_TYPE: Final = ("standard", "rapid", "blitz")
#: ``all`` where a rule or an anomaly concerns every rating type; ``regular`` and the others are US Chess's.
ANY_RATING_TYPE: Final = (*RATING_TYPE, "all", "regular")
FEDERATION: Final = Reference("federations", "code")

CALENDAR: Final = Table(
    "rating_list_calendar",
    "Every FIDE rating list known to have been published, and five unofficial lists before July 1971.",
    "OlimpBase's summary page, FIDE's download and top-100 archives, values a year in Scid's file",
    (
        Column("list_date", DATE, "First day on which the list is valid."),
        Column("rating_type", TEXT, "Kind of play that is rated.", allowed=RATING_TYPE),
        Column("official", FLAG, "False for the lists before FIDE adopted the system (July 1971)."),
        Column(
            "kind",
            TEXT,
            "full; partial: published whole but known to lack a whole group; supplement: changes only.",
            allowed=("full", "partial", "supplement"),
        ),
        Column("publication_note", TEXT, "What is particular about this list.", nullable=True),
        Column("known_rows", COUNT, "Number of players as published or counted elsewhere.", nullable=True),
        Column("known_rows_source", TEXT, "Who published or counted that number.", nullable=True),
        Column("held_in", TEXT, "Collections that hold the list, joined by +.", nullable=True),
    ),
    ("list_date", "rating_type"),
)

FLOORS: Final = Table(
    "rating_floors",
    "Nominal floor of the standard lists, by date: players below it are not listed.",
    "lowest printed ratings of the lists, FIDE regulations",
    (
        Column("from_list", DATE, "First list with this floor."),
        Column("sex", TEXT, "Whom the floor holds for.", allowed=("M", "F", "both")),
        Column("floor", RATING, "Floor in points; empty where none is visible.", nullable=True),
        Column("evidence", TEXT, "What the row rests on."),
    ),
    ("from_list", "sex"),
)

ELITE_HISTORY: Final = Table(
    "elite_history",
    "The first hundred active players of 234 official standard lists, July 1971 to September 2024.",
    "every collection at hand compared row by row; see data/SOURCES.md",
    (
        Column("list_date", DATE, "First day on which the list is valid."),
        Column("rank", COUNT, "Standard competition rank among active players, 1 = highest."),
        Column("name", TEXT, "Player, 'Surname, Given'; one spelling for all lists."),
        Column(
            "fide_id",
            COUNT,
            "FIDE identification number, also for lists before numbers existed.",
            nullable=True,
        ),
        Column("federation", TEXT, "Federation as printed or known then.", nullable=True, references=FEDERATION),
        Column("sex", TEXT, "M or F.", allowed=("M", "F")),
        Column("birth_year", pl.Int16(), "Year of birth.", nullable=True),
        Column("rating", RATING, "Published rating."),
        Column("sources", TEXT, "n:collections that carry this player with this rating on this list."),
        Column("conflict", TEXT, "collection:value of those that state another rating.", nullable=True),
    ),
    ("list_date", "name"),
)

UNOFFICIAL_LISTS: Final = Table(
    "unofficial_lists",
    "Ratings of the unofficial lists of 1969 to January 1971 beside the official list of July 1971, for the "
    "players on whom two published texts about July 1971 contradict each other. Never part of a history.",
    "the July 1971 file, New York Times of 6 December 1971, OlimpBase, English Wikipedia '1970 in chess'",
    (
        Column("list_label", TEXT, "Which list or text the value is from."),
        Column("list_date", DATE, "Month of the list; January stands in where only the year is known."),
        Column("name", TEXT, "Player, 'Surname, Given'."),
        Column("rating", RATING, "The value that is stated."),
        Column("official", FLAG, "True only for the list of July 1971."),
        Column("witnesses", TEXT, "Where the value is printed."),
        Column("note", TEXT, "What to know about the value.", nullable=True),
    ),
    ("list_label", "name"),
)

RANK_BANDS: Final = Table(
    "rank_bands",
    "Bands of ratings. Those of one system cover every rating exactly once: counts add up to the list.",
    "FIDE title regulations; US Chess rating classes",
    (
        Column("band_system", TEXT, "fide, uscf or hundreds.", allowed=("fide", "uscf", "hundreds")),
        Column("band_label", TEXT, "Range as shown."),
        Column("band_low", RATING, "Lowest rating of the band; empty = no lower limit.", nullable=True),
        Column("band_high", RATING, "Highest rating of the band; empty = no upper limit.", nullable=True),
        Column("title_name", TEXT, "Title or class that goes with the band.", nullable=True),
        Column("valid_as_of", DATE, "Date at which the name of the band was in use.", nullable=True),
        Column("source", TEXT, "What the band rests on, and how far its name is official."),
    ),
    ("band_system", "band_label"),
)

FEDERATIONS: Final = Table(
    "federations",
    "Federation codes of all eras. They are FIDE's own, not ISO's.",
    "codes counted on the lists; FIDE's directory as used by public programs",
    (
        Column("code", TEXT, "Code as printed, upper case."),
        Column("name", TEXT, "Country or body."),
        Column(
            "kind",
            TEXT,
            "member: a federation; no_country: under FIDE or without a federation; body: an organisation.",
            allowed=("member", "no_country", "body"),
        ),
        Column(
            "first_list",
            DATE,
            "First list on which the code is known; empty = not established.",
            nullable=True,
        ),
        Column(
            "last_list",
            DATE,
            "Last list on which the code was used; empty = in use or not known.",
            nullable=True,
        ),
        Column("successors", TEXT, "Codes that follow, joined by a blank.", nullable=True),
        Column("note", TEXT, "What to know.", nullable=True),
    ),
    ("code",),
)

NAME_SPELLINGS: Final = Table(
    "name_spellings",
    "Hand-checked spellings of persons on lists without identification numbers, where rules alone would leave "
    "them apart or take them for somebody else.",
    "the lists of 1971 to 1998 compared by hand with lists that have numbers; see data/SOURCES.md",
    (
        Column("person_name", TEXT, "Usual name of the person, 'Surname, Given'."),
        Column("fide_id", COUNT, "FIDE identification number; empty for persons without one.", nullable=True),
        Column("birth_year", pl.Int16(), "Year of birth."),
        Column("spelling", TEXT, "Name as printed."),
        Column(
            "federation",
            TEXT,
            "Federation it is printed with.",
            references=FEDERATION,
        ),
        Column("first_list", DATE, "First list for which the row holds; empty = no limit.", nullable=True),
        Column("last_list", DATE, "Last date for which the row holds; empty = no limit.", nullable=True),
        Column("note", TEXT, "What to know.", nullable=True),
    ),
    ("person_name", "birth_year", "spelling", "federation"),
)

TITLE_CODES: Final = Table(
    "title_codes",
    "Title codes as printed, by era, and the title they stand for.",
    "codes counted on the lists",
    (
        Column(
            "era",
            TEXT,
            "Lists that print the code.",
            allowed=("1971-1974", "1999-2012", "2012-2013", "2013-"),
        ),
        Column("code", TEXT, "Code exactly as printed."),
        Column("title", TEXT, "Title of today; empty where the code is no full title.", nullable=True),
        Column("honorary", FLAG, "True for honorary titles, which are never counted as the title."),
        Column("title_kind", TEXT, "Family of titles.", allowed=("open", "women", "arena", "unknown")),
        Column("note", TEXT, "What to know.", nullable=True),
    ),
    ("era", "code"),
)

RULE_CHANGES: Final = Table(
    "rule_changes",
    "Calendar of rules: what changed for whom on which day. Drawn as marks on every time series.",
    "FIDE regulations and notices, US Chess rating system documents, measured on the lists",
    (
        Column("rule_date", DATE, "First day on which the rule holds (the list date, for lists)."),
        Column("publisher", TEXT, "Who made the rule.", allowed=("fide", "uscf")),
        Column("rating_type", TEXT, "Rating type concerned, or all.", allowed=ANY_RATING_TYPE),
        Column(
            "kind",
            TEXT,
            "What the rule is about.",
            allowed=(
                "start",
                "k_factor",
                "difference_cap",
                "floor",
                "initial_rating",
                "list_frequency",
                "adjustment",
                "rounding",
                "inactivity",
                "bonus",
                "conversion",
                "rating_types",
            ),
        ),
        Column("value", TEXT, "The new value where it is one number.", nullable=True),
        Column("short_label", TEXT, "Label for charts, at most 32 characters."),
        Column("description", TEXT, "The rule in one or two sentences."),
        Column(
            "certainty",
            TEXT,
            "read: in a document; computed: from lists; inferred: by reasoning; unconfirmed: stated once.",
            allowed=("read", "computed", "inferred", "unconfirmed"),
        ),
        Column("source", TEXT, "Document or data the row rests on."),
    ),
    ("rule_date", "publisher", "rating_type", "kind"),
)

KNOWN_ANOMALIES: Final = Table(
    "known_anomalies",
    "What is known to be wrong or odd with a list, whichever file it is read from.",
    "measured on the lists; notices and articles named in each row",
    (
        Column("code", TEXT, "Stable name of the anomaly."),
        Column("list_date", DATE, "First list concerned."),
        Column("last_list_date", DATE, "Last list concerned; empty = only the first.", nullable=True),
        Column("rating_type", TEXT, "Rating type concerned, or all.", allowed=ANY_RATING_TYPE),
        Column("short_label", TEXT, "Label for charts, at most 32 characters."),
        Column("description", TEXT, "What happened, in one or two sentences."),
        Column(
            "affects",
            TEXT,
            "What must not be compared across it.",
            allowed=("rows", "ratings", "names", "games", "activity", "editions", "statements"),
        ),
        Column("source", TEXT, "What the row rests on."),
    ),
    ("code", "list_date"),
)

#: Every table of the catalogue, in loading order (a table comes after those it refers to).
TABLES: Final[dict[str, Table]] = {
    table.name: table
    for table in (
        CALENDAR, FLOORS, FEDERATIONS, NAME_SPELLINGS, TITLE_CODES, RANK_BANDS, RULE_CHANGES, KNOWN_ANOMALIES,
        ELITE_HISTORY,
        UNOFFICIAL_LISTS, *FIGURE_TABLES, PUBLISHED_CONVERSIONS,
    )
}  # fmt: skip


@cache
def load(name: str) -> pl.DataFrame:
    """The catalogue table ``name``, validated; read once per process.

    Raises:
        CatalogueError: no such table, or its file breaks the declaration (file and line are named).
    """
    if name not in TABLES:
        raise CatalogueError(f"no catalogue table {name!r}; there are: {', '.join(TABLES)}")
    table = TABLES[name]
    frame = read(table)
    for column in table.columns:
        if column.references is not None:
            check_references(table, frame, column, load(column.references.table))
    return frame
