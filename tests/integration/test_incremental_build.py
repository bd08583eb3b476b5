"""A build that continues the published file gives, table by table, what a build from nothing gives."""

import shutil
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import duckdb
import pytest
from building import add, publish, read_only
from list_builder import Player, archive_name, invented_players, with_ratings_raised, zipped_list

from pipeline.lists.adding import add_file
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore
from pipeline.settings import Settings
from pipeline.warehouse import increment as incremental
from pipeline.warehouse import refresh
from pipeline.warehouse.refresh import BuildReport

#: Files come after the bundled lists, whose day of retrieval is a constant.
ADDED = datetime(2026, 12, 1, tzinfo=UTC)


def people(count: int, first_id: int) -> list[Player]:
    """Invented people of different names from A to Z: a list of one letter would count as an extract."""
    return [
        replace(player, name=f"{chr(65 + player.fide_id % 26)}nventedov {player.fide_id}, Person")
        for player in invented_players(count, first_id)
    ]


PLAYERS = people(400, 9_900_001)
#: One of them is printed under another number from December on, when the old one is gone.
RENUMBERED = replace(PLAYERS[10], name="Inventedova, Onlyone", fide_id=9_900_011)


#: A table that prints no numbers: its people are known by their names.
NO_NUMBERS = """
publisher = "fide"
collection = "mapped"
format = "csv"
rating_type = "standard"

[columns]
name = "name"
federation = "fed"
rating = "rating"
"""


class World:
    """A data folder to which lists of invented people are added one after the other."""

    def __init__(self, folder: Path, data_dir: Path) -> None:
        self.folder = folder
        self.settings = Settings(data_dir=data_dir)
        self._moment = ADDED

    def add(self, players: list[Player], list_date: date, rating_type: str = "standard") -> None:
        """Add one list, a minute after the last."""
        self._moment += timedelta(minutes=1)
        self.folder.mkdir(exist_ok=True)
        path = self.folder / archive_name(list_date, rating_type)
        path.write_bytes(zipped_list(players, list_date, rating_type))
        add(self.settings, path, list_date=list_date, rating_type=rating_type, retrieved_at=self._moment)

    def wait(self, time: timedelta) -> None:
        """Let time go by until the next list is added."""
        self._moment += time

    def publish_both(self, tmp_path: Path) -> BuildReport:
        """Build on what is published, and from nothing in a copy of the folder; the two hold the same."""
        anew = tmp_path / "anew"
        shutil.rmtree(anew, ignore_errors=True)
        shutil.copytree(self.settings.data_dir, anew, symlinks=True)
        report = publish(self.settings)
        full = publish(Settings(data_dir=anew), force=True)
        assert full.since is None
        assert contents(self.settings) == contents(Settings(data_dir=anew))
        for path in sorted(self.settings.marts_dir.iterdir()):
            assert path.read_bytes() == (anew / "marts" / path.name).read_bytes(), path.name
        return report


def contents(settings: Settings) -> dict[str, tuple[int, int, str | None]]:
    """Number of rows, their digest in any order, and the description of every table and view."""
    with read_only(settings) as connection:
        relations = connection.execute(
            "select schema_name || '.' || table_name, comment from duckdb_tables() union all "
            "select schema_name || '.' || view_name, comment from duckdb_views() where not internal order by 1"
        ).fetchall()
        found = {}
        for name, comment in relations:
            # How many entries stand behind the others is all that tells the two builds apart.
            columns = "columns(lambda c: c <> 'appended_count')"
            row = connection.execute(f"select count(*), sum(hash(*{columns})::hugeint) from {name}").fetchone()
            assert row is not None
            found[name] = (row[0], row[1], comment)
    return found


@pytest.fixture(scope="module")
def nine_months(bundled: Settings, tmp_path_factory: pytest.TempPathFactory) -> World:
    """The bundled lists and the invented ones of nine months, published. Do not change it."""
    folder = tmp_path_factory.mktemp("nine_months")
    shutil.copytree(bundled.data_dir, folder / "data", symlinks=True)
    made = World(folder / "files", folder / "data")
    for month in range(1, 10):
        printed = [*PLAYERS[:10], RENUMBERED, *PLAYERS[11:]]
        made.add(with_ratings_raised(printed, month), date(2025, month, 1))
    publish(made.settings, force=True)
    return made


@pytest.fixture
def world(nine_months: World, tmp_path: Path) -> World:
    """A copy of the nine months to which lists may be added."""
    shutil.copytree(nine_months.settings.data_dir, tmp_path / "data", symlinks=True)
    copied = World(tmp_path / "files", tmp_path / "data")
    copied.wait(timedelta(hours=1))
    return copied


def test_a_new_month_of_three_types_is_loaded_alone(world: World, tmp_path: Path) -> None:
    for rating_type in ("standard", "rapid", "blitz"):
        world.add(with_ratings_raised([*PLAYERS, *people(30, 9_950_001)], 12), date(2025, 10, 1), rating_type)
    report = world.publish_both(tmp_path)
    assert report.since == date(2025, 10, 1)
    world.add(with_ratings_raised(PLAYERS[:380], 20), date(2025, 11, 1))
    assert world.publish_both(tmp_path).since == date(2025, 11, 1)


def test_a_revised_list_takes_the_place_of_the_one_before(world: World, tmp_path: Path) -> None:
    world.add(with_ratings_raised(PLAYERS, 15), date(2025, 10, 1))
    assert world.publish_both(tmp_path).since == date(2025, 10, 1)
    world.add([*with_ratings_raised(PLAYERS[:200], 15), *with_ratings_raised(PLAYERS[200:], 16)], date(2025, 10, 1))
    assert world.publish_both(tmp_path).since == date(2025, 10, 1)
    with read_only(world.settings) as connection:
        superseded = connection.execute(
            "select count(*) from core.superseded_entries join core.lists using (list_key) "
            "where list_date = date '2025-10-01'"
        ).fetchone()
    assert superseded == (len(PLAYERS),)


def test_a_peak_is_raised_repeated_and_taken_back(world: World, tmp_path: Path) -> None:
    peak = with_ratings_raised(PLAYERS, 40)
    world.add(peak, date(2025, 10, 1))
    assert world.publish_both(tmp_path).since == date(2025, 10, 1)
    world.add(peak, date(2025, 11, 1))
    assert world.publish_both(tmp_path).since == date(2025, 11, 1)
    assert peak_of(world.settings, PLAYERS[0]) == (PLAYERS[0].rating + 40, date(2025, 10, 1), date(2025, 11, 1), 2, 11)
    world.add(with_ratings_raised(PLAYERS[:300], 15), date(2025, 10, 1))
    assert world.publish_both(tmp_path).since == date(2025, 10, 1)
    assert peak_of(world.settings, PLAYERS[0]) == (PLAYERS[0].rating + 40, date(2025, 11, 1), date(2025, 11, 1), 1, 11)
    assert peak_of(world.settings, PLAYERS[399])[3:] == (1, 10)


def peak_of(settings: Settings, player: Player) -> tuple[object, ...]:
    """Peak of an invented person: rating, first and last list, lists at the peak, lists."""
    with read_only(settings) as connection:
        (row,) = connection.execute(
            "select peak_rating, peak_list_date, last_list_date_at_peak, lists_at_peak, lists_count "
            "from marts.top_player_peaks where fide_id = ? and rating_type = 'standard'",
            [player.fide_id],
        ).fetchall()
    return row


def test_older_entries_follow_a_person_with_a_new_number(world: World, tmp_path: Path) -> None:
    renumbered = replace(RENUMBERED, fide_id=9_999_999)
    world.add([*PLAYERS[:10], renumbered, *PLAYERS[11:]], date(2025, 10, 1))
    assert world.publish_both(tmp_path).since == date(2025, 10, 1)
    with read_only(world.settings) as connection:
        lists = connection.execute("select count(*) from core.entries where player_id = 9999999").fetchone()
        old = connection.execute("select count(*) from core.entries where player_id = 9900011").fetchone()
    assert (lists, old) == ((10,), (0,))


def test_an_older_list_is_loaded_with_all_that_follow(world: World, tmp_path: Path) -> None:
    world.add(with_ratings_raised(PLAYERS[:50], 30), date(2025, 8, 1), "rapid")
    assert world.publish_both(tmp_path).since == date(2025, 8, 1)


def test_a_list_of_long_ago_is_a_build_from_nothing(world: World, tmp_path: Path) -> None:
    world.add(with_ratings_raised(PLAYERS[:50], 30), date(2003, 7, 1))
    assert world.publish_both(tmp_path).since is None, "too little would stay"


def test_nothing_is_built_on_a_file_that_somebody_has_written_to(world: World, tmp_path: Path) -> None:
    version = world.settings.database.resolve()
    version.chmod(0o644)
    with duckdb.connect(str(version)) as connection:
        connection.execute("update core.entries set rating = 3000 where rating > 2850")
    world.add(with_ratings_raised(PLAYERS, 15), date(2025, 10, 1))
    assert world.publish_both(tmp_path).since is None


def test_a_source_file_taken_away_is_a_build_from_nothing(world: World, tmp_path: Path) -> None:
    store = RawStore(world.settings.raw_dir)
    from pipeline.lists.editions import forget

    gone = store.sources()[-1]
    forget(gone, Lake(world.settings.lake_dir))
    store.remove(gone)
    assert world.publish_both(tmp_path).since is None


def test_other_code_is_a_build_from_nothing(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh, "code_fingerprint", lambda: "other")
    world.add(with_ratings_raised(PLAYERS, 15), date(2025, 10, 1))
    assert world.publish_both(tmp_path).since is None


def test_months_appended_are_put_in_order_by_a_build_from_nothing(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.add(with_ratings_raised(PLAYERS, 15), date(2025, 10, 1))
    assert publish(world.settings).since == date(2025, 10, 1)
    with read_only(world.settings) as connection:
        (appended, total) = connection.execute("select appended_count, entry_count from core.publication").fetchall()[0]
    assert appended == len(PLAYERS)
    monkeypatch.setattr(incremental, "MOST_APPENDED", 1.5 * appended / total)
    world.add(with_ratings_raised(PLAYERS, 16), date(2025, 11, 1))
    assert world.publish_both(tmp_path).since is None


def test_the_comparison_looks_at_every_column(world: World, tmp_path: Path) -> None:
    before = contents(world.settings)
    version = world.settings.database.resolve()
    version.chmod(0o644)
    with duckdb.connect(str(version)) as connection:
        connection.execute("update core.entries set games = 99 where rating > 2850")
        connection.execute("update marts.era_adjusted_peaks set adjusted_value = adjusted_value + 1e-6")
    changed = {name for name, found in contents(world.settings).items() if found != before[name]}
    assert {"core.entries", "marts.era_adjusted_peaks"} <= changed


@pytest.mark.parametrize(("rating", "since"), [(2790, None), (1500, date(2025, 1, 1))])
def test_activity_on_an_edition_behind_one_with_flags_follows_persons(
    rating: int, since: date | None, bundled: Settings, tmp_path: Path
) -> None:
    shutil.copytree(bundled.data_dir, tmp_path / "data", symlinks=True)
    world, month = World(tmp_path / "files", tmp_path / "data"), date(2024, 9, 1)  # the bundled top list is of it too
    away = Player(9_900_555, "Inventedova, Onlyone", rating=rating, birth_year=1980)
    world.add(PLAYERS, month)
    path = world.folder / "mapped.csv"
    rows = [f'"{player.name}",{player.federation},{player.rating}\n' for player in (away, *PLAYERS)]
    path.write_text("name,fed,rating\n" + "".join(rows))
    add_file(
        path,
        RawStore(world.settings.raw_dir),
        Lake(world.settings.lake_dir),
        mapping=NO_NUMBERS,
        list_date=month,
        rating_type="standard",
        retrieved_at=ADDED + timedelta(minutes=30),
    )
    publish(world.settings, force=True)
    world.wait(timedelta(hours=1))
    world.add([away, *PLAYERS], date(2025, 1, 1))
    assert world.publish_both(tmp_path).since == since, "only above the last place of a top list does absence tell"


def test_the_busiest_of_several_is_the_same(world: World, tmp_path: Path) -> None:
    busy = [replace(player, games=9) for player in [*PLAYERS[:10], RENUMBERED, *PLAYERS[11:]]]
    busy[:10] = [replace(player, games=0) for player in busy[:10]]
    world.add(busy, date(2025, 10, 1))
    assert publish(world.settings).since == date(2025, 10, 1)
    renumbered = replace(RENUMBERED, fide_id=9_999_999, games=9)
    world.add([*PLAYERS[:10], renumbered, *PLAYERS[11:]], date(2025, 11, 1))
    assert world.publish_both(tmp_path).since == date(2025, 11, 1)


def test_spread_of_yearly_changes_does_not_depend_on_order(bundled: Settings, tmp_path: Path) -> None:
    shutil.copytree(bundled.data_dir, tmp_path / "data", symlinks=True)
    world = World(tmp_path / "files", tmp_path / "data")
    printed = [replace(player, rating=1620 + player.fide_id * 31 % 160, birth_year=1990) for player in PLAYERS]
    printed[10] = replace(RENUMBERED, rating=1700, birth_year=1990)

    def varied(month: int) -> list[Player]:
        return [replace(player, rating=player.rating + (player.fide_id * 7919 * month) % 61) for player in printed]

    world.add(varied(3), date(2025, 1, 1))
    world.add(varied(4), date(2026, 1, 1))
    publish(world.settings, force=True)
    printed[10] = replace(printed[10], fide_id=9_999_999)
    world.add(varied(5), date(2026, 2, 1))
    assert world.publish_both(tmp_path).since == date(2026, 2, 1)


def test_a_file_that_is_open_for_writing_is_not_continued(world: World) -> None:
    version = world.settings.database.resolve()
    version.chmod(0o644)
    code = f"import duckdb; c = duckdb.connect({str(version)!r}); print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        world.add(with_ratings_raised(PLAYERS, 15), date(2025, 10, 1))
        try:
            assert publish(world.settings).since is None
        finally:
            writer.kill()


def test_a_log_that_a_client_left_is_not_continued(world: World) -> None:
    version = world.settings.database.resolve()
    version.with_name(f"{version.name}.wal").write_bytes(b"")
    world.add(with_ratings_raised(PLAYERS, 15), date(2025, 10, 1))
    assert publish(world.settings).since is None
