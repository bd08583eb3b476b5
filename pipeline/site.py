"""Making the site from the published file, and telling whether it is the one that would be made now.

Belongs here: lock and mark. What stands on the pages is the business of ``dashboards``.
"""

from typing import TYPE_CHECKING

from pipeline.code_digest import code_digest
from pipeline.lists.files import write_bytes_atomically
from pipeline.settings import Settings
from pipeline.warehouse.publish import build_lock, published_fingerprint

if TYPE_CHECKING:
    from dashboards.site import SiteReport


def make_site(settings: Settings) -> "SiteReport":
    """Make the site anew, and mark what it was made from.

    Raises:
        SiteError: a page cannot be made; the site is as it was.
    """
    from dashboards.site import build_site  # Altair takes a third of a second

    with build_lock(settings):  # one writer here too: the site is made beside the old one, then exchanged
        report = build_site(settings.database.resolve(), settings.site_dir)
        write_bytes_atomically(settings.site_mark, _mark(settings).encode())
    return report


def is_made(settings: Settings) -> bool:
    """Whether the site was made from what is published, by the pages as they are."""
    mark = settings.site_mark
    return settings.site_dir.is_dir() and mark.is_file() and mark.read_text() == _mark(settings)


def _mark(settings: Settings) -> str:
    return f"{published_fingerprint(settings) or 'nothing'} {_pages_fingerprint()}\n"


def _pages_fingerprint() -> str:
    """Digest of what decides the pages beside the published file."""
    return code_digest(("altair", "jinja2", "vl-convert-python"), [("dashboards", "*")])
