"""The whole history from nothing, then one more month of three types: what a refresh costs beside a full build.

Each build is a process of its own, as a schedule starts it. The months after April 2021 are invented: the players of
Scid's last list, one in sixteen with another rating, and newcomers. The first such month states attributes of everybody
that Scid's file does not have, as the first list of another publisher would; the second is an ordinary month.
"""

import os
import random
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from building import read_only
from list_builder import Player, archive_name, zipped_list

from pipeline.settings import Settings

pytestmark = [pytest.mark.benchmark_run, pytest.mark.scid, pytest.mark.slow]

_LAST_LIST = """
select entries.player_id, versions.name, versions.federation, versions.sex, versions.birth_year, versions.title,
    entries.rating
from core.entries as entries
join core.player_versions as versions using (version_key)
join core.lists as lists using (list_key)
where lists.list_date = date '2021-04-01' and lists.rating_type = 'standard' and entries.player_id < 1000000000
order by entries.player_id
"""
#: Share of the players who have a rating of each type.
_SHARES = {"standard": 1.0, "rapid": 0.55, "blitz": 0.4}
_NEWCOMERS = 3000


@dataclass(frozen=True)
class Cost:
    """What one process cost."""

    clock: float
    cpu: float
    peak_mb: float


def run(settings: Settings, *arguments: str) -> Cost:
    """Run ``ratings`` in a process of its own; the peak is that of the largest process so far."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "pipeline.cli", *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"RATINGS_DATA": str(settings.data_dir)},
    )
    clock, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(clock, cpu, after.ru_maxrss / 1024)


def write_month(settings: Settings, folder: Path, month: int) -> list[Path]:
    """The three lists of one invented month of 2021."""
    with read_only(settings) as connection:
        people = connection.execute(_LAST_LIST).fetchall()
    chance = random.Random(month)
    listed = [
        Player(
            fide_id=number,
            name=name.encode("ascii", "replace").decode()[:60],
            federation=federation or "FID",
            sex=sex or "M",
            title=title or "",
            rating=rating + (chance.randint(-30, 30) if chance.random() < 1 / 16 else 0),
            birth_year=born,
        )
        for number, name, federation, sex, born, title, rating in people
    ]
    listed += [
        Player(fide_id=90_000_000 + number, name=f"{chr(65 + number % 26)}ewcomer {number}, Invented", rating=1200)
        for number in range((month - 4) * _NEWCOMERS)
    ]
    files = []
    for rating_type, share in _SHARES.items():
        path = folder / archive_name(date(2021, month, 1), rating_type)
        rated = [player for place, player in enumerate(listed) if place * 7919 % 1000 < 1000 * share]
        path.write_bytes(zipped_list(rated, date(2021, month, 1), rating_type))
        files.append(path)
    return files


def test_one_more_month_beside_a_full_build(scid_file: Path, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    costs: dict[str, Cost] = {"read Scid's file": run(settings, "add", str(scid_file))}
    costs["build the whole history"] = run(settings, "build")
    size = settings.database.resolve().stat().st_size
    with read_only(settings) as connection:
        (entries,) = connection.execute("select entry_count from core.publication").fetchall()[0]
    for month, name in ((5, "first month"), (6, "ordinary month")):
        files = [str(path) for path in write_month(settings, tmp_path, month)]
        costs[f"read three lists, {name}"] = run(settings, "add", *files)
        costs[f"build, {name}"] = run(settings, "build")
        with read_only(settings) as connection:
            (appended,) = connection.execute("select appended_count from core.publication").fetchall()[0]
        assert appended > 0, "the month was not added to what was published"
    print()
    for name, cost in costs.items():
        print(f"| {name} | {cost.clock:.0f} | {cost.cpu:.0f} | {cost.peak_mb:.0f} |")
    print(f"file of {size / 1e6:.1f} MB, {size / entries:.2f} bytes an entry")
    assert size / entries <= 6
    assert max(cost.peak_mb for cost in costs.values()) <= 4096
    whole = costs["read Scid's file"].cpu + costs["build the whole history"].cpu
    added = costs["read three lists, ordinary month"].cpu + costs["build, ordinary month"].cpu
    print(f"an ordinary month costs {added / whole:.0%} of the whole history, by processor time")
    # A fifth is the aim and is not reached; that a month does not become dearer is held here.
    assert added < 0.4 * whole
