"""Running the assets in this process, with the same history as a run of the daemon would leave."""

import re
from typing import Final

import dagster as dg

from pipeline.assets.instance import RANGE_TAGS, instance, process_tags
from pipeline.assets.lists import editions, source_files
from pipeline.assets.partitions import list_months
from pipeline.lists.files import remove_leftovers, write_bytes_atomically
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore
from pipeline.lists.sync import add_bundled, sync, unread
from pipeline.settings import Settings
from pipeline.site import is_made
from pipeline.warehouse.content import LakeContent
from pipeline.warehouse.export import exported_fingerprint
from pipeline.warehouse.publish import published_fingerprint
from pipeline.warehouse.refresh import fingerprint

_QUIET: Final = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


class RunFailedError(Exception):
    """A run of the assets failed; the message is the cause."""


def run_build(settings: Settings, *, force: bool = False) -> None:
    """Read what is new by month, then build, check and publish, and make the site.

    Raises:
        RunFailedError: a step failed; what is published is as it was.
    """
    from pipeline.definitions import defs

    remove_leftovers(settings.data_dir)
    store = RawStore(settings.raw_dir)
    add_bundled(store)
    with instance(settings) as opened:
        _record_months(settings, store, opened)
        config = {**_QUIET, "ops": {"warehouse": {"config": {"force": force}}}}
        job = defs.resolve_job_def("build")
        result = job.execute_in_process(instance=opened, run_config=config, tags=process_tags(), raise_on_error=False)
        _require_success(result)


def up_to_date(settings: Settings) -> bool:
    """Whether everything held is published, exported and on the site, so that a build would change nothing."""
    store, lake = RawStore(settings.raw_dir), Lake(settings.lake_dir)
    mark = published_fingerprint(settings)
    if mark is None or mark != exported_fingerprint(settings) or not is_made(settings) or unread(store, lake):
        return False
    synced = sync(store, lake)
    return fingerprint(LakeContent(synced.sources, synced.summaries, synced.current)) == mark


def _record_months(settings: Settings, store: RawStore, opened: dg.DagsterInstance) -> None:
    """Materialise the months of files that no run has seen yet.

    Every recorded partition costs a write to the run history, so a file is recorded once. Collections of many
    lists concern all months; their raw file is one, so that only the editions are recorded by month.
    """
    seen = settings.dagster_home / "recorded_source_files.txt"
    recorded = set(seen.read_text().split()) if seen.is_file() else set()
    new = [source for source in store.sources() if source.sha256 not in recorded]
    keys = list_months().get_partition_keys()
    dated = sorted(f"{source.list_date:%Y-%m}" for source in new if source.list_date)
    ranges = [(dated[0], dated[-1], [source_files, editions])] if dated else []
    if any(source.list_date is None for source in new):
        ranges.append((keys[0], keys[-1], [editions]))
    for first, last, assets in ranges:
        if months := [key for key in keys if first <= key <= last]:
            tags = dict(zip(RANGE_TAGS, (months[0], months[-1]), strict=True)) | process_tags()
            _require_success(
                dg.materialize(assets, instance=opened, run_config=_QUIET, tags=tags, raise_on_error=False)
            )
    write_bytes_atomically(seen, "\n".join(sorted(recorded | {source.sha256 for source in new})).encode())


def _require_success(result: dg.ExecuteInProcessResult) -> None:
    if not result.success:
        raise RunFailedError(_cause(result))


def _cause(result: dg.ExecuteInProcessResult) -> str:
    for event in result.filter_events(lambda event: event.is_step_failure):
        error = event.step_failure_data.error
        assert error is not None
        while error.cause is not None:
            error = error.cause
        # Dagster puts the name of the class before what it says.
        return re.sub(rf"^[\w.]*{error.cls_name or ''}: ", "", str(error.message)).strip()
    return "the run failed; its log is in the Dagster UI"
