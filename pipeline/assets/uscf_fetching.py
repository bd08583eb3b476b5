"""Fetching US Chess's members and their monthly ratings into a data folder.

Belongs here: the fetcher of ``sources.uscf_api`` wired to this folder's raw store and settings. Nothing of Dagster is
imported. Not here: FIDE and the other collections (``fetching.py``), which come list by list.
"""

from datetime import UTC, datetime

from pipeline.lists.adding import add_file
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore
from pipeline.settings import Settings
from pipeline.sources.http import PoliteSession
from pipeline.sources.limits import Limits
from pipeline.sources.uscf_api import Progress, api_headers, fetch_members


def fetch_us_members(settings: Settings, *, with_history: bool = True, progress: Progress | None = None) -> str:
    """Fetch all members with a FIDE id and add them; returns what was found, one line.

    Args:
        settings: the folder, the address of the API, contact and pause.
        with_history: fetch the monthly supplements too, at least one request a member.
        progress: told after every answer.

    Raises:
        TransientError: not everything came; the next call continues there.
        PermanentError: the API refuses, or is not what it was.
        FormatError: the answers cannot be read.
    """
    folder = settings.fetch_dir / "uscf"
    folder.mkdir(parents=True, exist_ok=True)
    session = PoliteSession(
        settings.fetch_dir / "parts",
        contact=settings.contact,
        limits=Limits(pause_seconds=settings.pause_seconds),
        headers=api_headers(),
    )
    fetched = fetch_members(session, folder, base_url=settings.uscf_url, with_history=with_history, progress=progress)
    said = add_file(
        fetched.path,
        RawStore(settings.raw_dir),
        Lake(settings.lake_dir),
        retrieved_at=datetime.now(UTC),
        origin=settings.uscf_url,
    )
    fetched.path.unlink()
    return said
