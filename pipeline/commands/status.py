"""``ratings status``: what is held, missing, late and revised, and what is wrong."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from pipeline.settings import Settings

if TYPE_CHECKING:
    from pipeline.domain.list_key import ListKey


@click.command()
@click.option("--missing", is_flag=True, help="Name every list that is missing, late or revised.")
@click.option("--anomalies", is_flag=True, help="Name every anomaly.")
def status(missing: bool, anomalies: bool) -> None:
    """What is held, what is missing, what is wrong, in the published file and in the raw store.

    Late is a list of the last months that should be out and is not held; missing is any other that exists and is
    not held; revised is one that its publisher made again, so that two of its own files are held.
    """
    import duckdb

    from pipeline.assets.fetching import Fetching, today
    from pipeline.lists.lake import Lake
    from pipeline.lists.raw_store import RawStore
    from pipeline.lists.sync import unread

    settings = Settings.from_env()
    store, lake = RawStore(settings.raw_dir), Lake(settings.lake_dir)
    sources = store.sources()
    click.echo(f"data folder    {settings.data_dir}")
    click.echo(f"raw store      {len(sources)} files, {sum(source.byte_size for source in sources) / 1e6:.1f} MB")
    if pending := unread(store, lake):
        click.echo(f"not read yet   {len(pending)} files; run: ratings build")
    fetching = Fetching(settings, today())
    if files := fetching.waiting_files():
        click.echo(f"in the inbox   {len(files)} files; run: ratings refresh")
    for _, reason in fetching.problems().values():
        click.echo(f"did not come   {reason}")
    editions = [
        edition
        for source in sources
        if (summary := lake.summary(source.sha256)) is not None
        for edition in summary.editions
    ]
    _tell_calendar(fetching, [(edition.key, edition.collection) for edition in editions], missing)
    if not settings.database.exists():
        click.echo("published      nothing yet; run: ratings build")
        return
    with duckdb.connect(str(settings.database.resolve()), read_only=True) as connection:
        _tell_published(connection, settings, anomalies)


def _tell_calendar(fetching: Any, editions: Iterable[tuple["ListKey", str]], missing: bool) -> None:
    """FIDE's lists by the calendar of today: the rating types with their numbers, then single lists."""
    from collections import Counter

    from pipeline.domain.entry import RATING_TYPES

    found = list(editions)
    held = {key for key, _ in found}
    own = Counter(key for key, collection in found if collection == "fide")
    late = {key for key in fetching.overdue() if key not in held and fetching.status(key) == "late"}
    expected = fetching.server.calendar.expected_lists(fetching.today)
    single = []
    for rating_type in RATING_TYPES:
        keys = [key for key in expected if key.rating_type == rating_type]
        states = Counter(_state(key, held, late, own) for key in keys)
        newest = max(keys)
        click.echo(
            f"fide {rating_type:9} {states['held'] + states['revised']} of {len(keys)} lists held, "
            f"{states['revised']} revised, {states['missing']} missing, {states['late']} late; newest due "
            f"{newest.list_date:%Y-%m}: {'held' if newest in held else fetching.status(newest)}"
        )
        single += [(state, key) for key in keys if (state := _state(key, held, late, own)) != "held"]
    if missing:
        for state, key in single:
            click.echo(f"{state:14} {key}")


def _state(key: "ListKey", held: set["ListKey"], late: set["ListKey"], own: dict["ListKey", int]) -> str:
    if key in held:
        return "revised" if own[key] > 1 else "held"
    return "late" if key in late else "missing"


def _tell_published(connection: Any, settings: Settings, anomalies: bool) -> None:
    newest, entries = connection.execute("select newest_list_date, entry_count from core.publication").fetchall()[0]
    click.echo(f"published      {settings.database.resolve().name}: {entries:,} entries, newest list {newest:%Y-%m}")
    for publisher, rating_type, held, complete in connection.execute(
        "select publisher, rating_type, count(*), count(*) filter (where coverage = 'complete') "
        "from marts.list_coverage where held group by all order by publisher, rating_type desc"
    ).fetchall():
        click.echo(f"               {publisher} {rating_type}: {held} lists, {complete} of them complete")
    (rejected,) = connection.execute("select count(*) from core.rejects").fetchall()[0]
    (found,) = connection.execute(
        "select count(*) from marts.list_anomalies where anomaly_origin <> 'catalogue'"
    ).fetchall()[0]
    click.echo(f"rejected lines {rejected}; anomalies found {found} (see --anomalies, or marts.list_anomalies)")
    if anomalies:
        for publisher, rating_type, day, code, detail in connection.execute(
            "select publisher, rating_type, list_date, anomaly_code, detail from marts.list_anomalies "
            "where anomaly_origin <> 'catalogue' order by all"
        ).fetchall():
            click.echo(f"{publisher} {rating_type} {day:%Y-%m}  {code}: {detail}")
