"""The US Chess API fetched from a real local server that misbehaves as the real one is known to."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner

from pipeline.cli import ratings
from pipeline.formats.uscf_api import read_api, sniff
from pipeline.sources.errors import PermanentError, TransientError
from pipeline.sources.http import PoliteSession
from pipeline.sources.limits import Limits
from pipeline.sources.uscf_api import KEY_VARIABLE, api_headers, api_root, fetch_members

QUICK = Limits(pause_seconds=0.0, first_backoff_seconds=0.01, longest_backoff_seconds=0.02, attempts=4)
PEOPLE = 57
FIRST = 19_900_001
#: Has more supplements than fit a page; is unknown to the supplements call.
LONG_HISTORY, WITHOUT_HISTORY = FIRST + 3, FIRST + 5


def member(number: int) -> dict[str, Any]:
    return {
        "id": str(number),
        "firstName": "INVENTED",
        "lastName": f"PERSON{number}",
        "fideId": str(number - 17_000_000),
        "status": "Active",
        "ratings": [{"rating": 1000 + number % 1000, "ratingSystem": "R", "isProvisional": False}],
    }


def months(number: int) -> list[dict[str, Any]]:
    count = 25 if number == LONG_HISTORY else 2
    return [
        {
            "ratingSupplementDate": f"{2023 + month // 12}-{month % 12 + 1:02d}-01",
            "ratings": [{"source": "R", "rating": 1500 + month}],
        }
        for month in reversed(range(count))
    ]


@dataclass
class FakeApi:
    """Members in pages, with faults that tests switch on."""

    order: list[int] = field(default_factory=lambda: list(range(FIRST, FIRST + PEOPLE)))
    shift_at: int | None = None  # before this request for members two of them change places
    faults: dict[str, list[tuple[int, dict[str, str]]]] = field(default_factory=dict)  # path -> answers to give first
    asked: Counter[str] = field(default_factory=Counter)
    headers: list[dict[str, str]] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    delay: float = 0.0
    text_instead: str | None = None

    def answer(self, url: str, headers: dict[str, str]) -> tuple[int, dict[str, str], str]:
        parts = urlsplit(url)
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        self.asked[parts.path] += 1
        self.headers.append(headers)
        self.urls.append(url)
        time.sleep(self.delay)
        if queue := self.faults.get(parts.path):
            status, extra = queue.pop(0)
            return status, extra, "<html>not now</html>"
        if self.text_instead is not None:
            return 200, {}, self.text_instead
        offset, size = int(query["Offset"]), int(query["Size"])
        if parts.path.endswith("/members"):
            assert query["Fide"] == "true"
            if self.asked[parts.path] == self.shift_at:
                # the first member goes to the end, the last one to the beginning: one repeats, one is missed
                self.order[0], self.order[-1] = self.order[-1], self.order[0]
            rows = [member(number) for number in self.order]
        else:
            number = int(parts.path.split("/")[-2])
            if number == WITHOUT_HISTORY:
                return 404, {}, "{}"
            rows = months(number)
        page = rows[offset : offset + size]
        body = {"items": page, "offset": offset, "pageSize": size, "hasNextPage": offset + size < len(rows)}
        return 200, {}, json.dumps(body)


@pytest.fixture
def api() -> Iterator[tuple[FakeApi, str]]:
    fake = FakeApi()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, extra, body = fake.answer(self.path, dict(self.headers))
            self.send_response(status)
            for key, value in extra.items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            with contextlib.suppress(BrokenPipeError):  # the process that asked was killed
                self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield fake, f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def _without_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)


def session(folder: Path) -> PoliteSession:
    return PoliteSession(folder, limits=QUICK)


def ids(path: Path) -> list[int]:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [int(line["member"]["id"]) for line in lines if "member" in line]


EVERYBODY = list(range(FIRST, FIRST + PEOPLE))


def test_all_members_once_with_their_history(api: tuple[FakeApi, str], tmp_path: Path) -> None:
    _, base = api
    told: list[tuple[str, int, int | None]] = []
    got = fetch_members(
        session(tmp_path), tmp_path, base_url=base, page_size=10, progress=lambda *step: told.append(step)
    )
    assert ids(got.path) == EVERYBODY
    assert (got.members, got.without_fide_id, got.sweeps) == (PEOPLE, 0, 2)
    assert told[-1] == ("histories", PEOPLE, PEOPLE)
    data = got.path.read_bytes()
    assert sniff(data[:65536], got.path.name)
    parsed, members = read_api(data)
    assert members["fide_id"].to_list() == [number - 17_000_000 for number in EVERYBODY]
    assert parsed.rejects.height == 0
    history = parsed.entries.filter(uscf_id=LONG_HISTORY).sort("list_date")
    assert history["rating"].to_list() == list(range(1500, 1525))
    assert parsed.entries.filter(uscf_id=WITHOUT_HISTORY)["rating"].to_list() == [1000 + WITHOUT_HISTORY % 1000]
    assert not list(tmp_path.glob("*.journal"))


def test_repeated_and_missing_rows_across_pages(api: tuple[FakeApi, str], tmp_path: Path) -> None:
    fake, base = api
    fake.shift_at = 3
    got = fetch_members(session(tmp_path), tmp_path, base_url=base, page_size=10, with_history=False)
    assert ids(got.path) == EVERYBODY
    assert got.sweeps == 3  # the second pass found the missed one, the third nobody


def test_a_list_that_never_settles_is_left_to_the_next_run(api: tuple[FakeApi, str], tmp_path: Path) -> None:
    fake, base = api
    answer = fake.answer

    def growing(url: str, headers: dict[str, str]) -> tuple[int, dict[str, str], str]:
        fake.order.append(fake.order[-1] + 1)
        return answer(url, headers)

    fake.answer = growing  # type: ignore[method-assign]
    with pytest.raises(TransientError, match="each still brought members"):
        fetch_members(session(tmp_path), tmp_path, base_url=base, page_size=50, with_history=False)
    fake.answer = answer  # type: ignore[method-assign]
    got = fetch_members(session(tmp_path), tmp_path, base_url=base, page_size=50, with_history=False)
    assert ids(got.path) == sorted(fake.order)


def test_busy_and_failing_answers_are_asked_again(api: tuple[FakeApi, str], tmp_path: Path) -> None:
    fake, base = api
    fake.faults = {
        "/api/v1/members": [(429, {"Retry-After": "1"}), (500, {})],
        f"/api/v1/members/{FIRST}/rating-supplements": [(500, {}), (503, {})],
    }
    began = time.monotonic()
    got = fetch_members(session(tmp_path), tmp_path, base_url=base, page_size=20)
    assert time.monotonic() - began >= 1.0, "the wish to wait was ignored"
    assert ids(got.path) == EVERYBODY
    assert fake.asked[f"/api/v1/members/{FIRST}/rating-supplements"] == 3


def test_members_without_an_answer_are_left_to_the_next_run(api: tuple[FakeApi, str], tmp_path: Path) -> None:
    fake, base = api
    silent = f"/api/v1/members/{FIRST + 1}/rating-supplements"
    fake.faults = {silent: [(500, {})] * QUICK.attempts}
    with pytest.raises(TransientError, match=f"no answer about 1 of {PEOPLE} members"):
        fetch_members(session(tmp_path), tmp_path, base_url=base, page_size=20)
    fake.asked.clear()
    got = fetch_members(session(tmp_path), tmp_path, base_url=base, page_size=20)
    assert dict(fake.asked) == {silent: 1}
    assert got.members == PEOPLE


def test_a_server_that_is_down_is_not_asked_about_every_member(api: tuple[FakeApi, str], tmp_path: Path) -> None:
    fake, base = api
    fake.faults = {f"/api/v1/members/{number}/rating-supplements": [(500, {})] * 9 for number in EVERYBODY}
    with pytest.raises(TransientError):
        fetch_members(session(tmp_path), tmp_path, base_url=base, page_size=50)
    assert len([path for path in fake.asked if path.endswith("supplements")]) == 3


RUN = """
import sys
from pathlib import Path
from pipeline.sources.http import PoliteSession
from pipeline.sources.limits import Limits
from pipeline.sources.uscf_api import fetch_members
folder = Path(sys.argv[1])
limits = Limits(pause_seconds=0.0)
fetch_members(PoliteSession(folder, limits=limits), folder, base_url=sys.argv[2], page_size=10)
"""


@pytest.mark.parametrize("killed_after", [3, 9, 30])
def test_killed_and_resumed(api: tuple[FakeApi, str], tmp_path: Path, killed_after: int) -> None:
    fake, base = api
    whole = fetch_members(session(tmp_path / "whole"), tmp_path / "whole", base_url=base, page_size=10)
    calls = len(fake.urls)
    fake.urls.clear()
    fake.delay = 0.02
    folder = tmp_path / "killed"
    folder.mkdir()
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen([sys.executable, "-c", RUN, str(folder), base], cwd=root, env=os.environ.copy())
    while len(fake.urls) < killed_after and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert list(folder.glob("*.journal"))
    assert not list(folder.glob("*.jsonl"))
    fake.delay = 0.0
    resumed = fetch_members(session(folder), folder, base_url=base, page_size=10)
    assert resumed.path.read_bytes() == whole.path.read_bytes()
    # nothing that was kept is asked again: at most the page, or the history of three pages, under way at the kill
    assert calls <= len(fake.urls) <= calls + 3


def test_a_torn_last_line_of_the_journal_is_removed(api: tuple[FakeApi, str], tmp_path: Path) -> None:
    fake, base = api
    fake.faults = {f"/api/v1/members/{number}/rating-supplements": [(500, {})] * 9 for number in EVERYBODY[4:]}
    with pytest.raises(TransientError):
        fetch_members(session(tmp_path), tmp_path, base_url=base, page_size=20)
    journal = next(tmp_path.glob("*.journal"))
    journal.write_bytes(journal.read_bytes()[:-7])
    fake.faults.clear()
    fake.asked.clear()
    got = fetch_members(session(tmp_path), tmp_path, base_url=base, page_size=20)
    assert ids(got.path) == EVERYBODY
    assert fake.asked[f"/api/v1/members/{EVERYBODY[2]}/rating-supplements"] == 0
    assert fake.asked[f"/api/v1/members/{EVERYBODY[3]}/rating-supplements"] == 2


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("<html>maintenance</html>", TransientError, "not JSON"),
        ('{"items": [{"name": "x"}]}', PermanentError, "items with id"),
        ('{"items": [], "hasNextPage": true}', TransientError, "empty page"),
        ('{"items": [], "hasNextPage": false}', PermanentError, "no member has a FIDE id"),
    ],
)
def test_answers_that_are_no_members(
    api: tuple[FakeApi, str], tmp_path: Path, text: str, error: type[Exception], message: str
) -> None:
    fake, base = api
    fake.text_instead = text
    with pytest.raises(error, match=message):
        fetch_members(session(tmp_path), tmp_path, base_url=base)


def test_the_key_comes_from_the_environment_and_is_kept_nowhere(
    api: tuple[FakeApi, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake, base = api
    assert (api_headers(), api_root(base)) == ({}, f"{base}/api/v1")
    monkeypatch.setenv(KEY_VARIABLE, "invented-key")
    asking = PoliteSession(tmp_path, limits=QUICK, headers=api_headers())
    fake.faults = {f"/api/v2/members/{FIRST}/rating-supplements": [(500, {})] * 9}
    with pytest.raises(TransientError) as caught:
        fetch_members(asking, tmp_path, base_url=base, page_size=20)
    assert all(headers["X-Api-Key"] == "invented-key" for headers in fake.headers)
    assert "invented-key" not in str(caught.value) + "".join(fake.urls)
    assert all(b"invented-key" not in path.read_bytes() for path in tmp_path.iterdir())


def test_the_command_adds_what_it_fetched_and_continues_later(
    tmp_path: Path, api: tuple[FakeApi, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    fake, url = api
    shell = CliRunner(env={"RATINGS_DATA": str(tmp_path), "RATINGS_USCF_URL": url, "RATINGS_FETCH_PAUSE": "0"})
    fake.text_instead = '{"items": [{"id": "199'
    cut_off = shell.invoke(ratings, ["fetch", "uscf"])
    assert cut_off.exit_code == 3
    assert "failed for now" in cut_off.output
    assert not list(tmp_path.glob("raw/*/*.json"))
    fake.text_instead = None
    fetched = shell.invoke(ratings, ["fetch", "uscf"])
    assert fetched.exit_code == 0, fetched.output
    assert "114 lines read, 136 entries, 0 rejected" in fetched.output
    (manifest,) = tmp_path.glob("raw/*/*.json")
    assert json.loads(manifest.read_text())["collection"] == "uscf_api"
    assert not [path for path in (tmp_path / "fetch" / "uscf").iterdir() if path.suffix != ".lock"]
