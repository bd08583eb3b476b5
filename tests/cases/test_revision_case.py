"""Case 14: a list ingested twice, then withdrawn and replaced under the same name, once with a kill half-way."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from building import add, publish, read_only

from pipeline.lists.raw_store import RawStore
from pipeline.settings import Settings

pytestmark = [pytest.mark.shared, pytest.mark.slow]

LIST_DATE = date(2003, 1, 1)


@pytest.fixture
def case(shared_dir: Path) -> Path:
    return shared_dir / "cases" / "14_rerun_then_revision"


def ingest(settings: Settings, case: Path, version: str, seen: datetime) -> None:
    path = case / version / "JAN03FRL.TXT"
    add(settings, path, list_date=LIST_DATE, rating_type="standard", retrieved_at=seen)
    publish(settings)


def january(settings: Settings) -> dict[int, int | None]:
    with read_only(settings) as connection:
        return dict(
            connection.execute(
                "select fide_id, rating from core.entries join core.players using (player_id) "
                "join core.lists using (list_key) where list_date = ? and rating_type = 'standard' "
                "and lists.source_key in (select source_key from core.source_files where collection = 'fide')",
                [LIST_DATE],
            ).fetchall()
        )


def others(settings: Settings) -> list[tuple[object, ...]]:
    """Every other list, by number of entries and sum of ratings."""
    with read_only(settings) as connection:
        return connection.execute(
            "select publisher, rating_type, list_date, count(*), sum(rating) from core.entries "
            "join core.lists using (list_key) where list_date <> ? group by all order by all",
            [LIST_DATE],
        ).fetchall()


def kill_half_way(settings: Settings) -> None:
    script = (
        "import sys; from pathlib import Path; from pipeline.settings import Settings; from building import publish;"
        "publish(Settings(data_dir=Path(sys.argv[1])), force=True)"
    )
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    build = subprocess.Popen([sys.executable, "-c", script, str(settings.data_dir)], env=env, start_new_session=True)
    while build.poll() is None and not list(settings.versions_dir.glob(".building-*.duckdb")):
        time.sleep(0.01)
    os.killpg(build.pid, signal.SIGKILL)
    build.wait()
    assert list(settings.versions_dir.glob(".building-*")), "killed after it had begun, before it had ended"


def test_rerun_then_revision(case: Path, tmp_path: Path) -> None:
    expected: dict[str, Any] = json.loads((case / "expected.json").read_text())
    first, again, second, killed = expected["must"]["steps"]
    days = [datetime.fromisoformat(file["seen"]).replace(tzinfo=UTC) for file in expected["files"]]
    settings = Settings(data_dir=tmp_path / "data")
    publish(settings)
    untouched = others(settings)

    def require(step: Mapping[str, Any]) -> None:
        found = january(settings)
        assert len(found) == step["rows_2003-01"]
        assert {int(number): rating for number, rating in step["standard"].items()}.items() <= found.items()
        assert not set(step.get("absent", [])) & found.keys()
        assert others(settings) == untouched

    ingest(settings, case, "first_version", days[0])
    require(first)
    version = settings.database.resolve()
    ingest(settings, case, "first_version", days[0])
    assert len(january(settings)) == again["rows_2003-01"]
    assert settings.database.resolve() == version, "nothing changed, nothing was published"
    ingest(settings, case, "second_version", days[1])
    require(second)
    kill_half_way(settings)
    require(killed | {"absent": second["absent"]})
    ingest(settings, case, "second_version", days[1])
    publish(settings, force=True)
    require(killed | {"absent": second["absent"]})

    report = expected["should"]["revision_report"]
    with read_only(settings) as connection:
        differences = connection.execute(
            "select difference, list(fide_id order by fide_id) from marts.edition_differences "
            "where list_date = ? and current_collection = 'fide' and other_collection = 'fide' group by all",
            [LIST_DATE],
        ).fetchall()
    assert dict(differences) == {
        "ratings differ": report["rating changed"],
        "only in the other edition": report["removed"],
        "only in the current edition": report["added"],
    }
    sources = {source.retrieved_at: source for source in RawStore(settings.raw_dir).sources()}
    for day, folder in zip(days, ("first_version", "second_version"), strict=True):
        content = RawStore(settings.raw_dir).read(sources[day])
        assert content == (case / folder / "JAN03FRL.TXT").read_bytes()
