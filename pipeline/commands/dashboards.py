"""``ratings dashboards``: make, open or serve the site."""

import webbrowser

import click

from pipeline.settings import Settings


@click.command()
@click.option("--open", "open_it", is_flag=True, help="Open the site in the browser.")
@click.option(
    "--serve", type=click.IntRange(0, 65535), metavar="PORT", help="Serve the site on this port of this machine only."
)
def dashboards(open_it: bool, serve: int | None) -> None:
    """Make the static site from the published file; it works from file:// with no network."""
    from pipeline.site import make_site

    settings = Settings.from_env()
    if not settings.database.exists():
        raise click.ClickException(f"nothing is published in {settings.data_dir} yet; run: ratings build")
    report = make_site(settings)
    index = settings.site_dir / "index.html"
    click.echo(f"{report.pages} pages, {report.bytes / 1e6:.1f} MB: {index}")
    if open_it:
        webbrowser.open(index.as_uri())
    if serve is not None:
        from dashboards.server import serve as serve_site

        serve_site(settings.site_dir, serve)
