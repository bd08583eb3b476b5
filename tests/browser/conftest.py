"""One site, one Chromium without a network, for all browser tests.

The site is built from invented players; with RATINGS_SITE_DATABASE it is built from that published file instead, and
the tests that know the invented players are skipped. RATINGS_AXE names the folder that holds node_modules/axe-core.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.invented import write_database
from browser.visitor import Visitor
from once import once_a_run
from playwright.sync_api import Browser, sync_playwright

from dashboards.site import build_site

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
REQUIRE_ALL = os.environ.get("RATINGS_REQUIRE_ALL") == "1"


def _absent(what: str) -> None:
    if REQUIRE_ALL:
        pytest.fail(f"{what} is required here but absent")
    pytest.skip(f"{what} is absent")


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The published file the site is built from."""
    if given := os.environ.get("RATINGS_SITE_DATABASE"):
        return Path(given)

    def write(folder: Path) -> None:
        folder.mkdir()
        write_database(folder / "ratings.duckdb")

    return once_a_run(tmp_path_factory, "invented-database", write) / "ratings.duckdb"


@pytest.fixture
def invented_only() -> None:
    """For tests that know the invented players."""
    if os.environ.get("RATINGS_SITE_DATABASE"):
        pytest.skip("needs the invented database")


@pytest.fixture(scope="session")
def site(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    return once_a_run(tmp_path_factory, "site", lambda folder: build_site(database, folder))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, or whichever `chromium` is on the path."""
    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    if binary is None:
        _absent("a chromium binary")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=binary, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The text of axe-core, the accessibility checker."""
    folder = Path(os.environ.get("RATINGS_AXE", Path(__file__).parent))
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        _absent(f"axe-core ({script}); run `npm ci` in tests/browser")
    return script.read_text(encoding="utf-8")


@pytest.fixture
def visitor(site: Path, browser: Browser) -> Iterator[Visitor]:
    """A visitor; at the end nothing may have been written to the console or asked of another place."""
    visiting = Visitor(site, browser)
    yield visiting
    for context in visiting.contexts:
        context.close()
    assert visiting.console == []
    assert visiting.dialogs == []
    inside = (site.as_uri() + "/", "data:", "blob:", "http://127.0.0.1:")
    assert [url for url in visiting.requests if not url.startswith(inside)] == []
