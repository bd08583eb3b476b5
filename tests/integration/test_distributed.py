"""Two Dask workers and one builder give the same bytes as one process."""

import os
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from building import build_folder
from conftest import ROOT
from list_builder import archive_name, invented_players, zipped_list

from pipeline.assets.instance import instance
from pipeline.settings import Settings

pytest.importorskip("dagster_dask", reason="needs the extra 'distributed'")
pytestmark = pytest.mark.slow

TWO_WORKERS = "execution: {config: {cluster: {local: {n_workers: 2, threads_per_worker: 1}}}}\n"


def test_two_workers_give_the_same_marts_as_one_process(tmp_path: Path) -> None:
    files = []
    for month in (1, 2, 3):
        path = tmp_path / archive_name(date(2026, month, 1))
        path.write_bytes(zipped_list(invented_players(30 + month), date(2026, month, 1)))
        files.append(path)
    alone = build_folder(tmp_path / "alone", files)
    shared = Settings(data_dir=tmp_path / "shared")
    shutil.copytree(alone.raw_dir, shared.raw_dir)
    with instance(shared):
        pass
    config = tmp_path / "workers.yaml"
    config.write_text(TWO_WORKERS)
    env = os.environ | {
        "RATINGS_DATA": str(shared.data_dir),
        "RATINGS_SHARES": "2",
        "DAGSTER_HOME": str(shared.dagster_home),
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "ignore",
    }
    words = ["job", "execute", "-m", "pipeline.definitions_dask", "-j", "build_distributed", "-c", str(config)]
    result = subprocess.run(
        [sys.executable, "-m", "dagster", *words], env=env, cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr[-3000:]
    expected = {path.name: path.read_bytes() for path in alone.marts_dir.glob("*.parquet")}
    found = {path.name: path.read_bytes() for path in shared.marts_dir.glob("*.parquet")}
    assert found.keys() == expected.keys()
    assert not [name for name, content in found.items() if content != expected[name]]
    readers = {path.parent.name for path in shared.lake_dir.glob("sources/*/summary.json")}
    assert len(readers) == len(files) + 1, "the bundled lists too"
    started = [line for line in result.stderr.splitlines() if "STEP_START" in line]
    processes = {line.split(" - ")[5] for line in started}
    assert len(started) == 5, "two shares, the lists, the warehouse, the site"
    assert len(processes) == 2, "both workers worked"
