"""Building the site from a published database: queries, pages, assets, one exchange of folders at the end.

Nothing here knows a chart or a question; those are in ``dashboards/pages``. The database is opened read-only and only
its published schemas are read. The same database gives the same bytes: no times, no random names.
"""

import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb
import polars as pl

from dashboards import assets, contents
from dashboards.encode import content_hash, encode_frame, script_json
from dashboards.page import Figure, Page
from dashboards.render import FigureView, Renderer, events_of


class SiteError(Exception):
    """A page could not be built: names page, figure and the cause."""


@dataclass(frozen=True)
class SiteReport:
    """What was written: number of pages, files and bytes, and the figures that had no rows ("page/figure")."""

    out: Path
    pages: int
    files: int
    bytes: int
    empty_figures: tuple[str, ...]


def build_site(database: Path, out: Path, site_pages: Sequence[Page] | None = None) -> SiteReport:
    """Write the site for ``database`` to the folder ``out``, replacing what was there as a whole.

    Raises:
        SiteError: the database cannot be opened, or a query of a page fails although its tables are there.
    """
    chosen = tuple(contents.PAGES if site_pages is None else site_pages)
    try:
        connection = duckdb.connect(str(database), read_only=True)
    except duckdb.Error as error:
        raise SiteError(f"{database}: cannot be opened as a published database ({error})") from error
    fresh = out.with_name(f".{out.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    try:
        with connection:
            report = _write(connection, chosen, fresh, out)
        _exchange(fresh, out)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return replace(report, out=out)


def _write(connection: duckdb.DuckDBPyConnection, chosen: Sequence[Page], folder: Path, previous: Path) -> SiteReport:
    tables = published_tables(connection)
    events = events_of(connection, tables)
    empty: list[str] = []
    # What a page prepares of its own is mostly work of DuckDB and Polars: it goes on while others are rendered.
    with ThreadPoolExecutor(max_workers=1) as beside:
        contexts = {
            page.name: beside.submit(page.context, connection.cursor(), folder, previous)
            for page in chosen
            if page.context
        }
        renderer = Renderer(chosen, assets.write(folder / "assets", previous / "assets"), events)
        for page in sorted(chosen, key=lambda page: page.name in contexts):
            views = []
            for figure in page.figures:
                frame = _rows(connection, tables, page, figure)
                if frame.is_empty():
                    empty.append(f"{page.name}/{figure.name}")
                views.append(_figure_view(folder, page, figure, frame))
            facts = _facts(connection, tables, page)
            try:
                context = contexts[page.name].result() if page.name in contexts else {}
            except duckdb.Error as error:
                raise SiteError(f"page {page.name}: {error}") from error
            (folder / f"{page.name}.html").write_text(renderer.page(page, views, facts, context), encoding="utf-8")
    files = [path for path in folder.rglob("*") if path.is_file()]
    return SiteReport(folder, len(chosen), len(files), sum(path.stat().st_size for path in files), tuple(empty))


def published_tables(connection: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """Names (``schema.table``) of the tables and views in the database."""
    found = connection.execute("select table_schema || '.' || table_name from information_schema.tables").fetchall()
    return frozenset(name for (name,) in found)


def _rows(connection: duckdb.DuckDBPyConnection, tables: frozenset[str], page: Page, figure: Figure) -> pl.DataFrame:
    if not tables.issuperset(figure.marts):
        return pl.DataFrame(schema={column.name: pl.String() for column in figure.columns})
    try:
        frame = connection.sql(figure.sql).pl()
    except duckdb.Error as error:
        raise SiteError(f"page {page.name}, figure {figure.name}: {error}") from error
    declared = [column.name for column in figure.columns]
    if sorted(declared) != sorted(frame.columns):
        raise SiteError(
            f"page {page.name}, figure {figure.name}: the query gives {frame.columns}, declared are {declared}"
        )
    selected: pl.DataFrame = frame.select(declared)
    return selected


def _facts(connection: duckdb.DuckDBPyConnection, tables: frozenset[str], page: Page) -> list[tuple[str, str, str]]:
    if not page.facts_sql or not tables.issuperset(page.facts_marts):
        return []
    try:
        rows = connection.execute(page.facts_sql).fetchall()
    except duckdb.Error as error:
        raise SiteError(f"page {page.name}, facts: {error}") from error
    return [(str(label), str(value), str(note or "")) for label, value, note in rows if value is not None]


def _figure_view(folder: Path, page: Page, figure: Figure, frame: pl.DataFrame) -> FigureView:
    """The figure with its rows; rows of a sharded figure go to files of their own, named by their content."""
    if not figure.shard_by or frame.is_empty():
        return FigureView(figure, frame, None)
    (folder / "data").mkdir(exist_ok=True)
    shards = {}
    for (value,), part in sorted(frame.group_by([figure.shard_by], maintain_order=True), key=lambda item: item[0]):
        content = f"Ratings.receive({script_json(encode_frame(part))});\n"
        path = f"data/{page.name}-{figure.name}-{value}-{content_hash(content)}.js"
        (folder / path).write_text(content, encoding="utf-8")
        shards[str(value)] = path
    return FigureView(figure, frame, shards)


def _exchange(fresh: Path, out: Path) -> None:
    """Put ``fresh`` in the place of ``out``; readers see the old site or the new one, never half of each."""
    old = out.with_name(f".{out.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if out.exists():
        os.rename(out, old)
    os.rename(fresh, out)
    shutil.rmtree(old, ignore_errors=True)
