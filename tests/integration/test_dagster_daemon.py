"""A real `dagster dev`: healthy soon, a list that appears or is dropped is published without a hand, and a backfill
of many months is one run."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests
from backfilling import months
from conftest import ROOT
from integration.fake_publisher import FakePublisher
from list_builder import invented_players, text_of
from refreshing import command, environment, held_lists, lists_a_refresh_asks_for, offer, settings_for

from pipeline.assets.fetching import Fetching, today

pytestmark = pytest.mark.slow

#: Seconds until the daemons must be healthy.
HEALTHY_WITHIN = 60
#: Seconds for a run on a busy machine; on an idle one it takes about fifteen.
PATIENCE = 240


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def dagster_dev(env: dict[str, str], log: Path) -> Iterator[str]:
    """Run `dagster dev` as a person would; gives the address of its GraphQL server."""
    port = free_port()
    words = [sys.executable, "-W", "ignore", "-m", "dagster", "dev", "-w", "workspace.yaml", "--port", str(port)]
    with log.open("w") as output:
        process = subprocess.Popen(words, env=env, cwd=ROOT, stdout=output, stderr=output, start_new_session=True)
        try:
            yield f"http://127.0.0.1:{port}/graphql"
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def ask(address: str, query: str) -> dict[str, object]:
    """The answer to a GraphQL query, empty while the server is not up."""
    try:
        answer = requests.post(address, json={"query": query}, timeout=10).json()
    except requests.RequestException:
        return {}
    data: dict[str, object] = answer.get("data") or {}
    return data


def wait_for(what: str, is_true: Callable[[], bool], seconds: float, log: Path) -> None:
    deadline = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > deadline:
            pytest.fail(f"{what} not within {seconds} s\n" + "\n".join(log.read_text().splitlines()[-40:]))
        time.sleep(0.5)


def is_healthy(address: str) -> bool:
    data = ask(address, "{ instance { daemonHealth { allDaemonStatuses { required healthy } } } }")
    if not data:
        return False
    statuses = data["instance"]["daemonHealth"]["allDaemonStatuses"]  # type: ignore[index]
    return all(status["healthy"] for status in statuses if status["required"])


def running_automation(address: str) -> set[str]:
    """Names of the schedules and sensors that run."""
    data = ask(
        address,
        "{ repositoriesOrError { ... on RepositoryConnection { nodes { "
        "schedules { name scheduleState { status } } sensors { name sensorState { status } } } } } }",
    )
    [repository] = data["repositoriesOrError"]["nodes"]  # type: ignore[index]
    return {
        instigator["name"]
        for kind, state in (("schedules", "scheduleState"), ("sensors", "sensorState"))
        for instigator in repository[kind]
        if instigator[state]["status"] == "RUNNING"
    }


def launch_backfill(address: str, keys: list[str]) -> str:
    """Ask for all these months of both assets that have months, as the button in the UI does; the backfill's id."""
    listed = ", ".join(f'"{key}"' for key in keys)
    data = ask(
        address,
        "mutation { launchPartitionBackfill(backfillParams: { "
        'assetSelection: [{ path: ["source_files"] }, { path: ["editions"] }], '
        f"partitionNames: [{listed}] }}) {{ __typename ... on LaunchBackfillSuccess {{ backfillId }} }} }}",
    )
    launched = data["launchPartitionBackfill"]
    assert launched["__typename"] == "LaunchBackfillSuccess", launched  # type: ignore[index]
    return str(launched["backfillId"])  # type: ignore[index]


def runs_of_backfill(address: str, backfill_id: str) -> list[str]:
    """Status of each run of a backfill."""
    data = ask(
        address,
        f'{{ runsOrError(filter: {{ tags: [{{ key: "dagster/backfill", value: "{backfill_id}" }}] }}) '
        "{ ... on Runs { results { status } } } }",
    )
    return [run["status"] for run in data["runsOrError"]["results"]] if data else []  # type: ignore[index]


def materialized_months(address: str, asset: str) -> set[str]:
    """Months of an asset that are materialised."""
    data = ask(
        address,
        f'{{ assetNodes(assetKeys: [{{ path: ["{asset}"] }}]) {{ assetPartitionStatuses {{ '
        "... on TimePartitionStatuses { ranges { status startKey endKey } } } } }",
    )
    [node] = data["assetNodes"]  # type: ignore[misc]
    return {
        key
        for part in node["assetPartitionStatuses"]["ranges"]
        if part["status"] == "MATERIALIZED"
        for key in months(part["startKey"], part["endKey"])
    }


def test_lists_that_appear_and_files_that_are_dropped_are_published_without_a_hand(tmp_path: Path) -> None:
    log = tmp_path / "dagster.log"
    with FakePublisher(tmp_path / "publisher").running() as publisher:
        settings = settings_for(tmp_path / "data", publisher)
        alerts = tmp_path / "alerts.jsonl"
        (settings.dagster_home).mkdir(parents=True)
        env = environment(
            settings.data_dir,
            publisher,
            RATINGS_SENSOR_SECONDS="3",
            RATINGS_ALERT_COMMAND=f"cat >> '{alerts}'",
            DAGSTER_HOME=str(settings.dagster_home),
            PYTHONWARNINGS="ignore",
        )
        due = Fetching(settings, today()).server.calendar.newest_due("standard", today())
        keys = lists_a_refresh_asks_for(settings)
        offer(publisher, [key for key in keys if due and key.list_date < due])
        command(env, "fetch", "fide", "--from", f"{min(key.list_date for key in keys):%Y-%m}", expect=None)
        with dagster_dev(env, log) as address:
            wait_for("healthy daemons", lambda: is_healthy(address), HEALTHY_WITHIN, log)
            assert running_automation(address) == {
                "monthly_lists",
                "daily_revisions",
                "overdue_lists",
                "inbox_files",
                "failed_runs",
            }
            backfilled = months("2001-01", "2004-12")
            backfill_id = launch_backfill(address, backfilled)

            offer(publisher, [key for key in keys if key.list_date == due])
            wait_for(
                f"publication of the list of {due}",
                lambda: settings.database.exists() and ("standard", due) in held_lists(settings),
                PATIENCE,
                log,
            )

            assert due
            settings.inbox_dir.mkdir(exist_ok=True)
            dropped = due.replace(year=due.year - 1)
            name = f"standard_{dropped:%b%y}frl.txt".lower()
            (settings.inbox_dir / name).write_bytes(text_of(invented_players(25), dropped))
            wait_for(
                "publication of the dropped file",
                lambda: ("standard", dropped) in held_lists(settings),
                PATIENCE,
                log,
            )
            assert (settings.inbox_dir / "added" / name).is_file()

            wait_for("the backfill", lambda: runs_of_backfill(address, backfill_id) == ["SUCCESS"], PATIENCE, log)
            assert set(backfilled) <= materialized_months(address, "source_files")
            assert set(backfilled) <= materialized_months(address, "editions")
        assert not alerts.exists() or "run_failed" not in alerts.read_text()
