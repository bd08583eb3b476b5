"""``ratings prune``: old data that could go, named first, removed only when told to."""

import click

from pipeline.settings import Settings


@click.command()
@click.option("--editions", is_flag=True, help="Also superseded editions: raw files of which no list is current.")
@click.option("--yes", is_flag=True, help="Remove what is named; without it nothing is removed.")
def prune(editions: bool, yes: bool) -> None:
    """Name, and with --yes remove, what nobody needs any more.

    Always: published versions that are not the current one, and what interrupted runs left. With --editions also
    raw files that other files have superseded for every list they hold: their editions and the differences between
    them are then gone for good. Reading a removed file again needs the file.
    """
    from pipeline.lists.editions import forget
    from pipeline.lists.files import remove_leftovers
    from pipeline.lists.lake import Lake
    from pipeline.lists.raw_store import RawStore
    from pipeline.lists.sync import sync
    from pipeline.warehouse import publish

    settings = Settings.from_env()
    store, lake = RawStore(settings.raw_dir), Lake(settings.lake_dir)
    with publish.build_lock(settings):
        freed = 0
        for version in publish.old_versions(settings):
            freed += version.stat().st_size
            click.echo(f"version   {version.name}, {version.stat().st_size:,} bytes")
        superseded = []
        if editions:
            superseded = sync(store, lake).superseded()
            for source in superseded:
                freed += source.byte_size
                click.echo(
                    f"edition   {source.file_name} ({source.collection}, retrieved {source.retrieved_at:%Y-%m-%d}, "
                    f"{source.byte_size:,} bytes), SHA-256 {source.sha256[:12]}"
                )
        if not yes:
            click.echo(f"{freed:,} bytes could go; nothing was removed. Remove them with --yes")
            return
        publish.remove_versions(*publish.old_versions(settings))
        for source in superseded:
            forget(source, lake)
            store.remove(source)
        left = remove_leftovers(settings.data_dir)
    click.echo(f"removed {freed:,} bytes" + (f" and {left} leftover(s)" if left else ""))
    if superseded:
        click.echo("run `ratings build` to publish without the removed editions")
