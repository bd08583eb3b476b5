"""One file from a publisher over real HTTP: limits, retries, resuming, redirects, politeness."""

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path

import pytest
from integration.fake_publisher import FakePublisher, Fault
from integration.patient_clock import PatientClock

from pipeline.formats.parsed import FormatError
from pipeline.sources.downloaded import Downloaded, NotModified
from pipeline.sources.errors import ContentRefusedError, NotFoundError, PermanentError, TransientError
from pipeline.sources.http import PoliteSession
from pipeline.sources.limits import Limits
from pipeline.sources.partial import PartialFile, Validators

CONTENT = bytes(range(256)) * 400  # 102,400 bytes, no repetition that would hide a wrong join
LIMITS = Limits(connect_seconds=5, read_seconds=10, attempt_seconds=30)


@pytest.fixture
def publisher(tmp_path: Path) -> Iterator[FakePublisher]:
    with FakePublisher(tmp_path / "publisher").running() as running:
        running.publish("a.zip", CONTENT)
        yield running


@pytest.fixture
def clock() -> PatientClock:
    return PatientClock()


@pytest.fixture
def session(tmp_path: Path, clock: PatientClock) -> PoliteSession:
    return PoliteSession(tmp_path / "parts", limits=LIMITS, clock=clock, jitter=lambda: 1.0)


def address(publisher: FakePublisher, name: str = "a.zip") -> str:
    return f"{publisher.url}/download/{name}"


def downloaded(session: PoliteSession, url: str) -> Downloaded:
    got = session.download(url)
    assert isinstance(got, Downloaded)
    return got


def left_behind(session: PoliteSession) -> list[str]:
    """Parts and complete files in the session's folder; turns of hosts are meant to stay."""
    names = [path.name for path in session.folder.iterdir()]
    return sorted(name for name in names if not name.endswith((".lock", ".next")))


def test_a_good_file_comes_whole_with_its_version(publisher: FakePublisher, session: PoliteSession) -> None:
    got = downloaded(session, address(publisher))
    assert got.path.read_bytes() == CONTENT
    assert got.sha256 == hashlib.sha256(CONTENT).hexdigest()
    assert got.file_name == "a.zip"
    assert got.validators.etag is not None
    assert got.validators.last_modified is not None
    assert (got.tries, got.resumed, got.byte_size) == (1, False, len(CONTENT))


def test_a_known_version_is_asked_for_conditionally(publisher: FakePublisher, session: PoliteSession) -> None:
    known = downloaded(session, address(publisher)).validators
    assert isinstance(session.download(address(publisher), known=known), NotModified)
    publisher.publish("a.zip", CONTENT[::-1])
    again = session.download(address(publisher), known=known)
    assert isinstance(again, Downloaded)
    assert again.path.read_bytes() == CONTENT[::-1]
    assert [request.status for request in publisher.requests] == [200, 304, 200]


def test_who_asks_is_said(publisher: FakePublisher, tmp_path: Path, clock: PatientClock) -> None:
    session = PoliteSession(tmp_path / "parts", contact="someone@example.org", clock=clock)
    session.download(address(publisher))
    agent = publisher.requests[0].headers["User-Agent"]
    assert agent.startswith("chess-rating-history/")
    assert "someone@example.org" in agent


@pytest.mark.parametrize("contact", ["a@b.org\r\nX: 1", "söme@example.org"])
def test_a_contact_that_fits_no_header_is_refused(contact: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="RATINGS_CONTACT"):
        PoliteSession(tmp_path, contact=contact)


def test_a_cut_connection_is_continued_where_it_ended(publisher: FakePublisher, session: PoliteSession) -> None:
    publisher.misbehave("a.zip", Fault("cut", after=40_000))
    got = downloaded(session, address(publisher))
    assert got.path.read_bytes() == CONTENT
    assert got.resumed
    assert got.tries == 2
    second = publisher.requests[1]
    assert second.status == 206
    assert second.headers["Range"] == "bytes=40000-"
    assert second.headers["If-Range"] == got.validators.etag


def test_a_reset_is_continued(publisher: FakePublisher, session: PoliteSession) -> None:
    publisher.misbehave("a.zip", Fault("reset", after=30_000), Fault("reset", after=20_000))
    got = downloaded(session, address(publisher))
    assert got.path.read_bytes() == CONTENT
    assert got.tries == 3


def test_a_file_changed_between_the_parts_is_fetched_whole(publisher: FakePublisher, session: PoliteSession) -> None:
    publisher.misbehave("a.zip", *[Fault("cut", after=1000)] * LIMITS.attempts)
    with pytest.raises(TransientError, match=r"connection lost|cut off"):
        session.download(address(publisher))
    publisher.publish("a.zip", CONTENT[::-1])
    got = downloaded(session, address(publisher))
    assert got.path.read_bytes() == CONTENT[::-1]
    assert not got.resumed


def test_a_server_that_cannot_resume_sends_it_whole(publisher: FakePublisher, session: PoliteSession) -> None:
    publisher.no_resume = True
    publisher.misbehave("a.zip", Fault("cut", after=1000))
    got = downloaded(session, address(publisher))
    assert got.path.read_bytes() == CONTENT
    assert not got.resumed


def test_a_part_that_is_complete_already_is_used(publisher: FakePublisher, session: PoliteSession) -> None:
    version = downloaded(session, address(publisher)).validators
    part = PartialFile(session.folder, address(publisher))
    part.restart(version)
    part.path.write_bytes(CONTENT)
    got = downloaded(session, address(publisher))
    assert got.path.read_bytes() == CONTENT
    assert publisher.requests[-1].status == 416


def test_a_part_without_a_strong_validator_is_not_continued(tmp_path: Path) -> None:
    part = PartialFile(tmp_path, "http://example.org/a.zip")
    part.restart(Validators(etag='W/"1"'))
    part.path.write_bytes(b"abc")
    assert part.held() == (0, Validators())


def test_joined_parts_that_make_no_sense_are_fetched_once_more_whole(
    publisher: FakePublisher, session: PoliteSession
) -> None:
    url = address(publisher)
    part = PartialFile(session.folder, url)
    part.restart(downloaded(session, url).validators)
    part.path.write_bytes(b"\0" * 5000)  # as after a power cut

    def check(got: Downloaded) -> None:
        if got.path.read_bytes() != CONTENT:
            raise FormatError("damaged")

    got = session.download(url, check=check)
    assert isinstance(got, Downloaded)
    assert got.path.read_bytes() == CONTENT
    assert [request.status for request in publisher.requests] == [200, 206, 200]


def test_refused_content_leaves_nothing_behind(publisher: FakePublisher, session: PoliteSession) -> None:
    def check(got: Downloaded) -> None:
        raise FormatError("not a list")

    with pytest.raises(ContentRefusedError, match="not a list"):
        session.download(address(publisher), check=check)
    assert left_behind(session) == []
    assert len(publisher.requests) == 1


def test_a_fault_of_the_check_itself_leaves_nothing_behind(publisher: FakePublisher, session: PoliteSession) -> None:
    def check(got: Downloaded) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        session.download(address(publisher), check=check)
    assert left_behind(session) == []


@pytest.mark.parametrize("status", [500, 502, 503, 429, 408])
def test_a_busy_server_is_asked_again_later(
    status: int, publisher: FakePublisher, session: PoliteSession, clock: PatientClock
) -> None:
    publisher.misbehave("a.zip", Fault("status", status=status), Fault("status", status=status))
    assert downloaded(session, address(publisher)).tries == 3
    assert clock.slept == pytest.approx([5.0, 10.0], abs=0.5)


def test_tries_end(publisher: FakePublisher, session: PoliteSession, clock: PatientClock) -> None:
    publisher.misbehave("a.zip", Fault("status", status=500, forever=True))
    with pytest.raises(TransientError, match="answers 500") as caught:
        session.download(address(publisher))
    assert caught.value.tries == len(publisher.requests) == LIMITS.attempts
    assert clock.slept == pytest.approx([5.0, 10.0, 20.0], abs=0.5)


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_is_respected(
    form: str, publisher: FakePublisher, session: PoliteSession, clock: PatientClock
) -> None:
    value = "47" if form == "seconds" else formatdate(clock.now() + 47, usegmt=True)
    publisher.misbehave("a.zip", Fault("status", status=429, retry_after=value))
    downloaded(session, address(publisher))
    assert clock.slept == pytest.approx([47.0], abs=1.5)


def test_a_long_wait_is_left_to_the_next_run(
    publisher: FakePublisher, session: PoliteSession, clock: PatientClock
) -> None:
    publisher.publish("b.zip", CONTENT)
    publisher.misbehave("a.zip", Fault("status", status=503, retry_after="7200"))
    for name in ("a.zip", "b.zip"):
        with pytest.raises(TransientError, match="wants not to be asked"):
            session.download(address(publisher, name))
    assert clock.slept == []
    assert len(publisher.requests) == 1
    clock.sleep(7200)
    assert downloaded(session, address(publisher)).tries == 1


@pytest.mark.parametrize(
    ("status", "kind"), [(404, NotFoundError), (410, NotFoundError), (403, PermanentError), (401, PermanentError)]
)
def test_a_clear_no_is_not_asked_again(
    status: int, kind: type[PermanentError], publisher: FakePublisher, session: PoliteSession
) -> None:
    publisher.misbehave("a.zip", Fault("status", status=status, forever=True))
    with pytest.raises(kind, match=f"answers {status}") as caught:
        session.download(address(publisher))
    assert "inbox" in caught.value.advice
    assert len(publisher.requests) == 1


def test_a_drip_ends_at_the_time_limit_and_is_continued(
    publisher: FakePublisher, session: PoliteSession, tmp_path: Path, clock: PatientClock
) -> None:
    quick = PoliteSession(tmp_path / "parts", limits=replace(LIMITS, attempt_seconds=0.5), clock=clock)
    publisher.misbehave("a.zip", *[Fault("drip", seconds=0.01)] * 2)
    started = time.monotonic()
    got = downloaded(quick, address(publisher))
    assert got.path.read_bytes() == CONTENT
    assert got.tries == 3
    assert time.monotonic() - started < 10
    starts = [int(request.headers["Range"][6:-1]) for request in publisher.requests[1:]]
    assert 0 < starts[0] < starts[1] < 1000


def test_a_server_that_says_nothing_times_out(publisher: FakePublisher, tmp_path: Path, clock: PatientClock) -> None:
    limits = replace(LIMITS, read_seconds=0.2, attempts=2)
    session = PoliteSession(tmp_path / "parts", limits=limits, clock=clock)
    publisher.misbehave("a.zip", Fault("hang", seconds=1), Fault("hang", seconds=1))
    with pytest.raises(TransientError, match="no answer") as caught:
        session.download(address(publisher))
    assert "another network" in caught.value.advice
    assert caught.value.tries == 2


def test_nobody_there(session: PoliteSession) -> None:
    with pytest.raises(TransientError, match="no connection"):
        session.download("http://127.0.0.1:9/download/a.zip")


@pytest.mark.parametrize("announced", [True, False])
def test_too_large_is_refused(announced: bool, publisher: FakePublisher, tmp_path: Path, clock: PatientClock) -> None:
    limit = 50_000 if announced else 102_000
    session = PoliteSession(tmp_path / "parts", limits=replace(LIMITS, file_bytes=limit), clock=clock)
    with pytest.raises(PermanentError, match="larger than allowed"):
        session.download(address(publisher))
    assert left_behind(session) == []


def test_redirects_stay_on_the_host(publisher: FakePublisher, session: PoliteSession) -> None:
    publisher.publish("b.zip", b"other")
    publisher.misbehave("a.zip", Fault("redirect", location="/download/b.zip"))
    got = downloaded(session, address(publisher))
    assert got.path.read_bytes() == b"other"
    assert got.url.endswith("/download/b.zip")


@pytest.mark.parametrize("location", ["http://localhost:{port}/download/a.zip", "https://example.org/a.zip", "//x/"])
def test_redirects_to_another_host_are_refused(location: str, publisher: FakePublisher, session: PoliteSession) -> None:
    publisher.misbehave("a.zip", Fault("redirect", location=location.format(port=publisher.port)))
    with pytest.raises(PermanentError, match="redirects to another host"):
        session.download(address(publisher))
    assert len(publisher.requests) == 1


def test_redirects_in_a_circle_end(publisher: FakePublisher, session: PoliteSession) -> None:
    publisher.misbehave("a.zip", Fault("redirect", location="/download/a.zip", forever=True))
    with pytest.raises(PermanentError, match="more than 5 times"):
        session.download(address(publisher))


def test_a_pause_lies_between_requests(publisher: FakePublisher, session: PoliteSession, clock: PatientClock) -> None:
    session.download(address(publisher))
    session.download(address(publisher))
    assert clock.slept == pytest.approx([LIMITS.pause_seconds], abs=0.5)


def test_one_request_at_a_time_whoever_asks(publisher: FakePublisher, tmp_path: Path) -> None:
    limits = replace(LIMITS, pause_seconds=0.0, first_backoff_seconds=0.01)
    sessions = [PoliteSession(tmp_path / "parts", limits=limits) for _ in range(4)]
    publisher.misbehave("a.zip", *[Fault("cut", after=100)] * 2)
    got: list[bytes] = []

    def fetch(session: PoliteSession) -> None:
        got.append(downloaded(session, address(publisher)).path.read_bytes())

    threads = [threading.Thread(target=fetch, args=(session,)) for session in sessions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [CONTENT] * 4
    assert publisher.most_at_once == 1


def test_progress_counts_bytes(publisher: FakePublisher, session: PoliteSession) -> None:
    seen: list[tuple[int, int | None]] = []
    publisher.misbehave("a.zip", Fault("cut", after=40_000))
    session.download(address(publisher), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_killed_in_the_middle_the_next_process_goes_on(publisher: FakePublisher, tmp_path: Path) -> None:
    publisher.misbehave("a.zip", Fault("drip", seconds=0.005))
    program = (
        "import sys, pathlib; from pipeline.sources.http import PoliteSession;"
        "PoliteSession(pathlib.Path(sys.argv[1])).download(sys.argv[2])"
    )
    folder = tmp_path / "parts"
    process = subprocess.Popen([sys.executable, "-c", program, str(folder), address(publisher)])
    deadline = time.monotonic() + 15
    while PartialFile(folder, address(publisher)).held()[0] < 10 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    held, _ = PartialFile(folder, address(publisher)).held()
    assert held >= 10
    got = downloaded(PoliteSession(folder, clock=PatientClock()), address(publisher))
    assert got.path.read_bytes() == CONTENT
    assert publisher.requests[-1].headers["Range"] == f"bytes={held}-"


def test_complete_files_of_killed_processes_are_cleaned_up(
    session: PoliteSession, clock: PatientClock, publisher: FakePublisher
) -> None:
    got = downloaded(session, address(publisher))
    session.clean_up()
    assert got.path.exists()
    clock.sleep(100_000)
    session.clean_up()
    assert not got.path.exists()
