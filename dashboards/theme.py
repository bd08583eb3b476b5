"""Colours and type of the site, once for style sheet and charts: the tokens of light and dark, the Vega-Lite
configuration and the custom properties of the style sheet. No layout of pages (``static/site.css``) and no chart.

Chart code names a colour by token ("@accent"); the page, or ``resolve`` here, puts the colour of the theme in its
place, so one specification serves both. The five series colours differ in lightness by at least 7 L* from one to the
next and stay apart under the three kinds of colour blindness (``tests/unit/dashboards/test_theme.py`` measures both).
"""

import json
import re
from typing import Any, Final, Literal

Scheme = Literal["light", "dark"]

FONT: Final = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif'
SERIF: Final = '"Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", "Book Antiqua", Georgia, serif'

#: c1 ... c5 are series (dark to light on paper), s1 ... s7 an ordered ramp (weak to strong against the ground).
TOKENS: Final[dict[Scheme, dict[str, str]]] = {
    "light": {
        "paper": "#fbfaf7",
        "raised": "#ffffff",
        "sunken": "#f1efe9",
        "ink": "#1b1c1e",
        "muted": "#5b5a55",
        "line": "#d9d6cd",
        "grid": "#e8e5dd",
        "control": "#86837a",
        "accent": "#0f4c81",
        "mark": "#912e04",
        "c1": "#0f365e",
        "c2": "#912e04",
        "c3": "#8d5064",
        "c4": "#6073c0",
        "c5": "#8f9060",
        "s1": "#d6dfe4",
        "s2": "#b4c7d3",
        "s3": "#8fadc1",
        "s4": "#6a92b0",
        "s5": "#44769d",
        "s6": "#245a85",
        "s7": "#0f365e",
    },
    "dark": {
        "paper": "#15171b",
        "raised": "#1c1f24",
        "sunken": "#101216",
        "ink": "#ecebe7",
        "muted": "#a9a7a0",
        "line": "#363a41",
        "grid": "#282c32",
        "control": "#7c808a",
        "accent": "#8cc4f2",
        "mark": "#f2b97a",
        "c1": "#baeafd",
        "c2": "#f2b97a",
        "c3": "#fa7f9b",
        "c4": "#8283ea",
        "c5": "#7d7e1e",
        "s1": "#2b333b",
        "s2": "#34495a",
        "s3": "#3f6079",
        "s4": "#507a99",
        "s5": "#6a97b9",
        "s6": "#8fb9d6",
        "s7": "#c3e3f7",
    },
}

SERIES: Final = tuple(f"@c{i}" for i in range(1, 6))
RAMP: Final = tuple(f"@s{i}" for i in range(1, 8))


def vega_config() -> dict[str, Any]:
    """The Vega-Lite configuration of every chart, colours as tokens."""
    label = {"labelFont": FONT, "titleFont": FONT, "labelFontSize": 12, "titleFontSize": 12}
    return {
        "background": "@paper",
        "font": FONT,
        # Marks are described by the page (one text a chart, and a table), not one by one to a screen reader.
        "aria": False,
        "view": {"stroke": None},
        "range": {"category": list(SERIES), "ordinal": list(RAMP), "ramp": list(RAMP)},
        "axis": {
            **label,
            "labelColor": "@muted",
            "titleColor": "@muted",
            "titleFontWeight": "normal",
            "gridColor": "@grid",
            "domainColor": "@line",
            "tickColor": "@line",
            "labelPadding": 6,
            "titlePadding": 10,
        },
        "axisX": {"grid": False, "tickSize": 4},
        "axisY": {
            "domain": False,
            "ticks": False,
            "titleAngle": 0,
            "titleAlign": "left",
            "titleAnchor": "start",
            "titleY": -27,
            "titleX": 0,
        },
        "legend": {
            **label,
            "labelColor": "@ink",
            "titleColor": "@muted",
            "orient": "top",
            "titleFontWeight": "normal",
            "symbolStrokeWidth": 0,
        },
        "header": {**label, "labelColor": "@ink", "titleColor": "@muted"},
        "title": {
            "font": SERIF,
            "fontSize": 19,
            "fontWeight": "normal",
            "color": "@ink",
            "anchor": "start",
            "offset": 26,
            "subtitleFont": FONT,
            "subtitleFontSize": 12,
            "subtitleColor": "@muted",
            "subtitlePadding": 6,
        },
        "line": {"strokeWidth": 1.75, "strokeCap": "round", "strokeJoin": "round", "color": "@c1"},
        "point": {"color": "@c1", "filled": True},
        "circle": {"color": "@c1", "opacity": 1},
        "bar": {"color": "@c1"},
        "rule": {"color": "@line"},
        "text": {"font": FONT, "fontSize": 12, "color": "@ink"},
    }


def resolve(spec: dict[str, Any], scheme: Scheme = "light") -> dict[str, Any]:
    """A copy of ``spec`` with every token replaced by its colour in ``scheme``; to be called before data go in."""

    def colour(match: re.Match[str]) -> str:
        return json.dumps(TOKENS[scheme][match[1]]) if match[1] in TOKENS[scheme] else match[0]

    resolved: dict[str, Any] = json.loads(re.sub(r'"@([a-z]+\d?)"', colour, json.dumps(spec)))
    return resolved


def style_sheet_tokens() -> str:
    """Custom properties for the style sheet: light, dark by preference, and dark by the reader's choice."""

    def block(scheme: Scheme) -> str:
        return "".join(f"--{name}:{value};" for name, value in TOKENS[scheme].items()) + f"color-scheme:{scheme};"

    return (
        f":root{{{block('light')}--sans:{FONT};--serif:{SERIF}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{block('dark')}}}}}\n"
        f":root[data-theme=dark]{{{block('dark')}}}\n"
        f"@media print{{:root:root{{{block('light')}}}}}\n"
    )
