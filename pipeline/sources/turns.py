"""Whose turn it is to ask a host: one request at a time, a pause between two, a wish to wait respected.

The turn is a lock file, so that it holds between processes too and the kernel frees it when one dies; the
time of the next request is the modification time of a file beside it, so that a pause survives its process.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

from filelock import FileLock

#: A time further ahead than this is a wrong clock, not a publisher's wish.
LONGEST_WISH_SECONDS: Final = 86_400.0


class Clock(Protocol):
    """Time as the fetchers see it; tests bring their own."""

    def now(self) -> float:
        """Seconds since 1970, UTC."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        """Seconds since 1970, UTC."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


class HostTurns:
    """The turns of every host, kept in ``folder``."""

    def __init__(self, folder: Path, pause_seconds: float, clock: Clock) -> None:
        self._folder = folder
        self._pause = pause_seconds
        self._clock = clock

    def wait_seconds(self, host: str) -> float:
        """Seconds until ``host`` may be asked again."""
        try:
            ahead = self._next(host).stat().st_mtime - self._clock.now()
        except FileNotFoundError:
            return 0.0
        return ahead if 0 < ahead <= LONGEST_WISH_SECONDS else 0.0

    def postpone(self, host: str, seconds: float) -> None:
        """Let nobody ask ``host`` for so long, unless it is postponed further already."""
        seconds = min(max(seconds, self.wait_seconds(host)), LONGEST_WISH_SECONDS)
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._next(host)
        path.touch()
        when = self._clock.now() + seconds
        os.utime(path, (when, when))

    @contextmanager
    def turn(self, host: str) -> Iterator[None]:
        """Wait for the turn, hold it, and leave the pause behind."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with FileLock(self._folder / f"{_file_name(host)}.lock"):
            if (seconds := self.wait_seconds(host)) > 0:
                self._clock.sleep(seconds)
            try:
                yield
            finally:
                self.postpone(host, self._pause)

    def _next(self, host: str) -> Path:
        return self._folder / f"{_file_name(host)}.next"


def _file_name(host: str) -> str:
    return "".join(letter if letter.isalnum() or letter in ".-" else "_" for letter in host)
