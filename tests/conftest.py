"""Fixtures shared by all tests: where real list files and Debian's Scid data are, when they are there."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: With RATINGS_REQUIRE_ALL=1 (continuous integration) nothing may be skipped for want of files or a browser.
REQUIRE_ALL = os.environ.get("RATINGS_REQUIRE_ALL") == "1"


@pytest.hookimpl(tryfirst=True)  # the plugin that divides the tests looks at the marks in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With several workers, tests that share a module's fixture stay on one of them, so that it is made once."""
    for item in items:
        if isinstance(item, pytest.Function) and any(
            definition.scope == "module"
            for definitions in item._fixtureinfo.name2fixturedefs.values()
            for definition in definitions
        ):
            item.add_marker(pytest.mark.xdist_group(item.path.name))


def absent(what: str, how: str) -> None:
    """Skip with a reason, or fail where everything is required."""
    if REQUIRE_ALL:
        pytest.fail(f"{what} is required here but absent; {how}")
    pytest.skip(f"{what} is absent; {how}")


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder with real lists, reference tables and cases (RATINGS_SHARED, else ``../shared``)."""
    path = Path(os.environ.get("RATINGS_SHARED", ROOT.parent / "shared"))
    if not (path / "lists").is_dir():
        absent(f"the collection of real lists ({path})", "set RATINGS_SHARED to its folder")
    return path


@pytest.fixture(scope="session")
def scid_file() -> Path:
    """Scid's ratings file as Debian's package scid-rating-data installs it (or RATINGS_SCID)."""
    path = Path(os.environ.get("RATINGS_SCID", "/usr/share/scid/data/spelling.ssp"))
    if not path.is_file():
        absent(f"Scid's ratings file ({path})", "apt install scid-rating-data, or set RATINGS_SCID")
    return path
