"""Two Dask workers and one builder give the same bytes as one process."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path

import pytest
import yaml
from building import build_folder
from conftest import ROOT, absent
from integration import postgres_server
from list_builder import archive_name, invented_players, zipped_list
from sqlalchemy import create_engine, text

from pipeline.assets.instance import instance
from pipeline.settings import Settings

pytest.importorskip("dagster_dask", reason="needs the extra 'distributed'")
pytestmark = pytest.mark.slow

TWO_WORKERS = {"local": {"n_workers": 2, "threads_per_worker": 1}}
DEPLOY = ROOT / "pipeline" / "deploy"


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Three months of invented people and the bundled lists, built by one process. Do not change it."""
    folder = tmp_path_factory.mktemp("alone")
    files = []
    for month in (1, 2, 3):
        path = folder / archive_name(date(2026, month, 1))
        path.write_bytes(zipped_list(invented_players(30 + month), date(2026, month, 1)))
        files.append(path)
    return build_folder(folder / "data", files)


def unread_copy(alone: Settings, folder: Path) -> tuple[Settings, dict[str, str]]:
    """A data folder with the same raw files and nothing read yet, and the environment of all that work on it."""
    shared = Settings(data_dir=folder)
    shutil.copytree(alone.raw_dir, shared.raw_dir)
    return shared, os.environ | {
        "RATINGS_DATA": str(shared.data_dir),
        "RATINGS_SHARES": "2",
        "DAGSTER_HOME": str(shared.dagster_home),
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "ignore",
    }


def build_on(cluster: object, env: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the job for several machines on a cluster, as the configuration of the deployment would."""
    config = folder / "dask.yaml"
    config.write_text(yaml.safe_dump({"execution": {"config": {"cluster": cluster}}}))
    words = ["job", "execute", "-m", "pipeline.definitions_dask", "-j", "build_distributed", "-c", str(config)]
    result = subprocess.run(
        [sys.executable, "-m", "dagster", *words], env=env, cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr[-3000:]
    return result


def assert_same_marts(found: Settings, expected: Settings) -> None:
    """Every file of marts has the same bytes."""
    names = [path.name for path in expected.marts_dir.iterdir()]
    assert sorted(path.name for path in found.marts_dir.iterdir()) == sorted(names)
    different = [
        name for name in names if (found.marts_dir / name).read_bytes() != (expected.marts_dir / name).read_bytes()
    ]
    assert different == []


def test_two_workers_give_the_same_marts_as_one_process(alone: Settings, tmp_path: Path) -> None:
    shared, env = unread_copy(alone, tmp_path / "shared")
    with instance(shared):
        pass
    result = build_on(TWO_WORKERS, env, tmp_path)
    assert_same_marts(shared, alone)
    readers = {path.parent.name for path in shared.lake_dir.glob("sources/*/summary.json")}
    assert len(readers) == 3 + 1, "the bundled lists too"
    started = [line for line in result.stderr.splitlines() if "STEP_START" in line]
    processes = {line.split(" - ")[5] for line in started}
    assert len(started) == 5, "two shares, the lists, the warehouse, the site"
    assert len(processes) == 2, "both workers worked"


@contextmanager
def scheduler_and_workers(env: dict[str, str]) -> Iterator[str]:
    """A Dask scheduler and two workers, each a process of its own, as on machines of their own; its address."""
    port = postgres_server.free_port()
    address = f"tcp://127.0.0.1:{port}"
    scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    worker = ["dask_worker", address, "--nworkers", "1", "--nthreads", "1", "--no-dashboard"]
    with ExitStack() as processes:
        for program, *words in (scheduler, worker, worker):
            started = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{program}", *words], env=env, stderr=subprocess.DEVNULL
            )
            processes.callback(started.wait)
            processes.callback(started.terminate)
        yield address


def test_an_existing_scheduler_with_run_history_in_postgres(alone: Settings, tmp_path: Path) -> None:
    binaries = postgres_server.programs()
    if binaries is None:
        absent("PostgreSQL's server", "apt install postgresql")
    assert binaries is not None
    shared, env = unread_copy(alone, tmp_path / "shared")
    shared.dagster_home.mkdir(parents=True)
    shutil.copy(DEPLOY / "dagster.postgres.yaml", shared.dagster_home / "dagster.yaml")
    existing = yaml.safe_load((DEPLOY / "dask.yaml").read_text())["execution"]["config"]["cluster"]
    with postgres_server.running(binaries) as url:
        env["RATINGS_POSTGRES_URL"] = url
        with scheduler_and_workers(env) as existing["existing"]["address"]:
            build_on(existing, env, tmp_path)
        assert_same_marts(shared, alone)
        assert not list(shared.dagster_home.rglob("*.db")), "nothing in files beside"
        assert succeeded_jobs(url) == ["build_distributed"]


def succeeded_jobs(url: str) -> list[str]:
    """Jobs of the runs that the history in Postgres says to have succeeded."""
    engine = create_engine(url)
    with engine.connect() as connection:
        names = connection.execute(text("select pipeline_name from runs where status = 'SUCCESS'")).scalars().all()
    engine.dispose()
    return [str(name) for name in names]
