"""The static site, built from the published file."""

import dagster as dg

from pipeline.assets.warehouse import MART_FILES, PUBLISHED
from pipeline.settings import Settings
from pipeline.site import make_site


@dg.asset(
    group_name="published",
    kinds={"altair"},
    deps=[PUBLISHED, MART_FILES],
    description="Static pages that work from file:// with no network, made from the published marts only.",
)
def site(context: dg.AssetExecutionContext) -> dg.MaterializeResult[None]:
    report = make_site(Settings.from_env())
    return dg.MaterializeResult(metadata={"pages": report.pages, "bytes": report.bytes})
