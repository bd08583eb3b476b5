"""``ratings add`` and ``ratings remove``: files into the raw store, and out of it by explicit order only."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import click

from pipeline.settings import Settings


class MonthType(click.ParamType[date]):
    """A month as YYYY-MM (or a first day, YYYY-MM-01)."""

    name = "month"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """The first day of the month."""
        if isinstance(value, date):
            return value
        text = str(value)
        try:
            return date.fromisoformat(f"{text}-01" if len(text) == 7 else text).replace(day=1)
        except ValueError:
            self.fail(f"{text!r} is not a month; write it as 2001-01", param, ctx)


class ListFileType(click.ParamType[Path]):
    """A regular file: files are read more than once, which a pipe cannot be."""

    name = "file"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path of the file, which is there."""
        path = Path(str(value))
        if not path.exists():
            self.fail(f"{path} does not exist", param, ctx)
        if not path.is_file():
            self.fail(f"{path} is not a regular file; save what it gives to a file first", param, ctx)
        return path


@click.command()
@click.argument("files", nargs=-1, required=True, type=ListFileType())
@click.option("--list-date", type=MonthType(), help="Month of the list, where the file name does not say it.")
@click.option("--rating-type", type=click.Choice(["standard", "rapid", "blitz", "regular", "quick"]))
@click.option("--collection", help="Where the file comes from, where its layout does not tell.")
@click.option(
    "--mapping",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="TOML file that maps the columns of any other table.",
)
def add(
    files: tuple[Path, ...],
    list_date: date | None,
    rating_type: str | None,
    collection: str | None,
    mapping: Path | None,
) -> None:
    """Add rating list files (text, zip, XML, collections) to the raw store.

    Every file is read once to make sure that it can be; a damaged or unknown one is refused and nothing changes.
    `ratings build` makes the added lists visible.
    """
    from pipeline.commands.progress import steps
    from pipeline.formats.parsed import FormatError
    from pipeline.lists.adding import add_file
    from pipeline.lists.lake import Lake
    from pipeline.lists.raw_store import RawStore, RawStoreError

    settings = Settings.from_env()
    store, lake = RawStore(settings.raw_dir), Lake(settings.lake_dir)
    try:
        mapping_text = mapping.read_text(encoding="utf-8") if mapping else None
    except UnicodeDecodeError as error:
        raise click.ClickException(
            f"{mapping}: a mapping is a TOML file in UTF-8; this one is not ({error})"
        ) from error
    refused = 0
    with steps("adding", len(files)) as step:
        for path in files:
            step(path.name)
            try:
                added = add_file(
                    path,
                    store,
                    lake,
                    retrieved_at=datetime.now(UTC),
                    list_date=list_date,
                    rating_type=rating_type,
                    collection=collection,
                    mapping=mapping_text,
                )
            except (FormatError, RawStoreError) as error:
                refused += 1
                click.echo(f"refused: {error}", err=True)
            else:
                click.echo(added)
    if refused:
        raise click.ClickException(f"{refused} of {len(files)} file(s) refused; nothing of them is stored")


@click.command()
@click.argument("files", nargs=-1, required=True, type=ListFileType())
@click.option(
    "--mapping",
    "mappings",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="TOML file that maps the columns of other tables; may be given several times, the first that fits counts.",
)
def survey(files: tuple[Path, ...], mappings: tuple[Path, ...]) -> None:
    """Read list files and show their layout, rows, rejects and remarks; nothing is stored."""
    from pipeline.commands.progress import steps
    from pipeline.commands.tables import as_text
    from pipeline.formats.mapping import MappingError, load_mapping
    from pipeline.formats.survey import survey as survey_files

    try:
        loaded = [load_mapping(path.read_text(encoding="utf-8"), path.name) for path in mappings]
    except MappingError as error:
        raise click.ClickException(str(error)) from error
    with steps("reading", len(files)) as step:
        found = survey_files(_announced(files, step), loaded)
    click.echo(as_text(found, rows=found.height))
    if refused := found["layout"].null_count():
        raise click.ClickException(f"{refused} of {len(files)} file(s) could not be read")


def _announced(files: tuple[Path, ...], step: Callable[[str], None]) -> Iterator[Path]:
    for path in files:
        step(path.name)
        yield path


@click.command()
@click.argument("digest")
@click.option("--yes", is_flag=True, help="Do not ask.")
def remove(digest: str, yes: bool) -> None:
    """Take the source file whose SHA-256 starts with DIGEST out of the raw store.

    The lists it held fall back to other editions, or become missing, with the next build.
    """
    from pipeline.lists.editions import forget
    from pipeline.lists.lake import Lake
    from pipeline.lists.raw_store import RawStore

    settings = Settings.from_env()
    store, lake = RawStore(settings.raw_dir), Lake(settings.lake_dir)
    source = store.find(digest)
    summary = lake.summary(source.sha256)
    lists = len(summary.editions) if summary else 0
    click.echo(
        f"{source.file_name} ({source.collection}, {source.byte_size:,} bytes, {lists} list(s)), from {source.origin}"
    )
    if not yes:
        click.confirm("Remove it?", abort=True)
    forget(source, lake)
    store.remove(source)
    click.echo("removed; run `ratings build` to publish without it")
