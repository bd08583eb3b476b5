"""Jobs: what is run together."""

from typing import Final

import dagster as dg

from pipeline.assets.lists import editions, inbox, source_files
from pipeline.settings import Settings

#: A run that takes longer is ended by the daemon.
TAGS: Final = {"dagster/max_runtime": str(Settings.from_env().max_run_seconds)}
#: For runs of the refresh job that are started by schedules and sensors.
FETCH: Final = {"ops": {"source_files": {"config": {"fetch": True}}}}

#: From the raw files held to the published file and site; what is up to date is left alone.
build_job = dg.define_asset_job(
    "build",
    selection=dg.AssetSelection.all() - dg.AssetSelection.assets(source_files, editions, inbox),
    description="Read what is new in the raw store, build, check, publish, make the site. No network.",
    tags=TAGS,
)

#: The inbox, then as ``build``.
inbox_job = dg.define_asset_job(
    "add_inbox",
    selection=dg.AssetSelection.all() - dg.AssetSelection.assets(source_files, editions),
    description="Add the files dropped into the inbox, build, check, publish, make the site. No network.",
    tags=TAGS,
)

#: Everything, for a range of months.
refresh_job = dg.define_asset_job(
    "refresh",
    selection=dg.AssetSelection.all(),
    config=FETCH,
    description="Fetch the lists of the chosen months, add the inbox, build, check, publish, make the site.",
    tags=TAGS,
)
