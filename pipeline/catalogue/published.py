"""Declarations of the catalogue's number tables: FIDE's tables, published figures, summaries.

Belongs here: figures that results are computed with or checked against. The rest is in ``tables.py``.
"""

from typing import Final

import polars as pl

from pipeline.catalogue.table import Column, Reference, Table

COUNT: Final = pl.Int32()
RATING: Final = pl.Int16()
NUMBER: Final = pl.Float64()
TEXT: Final = pl.String()
LIST_DATE: Final = Column("list_date", pl.Date(), "First day on which the list is valid.")

FIDE_DP: Final = Table(
    "fide_8_1_dp",
    "FIDE's table 8.1.1 (8.1a): rating difference that goes with a fractional score.",
    "FIDE Handbook B.02, section 8.1, compared over seven public programs",
    (
        Column("p", NUMBER, "Fractional score, 0.00 to 1.00."),
        Column("dp", RATING, "Rating difference in points; 800 for a full score by decree."),
    ),
    ("p",),
)

FIDE_PD: Final = Table(
    "fide_8_1_pd",
    "FIDE's table 8.1.2 (8.1b): scoring probability that goes with a rating difference.",
    "FIDE Handbook B.02, section 8.1, compared over four public programs",
    (
        Column("d_min", RATING, "Smallest difference of the band, in points."),
        Column("d_max", RATING, "Largest difference of the band; empty = no upper limit.", nullable=True),
        Column("pd_higher", NUMBER, "Scoring probability of the higher rated player."),
        Column("pd_lower", NUMBER, "Scoring probability of the lower rated player."),
    ),
    ("d_min",),
)

PUBLISHED_FIGURES: Final = Table(
    "published_figures",
    "Figures that somebody published about the lists, to be computed again and compared.",
    "named in each row",
    (
        Column("figure_id", TEXT, "Stable number of the figure."),
        Column("subject", TEXT, "What or whom the figure is about."),
        Column("list_date", pl.Date(), "List the figure is about; empty = undated.", nullable=True),
        Column("rating_type", TEXT, "Kind of play that is rated.", allowed=("standard", "rapid", "blitz")),
        Column("measure", TEXT, "What was counted or measured."),
        Column("parameter", TEXT, "Threshold, band, rank or title of the measure.", nullable=True),
        Column("population", TEXT, "Whom it counts.", allowed=("all", "active", "unspecified")),
        Column("value", TEXT, "The figure as published (a number, a name, a formula)."),
        Column("tolerance", NUMBER, "Allowed difference; empty = not to be matched.", nullable=True),
        Column("source", TEXT, "Who published it."),
        Column("note", TEXT, "What is known about its correctness.", nullable=True),
    ),
    ("figure_id",),
)

FIGURE_EXPLANATIONS: Final = Table(
    "figure_explanations",
    "Why published figures differ from what is computed, reviewed; shown only where they do differ.",
    "the evidence named in each row",
    (
        Column(
            "figure_id", TEXT, "Stable number of the figure.", references=Reference("published_figures", "figure_id")
        ),
        Column("explanation", TEXT, "Why it differs."),
        Column("evidence", TEXT, "What the explanation rests on."),
    ),
    ("figure_id",),
)

_MEANS: Final = {
    "mean10": "ranks 1 to 10",
    "mean20": "ranks 1 to 20",
    "mean50": "ranks 1 to 50",
    "mean100": "ranks 1 to 100",
    "mean11_50": "ranks 11 to 50",
}
_RANKS: Final = (10, 20, 50, 100)
_THRESHOLDS: Final = (2600, 2650, 2700, 2750, 2800)

TOP100_SUMMARY: Final = Table(
    "top100_list_summary",
    "Figures computed from FIDE's and OlimpBase's top-100 pages: an independent check of the list summaries.",
    "top-100 pages June 1967 to September 2024, only derived numbers kept",
    (
        LIST_DATE,
        Column("official", COUNT, "1 from July 1971 on, else 0."),
        Column("n_listed", COUNT, "Players on the page."),
        Column("no1", TEXT, "All players who share the highest rating, joined by &."),
        Column("r1", RATING, "Highest rating."),
        Column("r2", RATING, "Second rating."),
        Column("gap", RATING, "Difference of the first two ratings."),
        *(Column(name, NUMBER, f"Mean rating of {ranks}.", nullable=True) for name, ranks in _MEANS.items()),
        *(Column(f"r{rank}", RATING, f"Rating at rank {rank}.", nullable=True) for rank in _RANKS),
        *(
            Column(
                f"n{low}",
                COUNT,
                f"Players rated {low} or more; empty where the page ends above.",
                nullable=True,
            )
            for low in _THRESHOLDS
        ),
    ),
    ("list_date",),
)

_FULL_LIST_COUNTS: Final = {
    "rows": "Players on the list.",
    "active_rows": "Players without the inactive flag.",
    "women": "Women (flag w).",
    "federations": "Federation codes on the list.",
    "min_rating": "Lowest rating.",
}
_FULL_LIST_TITLES: Final = {
    "gm": "Players with title code g.",
    "gm_in_name": "Women coded wg with (GM) in the name.",
    "im": "Players with title code m.",
    "fm": "Players with title code f.",
}

FULL_LIST_SUMMARY: Final = Table(
    "full_list_2001_2004_summary",
    "Figures counted on FIDE's fourteen complete text lists of January 2001 to April 2004.",
    "FIDE's text files, counted independently of this project's readers",
    (
        LIST_DATE,
        *(Column(name, COUNT, meaning) for name, meaning in _FULL_LIST_COUNTS.items()),
        Column("mean", NUMBER, "Mean rating, all players."),
        Column("median", NUMBER, "Median rating, all players."),
        *(Column(name, COUNT, meaning) for name, meaning in _FULL_LIST_TITLES.items()),
        *(Column(f"mean_{t}", NUMBER, f"Mean rating of title {t.upper()}.") for t in ("gm", "im", "fm")),
        *(
            Column(f"n{low}_{population}", COUNT, f"Players rated {low} or more, {population}.")
            for low in (2700, 2600, 2500, 2400)
            for population in ("all", "active")
        ),
        *(Column(f"n{low}_all", COUNT, f"Players rated {low} or more, all.") for low in (2200, 2000)),
        *(Column(f"pct_below_{low}", NUMBER, f"Percent of rows strictly below {low}.") for low in (2200, 2400)),
        Column("rows_games_gt0", COUNT, "Players with rated games in the period."),
    ),
    ("list_date",),
)

FIGURE_TABLES: Final = (
    FIDE_DP, FIDE_PD, PUBLISHED_FIGURES, FIGURE_EXPLANATIONS, TOP100_SUMMARY, FULL_LIST_SUMMARY,
)  # fmt: skip
