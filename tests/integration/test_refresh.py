"""`ratings refresh`: twice changes nothing, revisions become current, a failing list stops nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from integration.fake_publisher import FakePublisher, Fault
from list_builder import archive_name, with_ratings_raised, zipped_list
from refreshing import (
    PLAYERS,
    a_run_is_killed,
    command,
    environment,
    held_lists,
    lists_a_refresh_asks_for,
    offer,
    points_of,
    published,
    settings_for,
)

from pipeline.assets.instance import IN_PROGRESS
from pipeline.assets.run import up_to_date
from pipeline.domain.list_key import ListKey
from pipeline.settings import Settings
from pipeline.site import is_made

pytestmark = pytest.mark.slow


class Folder:
    """A data folder refreshed once from a publisher that has every list a refresh asks for."""

    def __init__(self, data_dir: Path, publisher: FakePublisher) -> None:
        self.publisher = publisher
        self.settings: Settings = settings_for(data_dir, publisher)
        self.env = environment(data_dir, publisher)
        self.keys: list[ListKey] = lists_a_refresh_asks_for(self.settings)
        offer(publisher, self.keys)
        self.first_said = command(self.env, "refresh")

    def newest(self) -> ListKey:
        return max(key for key in self.keys if key.rating_type == "standard")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Folder]:
    with FakePublisher(tmp_path_factory.mktemp("publisher")).running() as publisher:
        yield Folder(tmp_path_factory.mktemp("data"), publisher)


def marts(settings: Settings) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in settings.marts_dir.iterdir()}


def test_the_first_refresh_publishes_every_list(folder: Folder) -> None:
    assert f"{len(folder.keys)} new" in folder.first_said
    assert held_lists(folder.settings) == {(key.rating_type, key.list_date) for key in folder.keys}


def test_the_second_refresh_asks_conditionally_only_and_changes_nothing(folder: Folder) -> None:
    asked, version, before = len(folder.publisher.requests), folder.settings.database.resolve(), marts(folder.settings)
    said = command(folder.env, "refresh")
    requests = folder.publisher.requests[asked:]
    assert "3 unchanged" in said
    assert "nothing changed" in said
    assert [request.status for request in requests] == [304] * 3, "the newest list of each type, and nothing else"
    assert all("If-None-Match" in request.headers for request in requests)
    assert folder.settings.database.resolve() == version
    assert marts(folder.settings) == before


def test_a_site_made_by_other_pages_is_made_again(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert up_to_date(folder.settings)
    assert is_made(folder.settings)
    monkeypatch.setattr("pipeline.site.code_digest", lambda libraries, folders: "other pages")
    assert not is_made(folder.settings)
    assert not up_to_date(folder.settings)


def test_a_run_that_was_killed_after_all_was_published_does_not_count_as_running(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_run_is_killed(folder.env)
    assert "nothing changed" in command(folder.env, "refresh")
    monkeypatch.setenv("DAGSTER_HOME", str(folder.settings.dagster_home))
    with dg.DagsterInstance.get() as opened:
        assert not opened.get_run_records(dg.RunsFilter(statuses=IN_PROGRESS))
    assert not list((folder.settings.dagster_home / "processes").rglob("*.lock"))


def test_a_revised_list_becomes_current_and_one_that_is_taken_back_too(folder: Folder) -> None:
    newest = folder.newest()
    name = archive_name(newest.list_date)
    original = (folder.publisher.root / "download" / name).read_bytes()
    best = PLAYERS[0]
    query = (
        "select rating from core.entries join core.lists using (list_key) join core.players using (player_id) "
        f"where fide_id = {best.fide_id} and rating_type = 'standard' and list_date = date '{newest.list_date}'"
    )
    [(first,)] = published(folder.settings, query)

    revised = [*with_ratings_raised(PLAYERS[:1], 77), *with_ratings_raised(PLAYERS[2:], 12)]
    folder.publisher.publish(name, zipped_list(revised, newest.list_date))
    assert f"{newest}: revised" in command(folder.env, "refresh")
    assert best.rating is not None
    assert published(folder.settings, query) == [(best.rating + 77,)]
    editions = (
        f"select count(*), count(*) filter (where is_current) from core.editions where list_key = {newest.number}"
    )
    assert published(folder.settings, editions) == [(2, 1)]
    differences = published(
        folder.settings,
        "select difference, count(*) from marts.edition_differences "
        f"where rating_type = 'standard' and list_date = date '{newest.list_date}' group by all order by all",
    )
    before, after = points_of(newest), [77] + [12] * (len(PLAYERS) - 2)
    differing = sum(points != before for points in after)
    assert differences == [("only in the other edition", 1), ("ratings differ", differing)]

    folder.publisher.publish(name, original)
    assert f"{newest}: revised" in command(folder.env, "refresh")
    assert published(folder.settings, query) == [(first,)]
    assert published(folder.settings, editions) == [(2, 1)], "the same two files"
    status = command(folder.env, "status", "--missing")
    assert f"revised        {newest}" in status
    assert "0 late" in status


def test_pruning_says_what_it_would_remove_and_removes_it_only_when_told_to(folder: Folder) -> None:
    def held() -> tuple[int, int]:
        versions = folder.settings.versions_dir.glob("ratings-*.duckdb")
        return len(list(folder.settings.raw_dir.glob("*/*.raw"))), len(list(versions))

    before, published_now = held(), folder.settings.database.resolve()
    said = command(folder.env, "prune", "--editions")
    assert "nothing was removed" in said
    assert archive_name(folder.newest().list_date) in said
    assert held() == before
    command(folder.env, "prune", "--editions", "--yes")
    assert held() == (before[0] - 1, 1)
    assert folder.settings.database.resolve() == published_now


def test_a_list_that_fails_stops_neither_the_others_nor_publication(tmp_path: Path) -> None:
    with FakePublisher(tmp_path / "publisher").running() as publisher:
        settings = settings_for(tmp_path / "data", publisher)
        env = environment(tmp_path / "data", publisher, RATINGS_LOG="json")
        keys = lists_a_refresh_asks_for(settings)
        forbidden = keys[0]
        offer(publisher, keys)
        publisher.misbehave(
            archive_name(forbidden.list_date, forbidden.rating_type), Fault("status", status=403, forever=True)
        )
        (settings.inbox_dir).mkdir(parents=True)
        (settings.inbox_dir / "notes.txt").write_text("not a rating list\n")
        said = command(env, "refresh", expect=3)
        asked = publisher.asked(f"*{archive_name(forbidden.list_date, forbidden.rating_type)}")
        assert [request.status for request in asked] == [403], "a permanent failure is not tried again"
        others = {(key.rating_type, key.list_date) for key in keys if key != forbidden}
        assert held_lists(settings) == others
        events = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        refused = [event for event in events if event.get("status") == "refused"]
        assert [event["list"] for event in refused] == [str(forbidden)]
        assert (settings.inbox_dir / "rejected" / "notes.txt.reason.txt").is_file()
