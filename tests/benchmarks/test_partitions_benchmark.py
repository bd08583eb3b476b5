"""What it costs that months are partitions: a run over all of them, against the same work without Dagster.

The files are read before the clock starts, or reading Scid's file, which differs by seconds from run to run, would
hide what is measured; that it is read once by such a run, whole, is measured beside it.
"""

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from backfilling import backfill, months, store_scid

from pipeline.assets.fetching import publication_calendar
from pipeline.assets.holdings import by_month, editions_held, source_files_held
from pipeline.assets.instance import instance
from pipeline.assets.partitions import month_of
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore
from pipeline.lists.sync import add_bundled, read_sources, unread
from pipeline.settings import Settings

pytestmark = [pytest.mark.benchmark_run, pytest.mark.scid, pytest.mark.slow]
ROUNDS = 5
#: Milliseconds of processor time a month of both assets; a limit for the eye, three times what was measured.
LIMIT_MS = 30


def measured(work: Callable[[], object]) -> tuple[float, float]:
    """Processor and clock seconds."""
    cpu, clock = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - cpu, time.perf_counter() - clock


def test_overhead_per_partition(scid_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATINGS_DATA", str(tmp_path / "data"))
    settings = Settings.from_env()
    store, lake = RawStore(settings.raw_dir), Lake(settings.lake_dir)
    add_bundled(store)
    store_scid(settings, scid_file)
    keys = months("1971-07", "2021-04")

    def without_dagster() -> None:
        """What the two assets do."""
        add_bundled(store)
        sources = store.sources()
        read_sources(unread(store, lake), store, lake)
        summaries = filter(None, (lake.summary(source.sha256) for source in sources))
        held = by_month(edition for summary in summaries for edition in summary.editions)
        calendar = publication_calendar()
        for key in keys:
            month = month_of(key)
            source_files_held(sources, {month})
            editions_held(held.get(month, []), calendar, {month})

    with instance(settings) as opened:
        whole = measured(lambda: backfill(opened, keys))
        assert not unread(store, lake)
        plain = [measured(without_dagster) for _ in range(ROUNDS)]
        runs = [measured(lambda: backfill(opened, keys)) for _ in range(ROUNDS)]

    print(
        f"\nreading Scid's file and recording {len(keys)} months: {whole[0]:.1f} s CPU, {whole[1]:.1f} s by the clock"
    )
    for index, what in enumerate(("CPU", "clock")):
        with_dagster, without = (statistics.median(times[index] for times in taken) for taken in (runs, plain))
        overhead = 1000 * (with_dagster - without) / len(keys)
        print(f"{what}: run {with_dagster:.2f} s, without Dagster {without:.2f} s, overhead {overhead:.1f} ms a month")
        assert what == "clock" or overhead <= LIMIT_MS
