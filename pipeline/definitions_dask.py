"""The same assets on Dagster's Dask executor, for more than one machine: ``dagster ... -m pipeline.definitions_dask``.

Files are read in shares by the workers, then one step builds and publishes. The data folder must be the same on all
machines (RATINGS_DATA on shared storage); see pipeline/deploy/README.md. Needs the extra ``distributed``.
"""

import dagster as dg
from dagster_dask import dask_executor

from pipeline.assets.jobs import TAGS
from pipeline.assets.lists import current_lists_after
from pipeline.assets.shares import share_assets
from pipeline.assets.site import site
from pipeline.assets.warehouse import warehouse_assets
from pipeline.settings import Settings

_shares = share_assets(Settings.from_env().shares)
_current_lists = current_lists_after(_shares)
# No pool: the executor fails on runs that hold one. The lock of the build sees to it that one step writes.
_warehouse = warehouse_assets(pool=None)

defs = dg.Definitions(
    assets=[*_shares, _current_lists, _warehouse, site],
    jobs=[
        dg.define_asset_job(
            "build_distributed",
            selection=dg.AssetSelection.all(),
            description="Read what is new in shares, then build, check, publish in one step. No network.",
            tags=TAGS,
        )
    ],
    executor=dask_executor,
)
