"""``ratings rule``: one question to the rule book, answered with value, rule, days of validity and source."""

from collections.abc import Callable
from datetime import date
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from pipeline.domain.rule_book import RuleAnswer

_TYPES: Final = ("standard", "rapid", "blitz")


class DayType(click.ParamType[date]):
    """A day as YYYY-MM-DD, or a month as YYYY-MM, meaning its first day."""

    name = "day"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """The day."""
        if isinstance(value, date):
            return value
        text = str(value)
        try:
            return date.fromisoformat(f"{text}-01" if len(text) == 7 else text)
        except ValueError:
            self.fail(f"{text!r} is not a day; write it as 2001-01-31 or 2001-01", param, ctx)


class NumbersType(click.ParamType[tuple[float, ...]]):
    """Numbers separated by commas: opponents' ratings, or results of games."""

    def __init__(self, name: str, number: type[int] | type[float], example: str) -> None:
        self.name, self.number, self.example = name, number, example

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, ...]:
        """The numbers in the order given."""
        if isinstance(value, tuple):
            return value
        try:
            return tuple(self.number(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r}: expected {self.name} separated by commas, such as {self.example}", param, ctx)


_on = click.option("--on", type=DayType(), default=date.today, help="Day (YYYY-MM-DD or YYYY-MM); today if not given.")
_opponents = click.option(
    "--opponents", type=NumbersType("ratings", int, "1500,1612"), required=True, help="Ratings, separated by commas."
)
_score = click.option("--score", type=float, required=True, help="Points scored against them.")
_rating = click.argument("rating", type=click.IntRange(0, 3500))


def _answered(function: "Callable[..., RuleAnswer]") -> Callable[..., None]:
    """Print what the function answers; a rule that nobody knows is an answer too."""

    @wraps(function)
    def command(**arguments: Any) -> None:
        from pipeline.domain.dated import UnknownRuleError

        try:
            _say(function(**arguments))
        except UnknownRuleError as error:
            click.echo(f"unknown: {error}")
        except ValueError as error:  # the question itself is impossible, such as five points from four games
            raise click.UsageError(str(error)) from error

    return command


def _say(answer: "RuleAnswer") -> None:
    click.echo("none" if answer.value is None else f"{answer.value:.2f}".rstrip("0").rstrip("."))
    click.echo(f"rule       {answer.rule}")
    for step in answer.steps:
        click.echo(f"           {step}")
    if answer.valid_from is None:
        click.echo("valid      a formula without a date")
    else:
        click.echo(f"valid      from {answer.valid_from} to {answer.valid_to or 'today'}")
    click.echo(f"source     {answer.source} ({answer.certainty})")


@click.group()
def rule() -> None:
    """Ask the rule book: the value, the rule, when it holds, and where it is from.

    Where no rule is known for the day the answer is "unknown".
    """


@rule.command()
@_rating
@_on
@click.option("--games", type=click.IntRange(0), default=30, show_default=True, help="Rated games so far.")
@click.option("--reached-2400", is_flag=True, help="Has been rated 2400 or more.")
@click.option("--born", type=click.IntRange(1850, 2100), help="Year of birth, where age decides.")
@click.option("--rating-type", type=click.Choice(_TYPES), default="standard", show_default=True)
@_answered
def k(rating: int, on: date, games: int, reached_2400: bool, born: int | None, rating_type: str) -> "RuleAnswer":
    """FIDE's development coefficient K of a player rated RATING."""
    from pipeline.domain import rule_book

    return rule_book.k_factor(on, rating, games, reached_2400=reached_2400, born=born, rating_type=rating_type)


@rule.command()
@_rating
@click.argument("opponent", type=click.IntRange(0, 3500))
@_on
@_answered
def expected(rating: int, opponent: int, on: date) -> "RuleAnswer":
    """FIDE's expected score of RATING against OPPONENT, by the table and the cap of the day."""
    from pipeline.domain import rule_book

    return rule_book.expected_score(on, rating, opponent)


@rule.command()
@_rating
@_opponents
@click.option("--scores", type=NumbersType("results", float, "1,0.5,0"), required=True, help="Result of each game.")
@click.option("--k", "k_factor", type=click.IntRange(1), required=True, help="The player's K.")
@_on
@_answered
def change(rating: int, opponents: tuple[int, ...], scores: tuple[float, ...], k_factor: int, on: date) -> "RuleAnswer":
    """FIDE's rating change of RATING in one event."""
    from pipeline.domain import rule_book

    return rule_book.rating_change(on, rating, opponents, scores, k_factor)


@rule.command()
@_opponents
@_score
@_on
@_answered
def initial(opponents: tuple[int, ...], score: float, on: date) -> "RuleAnswer":
    """FIDE's first rating of an unrated player; the floor is not applied."""
    from pipeline.domain import rule_book

    return rule_book.initial_rating(on, opponents, score)


@rule.command()
@_opponents
@_score
@click.option("--method", type=click.Choice(["fide", "400", "linear"]), default="fide", show_default=True)
@_answered
def performance(opponents: tuple[int, ...], score: float, method: Any) -> "RuleAnswer":
    """Performance rating of a result."""
    from pipeline.domain import rule_book

    return rule_book.performance(opponents, score, method)


@rule.command()
@_on
@click.option("--sex", type=click.Choice(["M", "F"]), default="M", show_default=True, help="They differed until 1993.")
@_answered
def floor(on: date, sex: Any) -> "RuleAnswer":
    """Floor of FIDE's standard lists: players rated below it are not listed."""
    from pipeline.catalogue.tables import load
    from pipeline.domain import rule_book

    return rule_book.floor(on, sex, load("rating_floors"))


@rule.command()
@_rating
@_answered
def compression(rating: int) -> "RuleAnswer":
    """What FIDE's change of 1 March 2024 made of a standard RATING."""
    from pipeline.domain import rule_book

    return rule_book.compression(rating)


@rule.command()
@_rating
@_opponents
@_score
@click.option("--k", "k_factor", type=float, default=32, show_default=True, help="K of the formula.")
@_answered
def elo(rating: int, opponents: tuple[int, ...], score: float, k_factor: float) -> "RuleAnswer":
    """Elo's plain formula: the new rating of RATING, with the logistic expectancy and one K."""
    from pipeline.domain import rule_book

    return rule_book.elo_update(rating, opponents, score, k_factor)


@rule.command()
@_rating
@_opponents
@_score
@_on
@click.option("--games", type=click.IntRange(0), default=50, show_default=True, help="US-rated games so far.")
@click.option("--most-games-with-one-opponent", type=click.IntRange(1), default=1, show_default=True)
@click.option("--dual-rated", is_flag=True, help="The event counts for regular and quick ratings.")
@click.option(
    "--record",
    type=click.Choice(["mixed", "wins", "losses"]),
    default="mixed",
    show_default=True,
    help="What all earlier games were.",
)
@_answered
def uscf(
    rating: int,
    opponents: tuple[int, ...],
    score: float,
    on: date,
    games: int,
    most_games_with_one_opponent: int,
    dual_rated: bool,
    record: Any,
) -> "RuleAnswer":
    """US Chess regular rating of RATING after one event."""
    from pipeline.domain import rule_book

    return rule_book.uscf_update(
        on,
        rating,
        games,
        opponents,
        score,
        most_games_with_one_opponent=most_games_with_one_opponent,
        dual_rated=dual_rated,
        record=record,
    )
