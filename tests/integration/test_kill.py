"""A refresh that is killed leaves what was published, and nothing that stops the next one."""

from pathlib import Path

import pytest
from integration.fake_publisher import FakePublisher
from integration.kill_refresh import KilledRefreshes

pytestmark = pytest.mark.slow


def test_refreshes_killed_at_random_moments(tmp_path: Path) -> None:
    with FakePublisher(tmp_path / "publisher").running() as publisher:
        killed = KilledRefreshes(tmp_path / "data", publisher, seed=20)
        for _ in range(3):
            killed.round()
        assert len(killed.moments) == 3
