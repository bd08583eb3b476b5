"""Running the assets in this process, with the same history as a run of the daemon would leave."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import dagster as dg

from pipeline.assets.lists import editions, source_files
from pipeline.assets.partitions import list_months
from pipeline.lists.files import write_bytes_atomically
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore
from pipeline.lists.sync import add_bundled, unread
from pipeline.settings import Settings

#: No telemetry, no sign-up dialog; one writer at a time; runs of a killed daemon are noticed.
INSTANCE_CONFIG: Final = """\
telemetry:
  enabled: false
nux:
  enabled: false
run_monitoring:
  enabled: true
  poll_interval_seconds: 30
concurrency:
  pools:
    granularity: op
"""
_RANGE_TAGS: Final = ("dagster/asset_partition_range_start", "dagster/asset_partition_range_end")
_QUIET: Final = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


class RunFailedError(Exception):
    """A run of the assets failed; the message is the cause."""


@contextmanager
def instance(settings: Settings) -> Iterator[dg.DagsterInstance]:
    """Dagster's instance in the data folder, set up on first use."""
    home = settings.dagster_home
    if not (home / "dagster.yaml").is_file():
        write_bytes_atomically(home / "dagster.yaml", INSTANCE_CONFIG.encode())
    os.environ["DAGSTER_HOME"] = str(home)
    logging.getLogger("dagster").setLevel(logging.CRITICAL)
    with dg.DagsterInstance.get() as opened:
        yield opened


def run_build(settings: Settings, *, force: bool = False) -> None:
    """Read what is new by month, then build, check and publish, and make the site.

    Raises:
        RunFailedError: a step failed; what is published is as it was.
    """
    from pipeline.definitions import defs

    store, lake = RawStore(settings.raw_dir), Lake(settings.lake_dir)
    add_bundled(store)
    with instance(settings) as opened:
        if months := _months_of(store, lake):
            tags = dict(zip(_RANGE_TAGS, months, strict=True))
            _require_success(
                dg.materialize(
                    [source_files, editions], instance=opened, run_config=_QUIET, tags=tags, raise_on_error=False
                )
            )
        config = {**_QUIET, "ops": {"warehouse": {"config": {"force": force}}}}
        job = defs.resolve_job_def("build")
        _require_success(job.execute_in_process(instance=opened, run_config=config, raise_on_error=False))


def _months_of(store: RawStore, lake: Lake) -> tuple[str, str] | None:
    """First and last partition of the files not read yet; collections of many lists concern all months."""
    pending = unread(store, lake)
    if not pending:
        return None
    keys = list_months().get_partition_keys()
    if any(source.list_date is None for source in pending):
        return keys[0], keys[-1]
    months = sorted(f"{source.list_date:%Y-%m}" for source in pending)
    concerned = [key for key in keys if months[0] <= key <= months[-1]]
    return (concerned[0], concerned[-1]) if concerned else None


def _require_success(result: dg.ExecuteInProcessResult) -> None:
    if not result.success:
        raise RunFailedError(_cause(result))


def _cause(result: dg.ExecuteInProcessResult) -> str:
    for event in result.filter_events(lambda event: event.is_step_failure):
        error = event.step_failure_data.error
        assert error is not None
        while error.cause is not None:
            error = error.cause
        return str(error.message).strip()
    return "the run failed; its log is in the Dagster UI"
