"""The US Chess ratings API: all members with a FIDE id and, if wanted, their monthly rating history.

Belongs here: what to ask, in which order, and when everything has come. How a request is made, repeated and slowed
down is in ``http.py``; what the answers mean is read by ``formats.uscf_api``.

The API promises no order across pages and states no total, so one pass over the pages may miss a member that moved
to a page already read. Passes are therefore repeated, with other page borders, until one brings nobody new.

The result is one raw file of JSON lines. A killed fetch continues where it stopped.
"""

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import quote, urlencode

from pipeline.sources.errors import NotFoundError, PermanentError, TransientError
from pipeline.sources.uscf_journal import Journal

#: Rows of a page. Clients in use ask for 100 and 200; without a size the server reports pages of 0.
PAGE_SIZE: Final = 200
#: Passes of one run after which a list that still brings new members is left to the next run.
MAX_SWEEPS: Final = 6
#: Members in a row without an answer after which the fetch stops.
SILENT_MEMBERS: Final = 3
#: Environment variable with the key of version 2 of the API; never stored, logged or put into an address.
KEY_VARIABLE: Final = "USCF_API_KEY"

_LATER: Final = "The next run continues where this one stopped."
_CHANGED: Final = "The API may have changed; compare with its published schema."

#: (what is being fetched, how many are done, how many there are if known)
Progress = Callable[[str, int, int | None], None]


class PageSession(Protocol):
    """The part of ``PoliteSession`` that is needed here."""

    def page(self, url: str) -> str:
        """The answer as text; raises TransientError or PermanentError."""
        ...


@dataclass(frozen=True, slots=True)
class FetchedMembers:
    """A finished fetch.

    Attributes:
        path: the raw file, JSON lines: one member a line, its history on the next line.
        members: members in the file.
        without_fide_id: members that came although their record states no FIDE id.
        sweeps: passes over the pages; the last one brought nobody new.
    """

    path: Path
    members: int
    without_fide_id: int
    sweeps: int


def api_headers() -> dict[str, str]:
    """Headers for the session: the key of version 2 where the environment has one."""
    key = os.environ.get(KEY_VARIABLE, "")
    return {"X-Api-Key": key} if key else {}


def api_root(base_url: str) -> str:
    """Address of the API: version 2 where the environment has a key, else version 1, which needs none."""
    return f"{base_url.rstrip('/')}/api/{'v2' if os.environ.get(KEY_VARIABLE) else 'v1'}"


def fetch_members(
    session: PageSession,
    folder: Path,
    *,
    base_url: str,
    with_history: bool = True,
    page_size: int = PAGE_SIZE,
    progress: Progress | None = None,
) -> FetchedMembers:
    """Fetch all members with a FIDE id, resuming a fetch that was stopped.

    Args:
        session: asks politely and repeats what is worth repeating.
        folder: for the journal and the finished file.
        base_url: the server, e.g. ``https://ratings-api.uschess.org``.
        with_history: ask for the monthly supplements of each member too, one request or more a member.
        page_size: rows to ask for.
        progress: told after every answer.

    Raises:
        TransientError: not everything came; what came is kept for the next run.
        PermanentError: the API refuses, or answers something else than its schema says.
    """
    root = api_root(base_url)
    name = hashlib.sha256(f"{root}|{with_history}".encode()).hexdigest()[:12]
    report = progress or (lambda what, done, total: None)
    with Journal(folder / f"uscf_api_{name}.journal") as journal:
        _sweep_until_settled(session, root, journal, page_size, report)
        if with_history:
            _fetch_histories(session, root, journal, page_size, report)
        path = _write(folder, journal)
        journal.discard()
        return FetchedMembers(
            path=path,
            members=len(journal.members),
            without_fide_id=sum("fideId" not in kept["member"] for kept in journal.members.values()),
            sweeps=journal.sweep.number,
        )


def _sweep_until_settled(session: PageSession, root: str, journal: Journal, page_size: int, report: Progress) -> None:
    for _ in range(MAX_SWEEPS):
        while not journal.sweep.complete:
            # another size in each pass: a member lost at a page border is inside a page next time
            size = max(1, page_size - 7 * (journal.sweep.number - 1))
            url = _url(f"{root}/members", Fide="true", SortBy="Id", Offset=journal.sweep.next_offset, Size=size)
            items, last = _page(session, url, "id")
            journal.add_page(items, last=last, retrieved=_today())
            report("members", len(journal.members), None)
        if not journal.members:
            raise PermanentError(url=f"{root}/members", reason="no member has a FIDE id", advice=_CHANGED)
        if journal.sweep.number > 1 and not journal.sweep.new_members:
            return
        journal.next_sweep()
    reason = f"{MAX_SWEEPS} passes over the pages, and each still brought members that were new"
    raise TransientError(f"{root}/members", reason, _LATER)


def _fetch_histories(session: PageSession, root: str, journal: Journal, page_size: int, report: Progress) -> None:
    wanted = [member_id for member_id in _sorted(journal.members) if not journal.has_supplements(member_id)]
    done = len(journal.members) - len(wanted)
    failed: list[TransientError] = []
    in_a_row = 0
    for member_id in wanted:
        try:
            items = _history(session, f"{root}/members/{quote(member_id, safe='')}/rating-supplements", page_size)
        except TransientError as error:
            failed.append(error)
            in_a_row += 1
            if in_a_row >= SILENT_MEMBERS:
                raise
            continue
        in_a_row = 0
        done += 1
        journal.add_supplements(member_id, items, retrieved=_today())
        report("histories", done, len(journal.members))
    if failed:
        reason = f"no answer about {len(failed)} of {len(journal.members)} members; the last: {failed[-1].reason}"
        raise TransientError(failed[-1].url, reason, _LATER)


def _history(session: PageSession, address: str, page_size: int) -> list[dict[str, Any]]:
    """All supplements of a member, by month; none where the API knows no such member."""
    found: dict[str, dict[str, Any]] = {}
    received, last = 0, False
    while not last:
        try:
            items, last = _page(session, _url(address, Offset=received, Size=page_size), "ratingSupplementDate")
        except NotFoundError:
            return []
        received += len(items)
        found.update((str(item["ratingSupplementDate"]), item) for item in items)
    return [found[month] for month in sorted(found)]


def _page(session: PageSession, url: str, key: str) -> tuple[list[dict[str, Any]], bool]:
    """Items of a page, each with the field ``key``, and whether it is the last one."""
    text = session.page(url)
    try:
        answer = json.loads(text)
    except ValueError as error:
        raise TransientError(url, "the answer is not JSON, or was cut", _LATER) from error
    items = answer.get("items") if isinstance(answer, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) and key in item for item in items):
        raise PermanentError(url, f"expected a page of items with {key}", _CHANGED)
    last = not answer.get("hasNextPage", False)
    if not items and not last:
        raise TransientError(url, "an empty page that says that more follow", _LATER)
    return items, last


def _write(folder: Path, journal: Journal) -> Path:
    """The finished file: sorted by member id, there as a whole or not at all."""
    temporary = journal.path.with_suffix(".tmp")
    with temporary.open("wb") as file:
        for member_id in _sorted(journal.members):
            line = json.dumps(journal.members[member_id], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
            file.write(line.encode() + b"\n")
            file.write(journal.supplements_line(member_id) or b"")
        file.flush()
        os.fsync(file.fileno())
    days = sorted({kept["retrieved"] for kept in journal.members.values()})
    path = folder / f"uscf_api_members_{days[-1]}.jsonl"
    temporary.replace(path)
    return path


def _sorted(members: dict[str, dict[str, Any]]) -> list[str]:
    return sorted(members, key=lambda member_id: (len(member_id), member_id))


def _url(address: str, **query: str | int) -> str:
    return f"{address}?{urlencode(query)}"


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
