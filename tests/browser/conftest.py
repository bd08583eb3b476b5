"""One site, one Chromium without a network, for all browser tests.

The site is built from invented players; with RATINGS_SITE_DATABASE it is built from that published file instead, and
the tests that know the invented players are skipped. RATINGS_AXE names the folder that holds node_modules/axe-core.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from invented import write_database
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

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
    path = tmp_path_factory.mktemp("published") / "ratings.duckdb"
    write_database(path)
    return path


@pytest.fixture
def invented_only() -> None:
    """For tests that know the invented players."""
    if os.environ.get("RATINGS_SITE_DATABASE"):
        pytest.skip("needs the invented database")


@pytest.fixture(scope="session")
def site(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    out = tmp_path_factory.mktemp("site") / "site"
    build_site(database, out)
    return out


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


@dataclass
class Visitor:
    """Opens pages of the site and notes what a page must never do."""

    site: Path
    browser: Browser
    contexts: list[BrowserContext] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def open(
        self, name: str, view: str = "", *, width: int = 1440, scheme: str = "light", zone: str = "UTC", base: str = ""
    ) -> Page:
        """The page ``name`` with ``view`` behind the "#", once everything on it is drawn."""
        context = self.browser.new_context(
            offline=not base,
            viewport={"width": width, "height": 900},
            color_scheme=scheme,  # type: ignore[arg-type]
            timezone_id=zone,
        )
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.console.append(f"{name}: {message.text}"))
        page.on("pageerror", lambda error: self.console.append(f"{name}: {error}"))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))
        page.set_default_timeout(10_000)
        page.goto((base or self.site.as_uri() + "/") + f"{name}.html" + (f"#{view}" if view else ""))
        drawn(page)
        return page


def drawn(page: Page) -> None:
    """Wait until the page says that everything is drawn."""
    page.wait_for_selector("html[data-ready]", state="attached")


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
