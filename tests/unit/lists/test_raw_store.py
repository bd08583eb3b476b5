"""The raw store: immutable, idempotent, honest about what it holds."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from pipeline.lists.raw_store import RawStore, RawStoreError, SourceFile

MOMENT = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def add(store: RawStore, content: bytes | Path, **told: object) -> tuple[SourceFile, bool]:
    values: dict[str, object] = {"collection": "fide", "origin": "test", "retrieved_at": MOMENT} | told
    return store.add(content, "JAN03FRL.TXT", **values)  # type: ignore[arg-type]


def test_a_file_is_kept_with_its_origin_and_cannot_be_changed(tmp_path: Path) -> None:
    store = RawStore(tmp_path)
    source, is_new = add(store, b"content", list_date=date(2003, 1, 1), rating_type="standard")
    assert is_new
    assert store.sources() == [source]
    assert store.read(source) == b"content"
    assert source.byte_size == 7
    assert not store.path(source.sha256).stat().st_mode & 0o222


def test_the_same_content_is_one_source_file_from_bytes_or_from_a_path(tmp_path: Path) -> None:
    store, path = RawStore(tmp_path / "raw"), tmp_path / "list.txt"
    path.write_bytes(b"content")
    first, _ = add(store, b"content")
    second, is_new = add(store, path, retrieved_at=datetime(2026, 5, 1, tzinfo=UTC))
    assert second == first
    assert not is_new


def test_the_same_content_cannot_be_two_lists(tmp_path: Path) -> None:
    store = RawStore(tmp_path)
    add(store, b"content", list_date=date(2003, 1, 1), rating_type="standard")
    with pytest.raises(RawStoreError, match=r"list 2003-01 standard, not list 2003-04 standard; .*ratings remove"):
        add(store, b"content", list_date=date(2003, 4, 1), rating_type="standard")
    assert [source.list_date for source in store.sources()] == [date(2003, 1, 1)]


def test_damaged_bytes_are_noticed(tmp_path: Path) -> None:
    store = RawStore(tmp_path)
    source, _ = add(store, b"content")
    store.path(source.sha256).chmod(0o644)
    store.path(source.sha256).write_bytes(b"contend")
    with pytest.raises(RawStoreError, match=r"JAN03FRL\.TXT.*no longer match"):
        store.read(source)


def test_a_path_in_the_file_name_is_not_used(tmp_path: Path) -> None:
    store = RawStore(tmp_path / "raw")
    source, _ = store.add(b"x", "../../evil.txt", collection="fide", origin="test", retrieved_at=MOMENT)
    assert source.file_name == "evil.txt"
    assert not (tmp_path / "evil.txt").exists()


def test_find_wants_one_file(tmp_path: Path) -> None:
    store = RawStore(tmp_path)
    source, _ = add(store, b"content")
    assert store.find(source.sha256[:10]) == source
    with pytest.raises(RawStoreError, match="0 source files"):
        store.find("zz")
    store.remove(source)
    assert store.sources() == []


def test_a_publisher_that_takes_a_revision_back_is_noted_beside_the_manifest(tmp_path: Path) -> None:
    store = RawStore(tmp_path)
    days = [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2, 3, 4)]
    told = {"list_date": date(2003, 1, 1), "rating_type": "standard"}
    first, _ = add(store, b"first", retrieved_at=days[0], **told)
    assert not store.saw_again(first, days[1]), "nothing else was served meanwhile"
    second, _ = add(store, b"second", retrieved_at=days[1], **told)
    manifest = (tmp_path / first.sha256[:2] / f"{first.sha256}.json").read_bytes()
    assert store.saw_again(first, days[2])
    assert not store.saw_again(first, days[3]), "it is the latest already"
    assert [source.last_seen_at for source in store.sources()] == [days[2], days[1]]
    assert (tmp_path / first.sha256[:2] / f"{first.sha256}.json").read_bytes() == manifest
    assert store.saw_again(second, days[3])
    store.remove(first)
    assert [path.suffix for path in (tmp_path / first.sha256[:2]).iterdir()] == []


def test_a_damaged_manifest_is_named(tmp_path: Path) -> None:
    store = RawStore(tmp_path)
    add(store, b"content")
    (manifest,) = tmp_path.glob("*/*.json")
    for damaged in ("", "{}", '{"sha256": "x"'):
        manifest.write_text(damaged)
        with pytest.raises(RawStoreError, match=rf"{manifest.name}: the manifest of a raw file is damaged"):
            store.sources()
        with pytest.raises(RawStoreError, match=rf"{manifest.name}: the manifest of a raw file is damaged"):
            add(store, b"content")


def test_a_file_told_of_no_list_is_said_to_state_its_own(tmp_path: Path) -> None:
    store = RawStore(tmp_path)
    add(store, b"content")
    with pytest.raises(RawStoreError, match="the list that it states itself, not list 2003-04;"):
        add(store, b"content", list_date=date(2003, 4, 1))


def test_a_raw_file_that_is_gone_comes_back_when_it_is_added_again(tmp_path: Path) -> None:
    store = RawStore(tmp_path)
    source, _ = add(store, b"content")
    store.path(source.sha256).unlink()
    again, is_new = add(store, b"content")
    assert (again, is_new) == (source, False)
    assert store.read(source) == b"content"
    assert not store.path(source.sha256).stat().st_mode & 0o222
