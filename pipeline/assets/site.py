"""The static site, built from the published file."""

import dagster as dg

from pipeline.assets.warehouse import MART_FILES, PUBLISHED
from pipeline.lists.files import write_bytes_atomically
from pipeline.settings import Settings
from pipeline.warehouse.publish import build_lock, published_fingerprint


@dg.asset(
    group_name="published",
    kinds={"altair"},
    deps=[PUBLISHED, MART_FILES],
    description="Static pages that work from file:// with no network, made from the published marts only.",
)
def site(context: dg.AssetExecutionContext) -> dg.MaterializeResult[None]:
    from dashboards.site import build_site  # Altair takes a third of a second; definitions load without it

    settings = Settings.from_env()
    with build_lock(settings):  # one writer here too: the site is made beside the old one, then exchanged
        report = build_site(settings.database.resolve(), settings.site_dir)
        write_bytes_atomically(settings.site_mark, (published_fingerprint(settings) or "").encode())
    return dg.MaterializeResult(metadata={"pages": report.pages, "bytes": report.bytes})
