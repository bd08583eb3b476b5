"""Fixtures shared by all tests: where real list files and Debian's Scid data are, when they are there."""

import os
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings
from xdist.scheduler import LoadScopeScheduling

ROOT = Path(__file__).resolve().parent.parent
#: With RATINGS_REQUIRE_ALL=1 (continuous integration) nothing may be skipped for want of files or a browser.
REQUIRE_ALL = os.environ.get("RATINGS_REQUIRE_ALL") == "1"

#: A test of many made-up examples has the same ones every time; `make explore` looks for others. None has to be quick:
#: that depends on what else the machine does.
hypothesis_settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis_settings.register_profile("explore", derandomize=False, deadline=None)
hypothesis_settings.load_profile("repeatable")


class KeepingModulesTogether(LoadScopeScheduling):
    """Divides the tests between workers: those of a file with a fixture of its own go to one, all others anywhere.

    xdist's own groups (``--dist loadgroup``) are silently ignored under pytest 9.2.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", 1)[0]
        return file if _has_module_fixture(file) else nodeid


@cache
def _has_module_fixture(file: str) -> bool:
    return 'scope="module"' in (ROOT / file).read_text(encoding="utf-8")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> KeepingModulesTogether:
    """With several workers, a module's fixture is made once, and tests that build on each other see each other."""
    return KeepingModulesTogether(config, log)


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


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are numbered: written out they are no name, and an archive tells the second in which it was made.

    Workers have to collect the same names.
    """
    return argname if isinstance(val, bytes) else None
