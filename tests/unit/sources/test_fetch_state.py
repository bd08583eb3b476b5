"""What is known of addresses survives processes, is never half written, and may be lost without harm."""

import threading
from pathlib import Path

from pipeline.sources.state import AddressState, FetchState


def entry(label: str, checked_at: str, sha256: str | None) -> AddressState:
    return AddressState(label, checked_at, "stored", etag='"1"', sha256=sha256)


def test_what_is_recorded_is_read_by_others(tmp_path: Path) -> None:
    FetchState(tmp_path / "state.json").record("http://x/a", entry("a", "2026-01-01", "11"))
    read = FetchState(tmp_path / "state.json").of_url("http://x/a")
    assert read == entry("a", "2026-01-01", "11")
    assert read.validators.etag == '"1"'


def test_the_version_stored_last_is_found_by_its_list(tmp_path: Path) -> None:
    state = FetchState(tmp_path / "state.json")
    state.record("http://x/a", entry("a", "2026-01-01", "11"))
    state.record("http://x/a_xml", entry("a", "2026-02-01", "22"))
    state.record("http://x/a_new", entry("a", "2026-03-01", None))
    state.record("http://x/b", entry("b", "2026-04-01", "33"))
    found = state.stored("a")
    assert found is not None
    assert found[0] == "http://x/a_xml"
    assert state.stored("c") is None


def test_a_damaged_file_only_costs_requests(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    for text in ("{", "[]", '{"http://x": {"unknown": 1}}', '{"http://x": 1}'):
        path.write_text(text)
        state = FetchState(path)
        assert state.of_url("http://x") is None
        state.record("http://x/a", entry("a", "2026-01-01", "11"))
        assert list(state.all()) == ["http://x/a"]


def test_several_writers_lose_nothing(tmp_path: Path) -> None:
    def write(writer: int) -> None:
        for number in range(10):
            FetchState(tmp_path / "state.json").record(f"http://x/{writer}/{number}", entry("a", "2026", "1"))

    writers = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(FetchState(tmp_path / "state.json").all()) == 40
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".tmp"] == []
