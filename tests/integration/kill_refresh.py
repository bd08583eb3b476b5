"""Kill refreshes at random moments: what is published stays whole, and the next refresh completes.

A program as well: ``python tests/integration/kill_refresh.py --kills 50 --seed 1``. Every round revises the newest
list, starts ``ratings refresh``, kills it with all its processes after a random time, looks at the published file,
and lets the next refresh end.
"""

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent.parent.parent)]

import dagster as dg
from conftest import ROOT
from integration.fake_publisher import FakePublisher
from list_builder import archive_name, with_ratings_raised, zipped_list
from refreshing import PLAYERS, command, environment, lists_a_refresh_asks_for, offer, published, settings_for

from pipeline.assets.instance import IN_PROGRESS
from pipeline.domain.list_key import ListKey
from pipeline.settings import Settings


class KilledRefreshes:
    """A published data folder whose refreshes are killed.

    Attributes:
        moments: for every kill, seconds after the start and what was published afterwards (a revision's number).
    """

    def __init__(self, folder: Path, publisher: FakePublisher, seed: int) -> None:
        self.publisher = publisher
        self.settings: Settings = settings_for(folder, publisher)
        self.env = environment(folder, publisher)
        self.random = random.Random(seed)
        keys = lists_a_refresh_asks_for(self.settings)
        self.newest: ListKey = max(key for key in keys if key.rating_type == "standard")
        self.revision = 1
        self.moments: list[tuple[float, int]] = []
        offer(publisher, [key for key in keys if key != self.newest])
        self._revise()
        command(self.env, "refresh")
        started = time.monotonic()
        self.revision += 1
        self._revise()
        command(self.env, "refresh")
        self.longest = time.monotonic() - started

    def round(self) -> None:
        """One kill, and the refresh after it.

        Raises:
            AssertionError: the published file is not one of the two publications that it may be, or something of
                the killed refresh is left after the next one.
        """
        self.revision += 1
        self._revise()
        moment = self.random.uniform(0, self.longest)
        refresh = subprocess.Popen(
            [sys.executable, "-m", "pipeline.cli", "refresh"],
            env=self.env,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(moment)
        with contextlib.suppress(ProcessLookupError):  # it had ended
            os.killpg(refresh.pid, signal.SIGKILL)
        refresh.wait()
        found = self._published_revision()
        assert found in (self.revision - 1, self.revision), f"revision {found} after round {self.revision}"
        self.moments.append((moment, found))
        command(self.env, "refresh")
        assert self._published_revision() == self.revision
        self._nothing_is_left()

    def _revise(self) -> None:
        players = with_ratings_raised(PLAYERS, self.revision)
        self.publisher.publish(archive_name(self.newest.list_date), zipped_list(players, self.newest.list_date))

    def _published_revision(self) -> int:
        """By how much the newest list is raised: by the same number throughout, in core tables and in marts."""
        rows = published(
            self.settings,
            "select fide_id, entries.rating from core.entries join core.lists using (list_key) "
            f"join core.players using (player_id) where list_key = {self.newest.number} order by 1",
        )
        raised: dict[object, object] = dict(rows)  # type: ignore[arg-type]
        steps = {raised[player.fide_id] - player.rating for player in PLAYERS if player.rating}  # type: ignore[operator]
        assert len(steps) == 1, f"half of one list and half of another: {steps}"
        whole = published(
            self.settings, "select entry_count = (select count(*) from core.entries) from core.publication"
        )
        assert whole == [(True,)]
        [(best,)] = published(
            self.settings,
            "select rating_rank_1 from marts.list_summary where publisher = 'fide' and rating_type = 'standard' "
            f"and list_date = date '{self.newest.list_date}'",
        )
        [step] = steps
        assert best == max(player.rating for player in PLAYERS if player.rating) + step
        return int(step)

    def _nothing_is_left(self) -> None:
        left = [
            path
            for pattern in (".building-*", ".*.tmp", ".*.link")
            for path in self.settings.data_dir.rglob(pattern)
            if path.parent.name != "parts"
        ]
        assert not left, f"leftovers: {left}"
        os.environ["DAGSTER_HOME"] = str(self.settings.dagster_home)
        with dg.DagsterInstance.get() as instance:
            assert not instance.get_run_records(dg.RunsFilter(statuses=IN_PROGRESS)), "a dead run counts as running"


def main() -> None:
    """Kill as often as told and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, FakePublisher(Path(name, "publisher")).running() as publisher:
        killed = KilledRefreshes(Path(name, "data"), publisher, options.seed)
        for number in range(1, options.kills + 1):
            killed.round()
            moment, found = killed.moments[-1]
            state = "the new" if found == killed.revision else "the old"
            print(f"{number:3}: killed after {moment:5.1f} of {killed.longest:.1f} s, {state} publication", flush=True)
    print(f"{options.kills} kills with seed {options.seed}: every publication whole, every next refresh completed")


if __name__ == "__main__":
    main()
