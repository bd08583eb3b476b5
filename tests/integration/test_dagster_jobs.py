"""The Dagster side without a daemon: what a stranger's tools see, ranges in one run, and the runs of the killed."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import dagster as dg
import pytest
from conftest import ROOT
from integration.fake_publisher import FakePublisher
from list_builder import archive_name, invented_players, zipped_list
from refreshing import a_run_is_killed, command, environment, lists_a_refresh_asks_for, offer, settings_for

from pipeline.assets import alerts
from pipeline.assets.automation import inbox_files, overdue_lists
from pipeline.assets.fetching import Fetching
from pipeline.assets.instance import IN_PROGRESS, RANGE_TAGS, WRITER_POOL, instance, process_tags, report_dead_runs
from pipeline.assets.lists import editions, every_list_came, source_files
from pipeline.definitions import defs
from pipeline.settings import Settings
from pipeline.sources.state import AddressState


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """An empty data folder, which the assets find in the environment."""
    monkeypatch.setenv("RATINGS_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("RATINGS_FETCH_PAUSE", "0")
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "data" / "dagster"))
    return Settings.from_env()


@pytest.fixture
def publisher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePublisher]:
    with FakePublisher(tmp_path / "publisher").running() as running:
        monkeypatch.setenv("RATINGS_FIDE_URL", running.url)
        yield running


def dagster(*words: str, env: dict[str, str]) -> str:
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "dagster", *words],
        env=env | {"PYTHONWARNINGS": "ignore"},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stdout
    return result.stdout


def test_the_workspace_is_valid(settings: Settings, publisher: FakePublisher) -> None:
    env = environment(settings.data_dir, publisher)
    assert "Validation successful" in dagster("definitions", "validate", "-w", "workspace.yaml", env=env)


def test_every_started_thing_has_a_description() -> None:
    repository = defs.get_repository_def()
    for automation in [*repository.sensor_defs, *repository.schedule_defs]:
        assert automation.description, automation.name
    assert {schedule.execution_timezone for schedule in repository.schedule_defs} == {"UTC"}


@pytest.mark.slow
def test_the_build_job_runs_from_the_dagster_command(settings: Settings, publisher: FakePublisher) -> None:
    home = settings.dagster_home
    home.mkdir(parents=True)
    env = environment(settings.data_dir, publisher, DAGSTER_HOME=str(home))
    dagster("job", "execute", "-m", "pipeline.definitions", "-j", "build", env=env)
    assert settings.database.exists()
    assert (settings.site_dir / "index.html").is_file()
    assert not publisher.requests, "a build touches no network"


def test_a_range_of_months_is_one_run_that_fetches_what_is_missing(
    settings: Settings, publisher: FakePublisher
) -> None:
    months = [date(2003, month, 1) for month in (1, 4, 7, 10)]
    for month in months:
        publisher.publish(archive_name(month), zipped_list(invented_players(20 + month.month), month))
    with instance(settings) as opened:
        result = dg.materialize(
            [source_files, editions],
            instance=opened,
            tags=dict(zip(RANGE_TAGS, ("2003-01", "2003-10"), strict=True)),
            run_config={"ops": {"source_files": {"config": {"fetch": True, "retries": 0}}}},
        )
        assert result.success
        assert len(opened.get_run_records()) == 1
    partitions = {
        event.partition for event in result.get_asset_materialization_events() if event.asset_key == source_files.key
    }
    assert partitions == {"2003-01", "2003-04", "2003-07", "2003-10"}
    held = Fetching(settings, date(2026, 1, 1)).held()
    assert {key.list_date for key in held} == set(months)
    assert len(publisher.requests) == 4, "months without a list are not asked for"


def test_a_writer_limit_is_never_held_by_a_killed_run(settings: Settings) -> None:
    """The pool limits runs in the queue; a step claims nothing, so a kill can leave nothing claimed."""
    with instance(settings) as opened:
        assert opened.get_concurrency_config().pool_config.pool_granularity is not None
        assert opened.get_concurrency_config().pool_config.pool_granularity.value == "run"
        assert opened.get_concurrency_config().pool_config.default_pool_limit == 1
    writers = {
        node.name
        for job in ("build", "refresh", "add_inbox")
        for node in defs.resolve_job_def(job).all_node_defs
        if WRITER_POOL in (getattr(node, "pools", None) or {getattr(node, "pool", None)})
    }
    assert writers == {"warehouse"}


def test_a_run_whose_process_was_killed_is_reported_as_failed(settings: Settings) -> None:
    a_run_is_killed(dict(os.environ))
    os.environ["DAGSTER_HOME"] = str(settings.dagster_home)
    with dg.DagsterInstance.get() as opened:
        [record] = opened.get_run_records(dg.RunsFilter(statuses=IN_PROGRESS))
    with instance(settings) as opened:
        assert not opened.get_run_records(dg.RunsFilter(statuses=IN_PROGRESS))
        run = opened.get_run_by_id(record.dagster_run.run_id)
        assert run is not None
        assert run.status == dg.DagsterRunStatus.FAILURE


def test_a_run_of_this_process_is_left_alone(settings: Settings) -> None:
    with instance(settings) as opened:
        opened.create_run_for_job(
            defs.resolve_job_def("build"), tags=process_tags(), status=dg.DagsterRunStatus.STARTED
        )
        assert report_dead_runs(opened) == []


def test_a_run_whose_process_number_another_process_has_now_is_dead(settings: Settings) -> None:
    earlier = {name: value.replace(f"{os.getpid()}-", f"{os.getpid()}-0") for name, value in process_tags().items()}
    assert earlier != process_tags()
    with instance(settings) as opened:
        run = opened.create_run_for_job(defs.resolve_job_def("build"), tags=earlier, status=dg.DagsterRunStatus.STARTED)
        assert report_dead_runs(opened) == [run.run_id]


def test_a_run_of_another_process_that_lives_is_left_alone(settings: Settings) -> None:
    script = (
        "import sys; from pipeline.settings import Settings; from pipeline.assets.instance import instance\n"
        "from pipeline.assets.instance import process_tags; import dagster as dg\n"
        "from pipeline.definitions import defs\n"
        "with instance(Settings.from_env()) as opened:\n"
        "    opened.create_run_for_job(\n"
        "        defs.resolve_job_def('build'), tags=process_tags(), status=dg.DagsterRunStatus.STARTED)\n"
        "    print('ready', flush=True); sys.stdin.readline()"
    )
    env = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
    with (
        subprocess.Popen(
            [sys.executable, "-c", script], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as living,
        instance(settings) as opened,
    ):
        assert living.stdout is not None
        assert living.stdout.readline() == "ready\n"
        assert report_dead_runs(opened) == []
        living.kill()
        living.wait()
        assert len(report_dead_runs(opened)) == 1


def test_nothing_is_fetched_before_somebody_began(settings: Settings) -> None:
    with instance(settings) as opened:
        skipped = overdue_lists(dg.build_sensor_context(opened))
    assert isinstance(skipped, dg.SkipReason)
    assert "ratings fetch fide" in str(skipped.skip_message)


def test_an_overdue_list_is_asked_for_and_a_late_one_told_once(
    settings: Settings, publisher: FakePublisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "alerts.jsonl"
    monkeypatch.setenv("RATINGS_ALERT_COMMAND", f"cat >> '{told}'; echo >> '{told}'")
    keys = lists_a_refresh_asks_for(settings_for(settings.data_dir, publisher))
    late = keys[0]
    offer(publisher, [keys[3]])
    command(
        environment(settings.data_dir, publisher), "fetch", "fide", "--from", f"{keys[3].list_date:%Y-%m}", expect=None
    )
    state = Fetching(settings, keys[-1].list_date).state
    for url, known in state.all().items():
        state.record(url, AddressState(known.label, known.checked_at, "failed_transient"))
    with instance(settings) as opened:
        context = dg.build_sensor_context(opened)
        first = overdue_lists(context)
        assert isinstance(first, dg.SensorResult)
        assert first.run_requests
        [request] = first.run_requests
        assert request.run_config["ops"]["source_files"]["config"] == {"fetch": True}
        assert request.tags[RANGE_TAGS[0]] == f"{late.list_date:%Y-%m}"
        overdue_lists(dg.build_sensor_context(opened, cursor=first.cursor))
    events = [json.loads(line) for line in told.read_text().splitlines() if line]
    assert [event["event"] for event in events] == ["list_late"]
    assert str(late) in events[0]["lists"]


def test_files_in_the_inbox_ask_for_one_run(settings: Settings) -> None:
    settings.inbox_dir.mkdir(parents=True)
    with instance(settings) as opened:
        assert isinstance(inbox_files(dg.build_sensor_context(opened)), dg.SkipReason)
        (settings.inbox_dir / "jan03frl.txt").write_text("anything")
        requests = [inbox_files(dg.build_sensor_context(opened)) for _ in range(2)]
    keys = {request.run_key for request in requests if isinstance(request, dg.RunRequest)}
    assert len(keys) == 1, "the same files are one request"


def test_a_refused_list_fails_the_check_and_one_that_failed_for_now_warns(settings: Settings) -> None:
    state = Fetching(settings, date(2026, 1, 1)).state
    moment = "2026-01-01T00:00:00+00:00"
    for outcome, passed, severity in (
        ("stored", True, dg.AssetCheckSeverity.WARN),
        ("failed_transient", False, dg.AssetCheckSeverity.WARN),
        ("refused", False, dg.AssetCheckSeverity.ERROR),
    ):
        state.record("https://example.org/x.zip", AddressState("fide standard 2003-01", moment, outcome, "why"))
        result = every_list_came()
        assert isinstance(result, dg.AssetCheckResult)
        assert (result.passed, result.severity) == (passed, severity)


def test_an_alert_reaches_a_command_and_an_address_and_its_failure_stops_nothing(tmp_path: Path) -> None:
    told = tmp_path / "alert.json"
    settings = Settings(data_dir=tmp_path, alert_command=f"cat > '{told}'", alert_url="http://127.0.0.1:9/secret")
    assert alerts.alert(settings, "run_failed", "it failed", job="build")
    assert json.loads(told.read_text()) == {"event": "run_failed", "message": "it failed", "job": "build"}
    assert not alerts.alert(Settings(data_dir=tmp_path), "run_failed", "nobody is to be told")
