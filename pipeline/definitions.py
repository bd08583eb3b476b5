"""The composition root: the one Definitions object. Loads in under two seconds, touches no network and no database."""

import os

import dagster as dg
from dagster import json_console_logger

from pipeline.assets.automation import daily_revisions, failed_runs, inbox_files, monthly_lists, overdue_lists
from pipeline.assets.jobs import build_job, inbox_job, refresh_job
from pipeline.assets.lists import current_lists, editions, every_list_came, inbox, newest_list_is_held, source_files
from pipeline.assets.site import site
from pipeline.assets.warehouse import warehouse

defs = dg.Definitions(
    assets=[inbox, source_files, editions, current_lists, warehouse, site],
    asset_checks=[every_list_came, newest_list_is_held],
    jobs=[build_job, inbox_job, refresh_job],
    schedules=[monthly_lists, daily_revisions],
    sensors=[overdue_lists, inbox_files, failed_runs],
    executor=dg.in_process_executor,
    loggers={"console": json_console_logger} if os.environ.get("RATINGS_LOG") == "json" else {},
)
