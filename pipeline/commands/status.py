"""``ratings status``: what is held, what is missing, what is wrong."""

import click

from pipeline.settings import Settings


@click.command()
@click.option("--missing", is_flag=True, help="Name every list that is missing.")
@click.option("--anomalies", is_flag=True, help="Name every anomaly.")
def status(missing: bool, anomalies: bool) -> None:
    """What is held, what is missing, what is wrong, in the published file and in the raw store."""
    import duckdb

    from pipeline.lists.lake import Lake
    from pipeline.lists.raw_store import RawStore
    from pipeline.lists.sync import unread

    settings = Settings.from_env()
    store = RawStore(settings.raw_dir)
    sources = store.sources()
    click.echo(f"data folder    {settings.data_dir}")
    click.echo(f"raw store      {len(sources)} files, {sum(source.byte_size for source in sources) / 1e6:.1f} MB")
    if pending := unread(store, Lake(settings.lake_dir)):
        click.echo(f"not read yet   {len(pending)} files; run: ratings build")
    if not settings.database.exists():
        click.echo("published      nothing yet; run: ratings build")
        return
    with duckdb.connect(str(settings.database.resolve()), read_only=True) as connection:
        newest, entries = connection.execute("select newest_list_date, entry_count from core.publication").fetchall()[0]
        click.echo(
            f"published      {settings.database.resolve().name}: {entries:,} entries, newest list {newest:%Y-%m}"
        )
        for publisher, rating_type, held, calendar, complete, revised in connection.execute(
            "select publisher, rating_type, count(*) filter (where held), count(*), "
            "count(*) filter (where coverage = 'complete'), count(*) filter (where status = 'revised') "
            "from marts.list_coverage where official and list_date <= current_date "
            "group by all order by publisher, rating_type desc"
        ).fetchall():
            click.echo(
                f"{publisher} {rating_type:9} {held} of {calendar} lists held, {complete} of them complete, "
                f"{revised} revised, {calendar - held} missing"
            )
        (rejected,) = connection.execute("select count(*) from core.rejects").fetchall()[0]
        (found,) = connection.execute(
            "select count(*) from marts.list_anomalies where anomaly_origin <> 'catalogue'"
        ).fetchall()[0]
        click.echo(f"rejected lines {rejected}; anomalies found {found} (see --anomalies, or marts.list_anomalies)")
        if missing:
            for row in connection.execute(
                "select publisher, rating_type, list_date from marts.list_coverage "
                "where official and not held and list_date <= current_date order by all"
            ).fetchall():
                click.echo(f"missing        {row[0]} {row[1]} {row[2]:%Y-%m}")
        if anomalies:
            for publisher, rating_type, day, code, detail in connection.execute(
                "select publisher, rating_type, list_date, anomaly_code, detail from marts.list_anomalies "
                "where anomaly_origin <> 'catalogue' order by all"
            ).fetchall():
                click.echo(f"{publisher} {rating_type} {day:%Y-%m}  {code}: {detail}")
