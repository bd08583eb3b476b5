"""FIDE's regulations by date, as values: caps on differences, K factors, initial ratings.

Belongs here: what the regulations say and from which day it is known, with the source of each. Not here:
computing with them (``fide_rules.py``). The catalogue's ``rule_changes`` publishes the same calendar.
"""

from dataclasses import dataclass
from datetime import date
from typing import Final

from pipeline.domain.dated import DatedRule, RuleInForce, rule_on

_HANDBOOK_2003: Final = "FIDE Handbook B.02 of 2003"
_HANDBOOK_2014: Final = "FIDE Handbook B.02 of 2014"
_HANDBOOK_2024: Final = "FIDE Handbook B.02 of 2024"


@dataclass(frozen=True, slots=True)
class DifferenceCap:
    """A gap above ``points`` counts as ``points``.

    Attributes:
        points: the cap.
        games_per_event: how many games of an event it applies to, the largest gaps first; None = all.
        uncapped_from: own rating from which no gap is capped; None = nobody is exempt.
    """

    points: int
    games_per_event: int | None = None
    uncapped_from: int | None = None


@dataclass(frozen=True, slots=True)
class KFactors:
    """K for new players, below 2400, and once 2400 was reached; ``junior`` only where juniors have their own.

    Attributes:
        junior_to_year_end: juniors keep their K to the end of the year of the 18th birthday, not to the day.
    """

    new: int
    below_2400: int
    reached_2400: int
    junior: int | None = None
    junior_to_year_end: bool = False


@dataclass(frozen=True, slots=True)
class InitialRating:
    """How a first rating is computed.

    Attributes:
        minimum_games: games against rated opponents that are needed.
        per_half_point: points for every half point over 50 %; None = the table dp is used there too.
        hypothetical_opponents: ratings of opponents that are added, each with a draw.
        limit: highest first rating; None = no limit.
    """

    minimum_games: int
    per_half_point: float | None
    hypothetical_opponents: tuple[int, ...] = ()
    limit: int | None = None


DIFFERENCE_CAPS: Final = (
    DatedRule(
        date(2003, 1, 1),
        DifferenceCap(350),
        "a difference of more than 350 points counts as 350 (documented before July 2009; since when is unknown)",
        "FIDE notices of 2009",
        "inferred",
    ),
    DatedRule(
        date(2009, 7, 1),
        DifferenceCap(400),
        "a difference of more than 400 points counts as 400",
        "FIDE notice of 13 July 2009",
    ),
    DatedRule(
        date(2022, 1, 1),
        DifferenceCap(400, games_per_event=1),
        "the cap of 400 applies to one game of an event, the one with the largest difference",
        "FIDE Handbook B.02 of 2022",
    ),
    DatedRule(
        date(2024, 3, 1),
        DifferenceCap(400),
        "a difference of more than 400 points counts as 400, in every game",
        _HANDBOOK_2024,
    ),
    DatedRule(
        date(2025, 10, 1),
        DifferenceCap(400, uncapped_from=2650),
        "players rated 2650 or more count the true difference; for others more than 400 counts as 400",
        "FIDE Qualification Commission, 2025",
    ),
)

_K_25_15_10: Final = "25 for the first 30 games, then 15 below 2400, 10 once 2400 was reached"
STANDARD_K: Final = (
    DatedRule(date(2003, 1, 1), KFactors(25, 15, 10), f"{_K_25_15_10} (by 2003)", _HANDBOOK_2003),
    DatedRule(
        date(2011, 7, 1),
        KFactors(30, 15, 10),
        "30 for the first 30 games, then 15 below 2400, 10 once 2400 was reached",
        "R package PlayerRatings (the year); rules of that time start in July",
        "inferred",
    ),
    DatedRule(
        date(2014, 7, 1),
        KFactors(40, 20, 10, junior=40),
        "40 for the first 30 games and, below 2300, until the 18th birthday; then 20 below 2400, 10 once 2400 "
        "was reached",
        _HANDBOOK_2014,
    ),
    DatedRule(
        date(2024, 3, 1),
        KFactors(40, 20, 10, junior=40, junior_to_year_end=True),
        "40 for the first 30 games and, below 2300, until the end of the year of the 18th birthday; then 20 "
        "below 2400, 10 once 2400 was reached",
        _HANDBOOK_2024,
    ),
)
#: Rapid and blitz. The lists of September 2012 to September 2014 print 20 for everybody, those of 2025 as standard.
RAPID_BLITZ_K: Final[tuple[DatedRule[KFactors], ...]] = (
    DatedRule(date(2012, 9, 1), KFactors(20, 20, 20), "20 for everybody", "FIDE lists to September 2014", "computed"),
    DatedRule(date(2014, 10, 1), None, "no list between is known to say which K was used", "FIDE lists", "computed"),
    DatedRule(
        date(2025, 1, 1),
        KFactors(40, 20, 10, junior=40, junior_to_year_end=True),
        "as in standard: the lists of 2025 print 40, 20 and 10 (by 2025)",
        "FIDE lists of 2025",
        "computed",
    ),
)

INITIAL_RATINGS: Final = (
    DatedRule(
        date(2003, 1, 1),
        InitialRating(9, 12.5),
        "nine games: mean of the opponents, 12.5 points per half point over 50 %, table dp below (by 2003)",
        _HANDBOOK_2003,
    ),
    DatedRule(
        date(2011, 7, 1),
        InitialRating(9, 15),
        "nine games: mean of the opponents, 15 points per half point over 50 %, table dp below",
        "half of the highest K",
        "inferred",
    ),
    DatedRule(
        date(2014, 7, 1),
        InitialRating(5, 20),
        "five games within 26 months: mean of the opponents, 20 points per half point over 50 %, table dp below",
        _HANDBOOK_2014,
    ),
    DatedRule(
        date(2024, 3, 1),
        InitialRating(5, None, (1800, 1800), 2200),
        "five games within 26 months and two drawn games against 1800 added: mean plus table dp, at most 2200",
        _HANDBOOK_2024,
    ),
)


def difference_cap_on(day: date) -> RuleInForce[DifferenceCap]:
    """The rule on large rating differences. Raises ``UnknownRuleError`` before 2003."""
    return rule_on(DIFFERENCE_CAPS, day, "large rating differences")


def k_factors_on(day: date, rating_type: str = "standard") -> RuleInForce[KFactors]:
    """The K factors. Raises ``UnknownRuleError`` where none are known (standard before 2003)."""
    rules = STANDARD_K if rating_type == "standard" else RAPID_BLITZ_K
    return rule_on(rules, day, f"K in {rating_type}")


def initial_rating_on(day: date) -> RuleInForce[InitialRating]:
    """The rule on first ratings. Raises ``UnknownRuleError`` before 2003."""
    return rule_on(INITIAL_RATINGS, day, "initial ratings")
