"""Fetch what is wanted, list by list: one that fails never stops the others, and every one has an outcome.

Belongs here: the order of things and what each error leads to. Not here: HTTP (``http.py``), what exists and
what a file must contain (the modules of the collections), what a stored file means (``pipeline.lists``).
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, Literal
from urllib.parse import urlsplit

from pipeline.formats.parsed import FormatError
from pipeline.sources.downloaded import Downloaded
from pipeline.sources.errors import (
    ContentRefusedError,
    NotFoundError,
    NotYetPublishedError,
    PermanentError,
    TransientError,
)
from pipeline.sources.http import PoliteSession
from pipeline.sources.state import AddressState, FetchState
from pipeline.sources.wanted import Download, Store, Wanted

_log = logging.getLogger(__name__)

#: ``stored``: new here. ``revised``: another content than before, so a new edition. ``unchanged``: the same.
#: ``not_yet``: not out, the next run asks. ``refused``: wrong, nothing stored, no use in asking again now.
#: ``failed_transient``: no luck, nothing stored, the next run goes on.
Status = Literal["stored", "revised", "unchanged", "not_yet", "refused", "failed_transient"]

#: After so many lists in a row that a host failed to deliver it is not asked again in this run.
SILENT_LISTS: Final = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the fetch of one list ended.

    Attributes:
        url: the address that decided; None when none was asked.
        tries: requests for the file (pages that only list addresses are not counted).
        got: the file, when one came whole and is held now. Its path is gone.
    """

    wanted: Wanted
    status: Status
    url: str | None = None
    reason: str = ""
    tries: int = 0
    got: Downloaded | None = None

    def __str__(self) -> str:
        said = {"not_yet": "not yet published", "failed_transient": "failed for now"}.get(self.status, self.status)
        size = f" ({self.got.byte_size:,} bytes)" if self.got is not None else ""
        asked = f" [asked {self.tries} times]" if self.tries > 1 else ""
        return f"{self.wanted.label}: {said}{size}{': ' + self.reason if self.reason else ''}{asked}"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the fetch is; ``bytes_total`` is None while unknown."""

    label: str
    lists_done: int
    lists_total: int
    bytes_done: int
    bytes_total: int | None


ShowProgress = Callable[[Progress], None]


def fetch_lists(
    wanted: Sequence[Wanted],
    session: PoliteSession,
    store: Store,
    state: FetchState,
    progress: ShowProgress | None = None,
) -> list[Outcome]:
    """Fetch all of ``wanted`` and say how each ended, in the same order."""
    return list(fetch_each(wanted, session, store, state, progress))


def fetch_each(
    wanted: Sequence[Wanted],
    session: PoliteSession,
    store: Store,
    state: FetchState,
    progress: ShowProgress | None = None,
) -> Iterator[Outcome]:
    """As ``fetch_lists``, one outcome at a time. Interrupted at any point, what was stored stays stored."""
    session.clean_up()
    failed_in_a_row: dict[str, int] = {}
    for done, item in enumerate(wanted):

        def show(bytes_done: int, bytes_total: int | None, item: Wanted = item, done: int = done) -> None:
            if progress is not None:
                progress(Progress(item.label, done, len(wanted), bytes_done, bytes_total))

        show(0, None)
        outcome = _Fetch(item, session, store, state, show, failed_in_a_row).outcome()
        if outcome.url is not None:
            host = urlsplit(outcome.url).netloc
            failed = outcome.status == "failed_transient"
            failed_in_a_row[host] = failed_in_a_row.get(host, 0) + 1 if failed else 0
            _note(state, outcome)
        yield outcome


@dataclass(frozen=True, slots=True)
class _Fetch:
    """The fetch of one list."""

    wanted: Wanted
    session: PoliteSession
    store: Store
    state: FetchState
    show: Callable[[int, int | None], None]
    failed_in_a_row: dict[str, int]

    def outcome(self) -> Outcome:
        absent: list[Outcome] = []
        for url in self._addresses():
            host = urlsplit(url).netloc
            if (lists := self.failed_in_a_row.get(host, 0)) >= SILENT_LISTS:
                reason = f"not asked: {host} failed to deliver {lists} lists in a row; run again later"
                return Outcome(self.wanted, "failed_transient", reason=reason)
            outcome, is_absent = self._from(url)
            tries = outcome.tries + sum(other.tries for other in absent)
            if not is_absent:
                return replace(outcome, tries=tries)
            absent.append(outcome)
        if not absent:
            return Outcome(self.wanted, "refused", reason="no address is known for it")
        return replace(absent[0], tries=sum(other.tries for other in absent))

    def _addresses(self) -> Iterator[str]:
        """The address that worked before, then the others, which may cost a request: only if needed."""
        before = self.state.stored(self.wanted.label)
        if before is not None:
            yield before[0]
        for url in self.wanted.candidates(self.session):
            if before is None or url != before[0]:
                yield url

    def _from(self, url: str) -> tuple[Outcome, bool]:
        """The outcome at one address; the second value says that there is no such file, so try the next."""
        before = self.state.of_url(url)
        held = before is not None and before.sha256 is not None and self.store.holds(before.sha256)
        try:
            got = self.session.download(
                url,
                known=before.validators if before is not None and held else None,
                check=self.wanted.check,
                progress=self.show,
            )
            if isinstance(got, Downloaded):
                return self._keep(url, got), False
            return Outcome(self.wanted, "unchanged", url, tries=got.tries), False
        except NotFoundError as error:
            status: Status = "not_yet" if self.wanted.may_be_absent else "refused"
            return Outcome(self.wanted, status, url, str(error), error.tries), True
        except ContentRefusedError as error:
            status = "not_yet" if isinstance(error.__cause__, NotYetPublishedError) else "refused"
            return Outcome(self.wanted, status, url, str(error), error.tries), False
        except PermanentError as error:
            return Outcome(self.wanted, "refused", url, str(error), error.tries), False
        except TransientError as error:
            return Outcome(self.wanted, "failed_transient", url, str(error), error.tries), False
        except OSError as error:
            reason = f"cannot be written here ({error}): make room or correct the rights, then run again"
            return Outcome(self.wanted, "failed_transient", url, reason, 1), False
        except Exception as error:  # no file may keep the others out, whatever is wrong with it
            _log.exception("%s: a fault of the program", self.wanted.label)
            reason = f"a fault of the program ({type(error).__name__}: {error}); please report it with the file"
            return Outcome(self.wanted, "refused", url, reason, 1), False

    def _keep(self, url: str, got: Downloaded) -> Outcome:
        revises = self.state.stored(self.wanted.label) is not None
        facts = {"etag": got.validators.etag, "last_modified": got.validators.last_modified}
        download = Download(
            path=got.path,
            file_name=got.file_name,
            collection=self.wanted.collection,
            origin=got.url,
            retrieved_at=got.retrieved_at,
            sha256=got.sha256,
            list_date=self.wanted.list_date,
            rating_type=self.wanted.rating_type,
            http={name: value for name, value in facts.items() if value is not None},
        )
        try:
            is_new = self.store.keep(download)
        except FormatError as error:
            return Outcome(self.wanted, "refused", url, str(error), got.tries)
        finally:
            got.path.unlink(missing_ok=True)
        status: Status = "unchanged" if not is_new else "revised" if revises else "stored"
        return Outcome(self.wanted, status, url, "", got.tries, got)


def _note(state: FetchState, outcome: Outcome) -> None:
    """Write down how the last request to an address went; only a file that is held changes its version."""
    assert outcome.url is not None
    before = state.of_url(outcome.url) or AddressState(outcome.wanted.label, "", "")
    good = outcome.status in ("stored", "revised", "unchanged")
    after = replace(
        before,
        label=outcome.wanted.label,
        checked_at=datetime.now(UTC).isoformat(timespec="seconds"),
        outcome=outcome.status,
        reason=outcome.reason,
        attempts=0 if good else before.attempts + outcome.tries,
    )
    if outcome.got is not None:
        version = outcome.got.validators
        after = replace(after, etag=version.etag, last_modified=version.last_modified, sha256=outcome.got.sha256)
    state.record(outcome.url, after)
