"""Building a data folder in a test: files in, published file out, without Dagster."""

import shutil
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path

import duckdb

from pipeline.lists.adding import add_file
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore
from pipeline.lists.sync import sync
from pipeline.settings import Settings
from pipeline.warehouse import publish as publishing
from pipeline.warehouse.content import LakeContent
from pipeline.warehouse.publish import build_lock
from pipeline.warehouse.refresh import BuildReport, build, export

RETRIEVED = datetime(2026, 1, 1, tzinfo=UTC)


def add(
    settings: Settings,
    path: Path,
    *,
    list_date: date | None = None,
    rating_type: str | None = None,
    retrieved_at: datetime = RETRIEVED,
) -> str:
    """Add one file as `ratings add` does."""
    return add_file(
        path,
        RawStore(settings.raw_dir),
        Lake(settings.lake_dir),
        retrieved_at=retrieved_at,
        list_date=list_date,
        rating_type=rating_type,
    )


def publish(settings: Settings, *, force: bool = False) -> BuildReport:
    """Build and publish as the warehouse asset does."""
    with build_lock(settings):
        synced = sync(RawStore(settings.raw_dir), Lake(settings.lake_dir))
        report = build(settings, LakeContent(synced.sources, synced.summaries, synced.current), force=force)
        export(settings, report.fingerprint)
        return report


def build_folder(data_dir: Path, files: Iterable[Path] = ()) -> Settings:
    """A published data folder with the bundled lists and ``files``."""
    settings = Settings(data_dir=data_dir)
    for path in files:
        add(settings, path)
    publish(settings)
    return settings


def copy_of(settings: Settings, data_dir: Path, **changed: object) -> Settings:
    """A copy of a published data folder, which may be changed."""
    shutil.copytree(settings.data_dir, data_dir, symlinks=True)
    return Settings(data_dir=data_dir, **changed)  # type: ignore[arg-type]


def publish_again(settings: Settings) -> Path:
    """Publish what is published once more, as a new version: all that a publication does, without the build."""
    with build_lock(settings):
        version = publishing.new_version(settings, publishing.published_fingerprint(settings) or "")
        shutil.copyfile(settings.database.resolve(), publishing.building_path(version))
        publishing.publish(settings, version)
    return version


def read_only(settings: Settings) -> duckdb.DuckDBPyConnection:
    """The published file, as an analyst opens it."""
    return duckdb.connect(str(settings.database.resolve()), read_only=True)
