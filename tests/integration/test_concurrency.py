"""Readers never wait and never see half a publication; of two refreshes one builds and the other waits."""

import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from building import copy_of, publish, read_only
from conftest import ROOT, absent
from integration.fake_publisher import FakePublisher
from refreshing import command, environment, lists_a_refresh_asks_for, offer, published, settings_for

from pipeline.settings import Settings
from pipeline.warehouse import publish as publishing

#: Publications under the eyes of readers.
PUBLICATIONS = 20
#: A consistent answer: entries, what the table of contents says of them, and two numbers of one generation.
QUERY = (
    "select count(*), (select entry_count from core.publication), (select generation from core.publication), "
    "max(generation), min(generation) from core.entries"
)
READER = """
import sys, time, duckdb
link, stop, read_only = sys.argv[1], sys.argv[2], sys.argv[3] == "read-only"
import os
seen = []
while not os.path.exists(stop):
    with duckdb.connect(os.path.realpath(link) if read_only else link, read_only=read_only) as connection:
        for _ in range(3):
            seen.append(connection.execute(QUERY).fetchall()[0])
for entries, told, generation, newest, oldest in seen:
    assert entries == told and generation == newest == oldest, seen
assert [row[2] for row in seen] == sorted(row[2] for row in seen), "an older publication after a newer one"
print(len(seen), len({row[2] for row in seen}))
"""


def publish_generation(settings: Settings, number: int) -> None:
    """Publish a small file of its own by the rules of every build: new file, verified, switched."""
    with publishing.build_lock(settings):
        version = publishing.new_version(settings, f"{number:064x}")
        with publishing.connect_for_build(publishing.building_path(version), settings) as connection:
            rows = 50_000 + number
            connection.execute("create schema core")
            connection.execute(f"create table core.entries as select i, {number} as generation from range({rows}) t(i)")
            connection.execute(f"create table core.publication as select {rows} as entry_count, {number} as generation")
            connection.execute("checkpoint")
        publishing.publish(settings, version)


def cli_reader(client: str, settings: Settings, stop: Path, seen: list[str]) -> None:
    """Ask with the DuckDB CLI until told to stop."""
    while not stop.exists():
        words = [client, "-readonly", "-noheader", "-csv", str(settings.database), QUERY]
        seen.append(subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip())


def test_readers_see_whole_publications_through_many_refreshes(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    publish_generation(settings, 0)
    stop = tmp_path / "stop"
    script = f"QUERY = {QUERY!r}\n{READER}"
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(settings.database), str(stop), "read-only"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    holder = read_only(settings)
    answers: list[str] = []
    threads = []
    client = Path(os.environ.get("RATINGS_DUCKDB_CLI", ROOT / ".venv-clients" / "duckdb_cli" / "bin" / "duckdb"))
    if client.exists():
        threads = [threading.Thread(target=cli_reader, args=(str(client), settings, stop, answers))]
    for thread in threads:
        thread.start()
    try:
        for number in range(1, PUBLICATIONS + 1):
            publish_generation(settings, number)
            time.sleep(0.1)
        assert holder.execute(QUERY).fetchall() == [(50_000, 50_000, 0, 0, 0)], "who has it open keeps it"
    finally:
        stop.touch()
        outputs = [reader.communicate(timeout=120) for reader in readers]
        for thread in threads:
            thread.join()
    for reader, (said, complaint) in zip(readers, outputs, strict=True):
        assert reader.returncode == 0, complaint
        queries, generations = map(int, said.split())
        assert queries > PUBLICATIONS
        assert generations > 2
    for answer in answers:
        entries, told, generation, newest, oldest = answer.split(",")
        assert (entries, generation, generation) == (told, newest, oldest)


def test_the_duckdb_cli_is_among_the_readers() -> None:
    client = Path(os.environ.get("RATINGS_DUCKDB_CLI", ROOT / ".venv-clients" / "duckdb_cli" / "bin" / "duckdb"))
    if not client.exists():
        absent(f"the DuckDB CLI ({client})", "run: make clients")


def test_an_analyst_who_opens_it_for_writing_stops_no_publication(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    publish_generation(settings, 0)
    settings.database.resolve().chmod(0o644)  # as root, or who owns the file, may
    writer = duckdb.connect(str(settings.database))
    writer.execute("create table core.scribble as select 1 as x")
    for number in range(1, PUBLICATIONS + 1):
        publish_generation(settings, number)
    assert published(settings, "select generation from core.publication") == [(PUBLICATIONS,)]
    assert published(settings, "select count(*) from duckdb_tables() where table_name = 'scribble'") == [(0,)]
    assert len(list(settings.versions_dir.glob("ratings-*.duckdb"))) == settings.keep_versions
    writer.close()
    assert not any(path.suffix == ".wal" for path in settings.data_dir.iterdir())


@pytest.mark.slow
def test_of_two_refreshes_at_once_one_builds_and_the_other_waits(tmp_path: Path) -> None:
    with FakePublisher(tmp_path / "publisher").running() as publisher:
        settings = settings_for(tmp_path / "data", publisher)
        env = environment(tmp_path / "data", publisher)
        keys = lists_a_refresh_asks_for(settings)
        offer(publisher, keys)
        said: list[str] = []
        both = [threading.Thread(target=lambda: said.append(command(env, "refresh"))) for _ in range(2)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        assert len(said) == 2, "both ended well"
        assert publisher.most_at_once == 1, "one request at a time, whoever asks"
        sources = published(settings, "select count(*) from core.source_files where collection = 'fide'")
        assert sources == [(len(keys),)], "every list is held once"
        assert len(list(settings.versions_dir.glob("ratings-*.duckdb"))) == 1, "built once"
        refusing = {**env, "RATINGS_LOCK_TIMEOUT": "0.2"}
        with publishing.build_lock(settings):
            refused = command(refusing, "build", "--force", expect=1)
        assert "another build of" in refused
        assert "Traceback" not in refused


def limited(limit: Callable[[], None]) -> Callable[[Settings], subprocess.CompletedProcess[str]]:
    """A build in a process of its own, under a limit of the operating system."""
    script = (
        "import sys; from pathlib import Path; from pipeline.settings import Settings; from building import publish;"
        "publish(Settings(data_dir=Path(sys.argv[1])), force=True)"
    )

    def build(settings: Settings) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", script, str(settings.data_dir)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            preexec_fn=limit,
            capture_output=True,
            text=True,
        )

    return build


def full_disk() -> None:
    """No file may grow beyond one megabyte: the database cannot be written to its end."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


def little_memory() -> None:
    """Not enough address space for a build."""
    resource.setrlimit(resource.RLIMIT_AS, (700 << 20, 700 << 20))


@pytest.mark.slow
@pytest.mark.parametrize("limit", [full_disk, little_memory])
def test_a_build_that_runs_out_of_something_leaves_the_last_publication(
    bundled: Settings, tmp_path: Path, limit: Callable[[], None]
) -> None:
    settings = copy_of(bundled, tmp_path / "data")
    before = settings.database.resolve()
    result = limited(limit)(settings)
    assert result.returncode != 0, "the limit was not felt"
    assert settings.database.resolve() == before
    assert published(settings, "select entry_count > 0 from core.publication") == [(True,)]
    assert publish(settings, force=True).published
    assert not list(settings.versions_dir.glob(".building-*"))
