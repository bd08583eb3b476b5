"""Backfills of many months are one run: each month with what is held of it, each file read once, little overhead."""

from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy
from backfilling import backfill, forget_what_was_read, lake_bytes, metadata_of, months, thinned
from building import add

from pipeline.assets.instance import instance
from pipeline.assets.lists import editions, source_files
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore, SourceFile
from pipeline.lists.sync import add_bundled, sync
from pipeline.settings import Settings

#: Official lists of 2001 to 2004 of which no file of FIDE's is at hand.
NOT_AT_HAND = {"2001-07", "2002-04", "2003-07", "2004-04", "2004-07", "2004-10"}
#: Lists of July 1971 to April 2021 of which Scid's file states no value.
NOT_BY_SCID = {f"{year}-07" for year in range(1978, 1990)} | {"2000-10"}
#: Events that one asset may leave for one month: that it is planned, and that it is materialised.
EVENTS_PER_MONTH_AND_ASSET = 2
EVENTS_PER_RUN = 20
#: Connections to the files of the run history that a run may open, however many partitions it has.
CONNECTIONS_PER_RUN = 40


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """An empty data folder, which the assets find in the environment."""
    monkeypatch.setenv("RATINGS_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "data" / "dagster"))
    return Settings.from_env()


@pytest.fixture
def files_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the raw files that are read, as often as they are."""
    names: list[str] = []
    read = RawStore.read

    def noted(store: RawStore, source: SourceFile) -> bytes:
        names.append(source.file_name)
        return read(store, source)

    monkeypatch.setattr(RawStore, "read", noted)
    return names


@pytest.mark.shared
def test_all_months_of_2001_to_2004_in_one_run(settings: Settings, shared_dir: Path, files_read: list[str]) -> None:
    lists = sorted((shared_dir / "lists" / "fide").glob("[a-z][a-z][a-z]0[1-4]frl.zip"))
    add_bundled(RawStore(settings.raw_dir))
    for path in lists:
        add(settings, path)
    sync(RawStore(settings.raw_dir), Lake(settings.lake_dir))
    directly = lake_bytes(settings)
    forget_what_was_read(settings)
    files_read.clear()

    keys = months("2001-01", "2004-12")
    assert len(keys) == 16
    with instance(settings) as opened:
        result = backfill(opened, keys)
        assert result.success
        assert len(opened.get_run_records()) == 1

    assert lake_bytes(settings) == directly
    assert Counter(files_read) == {path.name: 1 for path in lists} | {"elite_history.csv": 1}
    raw, read = metadata_of(result, source_files), metadata_of(result, editions)
    assert list(raw) == list(read) == keys
    assert {key for key in keys if raw[key]["files"] == 0} == NOT_AT_HAND
    assert {key for key in keys if read[key]["not_held_in_full"] != "no list"} == NOT_AT_HAND
    bundled, official = str(read["2001-01"]["held"]).split("; ")
    assert bundled.startswith("fide standard 2001-01 of bundled: top, ")
    assert official == "fide standard 2001-01 of fide: complete, 36,978 entries"
    assert read["2004-10"]["not_held_in_full"] == "fide standard 2004-10"
    sizes = {path.stat().st_size for path in lists}
    assert sizes <= {raw[key]["bytes"] for key in keys}


@pytest.mark.scid
def test_all_months_of_scids_file_in_one_run_that_reads_it_once(
    settings: Settings, scid_file: Path, tmp_path: Path, files_read: list[str]
) -> None:
    few = thinned(scid_file, tmp_path / "spelling.ssp")
    add(settings, few)
    sync(RawStore(settings.raw_dir), Lake(settings.lake_dir))
    directly = lake_bytes(settings)
    forget_what_was_read(settings)
    files_read.clear()

    keys = months("1971-07", "2021-04")
    with instance(settings) as opened:
        result = backfill(opened, keys)
        assert result.success
        assert len(opened.get_run_records()) == 1

    assert lake_bytes(settings) == directly
    assert files_read.count("spelling.ssp") == 1
    read = metadata_of(result, editions)
    assert list(read) == keys
    without = {key for key, values in read.items() if "of scid" not in str(values["held"])}
    assert {key for key in without if int(key[:4]) < 2012} == NOT_BY_SCID
    assert all("standard" in str(values["held"]) for key, values in read.items() if key not in without)


def test_a_month_without_any_list_says_so_and_fails_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.assets.lists.add_bundled", lambda store: None)
    [key] = months("2024-03", "2024-03")
    with instance(settings) as opened:
        result = backfill(opened, [key])
    assert result.success
    values = metadata_of(result, editions)[key]
    assert (values["editions"], values["held"]) == (0, "no list")
    assert values["not_held_in_full"] == "fide standard 2024-03; fide rapid 2024-03; fide blitz 2024-03"


def test_a_month_costs_no_more_than_its_events(settings: Settings) -> None:
    """What makes a partition dear is its events, and opening the run history for each: the first is bounded, the
    second happens once a run, however many partitions it has."""
    opened_files: list[str] = []

    @sqlalchemy.event.listens_for(sqlalchemy.Engine, "connect")
    def note(connection: object, record: object) -> None:
        opened_files.append(str(connection))

    found = {}
    try:
        with instance(settings) as opened:
            for keys in (months("2001-01", "2001-01"), months("2001-01", "2004-12"), months("1971-07", "2021-04")):
                opened_files.clear()
                result = backfill(opened, keys)
                events = opened.all_logs(result.run_id)
                found[len(keys)] = (len(events), len(opened_files))
    finally:
        sqlalchemy.event.remove(sqlalchemy.Engine, "connect", note)
    assert list(found) == [1, 16, 212]
    for partitions, (events_stored, connections) in found.items():
        assert events_stored <= EVENTS_PER_RUN + 2 * EVENTS_PER_MONTH_AND_ASSET * partitions, found
        assert connections <= CONNECTIONS_PER_RUN, found
