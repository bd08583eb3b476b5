"""``ratings convert``: a rating of one publisher in the scale of another, by estimates and by published rules."""

from datetime import date
from typing import TYPE_CHECKING, Any, Final

import click

from pipeline.commands.lists import MonthType
from pipeline.settings import Settings

if TYPE_CHECKING:
    import polars as pl

_SYSTEMS: Final = {"fide": "FIDE", "uscf": "USCF", "cfc": "CFC"}
_SCALES: Final = {"FIDE": "FIDE standard", "USCF": "US Chess regular", "CFC": "Canadian (CFC)"}
#: Whose estimates answer: the first that has one at the rating (the same order as in the macro convert_rating).
POPULATIONS: Final = ("usa", "everybody", "collected")
_NO_ESTIMATES: Final = (
    "No estimate: no pairs of FIDE and US ratings are held. What follows are the published rules only.\n"
    "To estimate, get US Chess data (ratings fetch uscf) or add files of pairs (ratings add FILE), then: ratings build"
)


@click.command()
@click.argument("rating", type=click.IntRange(0, 3500))
@click.option("--from", "from_code", type=click.Choice(list(_SYSTEMS), case_sensitive=False), required=True)
@click.option("--to", "to_code", type=click.Choice(list(_SYSTEMS), case_sensitive=False), required=True)
@click.option("--on", type=MonthType(), help="Month, YYYY-MM; this month where not given.")
@click.option("--population", help=f"Whose estimates; the first of {', '.join(POPULATIONS)} where not given.")
def convert(rating: int, from_code: str, to_code: str, on: date | None, population: str | None) -> None:
    """Express RATING of one system in another, and say which question each answer answers.

    Same strength: how far apart the scales are. Typical rating: what the players who have this rating have on the
    other list. The two differ, and neither is the rule by which US Chess sets first ratings.
    """
    from_system, to_system = _SYSTEMS[from_code.lower()], _SYSTEMS[to_code.lower()]
    if from_system == to_system:
        raise click.UsageError("--from and --to are the same system")
    day = on or date.today().replace(day=1)
    click.echo(f"{_SCALES[from_system]} {rating} in {day:%Y-%m}, as {_SCALES[to_system]}\n")
    if {from_system, to_system} == {"FIDE", "USCF"}:
        _say_estimates(rating, from_system, day, population)
    _say_published(rating, from_system, to_system, day)


def _say_estimates(rating: int, from_system: str, day: date, population: str | None) -> None:
    from pipeline.analytics.offset_conversion import Conversion, NoEstimateError
    from pipeline.analytics.offset_conversion import convert as answer

    fitted = _fitted(Settings.from_env())
    if fitted is None or fitted.is_empty():
        click.echo(f"{_NO_ESTIMATES}\n")
        return
    held = set(fitted["population"])
    populations = (population,) if population else tuple(name for name in POPULATIONS if name in held)
    for question in ("same strength", "typical rating"):
        found: Conversion | None = None
        refusals: list[str] = []
        for whose in populations:
            try:
                found = answer(
                    rating,
                    "fide_to_uscf" if from_system == "FIDE" else "uscf_to_fide",
                    day,
                    fitted,
                    question=question,
                    population=whose,
                )
                break
            except NoEstimateError as error:
                refusals.append(str(error))
        if found is None:
            click.echo(f"{question.capitalize()}: not estimated\n" + "".join(f"    {text}\n" for text in refusals))
            continue
        click.echo(
            f"{question.capitalize()}: {found.estimate:.0f}, interval {found.ci_low:.0f} to {found.ci_high:.0f}\n"
            f"    {found.meaning}"
        )
        if found.half_low is not None and found.half_high is not None:
            click.echo(f"    half of these players lie between {found.half_low:.0f} and {found.half_high:.0f}")
        click.echo(
            f"    {found.sample_size} persons, population {found.population}, lists of {found.period}\n"
            f"    {found.caveat}\n"
        )


def _fitted(settings: Settings) -> "pl.DataFrame | None":
    """The published estimates; None where nothing is published."""
    import duckdb

    if not settings.database.exists():
        return None
    with duckdb.connect(str(settings.database.resolve()), read_only=True) as connection:
        fitted: pl.DataFrame = connection.sql("from marts.fide_uscf_offset_by_band").pl()
    return fitted


def _say_published(rating: int, from_system: str, to_system: str, day: date) -> None:
    import polars as pl

    from pipeline.analytics.published_conversions import official_rule, published_curves, rules_in_force

    curves = published_curves(day, [rating], from_system, to_system)
    pieces = {row["rule_id"]: row for row in rules_in_force(day, from_system, to_system).iter_rows(named=True)}
    official = official_rule(day) if (from_system, to_system) == ("FIDE", "USCF") else None
    if (from_system, to_system) == ("FIDE", "USCF"):
        own = curves.filter(rule_id=official) if official else curves.clear()
        if own.is_empty():
            click.echo(f"US Chess's own rule for a first rating in {day:%Y-%m}: unknown for this rating\n")
        for row in own.iter_rows(named=True):
            _say_rule("US Chess's own rule for a first rating", row, pieces[row["rule_id"]])
    others = curves.filter(pl.col("rule_id") != (official or ""))
    if others.is_empty():
        which = "No other published rule" if official else "No published rule"
        click.echo(f"{which} from {from_system} to {to_system} is known for this rating.")
    for row in others.iter_rows(named=True):
        _say_rule("Published rule", row, pieces[row["rule_id"]])


def _say_rule(title: str, row: dict[str, Any], piece: dict[str, Any]) -> None:
    words = "" if piece["effective"] == str(piece["valid_from"]) else f" ({piece['effective']})"
    dates = f"since {piece['valid_from']}" if piece["valid_from"] else "first day not known"
    until = f", until {piece['valid_until']}" if piece["valid_until"] else ""
    click.echo(
        f"{title} ({row['rule_id']}): {row['result']:.0f}\n"
        f"    {row['issuer']}: {row['scope']}; {dates}{until}{words}\n"
        f"    source: {piece['source']}\n"
    )
