"""What is asked of a publisher and what came: values that pass between collections, fetching and the store.

Belongs here: plain values. Which lists are wanted is decided by the module of the collection.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Protocol

from pipeline.sources.http import ContentCheck, PoliteSession


@dataclass(frozen=True, slots=True)
class Wanted:
    """One file that a publisher should have.

    Attributes:
        collection: where such files come from (``fide``, ``olimpbase``).
        label: how people call it, e.g. ``fide standard 2025-03``; unique within a collection.
        list_date, rating_type: the list it is of; None for files that hold several lists.
        candidates: addresses, the best first; asked only when no address is known to work.
        check: looks into the file that came; raises FormatError when it is not this list.
        may_be_absent: no such file means "not yet published", not an error.
    """

    collection: str
    label: str
    list_date: date | None
    rating_type: str | None
    candidates: Callable[[PoliteSession], Sequence[str]]
    check: ContentCheck
    may_be_absent: bool = False


@dataclass(frozen=True, slots=True)
class Download:
    """A complete and checked file, ready for the raw store; ``path`` is removed after it was kept."""

    path: Path
    file_name: str
    collection: str
    origin: str
    retrieved_at: datetime
    sha256: str
    list_date: date | None
    rating_type: str | None
    http: dict[str, str]


class Store(Protocol):
    """What fetching needs of the raw store."""

    def holds(self, sha256: str) -> bool:
        """Whether this content is in the store."""
        ...

    def keep(self, download: Download) -> bool:
        """Store the file; True when its content is new, or the publisher went back to it from another.

        Raises:
            FormatError: the same content is held as the file of another list.
        """
        ...
