"""``ratings build`` and ``ratings hello``."""

import os
from pathlib import Path

import click

from pipeline.commands.fetch import SOME_FAILED
from pipeline.settings import Settings


@click.command()
@click.option("--force", is_flag=True, help="Build and publish even where nothing changed.")
def build(force: bool) -> None:
    """Read what is new in the raw store, build, check and publish; make the site.

    The same Dagster assets as a scheduled run, in this process. No network. Nothing is published unless every
    blocking check passes; where nothing changed, nothing is done.

    Exit codes: 0 all well, 3 published without files that could not be read, 1 nothing published.
    """
    import warnings

    warnings.filterwarnings("ignore")
    settings = Settings.from_env()
    _require_writable(settings.data_dir)
    if not build_and_say(settings, force=force):
        raise click.exceptions.Exit(SOME_FAILED)


def build_and_say(settings: Settings, *, force: bool) -> bool:
    """Build unless nothing changed, say what was published and which files could not be read; whether all could."""
    from pipeline.assets.instance import report_the_dead
    from pipeline.assets.run import run_build, up_to_date
    from pipeline.lists.lake import Lake
    from pipeline.lists.raw_store import RawStore
    from pipeline.lists.sync import read_sources, unread
    from pipeline.warehouse.publish import published_version

    if not force and up_to_date(settings):
        report_the_dead(settings)
        click.echo("nothing changed")
        return True
    run_build(settings, force=force)
    version = published_version(settings)
    click.echo(f"published {settings.database} ({version.name if version else 'nothing'})")
    store, lake = RawStore(settings.raw_dir), Lake(settings.lake_dir)
    failures = read_sources(unread(store, lake), store, lake)
    for failure in failures.values():
        click.echo(f"not read: {failure}", err=True)
    return not failures


def _require_writable(folder: Path) -> None:
    """Say so at once where nothing can be written, not in the words of the library that tries it first."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        raise click.ClickException(
            f"the data folder {folder} cannot be written; make it writable, or name another one in RATINGS_DATA"
        )


@click.command()
def hello() -> None:
    """Where everything is, and three things to try next."""
    settings = Settings.from_env()
    click.echo(
        f"""
The database  {settings.database}
The site      {settings.site_dir / "index.html"}

Three things to try next:
  .venv/bin/ratings sql "select player_names, first_list_date, days from marts.number_ones order by first_list_date"
  .venv/bin/ratings dashboards --open
  .venv/bin/ratings add FILE...    your own lists (FIDE downloads, old collections), then: .venv/bin/ratings build
"""
    )
