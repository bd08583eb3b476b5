"""Fetching for one data folder: what is asked for and when, and where it goes.

Belongs here: the fetchers of ``pipeline.sources`` wired to this folder's raw store, state and settings; the commands
use it too, so nothing of Dagster is imported. Not here: HTTP and addresses (``sources``), what happens after a list
is held (``pipeline.lists``).
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from pipeline.catalogue.tables import load
from pipeline.domain.calendar import PublicationCalendar
from pipeline.domain.entry import RATING_TYPES
from pipeline.domain.list_key import ListKey
from pipeline.formats.parsed import FormatError
from pipeline.lists.adding import add_file
from pipeline.lists.downloads import DownloadStore
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore, RawStoreError
from pipeline.settings import Settings
from pipeline.sources import inbox, olimpbase, scid
from pipeline.sources.fetch import Outcome, ShowProgress, fetch_each
from pipeline.sources.fide import ARCHIVE_SINCE, FideServer
from pipeline.sources.http import PoliteSession
from pipeline.sources.limits import Limits
from pipeline.sources.state import AddressState, FetchState
from pipeline.sources.wanted import Wanted

#: A refresh asks for the lists of the last months that are missing ...
RECENT: Final = timedelta(days=92)
#: ... and goes back to the newest list held, but no further than this: older gaps are filled by explicit order.
LONGEST_CATCH_UP: Final = timedelta(days=366)


def publication_calendar() -> PublicationCalendar:
    """The calendar of the catalogue."""
    return PublicationCalendar.from_frame(load("rating_list_calendar"))


def today() -> date:
    """The day in UTC, as publishers and calendar count."""
    return datetime.now(UTC).date()


@dataclass(frozen=True, slots=True)
class Fetching:
    """The fetchers of one data folder.

    Attributes:
        settings: the folder, addresses and pauses.
        today: the day for which the calendar is read.
    """

    settings: Settings
    today: date

    @property
    def raw(self) -> RawStore:
        """The raw store that fetched files go to."""
        return RawStore(self.settings.raw_dir)

    @property
    def state(self) -> FetchState:
        """What is known of every address asked."""
        return FetchState(self.settings.fetch_dir / "state.json")

    @property
    def server(self) -> FideServer:
        """FIDE's server on this day."""
        return FideServer(publication_calendar(), self.today, self.settings.fide_url)

    def held(self) -> set[ListKey]:
        """Lists of FIDE of which a file of FIDE's own is held."""
        return {
            ListKey("fide", source.rating_type, source.list_date)
            for source in self.raw.sources()
            if source.collection == "fide" and source.list_date and source.rating_type
        }

    def refresh_since(self, held: Collection[ListKey]) -> date:
        """From which list date on a refresh asks: the newest held of the type that is furthest behind."""
        newest = [
            max((key.list_date for key in held if key.rating_type == rating_type), default=self.today)
            for rating_type in RATING_TYPES
        ]
        return max(min(*newest, self.today - RECENT), self.today - LONGEST_CATCH_UP).replace(day=1)

    def to_refresh(self) -> list[ListKey]:
        """The lists a refresh asks for: recent ones that are missing, and the newest held of each type."""
        held = self.held()
        return self.server.to_refresh(held, since=self.refresh_since(held))

    def overdue(self) -> list[ListKey]:
        """Recent lists that should be there and are not held."""
        held = self.held()
        return [key for key in self.to_refresh() if key not in held and self.status(key) in ("due", "late")]

    def problems(self) -> dict[str, tuple[str, str]]:
        """Lists of FIDE that were refused or failed when last asked for: status and reason, by label."""
        latest: dict[str, AddressState] = {}
        for state in sorted(self.state.all().values(), key=lambda state: state.checked_at):
            if state.label.startswith("fide "):
                latest[state.label] = state
        return {
            label: (state.outcome, f"{label}: {state.reason}")
            for label, state in sorted(latest.items())
            if state.outcome in ("refused", "failed_transient")
        }

    def status(self, key: ListKey) -> str:
        """Where a list that is not held stands in the calendar."""
        return self.server.calendar.status(key.rating_type, key.list_date, self.today)

    def fide(self, keys: Iterable[ListKey], progress: ShowProgress | None = None) -> Iterator[Outcome]:
        """Fetch lists of FIDE, one outcome each; what was fetched before is asked for conditionally."""
        yield from self._fetch(self.server.wanted(keys), progress)

    def fide_range(
        self, since: date | None = None, until: date | None = None, rating_types: Sequence[str] = RATING_TYPES
    ) -> list[ListKey]:
        """Lists of a range that are missing, and the newest held one of each type, which may have been revised."""
        keys = self.server.to_refresh(self.held(), rating_types, since or ARCHIVE_SINCE)
        return [key for key in keys if (until is None or key.list_date <= until) and key.rating_type in rating_types]

    def olimpbase(self, progress: ShowProgress | None = None) -> Iterator[Outcome]:
        """Fetch OlimpBase's lists of 1967 to 2001."""
        yield from self._fetch([olimpbase.wanted(self.settings.olimpbase_url)], progress)

    def scid(self) -> str:
        """Add the ratings file of the installed Scid; returns what was found, one line.

        Raises:
            SourceMissingError: no Scid is installed.
            FormatError: the file cannot be read.
        """
        path = scid.ratings_file()
        return self._add(path, origin="scid-rating-data")

    def sweep_inbox(self, settle_seconds: float = inbox.SETTLE_SECONDS) -> list[inbox.Swept]:
        """Add the files dropped into the inbox and move them aside."""
        return inbox.sweep(self.settings.inbox_dir, self._add, settle_seconds)

    def waiting_files(self, settle_seconds: float = 0.0) -> list[Path]:
        """Complete files in the inbox."""
        return inbox.ready_files(self.settings.inbox_dir, settle_seconds)

    def _add(self, path: Path, origin: str | None = None) -> str:
        try:
            return add_file(path, self.raw, Lake(self.settings.lake_dir), retrieved_at=datetime.now(UTC), origin=origin)
        except RawStoreError as error:
            raise FormatError(str(error)) from error

    def _fetch(self, wanted: Sequence[Wanted], progress: ShowProgress | None) -> Iterator[Outcome]:
        limits = Limits(pause_seconds=self.settings.pause_seconds)
        session = PoliteSession(self.settings.fetch_dir / "parts", contact=self.settings.contact, limits=limits)
        yield from fetch_each(wanted, session, DownloadStore(self.raw), self.state, progress)


def failed(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Those that ended badly: refused, or failed for now."""
    return [outcome for outcome in outcomes if outcome.status in ("refused", "failed_transient")]
