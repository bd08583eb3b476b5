"""Asking a publisher over HTTP, politely and with distrust: the one place that opens a connection.

Belongs here: requests, retries, resuming, limits. What a file should contain is the caller's content check;
what exists and where is in the module of the collection.
"""

import itertools
import logging
import os
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Final, TypeVar
from urllib.parse import unquote, urljoin, urlsplit

import requests
import urllib3

from pipeline.formats.parsed import FormatError
from pipeline.sources.answers import (
    BUSY,
    BY_HAND,
    LATER,
    NO_ANSWER,
    refusal,
    same_host,
    too_large,
    whole_size,
)
from pipeline.sources.downloaded import Downloaded, NotModified
from pipeline.sources.errors import ContentRefusedError, FetchError, PermanentError, TransientError
from pipeline.sources.limits import Limits
from pipeline.sources.partial import PartialFile, Validators
from pipeline.sources.turns import Clock, HostTurns, SystemClock

#: Called with (bytes so far, bytes expected or None).
BytesProgress = Callable[[int, int | None], None]

_log = logging.getLogger(__name__)

_T = TypeVar("_T")
_NUMBERS: Final = itertools.count(1)
_COMPLETE: Final = ".complete"
_CHUNK: Final = 1 << 16


#: Raises FormatError when the complete file is not what was asked for.
ContentCheck = Callable[[Downloaded], None]


class PoliteSession:
    """Downloads one file at a time from a host.

    Args:
        folder: for parts of files and the turns of hosts; shared by all processes of one installation.
        contact: mail address or page that the publisher may turn to (setting RATINGS_CONTACT).
        headers: sent with every request, such as the key of an API; redirects never leave the host.
        clock, jitter: for tests; ``jitter`` gives numbers between 0 and 1.
    """

    def __init__(
        self,
        folder: Path,
        *,
        contact: str = "",
        limits: Limits | None = None,
        headers: Mapping[str, str] | None = None,
        clock: Clock | None = None,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.limits = limits or Limits()
        self.folder = folder
        self._clock = clock or SystemClock()
        self._jitter = jitter
        self._turns = HostTurns(folder, self.limits.pause_seconds, self._clock)
        self._session = requests.Session()
        if not (contact.isascii() and contact.isprintable()):
            raise ValueError(f"RATINGS_CONTACT: expected a mail address or a page in ASCII, found {contact!r}")
        agent = f"chess-rating-history/{version('chess-rating-history')}"
        self._session.headers["User-Agent"] = f"{agent} ({contact})" if contact else agent
        self._session.headers["Accept-Encoding"] = "identity"  # bytes on disk = bytes of the file
        self._session.headers.update(headers or {})

    def download(
        self,
        url: str,
        *,
        known: Validators | None = None,
        check: ContentCheck | None = None,
        progress: BytesProgress | None = None,
    ) -> Downloaded | NotModified:
        """Fetch a file; a part of it that is on disk is continued.

        Args:
            known: version that the caller holds; NotModified is returned when it is still the current one.
            check: looks into the complete file before it counts.

        Raises:
            TransientError: all tries failed; the part is kept for the next run.
            PermanentError: asking again cannot help; no part is kept.
        """
        partial = PartialFile(self.folder, url)
        for may_repeat in (True, False):
            attempted, tries = self._tried(url, lambda: self._complete(url, partial, known, progress))
            if attempted is None:
                return NotModified(url, tries)
            got = replace(attempted, tries=tries)
            try:
                if check is not None:
                    check(got)
            except BaseException as error:
                got.path.unlink()
                if not isinstance(error, FormatError):
                    raise
                if got.resumed and may_repeat:
                    continue  # perhaps parts of two versions were joined: once more, whole
                refused = ContentRefusedError(url, str(error), "Nothing was stored; the next run asks again.")
                refused.tries = tries
                raise refused from error
            return got
        raise AssertionError("the second round returns or raises")

    def page(self, url: str) -> str:
        """Fetch a small page as text.

        Raises:
            TransientError, PermanentError: as for ``download``.
        """

        def attempt() -> str:
            deadline = self._clock.now() + self.limits.attempt_seconds
            response = self._open(url, {})
            with response:
                if response.status_code != 200:
                    raise refusal(response, self._clock.now())
                return b"".join(self._chunks(response, deadline, self.limits.page_bytes)).decode(
                    "utf-8", errors="replace"
                )

        return self._tried(url, attempt)[0]

    def clean_up(self, older_than_seconds: float = 3_600.0) -> None:
        """Remove complete files that a killed process left behind."""
        for path in self.folder.glob(f"*{_COMPLETE}"):
            if path.stat().st_mtime < self._clock.now() - older_than_seconds:
                path.unlink(missing_ok=True)

    def _tried(self, url: str, attempt: Callable[[], _T]) -> tuple[_T, int]:
        """Run ``attempt`` until it succeeds or has failed often enough; the second value is how often."""
        host = urlsplit(url).netloc
        for tries in itertools.count(1):
            if (wait := self._turns.wait_seconds(host)) > self.limits.longest_wait_seconds:
                error = TransientError(url, f"{host} wants not to be asked for another {wait:.0f} s", LATER)
                error.tries = tries - 1
                raise error
            try:
                with self._turns.turn(host):
                    return attempt(), tries
            except FetchError as error:
                error.tries = tries
                if not isinstance(error, TransientError):
                    raise
                wait = self._backoff_seconds(tries, error.retry_after)
                self._turns.postpone(host, wait)
                if tries >= self.limits.attempts:
                    raise
                _log.warning("%s: %s; try %d follows in %.0f s", url, error.reason, tries + 1, wait)
        raise AssertionError("counting does not end")

    def _backoff_seconds(self, tries: int, retry_after: float | None) -> float:
        if retry_after is not None:
            return retry_after
        longest = self.limits.first_backoff_seconds * 2.0 ** (tries - 1)
        return min(longest, self.limits.longest_backoff_seconds) * (0.5 + self._jitter() / 2)

    def _complete(
        self, url: str, partial: PartialFile, known: Validators | None, progress: BytesProgress | None
    ) -> Downloaded | None:
        """One attempt at the whole file; None when the version known to the caller is current."""
        deadline = self._clock.now() + self.limits.attempt_seconds
        held, version_held = partial.held()
        headers: dict[str, str] = {}
        if known and known.etag:
            headers["If-None-Match"] = known.etag
        if known and known.last_modified:
            headers["If-Modified-Since"] = known.last_modified
        if held and version_held.for_resuming:
            headers["Range"] = f"bytes={held}-"
            headers["If-Range"] = version_held.for_resuming
        with self._open(url, headers) as response:
            status = response.status_code
            validators = Validators(response.headers.get("ETag"), response.headers.get("Last-Modified"))
            if status == 304 and known:
                partial.discard()
                return None
            content_range = response.headers.get("Content-Range", "")
            if held and status == 416 and content_range == f"bytes */{held}":
                validators = version_held  # all of it had come before the last attempt ended
            elif held and status in (206, 416):
                expected = whole_size(content_range, held)
                if status == 416 or expected is None or validators.etag not in (None, version_held.etag):
                    partial.discard()
                    raise TransientError(url, "the rest on offer does not fit the part that is here", LATER)
                self._receive(response, partial, held, expected, deadline, progress)
            elif status == 200:
                held = 0
                partial.restart(validators)
                length = response.headers.get("Content-Length", "")
                expected = int(length) if length.isdigit() else None
                self._receive(response, partial, held, expected, deadline, progress)
            else:
                if not 500 <= status < 600 and status not in BUSY:
                    partial.discard()
                raise refusal(response, self._clock.now())
            final_url = response.url
        # Another process may ask the same address once the turn is over: take the file away before.
        path = self.folder / f"{os.getpid()}-{next(_NUMBERS)}{_COMPLETE}"
        sha256 = partial.take(path)
        return Downloaded(
            path=path,
            url=final_url,
            file_name=PurePosixPath(unquote(urlsplit(final_url).path)).name,
            validators=validators,
            sha256=sha256,
            byte_size=path.stat().st_size,
            retrieved_at=datetime.fromtimestamp(self._clock.now(), UTC),
            resumed=held > 0,
        )

    def _receive(
        self,
        response: requests.Response,
        partial: PartialFile,
        size: int,
        expected: int | None,
        deadline: float,
        progress: BytesProgress | None,
    ) -> None:
        url = response.url
        try:
            if expected is not None and expected > self.limits.file_bytes:
                raise too_large(url, expected, self.limits.file_bytes)
            with partial.appending() as file:
                for chunk in self._chunks(response, deadline, self.limits.file_bytes - size):
                    file.write(chunk)
                    file.flush()  # a kill loses nothing that came
                    size += len(chunk)
                    if progress is not None:
                        progress(size, expected)
        except PermanentError:
            partial.discard()
            raise
        if expected is not None and size != expected:
            raise TransientError(url, f"cut off after {size} of {expected} bytes", LATER)

    def _chunks(self, response: requests.Response, deadline: float, limit: int) -> Iterator[bytes]:
        """What arrives, as it arrives: ``read1`` returns after every packet, so a drip meets the deadline."""
        size = 0
        try:
            while chunk := response.raw.read1(_CHUNK):
                size += len(chunk)
                if size > limit:
                    raise too_large(response.url, size, limit)
                yield chunk
                if self._clock.now() > deadline:
                    seconds = self.limits.attempt_seconds
                    raise TransientError(response.url, f"{size} bytes came in {seconds:.0f} s", LATER)
        except urllib3.exceptions.HTTPError as error:
            raise TransientError(
                response.url, f"connection lost after {size} bytes ({type(error).__name__})", LATER
            ) from error

    def _open(self, url: str, headers: dict[str, str]) -> requests.Response:
        """Ask, following redirects on the same host only."""
        timeout = (self.limits.connect_seconds, self.limits.read_seconds)
        for _ in range(self.limits.redirects + 1):
            try:
                response = self._session.get(url, headers=headers, timeout=timeout, stream=True, allow_redirects=False)
            except requests.exceptions.SSLError as error:
                advice = "Check this machine's clock and certificates, then ask again."
                raise PermanentError(url, "the certificate of the host is not accepted", advice) from error
            except (requests.exceptions.Timeout, requests.exceptions.ConnectionError) as error:
                kind = "no answer" if isinstance(error, requests.exceptions.Timeout) else "no connection"
                raise TransientError(url, f"{kind} ({type(error).__name__})", NO_ANSWER) from error
            except requests.exceptions.RequestException as error:
                raise PermanentError(url, f"not a usable address ({error})", "Correct the setting.") from error
            if not response.is_redirect:
                return response
            response.close()
            target = urljoin(url, response.headers["location"])
            if not same_host(url, target):
                raise PermanentError(url, f"redirects to another host, {target}", BY_HAND)
            url = target
        raise PermanentError(url, f"redirects more than {self.limits.redirects} times", BY_HAND)
