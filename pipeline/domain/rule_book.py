"""The rule book: one question about one player, answered with the rule, its days and its source.

Belongs here: the small API behind ``ratings rule ...``. Not here: the rules (``fide_regulations.py``,
``uscf_rules.py``) and the formulas (``fide_rules.py``, ``performance.py``, ``elo.py``).

Every function raises ``UnknownRuleError`` where no rule is known for the day, and ``ValueError`` where the
question itself is impossible (a score that cannot be scored, a missing birth date).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final, Literal

import polars as pl

from pipeline.domain import elo, fide_rules, uscf_rules
from pipeline.domain import performance as performances
from pipeline.domain.dated import Certainty, RuleInForce, UnknownRuleError
from pipeline.domain.expectancy import logistic_expected_score
from pipeline.domain.fide_regulations import difference_cap_on, initial_rating_on, k_factors_on

PerformanceMethod = Literal["fide", "400", "linear"]

_TABLE: Final = "FIDE Handbook B.02, table 8.1"
_PERFORMANCES: Final = {
    "fide": (performances.fide_performance, "mean of the opponents plus table dp of the score", _TABLE),
    "400": (
        performances.algorithm_of_400,
        "mean of the opponents plus 400 (wins - losses) / games",
        "US Chess, rule of thumb",
    ),
    "linear": (
        performances.linear_performance,
        "mean of the opponents plus 850 (score per game - 0.5)",
        "J. Sonas, Chessmetrics",
    ),
}


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """An answer of the rule book.

    Attributes:
        value: the number asked for; None where the rule is known and gives none (no floor).
        rule: the rule that was applied, in words.
        steps: intermediate results, one a line, so that the answer can be followed.
        valid_from: first day of the rule; None for a formula without a date.
        valid_to: last day of the rule; None where it is still in force or has no date.
        source: document or data the rule rests on.
        certainty: how far the rule and its date are established.
    """

    value: float | None
    rule: str
    steps: tuple[str, ...]
    valid_from: date | None
    valid_to: date | None
    source: str
    certainty: Certainty


def k_factor(
    on: date,
    rating: int,
    games: int,
    *,
    reached_2400: bool = False,
    born: date | int | None = None,
    rating_type: str = "standard",
) -> RuleAnswer:
    """FIDE's K of one player; arguments as ``fide_rules.k_factor``."""
    k = fide_rules.k_factor(on, rating, games, reached_2400=reached_2400, born=born, rating_type=rating_type)
    return _dated(float(k), k_factors_on(on, rating_type))


def expected_score(on: date, rating: int, opponent: int) -> RuleAnswer:
    """FIDE's expected score of the only game of an event: the cap of the day, then the table."""
    cap = difference_cap_on(on)
    counted = int(fide_rules.counted_differences(rating, [opponent], on)[0])
    value = int(fide_rules.expected_percent(rating, [opponent], on)[0]) / 100
    return _dated(value, cap, f"difference {rating - opponent:+d} counts as {counted:+d}", f"table: {value:.2f}")


def rating_change(on: date, rating: int, opponents: Sequence[int], scores: Sequence[float], k: int) -> RuleAnswer:
    """FIDE's rating change from the games of one event, exact to hundredths; K as the player has it."""
    value = fide_rules.rating_change(on, rating, opponents, scores, k)
    expected = fide_rules.expected_percent(rating, opponents, on).sum() / 100 if opponents else 0.0
    used = fide_rules.k_for_period(on, k, max(len(opponents), 1))
    return _dated(
        value,
        difference_cap_on(on),
        f"expected {expected:.2f}, scored {sum(scores):g} of {len(scores)}",
        f"K {used}" + (f" (lowered from {k}: K times games is at most 700)" if used != k else ""),
    )


def initial_rating(on: date, opponents: Sequence[int], score: float) -> RuleAnswer:
    """FIDE's first rating of an unrated player from pooled games; the floor is not applied."""
    value = fide_rules.initial_rating(on, opponents, score)
    mean = sum(opponents) / len(opponents)
    return _dated(
        float(value), initial_rating_on(on), f"mean of the opponents {mean:.1f}, {score:g} of {len(opponents)}"
    )


def performance(opponents: Sequence[int], score: float, method: PerformanceMethod = "fide") -> RuleAnswer:
    """Performance rating by FIDE's table, the algorithm of 400, or the linear formula of Chessmetrics.

    Raises:
        ValueError: no games, an impossible score, or an unknown method.
    """
    if method not in _PERFORMANCES:
        raise ValueError(f"unknown performance method {method!r}; known are {', '.join(_PERFORMANCES)}")
    formula, rule, source = _PERFORMANCES[method]
    return _undated(float(formula(opponents, score)), rule, source)


def floor(on: date, sex: Literal["M", "F"], floors: pl.DataFrame) -> RuleAnswer:
    """Floor of FIDE's standard lists: players below it are not listed (they do not stop at it).

    Args:
        on: list date.
        sex: M or F; the floors differed until 1993.
        floors: the catalogue's ``rating_floors``.

    Returns:
        value None where no floor is visible on the lists of that time.

    Raises:
        UnknownRuleError: before the first official list.
    """
    rows = floors.filter(pl.col("sex").is_in([sex, "both"])).sort("from_list")
    in_force = rows.filter(pl.col("from_list") <= on)
    if in_force.is_empty():
        raise UnknownRuleError(f"no official list was in force on {on}; the first is of {rows['from_list'][0]}")
    row = in_force.row(-1, named=True)
    later = rows.filter(pl.col("from_list") > on)["from_list"]
    return RuleAnswer(
        row["floor"],
        "no floor visible" if row["floor"] is None else "players rated below are not listed",
        (),
        row["from_list"],
        later[0] - timedelta(days=1) if len(later) else None,
        row["evidence"],
        "computed",
    )


def compression(rating: int) -> RuleAnswer:
    """Standard rating after FIDE's one-off change of 1 March 2024."""
    return RuleAnswer(
        float(fide_rules.compressed_rating(rating)),
        "below 2000: R + 0.40 (2000 - R), once, on the standard list of this day",
        (),
        fide_rules.COMPRESSION_DATE,
        fide_rules.COMPRESSION_DATE,
        "FIDE Qualification Commission, 1 March 2024",
        "read",
    )


def elo_update(rating: float, opponents: Sequence[float], score: float, k: float) -> RuleAnswer:
    """Elo's plain update with the logistic expectancy and a constant K."""
    expected = elo.expected_scores(rating, opponents)
    steps = (
        "expected " + " ".join(f"{share:.3f}" for share in expected),
        f"sum {expected.sum():.3f}, scored {score:g} of {len(opponents)}",
    )
    value = elo.updated_rating(rating, opponents, score, k)
    return _undated(value, "R + K (score - expected), logistic", "A. Elo", *steps)


def uscf_expected_score(rating: float, opponent: float) -> RuleAnswer:
    """US Chess's expected score of one game."""
    value = float(logistic_expected_score(rating - opponent))
    return _undated(value, "1 / (1 + 10^((opponent - own) / 400))", "Glickman & Doan, The US Chess Rating System")


def uscf_update(
    on: date,
    rating: float,
    games: int,
    opponents: Sequence[float],
    score: float,
    *,
    most_games_with_one_opponent: int = 1,
    dual_rated: bool = False,
    record: uscf_rules.Record = "mixed",
) -> RuleAnswer:
    """US Chess regular rating after one event; arguments as ``uscf_rules.event_update``."""
    update = uscf_rules.event_update(
        on,
        rating,
        games,
        opponents,
        score,
        most_games_with_one_opponent=most_games_with_one_opponent,
        dual_rated=dual_rated,
        record=record,
    )
    source = "Glickman & Doan, The US Chess Rating System"
    if update.k is None or update.expected is None:
        if record == "mixed":
            return _undated(update.rating, "special formula (eight or fewer earlier games)", source)
        rule = f"special formula (earlier games were {record} only)"
        return _undated(update.rating, rule, uscf_rules.ONE_SIDED_SOURCE, certainty="unconfirmed")
    steps = (
        f"K {update.k:.3f}",
        f"expected {update.expected:.3f}, scored {score:g} of {len(opponents)}",
        f"bonus {update.bonus:.2f}",
    )
    if len(opponents) < 3:
        return _undated(update.rating, "standard formula; no bonus in fewer than three games", source, *steps)
    return _dated(update.rating, uscf_rules.bonus_threshold_on(on), *steps)


def _dated(value: float, rule: RuleInForce[Any], *steps: str) -> RuleAnswer:
    """An answer under a rule with dates."""
    return RuleAnswer(value, rule.text, steps, rule.valid_from, rule.valid_to, rule.source, rule.certainty)


def _undated(value: float, rule: str, source: str, *steps: str, certainty: Certainty = "read") -> RuleAnswer:
    """An answer by a formula that has no date."""
    return RuleAnswer(value, rule, steps, None, None, source, certainty)
