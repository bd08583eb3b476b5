"""What is to be loaded: the source files held, what reading them gave, and the current edition of every list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.domain.list_key import ListKey
from pipeline.lists.lake import Edition, SourceSummary
from pipeline.lists.raw_store import SourceFile


@dataclass(frozen=True, slots=True)
class LakeContent:
    """What is to be loaded: source files in order, their summaries, and the current edition of every list."""

    sources: Sequence[SourceFile]
    summaries: Mapping[str, SourceSummary]
    current: Mapping[ListKey, Edition]

    @property
    def source_keys(self) -> dict[str, int]:
        """Number of each source file, by digest; in order of retrieval, so that new files come last."""
        return {source.sha256: number for number, source in enumerate(self.sources, 1)}

    def editions(self) -> list[Edition]:
        """Every edition held, by list, then source file."""
        found = [edition for summary in self.summaries.values() for edition in summary.editions]
        return sorted(found, key=lambda edition: (edition.key, edition.sha256))

    def is_current(self, edition: Edition) -> bool:
        """Whether this is the edition that counts."""
        return self.current[edition.key].sha256 == edition.sha256
