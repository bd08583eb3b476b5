"""Dagster's instance in the data folder: its settings, and the runs of processes that are no more."""

import logging
import os
import platform
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import dagster as dg
from dagster import DagsterRunStatus
from filelock import FileLock, Timeout

from pipeline.lists.files import write_bytes_atomically
from pipeline.settings import Settings

#: No telemetry, no sign-up dialog; the run history keeps its files open. Runs that only fetch and parse go side by
#: side; of those that build, one at a time. The limit is by run: a limit by step would be held for ever by a run that
#: was killed. Runs whose process died are started once more; those that failed are not.
INSTANCE_CONFIG: Final = """\
telemetry:
  enabled: false
nux:
  enabled: false
event_log_storage:
  module: pipeline.assets.run_history
  class: RunHistory
run_monitoring:
  enabled: true
  poll_interval_seconds: 30
run_retries:
  enabled: true
  max_retries: 1
  retry_on_asset_or_op_failure: false
concurrency:
  runs:
    max_concurrent_runs: 4
  pools:
    granularity: run
    default_limit: 1
"""
#: Pool of the steps that write the warehouse.
WRITER_POOL: Final = "warehouse_writer"
RANGE_TAGS: Final = ("dagster/asset_partition_range_start", "dagster/asset_partition_range_end")
IN_PROGRESS: Final = [
    DagsterRunStatus.QUEUED,
    DagsterRunStatus.NOT_STARTED,
    DagsterRunStatus.STARTING,
    DagsterRunStatus.STARTED,
]
_MACHINE_TAG: Final = "ratings/machine"
_PROCESS_TAG: Final = "ratings/process"
#: Name of this process among all that ever were: the system gives the same number to others soon after.
_PROCESS: Final = f"{os.getpid()}-{secrets.token_hex(4)}"


@contextmanager
def instance(settings: Settings) -> Iterator[dg.DagsterInstance]:
    """Dagster's instance in the data folder, set up on first use; runs of dead processes are reported as failed."""
    home = settings.dagster_home
    if not (home / "dagster.yaml").is_file():
        write_bytes_atomically(home / "dagster.yaml", INSTANCE_CONFIG.encode())
    os.environ["DAGSTER_HOME"] = str(home)
    logging.getLogger("dagster").setLevel(logging.CRITICAL)
    with ExitStack() as kept:
        # Dagster makes its SQLite files when they are first used; two processes that do so at once collide. Nor must
        # the lock of one that is being made be taken for the lock of a dead one.
        with FileLock(home / ".setup.lock"):
            opened = kept.enter_context(dg.DagsterInstance.get())
            report_dead_runs(opened)
            for lock in _locks_of_the_dead(home):
                lock.unlink(missing_ok=True)
            opened.get_latest_materialization_event(dg.AssetKey("site"))
            opened.all_instigator_state()
            kept.enter_context(_sign_of_life(home))
        yield opened


def report_the_dead(settings: Settings) -> None:
    """Report the runs of dead processes as failed, without opening the instance where no process died."""
    if next(_locks_of_the_dead(settings.dagster_home), None):
        with instance(settings):
            pass


def process_tags() -> dict[str, str]:
    """Tags of a run in this process, by which the next one can tell whether it still lives."""
    return {_MACHINE_TAG: platform.node(), _PROCESS_TAG: _PROCESS}


def _lock_of(home: Path, process: str) -> Path:
    # By machine: on shared storage a lock may not be seen from another one.
    return home / "processes" / platform.node() / f"{process}.lock"


def _locks_of_the_dead(home: Path) -> Iterator[Path]:
    for path in _lock_of(home, _PROCESS).parent.glob("*.lock"):
        if path.stem != _PROCESS and _is_dead(home, path.stem):
            yield path


@contextmanager
def _sign_of_life(home: Path) -> Iterator[None]:
    """Hold a lock that the system frees when this process dies."""
    path = _lock_of(home, _PROCESS)
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path, is_singleton=True)
    with lock:
        yield
    if not lock.is_locked:
        path.unlink(missing_ok=True)


def _is_dead(home: Path, process: str) -> bool:
    path = _lock_of(home, process)
    if not path.is_file():
        return True
    try:
        with FileLock(path, timeout=0):
            return True
    except Timeout:
        return False


def report_dead_runs(opened: dg.DagsterInstance) -> list[str]:
    """Report runs of commands that were killed on this machine as failed; their ids.

    Dagster's daemon watches over the runs it started, not over those of the command line.
    """
    dead = []
    for record in opened.get_run_records(
        dg.RunsFilter(statuses=IN_PROGRESS, tags={_MACHINE_TAG: platform.node()}), limit=100
    ):
        run = record.dagster_run
        process = run.tags[_PROCESS_TAG]
        if process != _PROCESS and _is_dead(Path(os.environ["DAGSTER_HOME"]), process):
            opened.report_run_failed(run, f"the process of this run ({process}) is no more: it was killed")
            opened.event_log_storage.free_concurrency_slots_for_run(run.run_id)
            dead.append(run.run_id)
    return dead
