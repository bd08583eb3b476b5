"""Opening pages of the built site and noting what a page must never do."""

from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page


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
            reduced_motion="reduce",
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
