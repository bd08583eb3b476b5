"""Adding files: names that cannot be shown, lists that cannot be out yet, a lake that lost parts."""

import os
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from list_builder import invented_players, zipped_list

from pipeline.formats.parsed import FormatError
from pipeline.lists.adding import add_file
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore, RawStoreError
from pipeline.lists.sync import sync, unread

MARCH = date(2025, 3, 1)
#: A month whose list cannot be out whenever this runs.
NOT_YET = date(datetime.now(UTC).year + 2, 1, 1)
MOMENT = datetime(2025, 3, 2, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> RawStore:
    return RawStore(tmp_path / "raw")


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(tmp_path / "lake")


@pytest.fixture
def march(tmp_path: Path) -> Path:
    path = tmp_path / "standard_mar25frl.zip"
    path.write_bytes(zipped_list(invented_players(60), MARCH))
    return path


@pytest.mark.parametrize("name", [b"m\xe4rz_mar25frl.zip", b"two\nlines_mar25frl.zip"])
def test_a_name_that_cannot_be_shown_is_stored_readable(
    march: Path, tmp_path: Path, store: RawStore, lake: Lake, name: bytes
) -> None:
    try:
        path = march.rename(tmp_path / os.fsdecode(name))
    except OSError:
        pytest.skip("this file system takes no such names")
    said = add_file(path, store, lake, retrieved_at=MOMENT, rating_type="standard")
    assert "60 entries" in said
    assert "\n" not in said
    (source,) = store.sources()
    assert source.file_name.encode() == name.replace(b"\xe4", b"?").replace(b"\n", b"?")
    assert source.origin == source.file_name


def test_a_list_that_cannot_be_out_yet_is_refused(march: Path, store: RawStore, lake: Lake) -> None:
    with pytest.raises(FormatError, match=f"fide standard {NOT_YET:%Y-%m} is not published yet"):
        add_file(march, store, lake, retrieved_at=MOMENT, list_date=NOT_YET)
    with pytest.raises(FormatError, match="lists are held from 1960 to 2079, found 2099-01"):
        add_file(march, store, lake, retrieved_at=MOMENT, list_date=date(2099, 1, 1))
    assert store.sources() == []
    assert not list(lake.root.rglob("*.parquet"))
    assert "60 entries" in add_file(march, store, lake, retrieved_at=MOMENT)


@pytest.mark.parametrize("damage", ["truncate", "unknown", "rejects", "entries"])
def test_what_is_damaged_in_the_lake_is_read_again(march: Path, store: RawStore, lake: Lake, damage: str) -> None:
    add_file(march, store, lake, retrieved_at=MOMENT)
    before = sync(store, lake)
    assert unread(store, lake) == []
    source = next(source for source in store.sources() if source.collection == "fide")
    summary = lake.source_dir(source.sha256) / "summary.json"
    match damage:
        case "truncate":
            summary.write_text(summary.read_text()[:100])
        case "unknown":
            summary.write_text('{"layout": "of another version", "stated_month": null, "editions": []}')
        case "rejects":
            (lake.source_dir(source.sha256) / "rejects.parquet").unlink()
        case "entries":
            next((lake.root / "editions").rglob(f"source={source.sha256}/entries.parquet")).unlink()
    assert unread(store, lake) == [source]
    after = sync(store, lake)
    assert after.current == before.current
    assert unread(store, lake) == []


def test_a_list_whose_raw_file_is_gone_falls_back_to_another_source(march: Path, store: RawStore, lake: Lake) -> None:
    add_file(march, store, lake, retrieved_at=MOMENT)
    source = store.sources()[0]
    store.path(source.sha256).unlink()
    with pytest.raises(RawStoreError, match=rf"cannot be read .*ratings remove {source.sha256[:12]}"):
        store.read(source)
    next((lake.root / "editions").rglob(f"source={source.sha256}/entries.parquet")).unlink()
    synced = sync(store, lake)
    assert "cannot be read" in synced.failures[source.sha256]
    assert source.sha256 not in {edition.sha256 for edition in synced.current.values()}
