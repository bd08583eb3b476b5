"""One build from the lake to the published file: load, models, checks, publish, marts as files. No Dagster."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

import duckdb

from pipeline.code_digest import code_digest
from pipeline.lists.lake import Lake
from pipeline.settings import Settings
from pipeline.warehouse import publish
from pipeline.warehouse.build import ModelResult, build_models, create_macros
from pipeline.warehouse.computed import COMPUTED
from pipeline.warehouse.content import LakeContent
from pipeline.warehouse.export import export_marts, exported_fingerprint
from pipeline.warehouse.increment import (
    Increment,
    StartOverError,
    Window,
    copy_base,
    follow_persons,
    increment,
    keep_unchanged,
)
from pipeline.warehouse.load import catalogue_tables, create_tables, load_catalogue, load_core
from pipeline.warehouse.models import Project, load_project
from pipeline.warehouse.offsets import OFFSET_TABLES

#: Version of the published tables; grows when a column changes its meaning.
FORMAT_VERSION: Final = 1


class ChecksFailedError(Exception):
    """Blocking checks failed; nothing was published. ``results`` tells which and on what rows."""

    def __init__(self, results: list[ModelResult]) -> None:
        self.results = results
        failed = [
            f"{check.test.model}: {check.test.name} ({check.test.description}): "
            f"{check.failing_rows} row(s): {check.sample}"
            for result in results
            for check in result.checks
            if not check.passed and check.test.severity == "error"
        ]
        super().__init__("checks failed, nothing was published:\n" + "\n".join(failed))


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did.

    ``published`` is False when the published file had the same content already. ``since`` is the date of the first
    list that was loaded, where the build continued the published file.
    """

    database: Path
    fingerprint: str
    published: bool
    since: date | None = None
    results: list[ModelResult] = field(default_factory=list)
    loaded_rows: dict[str, int] = field(default_factory=dict)


@cache
def project() -> Project:
    """The SQL project with the catalogue's tables and those that Python computes, read once a process."""
    code_fingerprint()  # first: what changes while the models are read counts as changed, and is built again
    return load_project(catalogue=catalogue_tables(), computed=(*COMPUTED, *OFFSET_TABLES))


def build(
    settings: Settings,
    content: LakeContent,
    *,
    force: bool = False,
    progress: Callable[[str], None] = lambda step: None,
) -> BuildReport:
    """Build and publish, unless what is published already is of the same content.

    Call it with ``publish.build_lock`` held.

    Raises:
        ChecksFailedError: a blocking check failed.
        ModelError: a model cannot be run.
        PublishError: the file cannot be published.
    """
    models = project()
    mark = fingerprint(content)
    if not force and publish.published_fingerprint(settings) == mark:
        return BuildReport(settings.database, mark, published=False)
    found = None if force else increment(settings, content, code_fingerprint())
    try:
        return _publish(settings, content, models, mark, found, progress)
    except StartOverError as reason:
        progress(f"building from nothing: {reason}")
        return _publish(settings, content, models, mark, None, progress)


def _publish(
    settings: Settings,
    content: LakeContent,
    models: Project,
    mark: str,
    found: Increment | None,
    progress: Callable[[str], None],
) -> BuildReport:
    """Build the next version, from nothing or from a copy of the published one, and publish it."""
    version = publish.new_version(settings, mark)
    path = publish.building_path(version)
    since = found.since if found and found.since < date.max else None
    try:
        if found:
            progress(f"continuing what is published, {f'from {since:%B %Y} on' if since else 'no list has changed'}")
            copy_base(found, path)
        with publish.connect_for_build(path, settings) as connection:
            progress("loading lists")
            window = _load(connection, Lake(settings.lake_dir), content, models, found)
            results = []
            for result in build_models(connection, models, window):
                progress(result.model.qualified_name)
                results.append(result)
            if any(result.blocked for result in results):
                raise ChecksFailedError(results)
            create_macros(connection, models)
            rows = _row_counts(connection, models)
            connection.execute(
                "insert into core.publication select ?, ?, ?, max(list_date), ?, ? from core.lists where held",
                [mark, code_fingerprint(), FORMAT_VERSION, rows["core.entries"], found.appended if found else 0],
            )
            connection.execute("checkpoint")
        publish.publish(settings, version)
    finally:
        publish.discard(*path.parent.glob(f"{path.name}*"))
    return BuildReport(settings.database, mark, published=True, since=since, results=results, loaded_rows=rows)


def _load(
    connection: duckdb.DuckDBPyConnection, lake: Lake, content: LakeContent, models: Project, found: Increment | None
) -> Window | None:
    """Fill the loaded tables; the window of lists that were loaded, where the others were there."""
    if found is None:
        create_tables(connection, models)
        load_catalogue(connection)
        load_core(connection, lake, content)
        return None
    create_tables(connection, models, keep_unchanged(connection, models, found.since))
    load_catalogue(connection)
    load_core(connection, lake, content, found.since)
    return Window(connection, models, found.since, follow_persons(connection))


def export(settings: Settings, fingerprint: str) -> None:
    """Write the marts of what is published beside it, unless a finished build has done so.

    Call it with ``publish.build_lock`` held.
    """
    if exported_fingerprint(settings) != fingerprint:
        export_marts(project(), settings, fingerprint)


def fingerprint(content: LakeContent) -> str:
    """Digest of all that decides the content: source files, editions, catalogue, models, code."""
    digest = hashlib.sha256(code_fingerprint().encode())
    for source in content.sources:
        digest.update(source.to_json().encode())
        digest.update(source.last_seen_at.isoformat().encode())
    for edition in content.editions():
        digest.update(repr((edition, content.is_current(edition))).encode())
    return digest.hexdigest()


@cache
def code_fingerprint() -> str:
    """Digest of what decides the content beside the lists: catalogue, models, code, the libraries that compute."""
    folders = (("pipeline", "*.py"), ("pipeline/catalogue/data", "*.csv"), ("dbt_like_sql", "*"))
    return code_digest(("duckdb", "polars"), folders)


def _row_counts(connection: duckdb.DuckDBPyConnection, models: Project) -> dict[str, int]:
    tables = [table.qualified_name for table in models.loaded]
    counts = {}
    for table in tables:
        row = connection.execute(f"select count(*) from {table}").fetchone()
        assert row is not None
        counts[table] = int(row[0])
    return counts
