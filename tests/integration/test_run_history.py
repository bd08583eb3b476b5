"""The run history that keeps its files open: Dagster's own class reads it, and those who watch a run are told."""

import threading
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.storage.event_log import SqliteEventLogStorage

from pipeline.assets.instance import instance
from pipeline.assets.run_history import KEPT, RunHistory
from pipeline.settings import Settings


@dg.asset
def made() -> dg.MaterializeResult[None]:
    return dg.MaterializeResult(metadata={"rows": 3})


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "data" / "dagster"))
    return Settings(data_dir=tmp_path / "data")


def runs_folder(settings: Settings) -> str:
    return str(settings.dagster_home / "history" / "runs")


def test_a_new_data_folder_has_it_and_dagsters_own_class_reads_it(settings: Settings) -> None:
    with instance(settings) as opened:
        run_id = dg.materialize([made], instance=opened).run_id
        here = [event.message for event in opened.all_logs(run_id)]
    there = SqliteEventLogStorage(runs_folder(settings))
    assert [event.message for event in there.get_logs_for_run(run_id)] == here
    materialized = there.get_latest_materialization_events([made.key])[made.key]
    assert materialized is not None
    assert materialized.run_id == run_id
    assert not list(Path(runs_folder(settings)).glob("*.db-wal")), "closed, nothing stands beside the files"


def test_those_who_watch_a_run_are_told_while_it_goes_on(settings: Settings) -> None:
    told = threading.Event()
    with instance(settings) as opened:
        run_id = dg.materialize([made], instance=opened).run_id
        [*_, last] = opened.all_logs(run_id)
        watching = RunHistory(runs_folder(settings))
        cursor = watching.get_records_for_run(run_id).cursor
        watching.watch(run_id, cursor, lambda event, cursor: told.set())
        try:
            opened.event_log_storage.store_event(last)
            assert told.wait(30)
        finally:
            watching.dispose()


def test_few_files_are_kept_open_and_all_can_be_read_again(settings: Settings) -> None:
    with instance(settings) as opened:
        runs = [dg.materialize([made], instance=opened).run_id for _ in range(KEPT + 2)]
        assert all(opened.all_logs(run_id) for run_id in runs)
        open_files = {Path(path).resolve().name for path in Path("/proc/self/fd").iterdir() if path.exists()}
        assert sum(f"{run_id}.db" in open_files for run_id in runs) == KEPT
        opened.event_log_storage.wipe()
        assert not opened.all_logs(runs[0])
