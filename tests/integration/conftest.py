"""One build of the bundled lists for all integration tests that only read it."""

from pathlib import Path

import duckdb
import pytest
from building import build_folder, read_only
from once import once_a_run

from pipeline.settings import Settings


@pytest.fixture(scope="session")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A data folder with the bundled lists, published. Do not change it."""
    return Settings(data_dir=once_a_run(tmp_path_factory, "bundled", build_folder))


@pytest.fixture
def database(bundled: Settings) -> duckdb.DuckDBPyConnection:
    """The published file of the bundled lists, read-only."""
    return read_only(bundled)


@pytest.fixture(scope="session")
def real_lists(tmp_path_factory: pytest.TempPathFactory, shared_dir: Path) -> Settings:
    """The ten real lists of 2001-2004 and the full list of July 1971 beside the bundled lists, published."""
    lists = shared_dir / "lists"
    files = [*sorted((lists / "fide").glob("[a-z][a-z][a-z]0[1-4]frl.zip")), lists / "historical" / "weeks_1971-07.txt"]
    return Settings(data_dir=once_a_run(tmp_path_factory, "real", lambda folder: build_folder(folder, files)))
