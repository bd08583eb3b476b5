"""A real PostgreSQL server of the test's own, on a free port of this machine."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: Where Debian puts what only the server needs.
_DEBIAN = Path("/usr/lib/postgresql")


def programs() -> Path | None:
    """Folder of ``initdb`` and ``postgres``; None where they are not installed."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    return max((path.parent for path in _DEBIAN.glob("*/bin/initdb")), default=None)


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(binaries: Path) -> Iterator[str]:
    """Start a server with an empty data folder; the address of its database, as SQLAlchemy writes it."""
    # The server refuses to run as root, and its user could not enter a test's folder.
    user = "postgres" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    if user:
        shutil.chown(folder, user)
    port = free_port()
    try:
        subprocess.run(
            [binaries / "initdb", "--pgdata", folder / "data", "--auth=trust", "--username=postgres", "--no-sync"],
            check=True,
            capture_output=True,
            user=user,
            cwd=folder,
        )
        words = [binaries / "postgres", "-D", folder / "data", "-p", str(port), "-k", folder, "-h", "127.0.0.1"]
        with subprocess.Popen(words, user=user, cwd=folder, stderr=subprocess.DEVNULL) as server:
            try:
                _wait_for(port, server)
                yield f"postgresql+psycopg2://postgres@127.0.0.1:{port}/postgres"
            finally:
                server.terminate()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError("the PostgreSQL server did not start")
