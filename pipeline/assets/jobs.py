"""Jobs: what is run together."""

import dagster as dg

from pipeline.assets.lists import editions, source_files

#: From the raw files held to the published file and site; what is up to date is left alone.
build_job = dg.define_asset_job(
    "build",
    selection=dg.AssetSelection.all() - dg.AssetSelection.assets(source_files, editions),
    description="Read what is new in the raw store, build, check, publish, make the site. No network.",
)
