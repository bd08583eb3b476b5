"""Publishing: readers keep what they have open, nothing half-done is visible, leftovers go, one writer at a time."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from building import copy_of, publish, publish_again, read_only

from pipeline.settings import Settings
from pipeline.warehouse import publish as publishing
from pipeline.warehouse import refresh
from pipeline.warehouse.data_tests import ModelTest
from pipeline.warehouse.models import Project
from pipeline.warehouse.sql_files import ModelError


@pytest.fixture
def settings(bundled: Settings, tmp_path: Path) -> Settings:
    """A copy of the published data folder that may be changed."""
    return copy_of(bundled, tmp_path / "data", lock_timeout=0.5)


def peak_count(connection: duckdb.DuckDBPyConnection) -> int:
    row = connection.execute("select count(*) from marts.top_player_peaks").fetchone()
    assert row is not None
    return int(row[0])


def test_a_reader_keeps_the_version_it_has_open(settings: Settings) -> None:
    reader = duckdb.connect(str(settings.database), read_only=True)
    before = peak_count(reader)
    assert publish_again(settings) == settings.database.resolve()
    assert peak_count(reader) == before
    reader.close()
    assert peak_count(read_only(settings)) == before


def test_an_analyst_who_opens_it_for_writing_harms_nothing(settings: Settings) -> None:
    version = settings.database.resolve()
    version.chmod(0o644)
    script = (
        "import duckdb, os, sys; connection = duckdb.connect(sys.argv[1]);"
        "connection.execute('create table scribble as select 1 as x'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script, str(settings.database)], check=True)
    wal = [path for path in version.parent.iterdir() if path.suffix == ".wal"]
    assert publish(settings, force=True).published
    with read_only(settings) as connection:
        assert connection.execute("select count(*) from duckdb_tables() where table_name = 'scribble'").fetchone() == (
            0,
        )
    assert not settings.database.with_name("ratings.duckdb.wal").exists()
    assert all(path.name.startswith(version.name) for path in wal)


def test_the_published_file_is_read_only_and_old_versions_are_pruned(settings: Settings) -> None:
    for _ in range(4):
        publish_again(settings)
    versions = list(settings.versions_dir.glob("ratings-*.duckdb"))
    assert len(versions) == settings.keep_versions
    assert settings.database.resolve() in versions
    assert not settings.database.stat().st_mode & 0o222


def test_a_failed_blocking_check_publishes_nothing(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = refresh.project()
    wrong = ModelTest("impossible", "intermediate.rating_ranks", "select 1 as found", "cannot pass")
    monkeypatch.setattr(refresh, "project", lambda: Project(honest.loaded, honest.models, (*honest.tests, wrong)))
    version, marts = settings.database.resolve(), sorted(settings.marts_dir.iterdir())
    with pytest.raises(refresh.ChecksFailedError, match=r"rating_ranks: impossible \(cannot pass\): 1 row") as failure:
        publish(settings, force=True)
    skipped = {
        result.model.qualified_name: result.skipped_because
        for result in failure.value.results
        if result.skipped_because
    }
    assert skipped["marts.top_player_peaks"] == "intermediate.rating_ranks failed its checks"
    assert settings.database.resolve() == version
    assert sorted(settings.marts_dir.iterdir()) == marts
    assert [path.name for path in settings.versions_dir.iterdir() if path.name.startswith(".building")] == []


def test_a_second_build_says_so_in_one_line(settings: Settings) -> None:
    with (
        publishing.build_lock(settings),
        pytest.raises(publishing.PublishError, match=r"another build of .* is running"),
    ):
        publish(settings)


def test_the_lock_of_a_killed_build_is_free(settings: Settings) -> None:
    script = (
        "import sys, time; from pathlib import Path; from pipeline.settings import Settings;"
        "from pipeline.warehouse.publish import build_lock\n"
        "with build_lock(Settings(data_dir=Path(sys.argv[1]))): print('held', flush=True); time.sleep(60)"
    )
    child = subprocess.Popen([sys.executable, "-c", script, str(settings.data_dir)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    with pytest.raises(publishing.PublishError, match="is running"):
        publish(settings)
    child.kill()
    child.wait()
    assert not publish(settings).published, "not refused, but nothing is new"


def test_what_a_killed_build_left_is_removed_and_never_published(settings: Settings) -> None:
    leftover = settings.versions_dir / ".building-ratings-20000101T000000.000000Z-000000000000.duckdb"
    leftover.write_bytes(b"half")
    leftover.with_name(f"{leftover.name}.wal").write_bytes(b"half")
    publish(settings, force=True)
    assert not any(path.name.startswith(".building") for path in settings.versions_dir.iterdir())


def test_a_half_made_file_is_not_published(settings: Settings) -> None:
    version = publishing.new_version(settings, "0" * 64)
    with publishing.connect_for_build(publishing.building_path(version), settings) as connection:
        connection.execute("create schema core; create table core.entries as select 1 as x")
    before = settings.database.resolve()
    with pytest.raises(publishing.PublishError, match="cannot be read back"):
        publishing.publish(settings, version)
    assert settings.database.resolve() == before


def test_a_build_killed_at_any_moment_leaves_the_last_publication(settings: Settings) -> None:
    """Six builds in one folder, each killed a little later than the one before; what they left stops none after."""
    script = (
        "import sys; from pathlib import Path; from pipeline.settings import Settings; from building import publish;"
        "publish(Settings(data_dir=Path(sys.argv[1])), force=True)"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    for number in range(6):
        before = settings.database.resolve()
        child = subprocess.Popen([sys.executable, "-c", script, str(settings.data_dir)], env=environment)
        time.sleep(0.5 + 0.45 * number)
        child.kill()
        child.wait()
        with read_only(settings) as connection:
            assert peak_count(connection) > 700
            assert connection.execute("select count(*) from core.publication").fetchone() == (1,)
        assert settings.database.resolve() >= before
    assert publish(settings, force=True).published
    assert not list(settings.versions_dir.glob(".building-*"))


def old_client(variable: str) -> str:
    """Path of an older client in an environment of its own, as `make clients` installs them."""
    from conftest import ROOT, absent

    names = {"RATINGS_DUCKDB_1_PYTHON": "python", "RATINGS_DUCKDB_CLI": "duckdb"}
    default = ROOT / ".venv-clients" / variable.removeprefix("RATINGS_").lower() / "bin" / names[variable]
    path = Path(os.environ.get(variable, default))
    if not path.exists():
        absent(f"an older DuckDB client ({path})", "run: make clients")
    return str(path)


def test_a_client_of_duckdb_1_reads_the_published_file(bundled: Settings) -> None:
    script = (
        "import duckdb, sys; c = duckdb.connect(sys.argv[1], read_only=True); print(duckdb.__version__);"
        "print(c.execute('select count(*) from marts.top_player_peaks').fetchone()[0]);"
        "print(c.execute(\"select rating from marts.player_history where player_name = 'Carlsen, Magnus' "
        "and list_date = date '2014-05-01'\").fetchone()[0])"
    )
    result = subprocess.run(
        [old_client("RATINGS_DUCKDB_1_PYTHON"), "-c", script, str(bundled.database)], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    version, count, rating = result.stdout.split()
    assert version.startswith("1.")
    assert int(count) == peak_count(read_only(bundled))
    assert rating == "2882"


def test_the_duckdb_cli_reads_the_published_file_while_a_build_runs(settings: Settings) -> None:
    client = old_client("RATINGS_DUCKDB_CLI")
    query = "select peak_rating from marts.top_player_peaks order by peak_rank limit 1"

    def ask() -> str:
        command = [client, "-readonly", "-noheader", "-list", str(settings.database), query]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert ask() == "2882"
    version = publishing.new_version(settings, "1" * 64)
    with publishing.connect_for_build(publishing.building_path(version), settings) as connection:
        connection.execute("create table x as select 1")
        assert ask() == "2882"
    publish_again(settings)
    assert ask() == "2882"


def test_a_build_without_enough_memory_leaves_what_is_published(settings: Settings) -> None:
    before = settings.database.resolve()
    with pytest.raises((duckdb.Error, ModelError), match=r"(?i)memory"):
        publish(replace(settings, memory_limit="20MB"), force=True)
    assert settings.database.resolve() == before
    assert not list(settings.versions_dir.glob(".building-*"))
    assert peak_count(read_only(settings)) > 0
