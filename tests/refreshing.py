"""Refreshing a data folder from the fake publisher in a test, by the command line as people do."""

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from pathlib import Path

import duckdb
from conftest import ROOT
from integration.fake_publisher import FakePublisher
from list_builder import Player, archive_name, invented_players, with_ratings_raised, zipped_list

from pipeline.assets.fetching import Fetching, today
from pipeline.domain.list_key import ListKey
from pipeline.settings import Settings

PLAYERS = invented_players(40)


def environment(data_dir: Path, publisher: FakePublisher, **more: str) -> dict[str, str]:
    """Environment of a command that works on this folder and asks this publisher."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(("RATINGS_", "DAGSTER_"))},
        "PYTHONPATH": str(ROOT),
        "RATINGS_DATA": str(data_dir),
        "RATINGS_FIDE_URL": publisher.url,
        "RATINGS_OLIMPBASE_URL": f"{publisher.url}/download/elo1967-2001.zip",
        "RATINGS_FETCH_PAUSE": "0",
        **more,
    }


def settings_for(data_dir: Path, publisher: FakePublisher) -> Settings:
    """Settings of the same."""
    return Settings(data_dir=data_dir, fide_url=publisher.url, pause_seconds=0)


def command(env: Mapping[str, str], *words: str, expect: int | None = 0) -> str:
    """Run ``ratings WORDS`` in a process of its own and return what it said, errors included."""
    result = subprocess.run(
        [sys.executable, "-m", "pipeline.cli", *words],
        env=dict(env),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
    )
    assert expect is None or result.returncode == expect, f"exit code {result.returncode}\n{result.stdout}"
    return result.stdout


def a_run_is_killed(env: Mapping[str, str]) -> None:
    """Begin a Dagster run in the data folder of ``env``, in a process that is killed in its midst."""
    script = (
        "import os; from pipeline.settings import Settings; from pipeline.assets.instance import instance\n"
        "from pipeline.assets.instance import process_tags; import dagster as dg\n"
        "@dg.asset\ndef endless():\n    os.kill(os.getpid(), 9)\n"
        "with instance(Settings.from_env()) as opened: dg.materialize([endless], instance=opened, tags=process_tags())"
    )
    env = {**env, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
    assert subprocess.run([sys.executable, "-c", script], env=env, capture_output=True).returncode == -9


def lists_a_refresh_asks_for(settings: Settings) -> list[ListKey]:
    """The lists that a first refresh asks for, whatever day it is."""
    return Fetching(settings, today()).to_refresh()


def points_of(key: ListKey) -> int:
    """By how much the ratings of a list are raised, so that no two lists of a folder are equal."""
    return (key.list_date.year * 12 + key.list_date.month) % 50


def offer(publisher: FakePublisher, keys: Iterable[ListKey], players: list[Player] | None = None) -> None:
    """Publish these lists, each month with ratings of its own."""
    for key in keys:
        rated = with_ratings_raised(players or PLAYERS, points_of(key))
        content = zipped_list(rated, key.list_date, key.rating_type)
        publisher.publish(archive_name(key.list_date, key.rating_type), content)


def published(settings: Settings, query: str) -> list[tuple[object, ...]]:
    """Ask the published file."""
    with duckdb.connect(str(settings.database.resolve()), read_only=True) as connection:
        rows: list[tuple[object, ...]] = connection.execute(query).fetchall()
        return rows


def held_lists(settings: Settings) -> set[tuple[str, date]]:
    """Rating type and date of FIDE's own lists in the published file."""
    rows = published(
        settings,
        "select rating_type, list_date from core.lists join core.source_files using (source_key) "
        "where collection = 'fide'",
    )
    return {(str(kind), day) for kind, day in rows if isinstance(day, date)}


def month_before(day: date) -> date:
    """First day of the month before."""
    return (day.replace(day=1) - timedelta(days=1)).replace(day=1)
