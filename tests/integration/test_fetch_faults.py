"""Fetching from a publisher that misbehaves: what is stored, what is asked again how often, what people read.

In every test the list of May 2025 is the one with the fault; those of April and June are good and must always
be stored, whatever happens to May's.
"""

import errno
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from integration.fake_publisher import FakePublisher, Fault
from integration.patient_clock import PatientClock
from list_builder import (
    Player,
    archive_name,
    invented_players,
    l6_text,
    n3_text,
    o1_text,
    single_xml,
    with_ratings_raised,
    zipped,
    zipped_list,
)

from pipeline.catalogue.tables import load
from pipeline.domain.calendar import PublicationCalendar
from pipeline.domain.list_key import ListKey
from pipeline.formats.parsed import ParsedFile
from pipeline.formats.recognise import read_list
from pipeline.lists.downloads import DownloadStore
from pipeline.lists.raw_store import RawStore
from pipeline.sources import fide, olimpbase
from pipeline.sources.fetch import Outcome, Progress, fetch_each, fetch_lists
from pipeline.sources.fide import FideServer
from pipeline.sources.http import PoliteSession
from pipeline.sources.limits import Limits
from pipeline.sources.state import FetchState
from pipeline.sources.wanted import Download, Wanted

APRIL, MAY, JUNE = (date(2025, month, 1) for month in (4, 5, 6))
FILE = archive_name(MAY)
PLAYERS = invented_players(60)
ATTEMPTS = 3


@dataclass
class World:
    """A publisher, an installation that fetches from it, and the day."""

    publisher: FakePublisher
    folder: Path
    clock: PatientClock
    calendar: PublicationCalendar
    today: date = date(2025, 6, 10)
    attempt_seconds: float = 30

    @property
    def raw(self) -> RawStore:
        return RawStore(self.folder / "raw")

    @property
    def state(self) -> FetchState:
        return FetchState(self.folder / "fetch_state.json")

    @property
    def server(self) -> FideServer:
        return FideServer(self.calendar, self.today, self.publisher.url)

    def session(self) -> PoliteSession:
        limits = Limits(attempt_seconds=self.attempt_seconds, attempts=ATTEMPTS, file_bytes=4 << 20)
        return PoliteSession(self.folder / "parts", limits=limits, clock=self.clock, jitter=lambda: 1.0)

    def wanted(self, since: date = APRIL, until: date = JUNE) -> list[Wanted]:
        return self.server.wanted(self.server.lists(["standard"], since, until))

    def fetch(self, wanted: list[Wanted] | None = None) -> list[Outcome]:
        wanted = self.wanted() if wanted is None else wanted
        return fetch_lists(wanted, self.session(), DownloadStore(self.raw), self.state)

    def stored(self) -> list[tuple[date, int]]:
        """List date and first player's rating of everything stored, read back and checked."""
        found = []
        for source in self.raw.sources():
            assert source.list_date is not None
            found.append((source.list_date, read_list(self.raw.read(source), "a.zip").entries["rating"][0]))
        return sorted(found)


FIRST = PLAYERS[0].rating or 0


@pytest.fixture(scope="session")
def calendar() -> PublicationCalendar:
    return PublicationCalendar.from_frame(load("rating_list_calendar"))


@pytest.fixture
def world(tmp_path: Path, calendar: PublicationCalendar) -> Iterator[World]:
    with FakePublisher(tmp_path / "publisher").running() as publisher:
        for day in (APRIL, MAY, JUNE):
            publisher.publish(archive_name(day), zipped_list(PLAYERS, day))
        yield World(publisher, tmp_path / "data", PatientClock(), calendar)


def bomb() -> bytes:
    """A small zip that grows a thousandfold, to 24 MB."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.txt", "w") as member:
        for _ in range(24):
            member.write(b" " * (1 << 20))
    return buffer.getvalue()


def damaged(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1 :]


MAY_ZIP = zipped_list(PLAYERS, MAY)

#: name -> (faults of the connection, content or None for the good one, outcome, requests, words people read)
FAULTS: dict[str, tuple[list[Fault], bytes | None, str, int, str]] = {
    "good": ([], None, "stored", 1, "stored"),
    "404": ([Fault("status", status=404, forever=True)], None, "refused", 2, "no such file"),
    "403": ([Fault("status", status=403, forever=True)], None, "refused", 1, "answers 403: not for us"),
    "500 then good": ([Fault("status", status=500)] * 2, None, "stored", 3, "asked 3 times"),
    "500 for ever": ([Fault("status", status=500, forever=True)], None, "failed_transient", 3, "answers 500"),
    "429 then good": ([Fault("status", status=429, retry_after="30")], None, "stored", 2, "stored"),
    "429 for hours": (
        [Fault("status", status=429, retry_after="9000", forever=True)],
        None,
        "failed_transient",
        1,
        "wants not to be asked for another",
    ),
    "cut off, then continued": ([Fault("cut", after=700)], None, "stored", 2, "stored"),
    "cut off for ever": ([Fault("cut", after=0, forever=True)], None, "failed_transient", 3, "connection lost"),
    "truncated body": ([Fault("short", after=900, forever=True)], None, "refused", 1, "cut off"),
    "no bytes": ([Fault("short", after=0, forever=True)], None, "refused", 1, "no bytes"),
    "web page with 200": ([Fault("page", forever=True)], None, "refused", 1, "web page"),
    "slow drip": ([Fault("drip", seconds=0.02, forever=True)], None, "failed_transient", 3, "bytes came in"),
    "reset, then continued": ([Fault("reset", after=500)], None, "stored", 2, "stored"),
    "reset for ever": ([Fault("reset", after=0, forever=True)], None, "failed_transient", 3, "connection"),
    "redirect to another host": (
        [Fault("redirect", location="https://example.org/list.zip", forever=True)],
        None,
        "refused",
        1,
        "redirects to another host",
    ),
    "wrong month": ([], zipped_list(PLAYERS, APRIL), "refused", 1, "the list says April 2025, asked for May 2025"),
    "later month": ([], zipped_list(PLAYERS, date(2025, 7, 1)), "refused", 1, "the list says July 2025"),
    "damaged": ([], damaged(MAY_ZIP), "refused", 1, "damaged|checksum|fewer than"),
    "no players": ([], zipped_list([], MAY), "refused", 1, "without players"),
    "no list inside": ([], zipped("readme.txt", b"Nothing here.\r\n" * 9), "refused", 1, "no known layout"),
    "zip bomb": ([], bomb(), "refused", 1, "more than 200 times"),
    "larger than allowed": ([], b"PK\3\4" + bytes(5 << 20), "refused", 1, "larger than allowed"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_fault(name: str, world: World) -> None:
    faults, content, status, requests, words = FAULTS[name]
    world.publisher.misbehave(FILE, *faults)
    if name == "slow drip":
        world.attempt_seconds = 0.6
    if content is not None:
        world.publisher.publish(FILE, content)
    may, june = world.fetch(world.wanted(since=MAY))

    assert may.status == status
    assert may.tries == len(world.publisher.asked("/download/*may25*")) == requests
    assert_says(may, words)
    host_wants_a_pause = name == "429 for hours"
    assert june.status == ("failed_transient" if host_wants_a_pause else "stored")
    got = [(MAY, FIRST)] if status == "stored" else []
    assert world.stored() == [*got, *([] if host_wants_a_pause else [(JUNE, FIRST)])]
    assert not list((world.folder / "parts").glob("*.complete"))
    noted = next(entry for entry in world.state.all().values() if entry.label == may.wanted.label)
    assert noted.outcome == status
    assert (noted.sha256 is not None) == (status == "stored")

    # The publisher mends it: the next run asks again and gets it.
    world.publisher.misbehave(FILE)
    world.publisher.publish(FILE, MAY_ZIP)
    world.clock.sleep(9000)
    assert world.fetch(world.wanted(MAY, MAY))[0].status == ("unchanged" if status == "stored" else "stored")
    assert (MAY, FIRST) in world.stored()


def assert_says(outcome: Outcome, words: str) -> None:
    """The line shown to people names the list and holds one of the words, and no traceback."""
    text = str(outcome)
    assert text.startswith(outcome.wanted.label)
    assert any(word in text for word in words.split("|")), text
    assert "Traceback" not in text


@pytest.mark.parametrize("name", [name for name, fault in FAULTS.items() if fault[2] != "stored"])
def test_a_fault_never_harms_what_is_held(name: str, world: World) -> None:
    may = world.wanted(MAY, MAY)
    world.fetch(may)
    faults, content, *_ = FAULTS[name]
    if name == "slow drip":
        world.attempt_seconds = 0.6
    world.publisher.publish(FILE, content or zipped_list(with_ratings_raised(PLAYERS, 3), MAY))
    world.publisher.misbehave(FILE, *faults)
    assert world.fetch(may)[0].status in ("refused", "failed_transient")
    assert world.stored() == [(MAY, FIRST)]


def test_the_second_run_asks_conditionally_and_changes_nothing(world: World) -> None:
    world.fetch()
    before = sorted((world.folder / "raw").rglob("*"))
    world.publisher.requests.clear()
    outcomes = world.fetch()
    assert [outcome.status for outcome in outcomes] == ["unchanged"] * 3
    assert [request.status for request in world.publisher.requests] == [304] * 3
    assert sorted((world.folder / "raw").rglob("*")) == before


def test_a_changed_file_is_a_new_edition(world: World) -> None:
    world.fetch()
    world.publisher.publish(FILE, zipped_list(with_ratings_raised(PLAYERS, 5), MAY))
    outcomes = world.fetch()
    assert [outcome.status for outcome in outcomes] == ["unchanged", "revised", "unchanged"]
    assert [item for item in world.stored() if item[0] == MAY] == [(MAY, FIRST), (MAY, FIRST + 5)]
    assert [outcome.status for outcome in world.fetch()] == ["unchanged"] * 3


def test_what_the_store_lost_is_fetched_again(world: World) -> None:
    world.fetch()
    source = next(source for source in world.raw.sources() if source.list_date == MAY)
    world.raw.remove(source)
    outcomes = world.fetch()
    assert [outcome.status for outcome in outcomes] == ["unchanged", "revised", "unchanged"]
    assert (MAY, FIRST) in world.stored()


def test_without_its_notes_everything_is_asked_again_and_nothing_doubled(world: World) -> None:
    world.fetch()
    before = world.stored()
    (world.folder / "fetch_state.json").unlink()
    assert [outcome.status for outcome in world.fetch()] == ["unchanged"] * 3
    assert world.stored() == before


def test_the_newest_list_is_not_yet_published(world: World) -> None:
    world.today = date(2025, 6, 29)
    wanted = world.wanted(since=JUNE, until=date(2025, 7, 1))
    june, july = world.fetch(wanted)
    assert (june.status, july.status) == ("stored", "not_yet")
    assert_says(july, "not yet published")
    world.publisher.publish(archive_name(date(2025, 7, 1)), zipped_list(PLAYERS, date(2025, 7, 1)))
    assert [outcome.status for outcome in world.fetch(wanted)] == ["unchanged", "stored"]


def test_last_months_list_under_the_new_name_is_not_yet_published(world: World) -> None:
    world.today = date(2025, 7, 1)
    july = date(2025, 7, 1)
    world.publisher.publish(archive_name(july), zipped_list(PLAYERS, JUNE))
    june, outcome = world.fetch(world.wanted(since=JUNE, until=july))
    assert (june.status, outcome.status) == ("stored", "not_yet")
    assert_says(outcome, "the list says June 2025, asked for July 2025, which is not out yet")
    assert world.stored() == [(JUNE, FIRST)]


def test_months_without_a_list_cost_no_request(world: World) -> None:
    keys = [ListKey("fide", "standard", day) for day in (date(2003, 2, 1), date(2012, 6, 1))]
    assert world.fetch(world.server.wanted(keys)) == []
    assert world.publisher.requests == []


def test_an_old_list_has_no_page_of_links(world: World) -> None:
    day = date(2003, 1, 1)
    world.publisher.publish("jan03frl.zip", zipped("JAN03FRL.TXT", l6_text(PLAYERS, day)))
    (outcome,) = world.fetch(world.wanted(day, day))
    assert outcome.status == "stored"
    assert [request.path for request in world.publisher.requests] == ["/download/jan03frl.zip"]
    (source,) = world.raw.sources()
    assert (source.collection, source.list_date, source.rating_type) == ("fide", day, "standard")
    assert source.origin == f"{world.publisher.url}/download/jan03frl.zip"
    assert set(source.http) == {"etag", "last_modified"}


@pytest.mark.parametrize(("month_word", "status"), [("Mar10", "stored"), ("Jan10", "stored"), ("Nov09", "refused")])
def test_known_slips_of_headers_are_no_reason_to_refuse(month_word: str, status: str, world: World) -> None:
    day = date(2010, 3, 1)
    content = zipped("mar10frl.txt", o1_text(PLAYERS, day, month_word))
    world.publisher.publish(archive_name(day), content)
    assert [outcome.status for outcome in world.fetch(world.wanted(day, day))] == [status]


def test_a_renamed_file_is_found_by_the_page(world: World) -> None:
    (world.publisher.root / "download" / FILE).rename(world.publisher.root / "download/standard_may25_new.zip")
    assert world.fetch()[1].status == "stored"
    assert world.publisher.asked(f"*{FILE}") == []


def test_a_page_that_fails_does_not_matter(world: World) -> None:
    world.publisher.misbehave("/a_download.php", Fault("status", status=403, forever=True))
    assert [outcome.status for outcome in world.fetch()] == ["stored"] * 3


def test_a_silent_host_is_left_alone_after_three_lists(world: World) -> None:
    days = [date(2024, month, 1) for month in range(1, 13)]
    world.publisher.misbehave("/a_download.php", Fault("status", status=503, forever=True))
    for day in days:
        world.publisher.misbehave(archive_name(day), Fault("status", status=503, forever=True))
    outcomes = world.fetch(world.wanted(days[0], days[-1]))
    assert {outcome.status for outcome in outcomes} == {"failed_transient"}
    assert [outcome.tries for outcome in outcomes] == [ATTEMPTS] * 3 + [0] * 9
    assert_says(outcomes[-1], "not asked")
    assert len(world.publisher.asked("/a_download.php*")) == ATTEMPTS


def test_a_fault_of_the_program_stops_nothing_else(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(data: bytes, file_name: str) -> ParsedFile:
        if file_name == FILE:
            raise ZeroDivisionError("unforeseen")
        return read_list(data, file_name)

    monkeypatch.setattr(fide, "read_list", read)
    outcomes = world.fetch()
    assert [outcome.status for outcome in outcomes] == ["stored", "refused", "stored"]
    assert_says(outcomes[1], "a fault of the program (ZeroDivisionError: unforeseen)")
    assert not list((world.folder / "parts").glob("*.complete"))


def test_a_full_disk_is_said_and_the_next_run_goes_on(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def keep(self: DownloadStore, download: Download) -> bool:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(DownloadStore, "keep", keep)
        outcomes = world.fetch()
    assert {outcome.status for outcome in outcomes} == {"failed_transient"}
    assert_says(outcomes[0], "No space left")
    assert not list((world.folder / "parts").glob("*.complete"))
    assert [outcome.status for outcome in world.fetch()] == ["stored"] * 3


def test_interrupted_what_came_stays(world: World) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.lists_done == 1 and progress.bytes_done:
            raise KeyboardInterrupt

    store = DownloadStore(world.raw)
    with pytest.raises(KeyboardInterrupt):
        fetch_lists(world.wanted(), world.session(), store, world.state, interrupt)
    assert [item[0] for item in world.stored()] == [APRIL]
    assert [outcome.status for outcome in world.fetch()] == ["unchanged", "stored", "stored"]


def test_progress_says_which_list_and_how_many_bytes(world: World) -> None:
    seen: list[Progress] = []
    outcomes = list(fetch_each(world.wanted(), world.session(), DownloadStore(world.raw), world.state, seen.append))
    sizes = [outcome.got.byte_size for outcome in outcomes if outcome.got]
    assert {(item.lists_done, item.lists_total) for item in seen} == {(0, 3), (1, 3), (2, 3)}
    assert [item.bytes_done for item in seen if item.bytes_done == item.bytes_total] == sizes


def test_the_same_bytes_are_never_two_lists(world: World) -> None:
    """Lists of 2003 to 2004 without a header state no month: the store is the last to notice."""
    content = zipped("LIST.TXT", l6_text(PLAYERS, date(2003, 7, 1), header=False))
    days = (date(2003, 7, 1), date(2003, 10, 1))
    for day in days:
        world.publisher.publish(archive_name(day), content)
    first, second = world.fetch(world.wanted(*days))
    assert (first.status, second.status) == ("stored", "refused")
    assert_says(second, "held already")
    assert [source.list_date for source in world.raw.sources()] == [days[0]]


def test_xml_stands_in_where_there_is_no_text(world: World) -> None:
    (world.publisher.root / "download" / FILE).unlink()
    world.publisher.publish(FILE.replace(".zip", "_xml.zip"), zipped("standard.xml", single_xml(PLAYERS)))
    (outcome,) = world.fetch(world.wanted(MAY, MAY))
    assert outcome.status == "stored", str(outcome)
    assert world.stored() == [(MAY, FIRST)]


def test_olimpbase_falls_back_to_its_mirror_and_takes_no_other_list(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = [f"{world.publisher.url}/download/{name}" for name in ("elo1967-2001.zip", "mirror.zip")]
    monkeypatch.setattr(olimpbase, "ADDRESSES", addresses)
    world.publisher.publish("mirror.zip", MAY_ZIP)
    (outcome,) = world.fetch([olimpbase.wanted(addresses[0])])
    assert outcome.status == "refused"
    assert_says(outcome, "expected OlimpBase's bulk file")
    assert [request.status for request in world.publisher.requests] == [404, 200]
    assert world.raw.sources() == []


def combined(month: date, world: World) -> Wanted:
    world.today = month
    return world.server.wanted_current(())[0]


@pytest.mark.parametrize(
    ("made", "status"),
    [(date(2025, 6, 7), "stored"), (date(2025, 5, 31), "not_yet"), (date(2025, 6, 28), "not_yet")],
)
def test_the_combined_list_is_dated_by_when_it_was_made(made: date, status: str, world: World) -> None:
    everybody = [Player(9_900_001, "Invented Aa, Ola", rapid=1900, blitz=1750), *PLAYERS[1:]]
    world.publisher.publish("players_list.zip", zipped("players_list_foa.txt", n3_text(everybody)), made)
    (outcome,) = world.fetch([combined(JUNE, world)])
    assert outcome.status == status
    assert len(world.raw.sources()) == (status == "stored")


def test_the_current_list_of_last_month_is_not_stored_as_this_months(world: World) -> None:
    world.publisher.publish("standard_rating_list.zip", zipped_list(PLAYERS, MAY))
    current = world.server.wanted_current(["standard"])[:1]
    assert [outcome.status for outcome in world.fetch(current)] == ["not_yet"]
    world.publisher.publish("standard_rating_list.zip", zipped_list(PLAYERS, JUNE))
    assert [outcome.status for outcome in world.fetch(current)] == ["stored"]
    assert world.stored() == [(JUNE, FIRST)]


@pytest.mark.shared
def test_case_month_label_disagrees(world: World, shared_dir: Path) -> None:
    case = shared_dir / "cases/10_month_label_disagrees"
    expected = json.loads((case / "expected.json").read_text())["must"]
    for file in case.glob("*.zip"):
        world.publisher.publish(file.name, file.read_bytes())
    world.today = date(2025, 11, 5)
    outcomes = world.fetch(world.wanted(date(2025, 8, 1), date(2025, 10, 1)))
    assert [outcome.status for outcome in outcomes] == ["stored", "refused", "stored"]
    assert_says(outcomes[1], "the list says August 2025, asked for September 2025")
    assert [f"{item[0]:%Y-%m}" for item in world.stored()] == expected["periods_present_afterwards"]

    world.today = date(2025, 9, 1)
    (outcome,) = world.fetch(world.server.wanted_current(["standard"])[:1])
    assert outcome.status == "not_yet"
    assert [f"{item[0]:%Y-%m}" for item in world.stored()] == expected["periods_present_afterwards"]


@pytest.mark.shared
def test_case_broken_downloads(world: World, shared_dir: Path) -> None:
    case = shared_dir / "cases/11_broken_downloads"
    expected: dict[str, str] = json.loads((case / "expected.json").read_text())["must"]["outcome"]
    words = {
        "truncated.zip": "cut off",
        "html_instead.zip": "not a zip archive but a web page",
        "empty.zip": "no bytes",
        "header_only.zip": "a list without players",
        "crc_error.zip": "damaged",
    }
    assert expected.keys() - words.keys() == {"good.zip", "member_cut.zip"}
    may = world.wanted(MAY, MAY)
    for name, said in words.items():
        world.publisher.publish(FILE, (case / name).read_bytes())
        (outcome,) = world.fetch(may)
        assert outcome.status == "refused", name
        assert_says(outcome, said)
        assert world.raw.sources() == []
    world.publisher.publish(FILE, (case / "good.zip").read_bytes())
    assert [outcome.status for outcome in world.fetch(may)] == ["stored"]
    (source,) = world.raw.sources()
    assert read_list(world.raw.read(source), FILE).entries.height == 60

    # One line is not whole: accepted, and the reader reports the line.
    world.publisher.publish(FILE, (case / "member_cut.zip").read_bytes())
    assert [outcome.status for outcome in world.fetch(may)] == ["revised"]
    cut = read_list((case / "member_cut.zip").read_bytes(), FILE)
    assert (cut.entries.height, cut.rejects.height) == (54, 1)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "day", "rating_type"),
    [
        ("jan03frl.zip", date(2003, 1, 1), "standard"),
        ("rapid_oct12frl.zip", date(2012, 10, 1), "rapid"),
        ("blitz_jul14frl.zip", date(2014, 7, 1), "blitz"),
    ],
)
def test_real_lists_are_accepted_for_their_month_only(
    file: str, day: date, rating_type: str, world: World, shared_dir: Path
) -> None:
    content = (shared_dir / "lists/fide" / file).read_bytes()
    other = world.calendar.next_list_date(rating_type, day)
    world.publisher.publish(file, content)
    world.publisher.publish(archive_name(other, rating_type), content)
    keys = [ListKey("fide", rating_type, list_date) for list_date in (day, other)]
    outcomes = world.fetch(world.server.wanted(keys))
    assert [outcome.status for outcome in outcomes] == ["stored", "refused"], outcomes
    assert_says(outcomes[1], f"the list says {day:%B %Y}")
    (source,) = world.raw.sources()
    assert world.raw.read(source) == content
