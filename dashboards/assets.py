"""The files that all pages share: style sheet, own scripts, and the one bundle of Vega, Vega-Lite and vega-embed.

Each is named by its content, so that a browser may keep it for ever and never shows an old one. The bundle is named by
the version of vl-convert too, which alone decides its content: it takes a second to make and is taken from the previous
site where that has it whole.
"""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

import vl_convert

from dashboards import theme
from dashboards.encode import content_hash, script_json, whole_content

STATIC: Final = Path(__file__).parent / "static"

#: Own scripts in the order in which they build on each other; joined into one file.
SCRIPTS: Final = ("state", "data", "chart", "table", "download", "controls", "figure", "players", "converter", "main")


@dataclass(frozen=True)
class Assets:
    """Paths of the shared files, relative to the site."""

    style: str
    script: str
    vega: str


@cache
def vega_bundle() -> str:
    """Vega, Vega-Lite and vega-embed as one script that needs no network (about 0.9 MB)."""
    return str(vl_convert.javascript_bundle())  # type: ignore[call-arg]


def own_script() -> str:
    """The site's own scripts, after the colours and the chart configuration they use."""
    settings = script_json({"tokens": theme.TOKENS, "config": theme.vega_config()})
    parts = [(STATIC / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS]
    return f"window.RatingsTheme = {settings};\n" + "\n".join(parts)


def _kept_bundle(previous: Path, stem: str) -> str | None:
    """The bundle in the folder ``previous`` whose content is what its name says."""
    for path in previous.glob(f"{stem}-*.js"):
        content = whole_content(path)
        if content is not None:
            return content.decode()
    return None


def write(folder: Path, previous: Path) -> Assets:
    """Write the shared files into ``folder`` and return their paths as pages name them.

    ``previous`` is the folder of shared files of the site that is replaced; it need not be there.
    """
    folder.mkdir(parents=True)

    def put(stem: str, suffix: str, content: str) -> str:
        name = f"{stem}-{content_hash(content)}.{suffix}"
        (folder / name).write_text(content, encoding="utf-8")
        return f"{folder.name}/{name}"

    style = theme.style_sheet_tokens() + (STATIC / "site.css").read_text(encoding="utf-8")
    vega = f"vega-{version('vl-convert-python')}"
    bundle = _kept_bundle(previous, vega) or vega_bundle()
    return Assets(put("site", "css", style), put("site", "js", own_script()), put(vega, "js", bundle))
