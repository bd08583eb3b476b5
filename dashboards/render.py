"""From declarations and rows to HTML: the template environment, the settings each figure hands to the browser.

No query but the one for rule changes and anomalies, which every page shares.
"""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import duckdb
import jinja2
import polars as pl
from altair.utils.schemapi import debug_mode
from markupsafe import Markup, escape

from dashboards.assets import Assets
from dashboards.encode import encode_frame, script_json
from dashboards.page import Figure, Page, Switch

TEMPLATES: Final = Path(__file__).parent / "templates"

#: Scripts and styles of the site only; nothing may be fetched, framed or submitted.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "base-uri 'none'; form-action 'none'"
)

_EVENTS_SQL: Final = {
    "rules": (
        "catalogue.rule_changes",
        "select rule_date as event_date, rating_type, short_label as event_label, description "
        "from catalogue.rule_changes where publisher = 'fide' order by all",
    ),
    "anomalies": (
        "catalogue.known_anomalies",
        "select list_date as event_date, rating_type, short_label as event_label, description "
        "from catalogue.known_anomalies order by all",
    ),
}


@dataclass(frozen=True)
class FigureView:
    """A figure, all its rows, and where its shards are (None: the rows stand in the page)."""

    figure: Figure
    frame: pl.DataFrame
    shards: dict[str, str] | None


@dataclass(frozen=True)
class Control:
    """A switch with its options (value, label, whether any row has it) and the value it starts with."""

    switch: Switch
    options: tuple[tuple[str, str, bool], ...]
    value: str


def events_of(connection: duckdb.DuckDBPyConnection, tables: frozenset[str]) -> dict[str, list[dict[str, Any]]]:
    """Rule changes and known anomalies for the time axes: event_date (ISO), rating_type, event_label, description."""
    events: dict[str, list[dict[str, Any]]] = {}
    for name, (table, sql) in _EVENTS_SQL.items():
        frame = connection.sql(sql).pl() if table in tables else pl.DataFrame()
        events[name] = frame.with_columns(pl.col(pl.Date).cast(pl.String)).to_dicts() if table in tables else []
    return events


def control_of(switch: Switch, frames: Sequence[pl.DataFrame], drawn: Collection[str] = ()) -> Control | None:
    """``switch`` as the rows in ``frames`` and the charts ``drawn`` allow it; None when no frame has its column."""
    if switch.kind == "search":
        return Control(switch, (), "") if any(frame.height for frame in frames) else None
    if switch.kind == "variant":
        options = tuple((value, label, value in drawn) for value, label in switch.options)
        return Control(switch, options, _first_held(options, switch.default)) if drawn else None
    found = {str(v) for f in frames if switch.column in f.columns for v in f[switch.column].drop_nulls().unique()}
    if not found:
        return None
    if switch.kind == "list_date":
        return Control(switch, (), "")
    if switch.kind == "several":
        wanted = [value for value in switch.default.split(",") if value in found] or sorted(found)[:3]
        return Control(switch, tuple((value, value, True) for value in sorted(found)), ",".join(wanted))
    named = switch.options or tuple((value, value) for value in sorted(found))
    options = tuple((value, label, switch.at_least or value in found) for value, label in named)
    if switch.all_label:
        return Control(switch, (("", switch.all_label, True), *options), switch.default)
    return Control(switch, options, _first_held(options, switch.default))


def _first_held(options: Sequence[tuple[str, str, bool]], wanted: str) -> str:
    held = [value for value, _, there in options if there]
    return wanted if wanted in held or not held else held[0]


def specification(chart: Any) -> dict[str, Any]:
    """The Vega-Lite specification without configuration, and with view names that do not depend on a counter."""
    spec = chart.to_dict(validate=False)
    for key in ("$schema", "config", "width", "height"):
        spec.pop(key, None)
    names: dict[str, str] = {}
    text = re.sub(r"\bview_\d+\b", lambda match: names.setdefault(match[0], f"view{len(names)}"), json.dumps(spec))
    result: dict[str, Any] = json.loads(text)
    return result


def specifications(figure: Figure, frame: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """The specification of each variant that the rows in ``frame`` allow.

    Altair's own validation is a second of work here and says nothing new on other rows of the same declared columns:
    the tests of the pages hold each chart against the schema of Vega-Lite.
    """
    with debug_mode(False):
        charts = {name: build(frame) for name, build in figure.charts.items()}
        return {name: specification(chart) for name, chart in charts.items() if chart is not None}


def code_spans(text: str) -> Markup:
    """Text with `code` between backticks, everything else escaped."""
    parts = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if index % 2 else escape(part) for index, part in enumerate(parts)
    )


class Renderer:
    """Writes pages of one site: the same navigation, assets and events on all of them."""

    def __init__(self, pages: Sequence[Page], assets: Assets, events: dict[str, list[dict[str, Any]]]) -> None:
        self._pages = pages
        self._assets = assets
        self._events = events
        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["script_json"] = lambda value: Markup(script_json(value))
        self._environment.filters["code_spans"] = code_spans

    def page(
        self,
        page: Page,
        views: Sequence[FigureView],
        facts: Sequence[tuple[str, str, str]],
        context: dict[str, Any],
    ) -> str:
        """The HTML of ``page``."""
        controls = [c for s in page.switches if (c := control_of(s, [view.frame for view in views]))]
        return self._environment.get_template(page.template).render(
            page=page,
            policy=POLICY,
            assets=self._assets,
            sections=list(self._sections()),
            facts=facts,
            controls=controls,
            figures=[self._figure(view) for view in views],
            settings={"switches": [_switch_settings(control) for control in controls]},
            timeline=any(view.figure.timeline and view.frame.height for view in views),
            events=self._events,
            **context,
        )

    def _sections(self) -> Iterator[tuple[str, list[Page]]]:
        for section in dict.fromkeys(page.section for page in self._pages):
            yield section, [page for page in self._pages if page.section == section]

    def _figure(self, view: FigureView) -> dict[str, Any]:
        figure, frame = view.figure, view.frame
        held = not frame.is_empty()
        specs = specifications(figure, frame) if held else {}
        controls = [c for s in figure.switches if (c := control_of(s, [frame], specs))]
        caption = figure.caption
        sentences = [caption.what, caption.population, caption.coverage, f"Source: {caption.source}."]
        settings = {
            "name": figure.name,
            "title": figure.title,
            "columns": [vars(column) for column in figure.columns],
            "switches": [_switch_settings(control) for control in controls],
            "specs": specs,
            "tooltip": figure.tooltip,
            "timeline": figure.timeline,
            "sort": figure.sort,
            "height": figure.height(frame) if callable(figure.height) and held else figure.height,
            "sql": figure.sql.strip(),
            "caption": [sentence for sentence in sentences if sentence],
            "shards": view.shards,
            "shardBy": figure.shard_by,
            "source": figure.source,
            "required": figure.required,
        }
        return {
            "figure": figure,
            "held": held,
            "controls": controls,
            "alt": figure.alt(frame) if held else "",
            "settings": settings,
            "rows": encode_frame(frame) if held and view.shards is None else None,
        }


def _switch_settings(control: Control) -> dict[str, Any]:
    switch = control.switch
    return {
        "name": switch.name,
        "kind": switch.kind,
        "column": switch.column,
        "columns": switch.columns,
        "atLeast": switch.at_least,
        "also": switch.also,
        "value": control.value,
    }
