"""``ratings fetch``: lists from their publishers into the raw store; `ratings build` makes them visible."""

import logging
from collections.abc import Callable, Iterable
from datetime import date
from typing import TYPE_CHECKING, Final

import click

from pipeline.commands.lists import MonthType
from pipeline.settings import Settings

if TYPE_CHECKING:
    from pipeline.assets.fetching import Fetching
    from pipeline.sources.fetch import Outcome, ShowProgress

_log = logging.getLogger(__name__)

#: Exit code: what could be had is held, but lists are missing that should have come.
SOME_FAILED: Final = 3
_WORDS: Final = {
    "stored": "new",
    "revised": "revised",
    "unchanged": "unchanged",
    "not_yet": "not published yet",
    "refused": "refused",
    "failed_transient": "failed for now",
}


@click.group()
def fetch() -> None:
    """Fetch lists from their publishers; what is held is asked for conditionally, what stopped is resumed.

    Exit codes: 0 all well, 3 some lists did not come (the others are stored), 1 nothing could be done,
    130 interrupted (run the same command again).
    """


@fetch.command()
@click.option("--from", "since", type=MonthType(), help="First month (default: January 2001).")
@click.option("--to", "until", type=MonthType(), help="Last month (default: the newest list).")
@click.option(
    "--type", "rating_types", multiple=True, type=click.Choice(["standard", "rapid", "blitz"]), help="Default: all."
)
def fide(since: date | None, until: date | None, rating_types: tuple[str, ...]) -> None:
    """Lists of FIDE's archive that are not held yet, and the newest again, which FIDE may have revised."""
    from pipeline.domain.entry import RATING_TYPES

    fetching = _fetching()
    keys = fetching.fide_range(since, until, rating_types or RATING_TYPES)
    if not keys:
        click.echo("nothing to fetch: every list of that range is held")
        return
    finish(run("FIDE", len(keys), lambda progress: fetching.fide(keys, progress)))


@fetch.command()
def olimpbase() -> None:
    """OlimpBase's lists of 1967 to 2001, one archive."""
    fetching = _fetching()
    finish(run("OlimpBase", 1, fetching.olimpbase))


@fetch.command()
def scid() -> None:
    """The ratings file of the Scid installed on this machine (standard lists since 1971). No network."""
    click.echo(_fetching().scid())


@fetch.command()
@click.option("--history/--no-history", default=True, show_default=True, help="Monthly ratings, a request a member.")
def uscf(history: bool) -> None:
    """Members of US Chess with a FIDE number, from its ratings API, with their published ratings month by month.

    Some ten thousand polite requests with the history, so hours; a fetch that is stopped continues where it was.
    """
    from pipeline.assets.uscf_fetching import fetch_us_members
    from pipeline.commands.logs import configure
    from pipeline.commands.progress import steps
    from pipeline.sources.errors import TransientError

    configure()
    with steps("US Chess") as step:

        def progress(what: str, done: int, total: int | None) -> None:
            step(f"{what} {done:,}" + (f" of {total:,}" if total else ""))

        try:
            said = fetch_us_members(Settings.from_env(), with_history=history, progress=progress)
        except TransientError as error:
            click.echo(f"US Chess members: {_WORDS['failed_transient']}: {error}", err=True)
            raise click.exceptions.Exit(SOME_FAILED) from error
    click.echo(said)


def run(title: str, total: int, fetch_all: Callable[["ShowProgress"], Iterable["Outcome"]]) -> list["Outcome"]:
    """Fetch with progress bars and tell the outcome of every list as it comes."""
    from pipeline.commands.progress import downloads

    outcomes = []
    with downloads(title, total) as progress:
        for outcome in fetch_all(progress):
            outcomes.append(outcome)
            tell(outcome)
    return outcomes


def tell(outcome: "Outcome") -> None:
    """One line for people; in the JSON log one object."""
    from pipeline.commands.logs import FACTS, wants_json

    bad = outcome.status in ("refused", "failed_transient")
    if wants_json():
        facts = {
            "list": outcome.wanted.label,
            "status": outcome.status,
            "url": outcome.url,
            "reason": outcome.reason,
            "tries": outcome.tries,
            "bytes": outcome.got.byte_size if outcome.got else 0,
        }
        _log.log(logging.ERROR if bad else logging.INFO, "%s", outcome, extra={FACTS: facts})
    elif outcome.status == "not_yet":
        click.echo(f"{outcome.wanted.label}: {_WORDS[outcome.status]}")
    else:
        click.echo(str(outcome), err=bad)


def finish(outcomes: Iterable["Outcome"]) -> None:
    """Sum up, and end with the exit code that says whether lists are missing."""
    if not summarise(outcomes):
        raise click.exceptions.Exit(SOME_FAILED)


def summarise(outcomes: Iterable["Outcome"]) -> bool:
    """Say how many lists ended how; False when some did not come that should have."""
    counts: dict[str, int] = {}
    for outcome in outcomes:
        counts[outcome.status] = counts.get(outcome.status, 0) + 1
    click.echo("; ".join(f"{counts[status]} {word}" for status, word in _WORDS.items() if status in counts))
    return not (counts.keys() & {"refused", "failed_transient"})


def _fetching() -> "Fetching":
    from pipeline.assets.fetching import Fetching, today
    from pipeline.commands.logs import configure

    configure()
    return Fetching(Settings.from_env(), today())
