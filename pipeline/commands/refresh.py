"""``ratings refresh``: everything a scheduled run does, once, now."""

import click

from pipeline.commands.build import build_and_say
from pipeline.commands.fetch import SOME_FAILED, run, summarise
from pipeline.settings import Settings


@click.command()
@click.option("--force", is_flag=True, help="Build and publish even where nothing changed.")
def refresh(force: bool) -> None:
    """Take in the inbox, fetch the lists that are new, build, check, publish, make the site.

    Asked for are the lists of the last three months that are missing (of the last year, where the newest list held
    is older) and the newest again, conditionally, because FIDE makes its files again within the month. A list that
    does not come stops neither the others nor publication.

    Exit codes: 0 all well, 3 published but some lists did not come, 1 nothing published (what was published stays),
    130 interrupted (run it again).
    """
    import warnings

    warnings.filterwarnings("ignore")
    from pipeline.assets.fetching import Fetching, today
    from pipeline.commands.logs import configure

    configure()
    settings = Settings.from_env()
    fetching = Fetching(settings, today())
    rejected = False
    for swept in fetching.sweep_inbox():
        rejected |= swept.result != "added"
        click.echo(f"inbox: {swept.name}: {swept.result}{': ' + swept.reason if swept.reason else ''}")
    keys = fetching.to_refresh()
    all_came = summarise(run("FIDE", len(keys), lambda progress: fetching.fide(keys, progress)))
    all_read = build_and_say(settings, force=force)
    if rejected or not all_came or not all_read:
        raise click.exceptions.Exit(SOME_FAILED)
