"""Publishing: a build writes a new file, and only when it is whole and checked does the published name move to it.

Nobody ever writes the file that analysts open. ``ratings.duckdb`` is a symbolic link to a read-only file in
``versions/``; it is moved in one step. Whoever has the old file open keeps it; a ``.wal`` left by a client that
opened it for writing belongs to the old version. A build that fails or is killed leaves a file that the next
build removes. An OS lock makes sure that one build runs at a time; it is freed when the process dies.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import duckdb
from filelock import FileLock, Timeout

from pipeline.lists.files import write_bytes_atomically
from pipeline.settings import Settings

#: Storage version that DuckDB clients from 1.2 on can open; DuckDB 2 would by default write a newer one.
STORAGE_VERSION: Final = "v1.2.0"
#: A model that would spill more than this is a mistake (a cross join), and must not fill the disk of its readers.
MOST_SPILLED: Final = "8GB"
_VERSION_NAME: Final = re.compile(r"ratings-\d{8}T\d{6}\.\d{6}Z-[0-9a-f]{12}\.duckdb")


class PublishError(Exception):
    """The new file is not fit to be published, or another build holds the lock."""


@contextmanager
def build_lock(settings: Settings) -> Iterator[None]:
    """Be the only build of this data folder, or wait for the other one.

    Raises:
        PublishError: the other build did not end within ``settings.lock_timeout`` seconds.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    lock = FileLock(settings.build_lock)
    try:
        lock.acquire(timeout=settings.lock_timeout)
    except Timeout:
        raise PublishError(
            f"another build of {settings.data_dir} is running and did not end within {settings.lock_timeout:g} s; "
            "try again when it has ended"
        ) from None
    try:
        yield
    finally:
        lock.release()


def new_version(settings: Settings, fingerprint: str) -> Path:
    """Name of the next version file; leftovers of killed builds are removed. Call with the lock held."""
    settings.versions_dir.mkdir(parents=True, exist_ok=True)
    discard(*settings.versions_dir.glob(".building-*"), *settings.data_dir.glob(f".{settings.database.name}.*.link"))
    discard(*(seal for seal in settings.versions_dir.glob("*.sha256") if not seal.with_suffix("").exists()))
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return settings.versions_dir / f"ratings-{moment}-{fingerprint[:12]}.duckdb"


def building_path(version: Path) -> Path:
    """Where a version is written until it is whole."""
    return version.with_name(f".building-{version.name}")


def discard(*paths: Path) -> None:
    """Remove what a build that did not end well left: databases, logs, folders of spilled rows."""
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def connect_for_build(path: Path, settings: Settings) -> duckdb.DuckDBPyConnection:
    """Open the file being built, in a storage version that older clients read."""
    connection = duckdb.connect(
        str(path),
        config={
            "storage_compatibility_version": STORAGE_VERSION,
            "memory_limit": settings.memory_limit,
            "temp_directory": str(path.with_name(f"{path.name}.tmp")),
            "max_temp_directory_size": MOST_SPILLED,
            "autoinstall_known_extensions": "false",
            # Tables go to the file at once; what waits in the log until the end is small.
            "checkpoint_threshold": "4GB",
        },
    )
    if settings.threads:
        connection.execute(f"set threads = {settings.threads}")
    return connection


def publish(settings: Settings, version: Path) -> None:
    """Verify the finished file, make it read-only and move the published name to it.

    Raises:
        PublishError: the file has a ``.wal``, cannot be opened, or its last table is not filled.
    """
    built = building_path(version)
    if built.with_name(f"{built.name}.wal").exists():
        raise PublishError(f"{built}: not checkpointed, a .wal lies beside it")
    _verify(built)
    with built.open("rb") as file:
        os.fsync(file.fileno())
    built.chmod(0o444)
    write_bytes_atomically(_seal(version), f"{_digest(built)}  {version.name}\n".encode())
    built.replace(version)
    _point(settings.database, version)
    _prune(settings)


def published_version(settings: Settings) -> Path | None:
    """The version file the published name points to, or None where nothing is published."""
    return settings.database.resolve() if settings.database.exists() else None


def intact_version(settings: Settings) -> Path | None:
    """The published version, if its bytes are those that were published: fit to be the start of the next one.

    A client's ``.wal`` beside it would be read with it. Where the file system has no symbolic links, the published
    file has no digest beside it and is never continued.
    """
    version = published_version(settings)
    if version is None or version.with_name(f"{version.name}.wal").exists():
        return None
    try:
        return version if _seal(version).read_text().split()[:1] == [_digest(version)] else None
    except OSError:
        return None


def old_versions(settings: Settings) -> list[Path]:
    """Version files that are not the published one, oldest first."""
    published = published_version(settings)
    return [path for path in _versions(settings) if path != published]


def remove_versions(*versions: Path) -> None:
    """Remove version files with what belongs to them; who has one open keeps it until it is closed."""
    for version in versions:
        discard(version, version.with_name(f"{version.name}.wal"), _seal(version))


def _versions(settings: Settings) -> list[Path]:
    if not settings.versions_dir.is_dir():
        return []
    return sorted(path for path in settings.versions_dir.iterdir() if _VERSION_NAME.fullmatch(path.name))


def published_fingerprint(settings: Settings) -> str | None:
    """Fingerprint of what is published, or None where nothing is, or nothing that can be read."""
    if (version := published_version(settings)) is None:
        return None
    try:
        with duckdb.connect(str(version), read_only=True) as connection:
            row = connection.execute("select fingerprint from core.publication").fetchone()
    except duckdb.Error:
        return None
    return str(row[0]) if row else None


def _verify(path: Path) -> None:
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            row = connection.execute(
                "select entry_count = (select count(*) from core.entries) from core.publication"
            ).fetchone()
    except duckdb.Error as error:
        raise PublishError(f"{path}: cannot be read back: {error}") from error
    if row != (True,):
        raise PublishError(f"{path}: its table of contents does not match its entries")


def _point(link: Path, version: Path) -> None:
    temporary = link.with_name(f".{link.name}.{os.getpid()}.link")
    temporary.unlink(missing_ok=True)
    target = version.relative_to(link.parent)
    try:
        temporary.symlink_to(target)
    except OSError:  # a file system without symbolic links
        os.link(version, temporary)
        link.with_name(f"{link.name}.wal").unlink(missing_ok=True)
    temporary.replace(link)


def _prune(settings: Settings) -> None:
    """Remove all but the newest versions."""
    kept = _versions(settings)[-settings.keep_versions :]
    remove_versions(*(old for old in old_versions(settings) if old not in kept))


def _seal(version: Path) -> Path:
    """Digest of a version file, as ``sha256sum --check`` reads it."""
    return version.with_name(f"{version.name}.sha256")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
