"""The raw store: every file ever added, unchanged, named by its SHA-256, with a manifest beside it.

Nothing here is edited or removed by a build. What the files contain is none of the store's business.
"""

import hashlib
import json
import shutil
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from pipeline.lists.files import write_atomically, write_bytes_atomically


class RawStoreError(Exception):
    """A file that cannot be stored, or that is not what its manifest says."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One immutable raw file and where it came from.

    Attributes:
        sha256: digest of the content, its name in the store.
        file_name: name it came with.
        collection: where such files come from (``fide``, ``weeks``, ``olimpbase``, ``scid``, ``bundled``, ...).
        origin: address or path it was taken from.
        retrieved_at: when, UTC.
        byte_size: length of the content.
        list_date, rating_type: which list the file is of, where it was told or its name says so.
        mapping: text of the column mapping for files that are no known layout.
        http: validators of the download (``etag``, ``last_modified``).
        seen_again_at: when the publisher went back to this content after it had served another; kept beside the
            manifest, which never changes.
    """

    sha256: str
    file_name: str
    collection: str
    origin: str
    retrieved_at: datetime
    byte_size: int
    list_date: date | None = None
    rating_type: str | None = None
    mapping: str | None = None
    http: dict[str, str] = field(default_factory=dict)
    seen_again_at: datetime | None = None

    @property
    def last_seen_at(self) -> datetime:
        """When this was last what the publisher had to offer, as far as is known."""
        return self.seen_again_at or self.retrieved_at

    def to_json(self) -> str:
        """The manifest text."""
        values = asdict(self) | {
            "retrieved_at": self.retrieved_at.astimezone(UTC).isoformat(),
            "list_date": self.list_date.isoformat() if self.list_date else None,
        }
        del values["seen_again_at"]
        return json.dumps(values, indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "SourceFile":
        """Read a manifest."""
        values: dict[str, Any] = json.loads(text)
        values["retrieved_at"] = datetime.fromisoformat(values["retrieved_at"])
        if values["list_date"]:
            values["list_date"] = date.fromisoformat(values["list_date"])
        return cls(**values)


@dataclass(frozen=True, slots=True)
class RawStore:
    """The raw files below ``root``."""

    root: Path

    def add(
        self,
        content: bytes | Path,
        file_name: str,
        *,
        collection: str,
        origin: str,
        retrieved_at: datetime,
        list_date: date | None = None,
        rating_type: str | None = None,
        mapping: str | None = None,
        http: dict[str, str] | None = None,
    ) -> tuple[SourceFile, bool]:
        """Store a file; the second value says whether it is new.

        The same content added again is the same source file and keeps its first manifest; a raw file that is gone
        comes back.

        Raises:
            RawStoreError: the content is held already, as the file of another list.
        """
        sha256 = _digest(content)
        if (manifest := self._manifest(sha256)).is_file():
            held = _read_manifest(manifest)
            told = (list_date or held.list_date, rating_type or held.rating_type)
            if told != (held.list_date, held.rating_type):
                raise RawStoreError(
                    f"{file_name}: the same bytes are held already as {held.file_name}, "
                    f"{_list_told(held.list_date, held.rating_type)}, not {_list_told(*told)}; "
                    f"if that one was wrong, remove it with: ratings remove {sha256[:12]}"
                )
            if not self.path(sha256).is_file():
                self._write(sha256, content)
            return held, False
        source = SourceFile(
            sha256=sha256,
            file_name=Path(file_name).name,
            collection=collection,
            origin=origin,
            retrieved_at=retrieved_at,
            byte_size=content.stat().st_size if isinstance(content, Path) else len(content),
            list_date=list_date,
            rating_type=rating_type,
            mapping=mapping,
            http=http or {},
        )
        self._write(sha256, content)
        write_bytes_atomically(manifest, source.to_json().encode())
        return source, True

    def sources(self) -> list[SourceFile]:
        """Every source file held, by time of retrieval, then digest.

        Raises:
            RawStoreError: a manifest is damaged.
        """
        manifests = sorted(self.root.glob("*/*.json"))
        found = [self._with_sighting(_read_manifest(path)) for path in manifests]
        return sorted(found, key=lambda source: (source.retrieved_at, source.sha256))

    def saw_again(self, source: SourceFile, moment: datetime) -> bool:
        """Note that the publisher serves a held file again; True when it had served another one meanwhile.

        A publisher that takes a revision back makes the earlier file current once more.
        """
        latest = max(
            (other.last_seen_at for other in self.sources() if _same_list(source, other)),
            default=source.last_seen_at,
        )
        if latest <= self._with_sighting(source).last_seen_at:
            return False
        write_bytes_atomically(self._sighting(source.sha256), f"{moment.astimezone(UTC).isoformat()}\n".encode())
        return True

    def find(self, prefix: str) -> SourceFile:
        """The source file whose digest starts with ``prefix``."""
        found = [source for source in self.sources() if source.sha256.startswith(prefix)]
        if len(found) != 1:
            raise RawStoreError(f"{prefix}: {len(found)} source files have a digest that starts so, not one")
        return found[0]

    def path(self, sha256: str) -> Path:
        """Where the content of a source file is."""
        return self.root / sha256[:2] / f"{sha256}.raw"

    def read(self, source: SourceFile) -> bytes:
        """The content, checked against its digest.

        Raises:
            RawStoreError: it is gone, cannot be read, or is not what its digest says.
        """
        path = self.path(source.sha256)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise RawStoreError(
                f"{source.file_name}: its raw file {path} cannot be read ({error.strerror}); restore it from a "
                f"back-up, or forget it with: ratings remove {source.sha256[:12]}"
            ) from error
        if hashlib.sha256(content).hexdigest() != source.sha256:
            raise RawStoreError(
                f"{source.file_name}: the stored bytes no longer match their SHA-256 {source.sha256[:12]}; "
                f"restore {path} from a back-up, or remove and add the file again"
            )
        return content

    def remove(self, source: SourceFile) -> None:
        """Forget a source file: only ever called by an explicit command."""
        self._manifest(source.sha256).unlink(missing_ok=True)
        self._sighting(source.sha256).unlink(missing_ok=True)
        self.path(source.sha256).unlink(missing_ok=True)

    def _write(self, sha256: str, content: bytes | Path) -> None:
        target = self.path(sha256)
        if isinstance(content, Path):
            write_atomically(target, lambda temporary: shutil.copyfile(content, temporary))
        else:
            write_bytes_atomically(target, content)
        target.chmod(0o444)

    def _with_sighting(self, source: SourceFile) -> SourceFile:
        path = self._sighting(source.sha256)
        if not path.is_file():
            return source
        return replace(source, seen_again_at=datetime.fromisoformat(path.read_text().strip()))

    def _sighting(self, sha256: str) -> Path:
        return self.root / sha256[:2] / f"{sha256}.seen"

    def _manifest(self, sha256: str) -> Path:
        return self.root / sha256[:2] / f"{sha256}.json"


def _read_manifest(path: Path) -> SourceFile:
    try:
        return SourceFile.from_json(path.read_text())
    except (ValueError, TypeError, KeyError) as error:
        raise RawStoreError(
            f"{path}: the manifest of a raw file is damaged ({error}); restore it from a back-up, "
            "or delete it and add the file again"
        ) from error


def _list_told(list_date: date | None, rating_type: str | None) -> str:
    """The list a file was told to be of, for messages."""
    told = [f"{list_date:%Y-%m}" if list_date else "", rating_type or ""]
    return f"list {' '.join(filter(None, told))}" if any(told) else "the list that it states itself"


def _same_list(one: SourceFile, other: SourceFile) -> bool:
    """Whether two different files are of the same list and collection."""
    return one.sha256 != other.sha256 and (one.collection, one.list_date, one.rating_type) == (
        other.collection,
        other.list_date,
        other.rating_type,
    )


def _digest(content: bytes | Path) -> str:
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest()
    with content.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
