"""Put what was fetched into the raw store: the one place where fetching and storing meet."""

from dataclasses import dataclass

from pipeline.formats.parsed import FormatError
from pipeline.lists.raw_store import RawStore, RawStoreError
from pipeline.sources.wanted import Download


@dataclass(frozen=True, slots=True)
class DownloadStore:
    """The raw store as the fetchers use it (``sources.wanted.Store``)."""

    raw: RawStore

    def holds(self, sha256: str) -> bool:
        """Whether this content is in the store."""
        return self.raw.path(sha256).is_file()

    def keep(self, download: Download) -> bool:
        """Store the file; True when its content is new, or the publisher went back to it from another.

        Raises:
            FormatError: the same content is held as the file of another list.
        """
        try:
            source, is_new = self.raw.add(
                download.path,
                download.file_name,
                collection=download.collection,
                origin=download.origin,
                retrieved_at=download.retrieved_at,
                list_date=download.list_date,
                rating_type=download.rating_type,
                http=download.http,
            )
        except RawStoreError as error:
            raise FormatError(str(error)) from error
        return is_new or self.raw.saw_again(source, download.retrieved_at)
