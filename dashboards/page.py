"""What a page is made of: pages, figures, captions, switches, columns. Only declarations; nothing is read or written.

A figure is one SQL query, one table of its rows and (mostly) a chart of the same rows. Switches narrow the rows in the
reader's browser, so chart, table and downloads always show the same rows.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import altair as alt
import duckdb
import polars as pl

ColumnKind = Literal["text", "rating", "integer", "decimal", "hundredths", "percent", "signed", "month", "year", "flag"]
SwitchKind = Literal["choice", "select", "several", "variant", "list_date", "search"]

#: Draws a figure's rows; None where the rows held do not allow this chart.
ChartBuilder = Callable[[pl.DataFrame], alt.TopLevelMixin | None]

#: Reads what a page needs beside its figures, may write files of its own below the site; returns template variables.
#: Gets the folder of the site and that of the previous one, from which it may take files over; that need not be there.
PageContext = Callable[[duckdb.DuckDBPyConnection, Path, Path], dict[str, Any]]


@dataclass(frozen=True)
class Column:
    """A column of a figure's rows as tables, tooltips and CSV show it.

    ``kind`` decides how a value is written: ``month`` takes an ISO date and never shifts it, ``percent`` takes a share
    of one, ``signed`` writes the sign. A hidden column is in the CSV but not in the table.
    """

    name: str
    label: str
    kind: ColumnKind = "text"
    hidden: bool = False


@dataclass(frozen=True)
class Switch:
    """One control. Its value is kept in the address of the page under ``name``.

    ``choice`` (a few options side by side), ``select`` (a menu), ``several`` (up to five values to compare, separated
    by commas), ``list_date`` (slider over the dates in ``column``) and ``search`` (text, in any of ``columns``) narrow
    the rows; ``variant`` picks one of the figure's charts. Without
    ``options`` they are the values found in ``column``. ``all_label`` adds a first option that narrows nothing.
    ``at_least`` keeps the rows whose value is the chosen one or more, instead of equal to it; rows with the value
    ``also`` belong to every option.
    """

    name: str
    label: str
    kind: SwitchKind = "choice"
    column: str = ""
    columns: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    default: str = ""
    all_label: str = ""
    at_least: bool = False
    also: str = ""


@dataclass(frozen=True)
class Caption:
    """What stands under a figure. The lists it stands on (first to last) are added from the rows shown."""

    what: str
    population: str
    source: str
    coverage: str = ""


@dataclass(frozen=True)
class Figure:
    """One question answered by one query.

    ``charts`` maps a variant's value to its builder ("" where there is one chart); empty means that the table is the
    figure. ``marts`` are the published tables the query reads: when one is absent or the query gives no row, the page
    shows ``needs`` (what to load, and how) instead. ``shard_by`` writes the rows to one file per value of that column,
    loaded when the reader asks for it. ``timeline`` draws rule changes and known anomalies across the chart.
    ``height`` is in pixels, worked out from the rows where a chart has a lane for each name. ``source`` names a part
    of the page that brings more rows ("players"). ``required`` maps a variant to the column without which a row cannot
    be shown in it. ``more`` is an address and the words that lead there.
    """

    name: str
    title: str
    caption: Caption
    sql: str
    columns: tuple[Column, ...]
    marts: tuple[str, ...]
    needs: str
    alt: Callable[[pl.DataFrame], str] = field(default=lambda frame: "")
    charts: dict[str, ChartBuilder] = field(default_factory=dict)
    switches: tuple[Switch, ...] = ()
    tooltip: tuple[str, ...] = ()
    timeline: bool = False
    table_open: bool = False
    sort: str = ""
    height: int | Callable[[pl.DataFrame], int] = 380
    shard_by: str = ""
    source: str = ""
    required: dict[str, str] = field(default_factory=dict)
    more: tuple[str, str] | None = None


@dataclass(frozen=True)
class Page:
    """One page: ``title`` is the question, ``lead`` says in a sentence or two what is to be seen.

    ``facts_sql`` gives rows (label, value, note) for the line of figures under the lead. ``definitions`` are the terms
    of the page. ``template`` and ``context`` serve pages that hold more than figures.
    """

    name: str
    section: str
    label: str
    title: str
    lead: str
    figures: tuple[Figure, ...] = ()
    switches: tuple[Switch, ...] = ()
    definitions: tuple[tuple[str, str], ...] = ()
    facts_sql: str = ""
    facts_marts: tuple[str, ...] = ()
    template: str = "page.html.j2"
    context: PageContext | None = None


RATING_TYPE = Switch(
    "type",
    "Rating",
    column="rating_type",
    options=(("standard", "Standard"), ("rapid", "Rapid"), ("blitz", "Blitz")),
    default="standard",
    also="all",
)

POPULATION = Switch(
    "population",
    "Players",
    column="population",
    options=(("active", "Active"), ("all", "All listed")),
    default="active",
)

NEEDS_COMPLETE = (
    "Needs complete lists; the bundled history holds the top 100 of each list. Add list files with "
    "`ratings add FILE...`, then run `ratings build`."
)
NEEDS_LISTS = "No list is held yet. Run `ratings build` for the bundled history, or `ratings add FILE...` first."
