"""A publisher that misbehaves on demand: a real HTTP server with FIDE's addresses, for tests.

It serves the files of ``ROOT/download/`` as ``/download/NAME`` with ETag, Last-Modified, conditional and range
requests, and ``/a_download.php?period=YYYY-MM-01`` with links to that month's files. Files may be changed while
it runs. Faults are queued per address and used up one per request; the last of a queue stays when ``forever``.

As a program: ``python fake_publisher.py --port 8123 --root DIR``. Faults then come from ``DIR/faults.json``
(``{"/download/x.zip": [{"kind": "status", "status": 500}]}``), read again whenever it changes, and every request
is appended to ``DIR/requests.jsonl``.
"""

import argparse
import hashlib
import json
import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from email.utils import formatdate, parsedate_to_datetime
from fnmatch import fnmatchcase
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

WEB_PAGE = b"<!DOCTYPE html><html><body>We will be back soon.</body></html>"
MONTH_CODES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass
class Fault:
    """One way to misbehave.

    Attributes:
        kind: ``status`` (answer ``status``), ``page`` (a web page with 200), ``cut`` (close the connection after
            ``after`` bytes of the body), ``reset`` (reset it there), ``short`` (a whole answer, but only ``after``
            bytes of the file), ``drip`` (one byte every ``seconds``), ``hang`` (nothing for ``seconds``),
            ``redirect`` (to ``location``).
        retry_after: header sent with ``status``.
    """

    kind: Literal["status", "page", "cut", "reset", "short", "drip", "hang", "redirect"]
    status: int = 500
    after: int = 0
    seconds: float = 0.05
    location: str = ""
    retry_after: str = ""
    forever: bool = False


@dataclass(frozen=True)
class Request:
    """One request as it was answered."""

    path: str
    status: int
    headers: dict[str, str]
    at: float


@dataclass
class FakePublisher:
    """The server; use as ``with FakePublisher(folder).running() as publisher``."""

    root: Path
    port: int = 0
    no_resume: bool = False
    requests: list[Request] = field(default_factory=list)
    faults: dict[str, list[Fault]] = field(default_factory=dict)
    at_once: int = 0
    most_at_once: int = 0
    _faults_read: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        """Address without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def publish(self, name: str, content: bytes, made: date | None = None) -> None:
        """Put a file into the download folder, or change it; ``made`` is the day of its Last-Modified."""
        folder = self.root / "download"
        folder.mkdir(parents=True, exist_ok=True)
        temporary = self.root / f".{name}.tmp"
        temporary.write_bytes(content)
        if made is not None:
            noon = datetime(made.year, made.month, made.day, 12, tzinfo=UTC).timestamp()
            os.utime(temporary, (noon, noon))
        temporary.replace(folder / name)

    def misbehave(self, name: str, *faults: Fault) -> None:
        """Queue faults for the next requests of a file (``name``) or of any path (beginning with a slash)."""
        self.faults[name if name.startswith("/") else f"/download/{name}"] = list(faults)

    def asked(self, pattern: str) -> list[Request]:
        """Requests whose path matches a shell pattern."""
        return [request for request in self.requests if fnmatchcase(request.path, pattern)]

    @contextmanager
    def running(self) -> Iterator["FakePublisher"]:
        """Serve in a thread while the block runs."""
        server = self.server()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def server(self) -> ThreadingHTTPServer:
        """The server, bound but not yet serving."""
        publisher = self

        class Handler(_Handler):
            pass

        Handler.publisher = publisher
        server = _Server(("127.0.0.1", self.port), Handler)
        self.port = server.server_address[1]
        return server

    def next_fault(self, path: str) -> Fault | None:
        """Take the next queued fault of a path."""
        with self._lock:
            self._read_faults()
            queue = self.faults.get(path, [])
            if not queue:
                return None
            return queue[0] if queue[0].forever else queue.pop(0)

    def _read_faults(self) -> None:
        """Take over ``faults.json`` whenever it has changed."""
        file = self.root / "faults.json"
        if file.is_file() and (changed := file.stat().st_mtime_ns) != self._faults_read:
            self._faults_read = changed
            self.faults = {
                path: [Fault(**values) for values in queue] for path, queue in json.loads(file.read_text()).items()
            }

    def record(self, request: Request) -> None:
        """Keep a request, also on disk when running as a program."""
        with self._lock:
            self.requests.append(request)
            if (log := self.root / "requests.jsonl").exists():
                with log.open("a") as file:
                    file.write(json.dumps(asdict(request)) + "\n")


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away are part of the play; everything else is shown."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    publisher: FakePublisher

    def do_GET(self) -> None:
        publisher = self.publisher
        with publisher._lock:
            publisher.at_once += 1
            publisher.most_at_once = max(publisher.most_at_once, publisher.at_once)
        try:
            self._answer(publisher.next_fault(urlsplit(self.path).path))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client went away
        finally:
            with publisher._lock:
                publisher.at_once -= 1

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing; requests are recorded."""

    def _answer(self, fault: Fault | None) -> None:
        parts = urlsplit(self.path)
        if fault is not None and fault.kind == "status":
            extra = {"Retry-After": fault.retry_after} if fault.retry_after else {}
            return self._send(fault.status, WEB_PAGE, extra)
        if fault is not None and fault.kind == "redirect":
            return self._send(302, b"", {"Location": fault.location})
        if fault is not None and fault.kind == "hang":
            time.sleep(fault.seconds)
            self.close_connection = True
            return None
        if fault is not None and fault.kind == "page":
            return self._send(200, WEB_PAGE, {"Content-Type": "text/html"})
        if parts.path == "/a_download.php":
            return self._send(200, self._links(parse_qs(parts.query).get("period", [""])[0]), {})
        name = parts.path.removeprefix("/download/")
        file = self.publisher.root / "download" / name
        if "/" in name or name.startswith(".") or not file.is_file():
            return self._send(404, WEB_PAGE, {})
        return self._send_file(file, fault)

    def _links(self, period: str) -> bytes:
        """FIDE's answer: links to the archives of a month, absolute and still by http."""
        month = f"{MONTH_CODES[int(period[5:7]) - 1]}{period[2:4]}" if len(period) == 10 else "?"
        folder = self.publisher.root / "download"
        names = sorted(path.name for path in folder.glob(f"*_{month}*.zip"))
        rows = "".join(f'<li><a href="{self.publisher.url}/download/{name}" class="tur">TXT</a></li>' for name in names)
        return f"<ul>{rows}</ul>".encode()

    def _send_file(self, file: Path, fault: Fault | None) -> None:
        body = file.read_bytes()
        modified = int(file.stat().st_mtime)
        version = {
            "ETag": f'"{hashlib.sha256(body).hexdigest()[:16]}"',
            "Last-Modified": formatdate(modified, usegmt=True),
            "Content-Type": "application/zip",
        }
        if self._is_known(version["ETag"], modified):
            return self._send(304, b"", version)
        start = self._range_start(version)
        if start is not None and start >= len(body):
            return self._send(416, b"", {"Content-Range": f"bytes */{len(body)}"})
        status = 200
        if start is not None:
            version["Content-Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
            status, body = 206, body[start:]
        return self._send(status, body, version, fault)

    def _is_known(self, etag: str, modified: int) -> bool:
        if (known := self.headers.get("If-None-Match")) is not None:
            return etag in [value.strip() for value in known.split(",")]
        if (since := self.headers.get("If-Modified-Since")) is not None:
            return modified <= parsedate_to_datetime(since).timestamp()
        return False

    def _range_start(self, version: dict[str, str]) -> int | None:
        wanted = self.headers.get("Range")
        if wanted is None or self.publisher.no_resume:
            return None
        if self.headers.get("If-Range") not in (None, version["ETag"], version["Last-Modified"]):
            return None
        return int(wanted.removeprefix("bytes=").rstrip("-"))

    def _send(self, status: int, body: bytes, headers: dict[str, str], fault: Fault | None = None) -> None:
        self.publisher.record(Request(self.path, status, dict(self.headers), time.time()))
        if fault is not None and fault.kind == "short":
            body = body[: fault.after]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if fault is not None and fault.kind == "drip":
            for byte in body:
                self.wfile.write(bytes([byte]))
                time.sleep(fault.seconds)
        elif fault is not None and fault.kind in ("cut", "reset"):
            self.wfile.write(body[: fault.after])
            self.wfile.flush()
            self.close_connection = True
            if fault.kind == "reset":
                time.sleep(0.05)  # let the client read what was sent; a reset throws away what is unread
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                os.close(self.connection.detach())
        else:
            self.wfile.write(body)


def main() -> None:
    """Serve a folder until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--root", type=Path, required=True)
    options = parser.parse_args()
    (options.root / "download").mkdir(parents=True, exist_ok=True)
    (options.root / "requests.jsonl").touch()
    publisher = FakePublisher(options.root, options.port)
    server = publisher.server()
    print(f"serving {options.root} at {publisher.url}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
