"""``ratings verify``: integrity of the raw store, row sums, and every check of every table."""

import click

from pipeline.settings import Settings


@click.command()
@click.option("--figures", is_flag=True, help="Show every published figure recomputed, with its verdict, instead.")
def verify(figures: bool) -> None:
    """Check the hash of every raw file, that rows add up, and run every check on the published file."""
    if figures:
        _show_figures()
        return
    import duckdb

    from pipeline.commands.progress import steps
    from pipeline.lists.lake import Lake
    from pipeline.lists.raw_store import RawStore, RawStoreError
    from pipeline.warehouse.build import run_test
    from pipeline.warehouse.refresh import project

    settings = Settings.from_env()
    store, lake = RawStore(settings.raw_dir), Lake(settings.lake_dir)
    wrong: list[str] = []
    sources = store.sources()
    with steps("raw files", len(sources)) as step:
        for source in sources:
            step(source.file_name)
            try:
                store.read(source)
            except RawStoreError as error:
                wrong.append(str(error))
            if lake.summary(source.sha256) is None:
                wrong.append(
                    f"{source.file_name}: not read yet, refused, or files of it are gone from {settings.lake_dir}; "
                    "run: ratings build"
                )
    click.echo(f"{len(sources)} raw files")
    if settings.database.exists():
        tests = project().tests
        with (
            duckdb.connect(str(settings.database.resolve()), read_only=True) as connection,
            steps("checks", len(tests)) as step,
        ):
            for test in tests:
                step(test.name)
                result = run_test(connection, test)
                if not result.passed:
                    line = f"{test.model}: {test.name}: {result.failing_rows} row(s): {result.sample}"
                    click.echo(f"warning: {line}", err=True) if test.severity == "warn" else wrong.append(line)
        click.echo(f"{len(tests)} checks on {settings.database.resolve().name}")
    if wrong:
        raise click.ClickException("\n".join([f"{len(wrong)} fault(s):", *wrong]))
    click.echo("no fault found")


def _show_figures() -> None:
    import duckdb

    from pipeline.commands.tables import as_text

    settings = Settings.from_env()
    if not settings.database.exists():
        raise click.ClickException(f"nothing is published in {settings.data_dir} yet; run: ratings build")
    with duckdb.connect(str(settings.database.resolve()), read_only=True) as connection:
        figures = connection.sql(
            "select figure_id, subject, list_date, measure, published_value, computed_value, verdict, explanation "
            "from marts.published_figure_checks order by figure_id"
        ).pl()
        verdicts = connection.sql(
            "select verdict, count(*) as figures from marts.published_figure_checks group by verdict order by verdict"
        ).pl()
    click.echo(as_text(figures, rows=figures.height))
    click.echo(as_text(verdicts, rows=verdicts.height))
