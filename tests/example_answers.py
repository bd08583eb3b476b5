"""The answers of the example queries of marts and macros, and how each is known. Expected values only, no reading.

Three databases: the bundled lists, where they give an answer; lists of invented people; a world worked out by hand
(``worked_world.py``). ``sql/test_answers_from_people.py`` computes what is not plain to see from the people.
"""

from datetime import date
from typing import Final

import pytest
from worked_world import FOREIGNERS, JUNIORS, PROVISIONAL

Answers = dict[str, list[tuple[object, ...]]]

#: Answers on the bundled lists: figures of the literature, told by catalogue.top100_list_summary (computed apart from
#: this project), read off the catalogue's files, or for conversions intercept + slope * rating.
KNOWN: Final[Answers] = {
    "convert_rating": [
        ("first rating by US Chess", "init-2024", 1825.4),  # -1073 + 1.5667 * 1850
        ("published rule", "cca-2024", 1900.0),  # 1830 to 1869
        ("published rule", "chessgoals-2024", 1877.5),  # -157.5 + 1.1 * 1850
        ("published rule", "dojo-2024", 1825.0),  # -1412.5 + 1.75 * 1850
        ("published rule", "vegas", 1975.3),  # 560 + 0.765 * 1850
        ("published rule", "youth-2024", 1890.4),  # -453 + 1.2667 * 1850
    ],
    "elite_ages": [(33.5, "Radjabov, Teimour")],
    "elite_membership": [("Kasparov, Garry", 56)],
    "era_adjusted_peaks": [("Fischer, Robert James", 223.0)],
    "federation_flows": [(date(2015, 7, 1), 1, 2797)],  # Caruana
    "generations": [(1960, 43)],
    "history_of": [(date(1979, 1, 1), 2545, 40)],
    "inflation_indices": [("edwards", 2717.2), ("gap", 30.0)],
    "list_anomalies": [("top_ten_of_eleven",)],
    "list_coverage": [("held", "top")],
    "list_summary": [(2785, 125)],
    "movers": [("Kasimdzhanov, Rustam", 87)],
    "number_ones": [("Carlsen, Magnus", 4841)],
    "player_history": [(date(2006, 1, 1), 2625, 89)],
    "player_links": [
        ("Petrosian, Tigran", "URS", "same_name", 0.9),  # no number, one name, two codes of one state
        ("Petrosian, Tigran", "USR", "same_name", 0.9),
    ],
    "player_names": [
        ("Korchnoi, Viktor", "printed", date(1971, 7, 1), date(2007, 4, 1)),
        ("Korchnoi,Viktor", "catalogue", None, None),
        ("Kortchnoi,V.", "catalogue", None, None),
        ("Kortschnoj,V.", "catalogue", None, None),
    ],
    "player_ratings": [("standard", 717)],  # people of elite_history.csv, see catalogue/data/SOURCES.md
    "players": [
        ("Petrosian, Tigran", 1929, 2645, date(1972, 7, 1)),
        ("Petrosian, Tigran L.", 1984, 2671, date(2015, 3, 1)),
    ],
    "prodigies": [("Wei, Yi", 16)],
    "published_figure_checks": [("agrees", "125")],
    "rank_band_counts": [(49,)],
    "rank_of": [(12,)],
    "rating_at_rank": [(10, 2751), (20, 2723)],
    "rating_conversions": [
        ("init-2005", 1850.0, date(2005, 1, 1)),  # 50 + 1800
        ("init-2008b", 1845.0, date(2008, 7, 1)),  # 720 + 0.625 * 1800
        ("init-2017", 1872.0, date(2017, 1, 1)),  # 180 + 0.94 * 1800
        ("init-2024", 1747.1, date(2024, 3, 1)),  # -1073 + 1.5667 * 1800
    ],
    "ratings_at": [(30,)],
    "records": [("Fischer, Robert James", 125.0)],
    "rule_calendar": [("floor 1400",)],
    "top": [(1, "Kasparov, Garry", 2851), (2, "Anand, Viswanathan", 2769), (3, "Kramnik, Vladimir", 2758)],
    "top_player_peaks": [("Carlsen, Magnus", 2882, date(2014, 5, 1))],
    "top_list": [("Kasparov, Garry", 2851), ("Anand, Viswanathan", 2769)],
}
#: Answers on the lists of invented people, counted from how these were made (``conftest.invented_lists``).
KNOWN_ON_INVENTED: Final[Answers] = {
    "activity": [(135, 675)],
    "age_profile": [(30, 2007.0)],
    "compression_2024": [(1400, 15, 1671.0)],
    "entry_effects": [(50, 0.3)],
    "federation_strength": [("IND", 2603.5)],
    "k_factor_counts": [(20, 150)],
    "percentile_of": [(43.333,)],
    "percentiles": [("common cut", 41.5), ("everybody", 58.7)],
    "player_match_rates": [
        (date(2004, 1, 1), date(2003, 1, 1), 1.0, 150),
        (date(2004, 4, 1), date(2004, 1, 1), 1.0, 200),
        (date(2013, 3, 1), date(2004, 4, 1), 0.9, 180),
        (date(2024, 2, 1), date(2013, 3, 1), 1.0, 180),
        (date(2024, 3, 1), date(2024, 2, 1), 0.95, 190),
    ],
    "points_created": [(495, 550, -55)],
    "rating_distribution": [(154,)],
    "rating_type_pairs": [(12,)],
    "survival": [(0.8,)],  # of 50 newcomers of 2004, ten are off the list of March 2024, the newest
    "title_counts": [("all", 19)],
}
#: Members of the director file by class: ratings 600, 615, ... 2385, every sixth of them provisional.
CLASS_SIZES: Final = {
    "Class J": (0, 0), "Class I": (0, 0), "Class H": (0, 0), "Class G": (14, 11), "Class F": (13, 11),
    "Class E": (13, 11), "Class D": (14, 12), "Class C": (13, 10), "Class B": (13, 11), "Class A": (14, 12),
    "Expert": (13, 11), "Master": (13, 11), "Senior Master": (0, 0), None: (0, 0),
}  # fmt: skip
#: Answers in the worked world, each from what ``worked_world`` says of its people.
WORKED_OUT: Final[Answers] = {
    # Aged 16 in 2004 are two of every four; 2400 is one person, each further 200 points hold a hundred.
    "age_changes": [(16, 1800, 49, 30.0), (16, 2000, 50, 30.0), (16, 2200, 50, 30.0), (16, 2400, 1, 30.0)],
    # One player is missing in the first edition, three of the other 299 differ: 296 / 299.
    "edition_agreement": [(date(2004, 1, 1), "fide", 299, 99.0)],
    # 2400 - 2 * 10 - 4, 2400 - 2 * 11 - 4, 2400 - 2 * 12 + 30; the first edition has 10 more.
    "edition_differences": [
        ("Kworked 010, Player", 2376, 2386),
        ("Lworked 011, Player", 2374, 2384),
        ("Mworked 012, Player", 2406, 2416),
    ],
    # 150 - 0.05 * rating before March 2024, -30 after. Without errors the intervals are points.
    "fide_uscf_offset_by_band": [
        *((rating, offset, offset, offset) for rating in range(1500, 2401, 100) for offset in [150 - 0.05 * rating]),
        *((rating, -30.0, -30.0, -30.0) for rating in range(1500, 2401, 100)),
    ],
    # Mean of 150 - 0.05 * rating over ratings with mean 1950; the standard error is 0.05 * 265.5 / sqrt(230).
    "fide_uscf_offset_by_year": [
        (2024, 52.5, pytest.approx(52.5 - 1.96 * 0.875, abs=0.5), pytest.approx(52.5 + 1.96 * 0.875, abs=0.5)),
        (2024, -30.0, -30.0, -30.0),
    ],
    # No floors are stated, so that this filter knows of nobody; each US rating changed between the two dates.
    "fide_uscf_pair_filters": [
        ("same_month", 0, 0, 239),
        ("uscf_rated", 0, 0, 239),
        ("uscf_established", PROVISIONAL, 0, 236),
        ("uscf_above_floor", 0, 236, 236),
        ("fide_rated", 0, 0, 236),
        ("fide_active", 0, 0, 236),
        ("games", 0, 0, 236),
        ("adult", JUNIORS, 0, 232),
        ("residual", 0, 0, 232),
        ("federation", FOREIGNERS, 0, 230),
    ],
    # In the collected file three of five are known to be of the federation USA: 10, 20 and 70 apart.
    "fide_uscf_pairs": [(date(2008, 4, 1), 3, 20.0), (date(2024, 2, 1), 230, 52.5), (date(2024, 9, 1), 230, -30.0)],
    # 40 and 60 apart; 10, 20 and 70 apart.
    "fide_uscf_samples": [("pairs_worked.csv", 2, 50.0, 40.0, 60.0), ("pairs_worked.csv", 3, 20.0, 10.0, 70.0)],
    # One in three; best woman 2400, best man 2398. Of 300 with 100 women the best woman is expected at rank
    # 301 / 101, the third (2396), the best of 200 men at 301 / 201, the first (2400).
    "gender_gap": [(100, 0.3333, -2.0, 4.0)],
    "uscf_class_counts": [(name, *sizes) for name, sizes in CLASS_SIZES.items()],
}
