"""Which edition of a list is current, by a declared order, and the hive-partitioned folder of current lists."""

import os
import shutil
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from pipeline.domain.list_key import ListKey
from pipeline.lists.files import write_atomically
from pipeline.lists.lake import Edition, Lake
from pipeline.lists.raw_store import SourceFile

#: Collections from the most to the least trusted. The first two are publishers' own files.
COLLECTION_ORDER: Final = (
    "fide",
    "uscf_td",
    "uscf_api",
    "uscf_page",
    "fide_top100",
    "olimpbase",
    "weeks",
    "scid",
    "mapped",
    "bundled",
)
PUBLISHERS_OWN: Final = frozenset({"fide", "uscf_td", "uscf_api", "uscf_page", "fide_top100"})


def precedence(edition: Edition, last_seen_at: datetime, fullest: int = 0) -> tuple[int, int, float, int, str]:
    """Sort key of editions of one list; the smallest is current.

    Complete before partial; then the publisher's own file, the one seen last first; then the collections'
    order; then the digest, so that the choice never depends on chance.

    Args:
        edition: the edition.
        last_seen_at: when its file was last obtained.
        fullest: rated entries of the fullest complete edition of the list. An edition with less than half of them
            was cut off, whatever its layout says, and counts as partial.
    """
    own = edition.collection in PUBLISHERS_OWN
    known = edition.collection in COLLECTION_ORDER
    cut_off = 2 * _rated(edition) < fullest
    return (
        0 if edition.coverage == "complete" and not cut_off else 1,
        0 if own else 1,
        -last_seen_at.timestamp() if own else 0.0,
        COLLECTION_ORDER.index(edition.collection) if known else len(COLLECTION_ORDER),
        edition.sha256,
    )


def choose_current(editions: Iterable[Edition], sources: Mapping[str, SourceFile]) -> dict[ListKey, Edition]:
    """The current edition of every list held."""
    held = list(editions)
    fullest: dict[ListKey, int] = {}
    for edition in held:
        if edition.coverage == "complete":
            fullest[edition.key] = max(fullest.get(edition.key, 0), _rated(edition))
    ordered = sorted(
        held,
        key=lambda edition: precedence(edition, sources[edition.sha256].last_seen_at, fullest.get(edition.key, 0)),
        reverse=True,
    )
    chosen = {edition.key: edition for edition in ordered}
    return dict(sorted(chosen.items()))


def _rated(edition: Edition) -> int:
    """Entries with a rating: combined lists hold players without one, single lists do not."""
    return edition.rows - edition.unrated


def link_current(lake: Lake, current: Mapping[ListKey, Edition]) -> None:
    """Make ``lake/current`` hold exactly the current lists."""
    for key, edition in current.items():
        wanted, target = lake.edition_path(key, edition.sha256), lake.current_path(key)
        if not (target.is_file() and target.samefile(wanted)):
            write_atomically(target, partial(_link, wanted))
    held = {lake.current_path(key) for key in current}
    for path in (lake.root / "current").glob("*/*/*/entries.parquet"):
        if path not in held:
            shutil.rmtree(path.parent)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # a file system without hard links
        shutil.copyfile(source, target)
