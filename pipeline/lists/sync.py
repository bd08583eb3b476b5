"""Bringing the lake up to date with the raw store: read what is new, choose current editions, link them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from pipeline.domain.list_key import ListKey
from pipeline.formats.parsed import PARSER_VERSION, FormatError
from pipeline.lists.current import choose_current, link_current
from pipeline.lists.editions import normalise
from pipeline.lists.lake import Edition, Lake, SourceSummary
from pipeline.lists.raw_store import RawStore, RawStoreError, SourceFile
from pipeline.lists.reading import bundled_history

#: When the bundled lists were compiled; a constant, so that two machines build the same bytes.
BUNDLED_AT: Final = datetime(2026, 11, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Synced:
    """The state of the lake after a sync."""

    sources: list[SourceFile]
    summaries: dict[str, SourceSummary]
    current: dict[ListKey, Edition]
    failures: dict[str, str] = field(default_factory=dict)
    newly_read: list[str] = field(default_factory=list)

    def superseded(self) -> list[SourceFile]:
        """Files that later files of the same collection replaced for every list they hold.

        A file that stands behind another collection's is kept: it may still tell what the other does not.
        """
        return [
            source
            for source in self.sources
            if (summary := self.summaries.get(source.sha256)) is not None
            and summary.editions
            and all(self._is_replaced(edition) for edition in summary.editions)
        ]

    def _is_replaced(self, edition: Edition) -> bool:
        current = self.current[edition.key]
        return current.sha256 != edition.sha256 and current.collection == edition.collection


def add_bundled(store: RawStore) -> SourceFile:
    """Put the bundled lists into the raw store, where every other file lies too."""
    path = bundled_history()
    source, _ = store.add(
        path.read_bytes(),
        path.name,
        collection="bundled",
        origin="pipeline/catalogue/data/elite_history.csv",
        retrieved_at=BUNDLED_AT,
    )
    return source


def unread(store: RawStore, lake: Lake) -> list[SourceFile]:
    """Source files that the lake does not hold yet, or holds as an older reader understood them."""
    return [
        source
        for source in store.sources()
        if (summary := lake.summary(source.sha256)) is None or summary.parser_version != PARSER_VERSION
    ]


def read_sources(
    sources: Iterable[SourceFile],
    store: RawStore,
    lake: Lake,
    progress: Callable[[SourceFile], None] = lambda source: None,
) -> dict[str, str]:
    """Read source files into the lake; one that cannot be read stops no other.

    Returns:
        Why files could not be read, by digest.
    """
    failures: dict[str, str] = {}
    for source in sources:
        try:
            normalise(source, store, lake)
        except (FormatError, RawStoreError) as error:
            failures[source.sha256] = str(error)
        progress(source)
    return failures


def sync(
    store: RawStore,
    lake: Lake,
    progress: Callable[[SourceFile], None] = lambda source: None,
) -> Synced:
    """Read every unread source file, then choose and link the current editions."""
    add_bundled(store)
    new = unread(store, lake)
    failures = read_sources(new, store, lake, progress)
    sources = store.sources()
    summaries = {source.sha256: summary for source in sources if (summary := lake.summary(source.sha256)) is not None}
    by_digest = {source.sha256: source for source in sources}
    current = choose_current((edition for summary in summaries.values() for edition in summary.editions), by_digest)
    link_current(lake, current)
    return Synced(
        sources,
        summaries,
        current,
        failures,
        [source.sha256 for source in new if source.sha256 not in failures],
    )
