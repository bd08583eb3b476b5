"""The composition root: the one Definitions object. Loads in under two seconds, touches no network and no database."""

import dagster as dg

from pipeline.assets.jobs import build_job
from pipeline.assets.lists import current_lists, editions, source_files
from pipeline.assets.site import site
from pipeline.assets.warehouse import warehouse

defs = dg.Definitions(
    assets=[source_files, editions, current_lists, warehouse, site],
    jobs=[build_job],
    executor=dg.in_process_executor,
)
