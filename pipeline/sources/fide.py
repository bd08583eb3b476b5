"""FIDE's download server: which lists it has, what their files are called, whether a file is the list meant.

Belongs here: names and addresses of the archive and of the current lists, and the check of a download. When
lists appear is in ``domain.calendar``; what the files contain is read by ``formats``.

Addresses and their eras: file names counted in public mirrors of the archive; a page per month links the lists
from February 2015 on.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from html.parser import HTMLParser
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import urljoin, urlsplit

from pipeline.domain.calendar import EARLY_DAYS, PublicationCalendar, next_month
from pipeline.domain.entry import RATING_TYPES
from pipeline.domain.list_key import ListKey
from pipeline.formats.parsed import FormatError
from pipeline.formats.recognise import read_list
from pipeline.sources.downloaded import Downloaded
from pipeline.sources.errors import NotYetPublishedError, PermanentError, TransientError, WrongListError
from pipeline.sources.http import PoliteSession
from pipeline.sources.wanted import Wanted

BASE_URL: Final = "https://ratings.fide.com"

#: The archive begins here; earlier lists are in other collections.
ARCHIVE_SINCE: Final = date(2001, 1, 1)
#: From here on the names of text lists carry their rating type.
TYPED_NAMES_SINCE: Final = date(2012, 9, 1)
#: From here on there are XML lists (of standard ratings; of the others with the first typed names).
XML_SINCE: Final = date(2012, 8, 1)
#: From here on the download page lists the links of a month.
LINKS_SINCE: Final = date(2015, 2, 1)

MONTH_CODES: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

#: Lists whose header names another month: FIDE's own slips, seen in the files by public converters.
WRONG_LABELS: Final = {
    date(2010, 3, 1): date(2010, 1, 1),
    date(2011, 1, 1): date(2010, 11, 1),
    date(2011, 5, 1): date(2010, 5, 1),
}


def archive_names(list_date: date, rating_type: str) -> tuple[str, ...]:
    """Names under which the archive keeps a list, text before XML."""
    month = f"{MONTH_CODES[list_date.month - 1]}{list_date:%y}"
    text = f"{rating_type}_{month}frl.zip" if list_date >= TYPED_NAMES_SINCE else f"{month}frl.zip"
    return (text, f"{rating_type}_{month}frl_xml.zip") if list_date >= XML_SINCE else (text,)


@dataclass(frozen=True, slots=True)
class FideServer:
    """FIDE's server as seen on one day.

    Args:
        calendar: which lists exist.
        today: day in UTC; lists that cannot be out yet are never asked for.
        base_url: the server (setting RATINGS_FIDE_URL).
    """

    calendar: PublicationCalendar
    today: date
    base_url: str = BASE_URL
    _links: dict[date, tuple[str, ...]] = field(default_factory=dict, init=False)
    _pages_failed: list[str] = field(default_factory=list, init=False)

    def lists(
        self,
        rating_types: Iterable[str] = RATING_TYPES,
        since: date = ARCHIVE_SINCE,
        until: date = date.max,
    ) -> list[ListKey]:
        """Lists of the archive that are out or may be, by date, then rating type."""
        latest = min(until, next_month(self.today))
        return sorted(
            (
                ListKey("fide", rating_type, day)
                for rating_type in rating_types
                for day in self.calendar.list_dates(rating_type, latest, max(since, ARCHIVE_SINCE))
                if self.calendar.status(rating_type, day, self.today) not in ("unpublished", "future")
            ),
            key=lambda key: (key.list_date, RATING_TYPES.index(key.rating_type)),
        )

    def to_refresh(
        self,
        held: Collection[ListKey],
        rating_types: Iterable[str] = RATING_TYPES,
        since: date = ARCHIVE_SINCE,
    ) -> list[ListKey]:
        """Lists to ask for when refreshing: those not held, and the newest held one of each rating type.

        FIDE makes its files again within the month, so the newest list is asked for, conditionally, until the
        next one is here.
        """
        newest = {
            kind: max((key.list_date for key in held if key.rating_type == kind), default=date.min)
            for kind in RATING_TYPES
        }
        return [
            key
            for key in self.lists(rating_types, since)
            if key not in held or key.list_date == newest[key.rating_type]
        ]

    def wanted(self, keys: Iterable[ListKey]) -> list[Wanted]:
        """What to fetch for these lists. Months without a list are left out, whoever asks for them."""
        return [self._wanted(key) for key in keys if self.calendar.has_list(key.rating_type, key.list_date)]

    def wanted_current(self, rating_types: Iterable[str] = RATING_TYPES) -> list[Wanted]:
        """The addresses that always hold the newest list, by rating type, and the combined list.

        They are asked for the list in force today; while they hold another one, nothing is stored.
        """
        found = []
        for kind in rating_types:
            if (day := self.calendar.newest_due(kind, self.today)) is not None:
                key = ListKey("fide", kind, day)
                url = self._url(f"{kind}_rating_list.zip")
                found.append(self._wanted(key, label=f"{key} (current list)", urls=(url,)))
        day = self.today.replace(day=1)
        return [
            *found,
            Wanted(
                collection="fide",
                label=f"fide combined {day:%Y-%m} (current list)",
                list_date=day,
                rating_type=None,
                candidates=lambda _: (self._url("players_list.zip"),),
                check=partial(check_combined, day),
            ),
        ]

    def _wanted(self, key: ListKey, label: str = "", urls: tuple[str, ...] = ()) -> Wanted:
        due = self.calendar.newest_due(key.rating_type, self.today)
        is_newest = due is None or key.list_date >= due
        return Wanted(
            collection="fide",
            label=label or str(key),
            list_date=key.list_date,
            rating_type=key.rating_type,
            candidates=lambda session: urls or self._candidates(session, key, is_newest),
            check=partial(check_single, key, is_newest),
            may_be_absent=is_newest,
        )

    def _candidates(self, session: PoliteSession, key: ListKey, is_newest: bool) -> Sequence[str]:
        """Text before XML; links of the month's page before names made by rule.

        XML lists do not say their month, so an old one under a new name would pass: the newest list is asked for
        as text only.
        """
        by_rule = [self._url(name) for name in archive_names(key.list_date, key.rating_type)]
        month = f"{MONTH_CODES[key.list_date.month - 1]}{key.list_date:%y}"
        linked = [
            url
            for url in self._links_of(session, key.list_date)
            if (name := PurePosixPath(urlsplit(url).path).name.lower()).startswith(key.rating_type) and month in name
        ]
        text = [url for url in (*linked, *by_rule) if "xml" not in url.lower()]
        xml = [url for url in (*linked, *by_rule) if "xml" in url.lower()]
        return list(dict.fromkeys(text if is_newest else [*text, *xml]))

    def _links_of(self, session: PoliteSession, month: date) -> tuple[str, ...]:
        """Archives that the month's page links to on FIDE's own host; none when the page does not come."""
        if month < LINKS_SINCE or self._pages_failed:
            return ()
        if month not in self._links:
            page_url = urljoin(self.base_url, f"/a_download.php?period={month:%Y-%m-%d}")
            collector = _LinkCollector()
            try:
                collector.feed(session.page(page_url))
            except TransientError:
                self._pages_failed.append(page_url)  # a silent server is not asked for every month's page
            except PermanentError:
                pass
            links = [urlsplit(urljoin(page_url, link)) for link in collector.links]
            own = urlsplit(self.base_url)
            self._links[month] = tuple(
                own._replace(path=link.path, query="", fragment="").geturl()  # pages still link to http
                for link in links
                if link.hostname == own.hostname and link.path.lower().endswith(".zip")
            )
        return self._links[month]

    def _url(self, name: str) -> str:
        return urljoin(self.base_url, f"/download/{name}")


class _LinkCollector(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.links.extend(value for name, value in attrs if name == "href" and value)


def check_single(key: ListKey, is_newest: bool, got: Downloaded) -> None:
    """Accept a download only as the single-type list ``key``.

    Raises:
        NotYetPublishedError: it is an earlier list, and ``key`` is the newest one.
        WrongListError: it is another list.
        FormatError: it is no list at all.
    """
    parsed = read_list(_archive_bytes(got), got.file_name)
    if parsed.publisher != "fide":
        raise WrongListError(f"{got.file_name}: a list of {parsed.publisher}, expected FIDE's")
    if parsed.stated_rating_type not in (None, key.rating_type):
        raise WrongListError(f"{got.file_name}: the list says {parsed.stated_rating_type}, asked for {key.rating_type}")
    stated = parsed.stated_month
    if stated is None or stated in (key.list_date, WRONG_LABELS.get(key.list_date)):
        return
    text = f"{got.file_name}: the list says {stated:%B %Y}, asked for {key.list_date:%B %Y}"
    if is_newest and stated < key.list_date:
        raise NotYetPublishedError(f"{text}, which is not out yet")
    raise WrongListError(text)


def check_combined(month: date, got: Downloaded) -> None:
    """Accept a combined list only when it was certainly made for ``month``: it names no month itself.

    A list of month M appears in the last days of M-1, and files are made again within M. So the day on which
    the file was made tells the month, but not in the last days of one.

    Raises:
        NotYetPublishedError: made before ``month``, or too close to the next one.
        FormatError: it is no list at all.
    """
    made = got.made_on
    if made.replace(day=1) != month or (next_month(month) - made).days <= 2 * EARLY_DAYS:
        raise NotYetPublishedError(
            f"{got.file_name}: made on {made}, so it is not certain to be the list of {month:%B %Y}"
        )
    parsed = read_list(_archive_bytes(got), got.file_name)
    if parsed.publisher != "fide" or parsed.entries["rating_type"].drop_nulls().n_unique() < 2:
        raise WrongListError(f"{got.file_name}: a {parsed.layout} list, expected FIDE's combined list")


def _archive_bytes(got: Downloaded) -> bytes:
    data = got.path.read_bytes()
    if not data.startswith(b"PK"):
        found = "a web page" if data.lstrip()[:1] == b"<" else "something else" if data else "no bytes"
        raise FormatError(f"{got.file_name}: not a zip archive but {found}")
    return data
