"""Small published databases for the tests of SQL models, each built once for all workers. Do not change them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from building import build_folder, read_only
from list_builder import Player, invented_players, text_of
from once import once_a_run
from worked_world import build_worked_world

from pipeline.settings import Settings

Rows = list[tuple[object, ...]]
Query = Callable[[str], Rows]


def invented_lists(folder: Path) -> list[Path]:
    """Lists of invented people that every model has rows from, written as files of FIDE's layouts.

    200 people from 2003 on; in between some leave, join, move to another federation and change their ratings. April
    2004 prints no games, as the real one. The lists around March 2024 follow the rule of the one-off increase.
    """
    people = [replace(player, name=player.name.removeprefix("Invented ")) for player in invented_players(200)]
    veterans = people[:150]
    moved = [
        replace(player, federation="GER" if number == 4 else player.federation, rating=_moved(player, number))
        for number, player in enumerate(people)
    ]
    without_games = [replace(player, games=0) for player in moved]
    raised = [replace(player, rating=_raised(player)) for player in people]
    lists = {
        ("standard", date(2003, 1, 1)): veterans,
        ("standard", date(2004, 1, 1)): people,
        ("standard", date(2004, 4, 1)): without_games,
        ("standard", date(2013, 3, 1)): moved[20:],
        ("rapid", date(2013, 3, 1)): people[50:],
        ("standard", date(2024, 2, 1)): people,
        ("standard", date(2024, 3, 1)): raised[:190],
    }
    paths = []
    for (rating_type, list_date), players in lists.items():
        month = f"{list_date:%b}".lower() + f"{list_date:%y}"
        prefix = "" if list_date < date(2012, 9, 1) else f"{rating_type}_"
        path = folder / f"{prefix}{month}frl.txt"
        path.write_bytes(text_of(players, list_date))
        paths.append(path)
    return paths


def _moved(player: Player, number: int) -> int:
    assert player.rating is not None
    return player.rating + (number % 21) - 10


def _raised(player: Player) -> int:
    """The rule of March 2024: 0.40 of the distance to 2000."""
    assert player.rating is not None
    return player.rating + max(0, round(0.4 * (2000 - player.rating)))


def _query(data_dir: Path) -> Query:
    connection = read_only(Settings(data_dir=data_dir))
    return lambda sql: connection.execute(sql).fetchall()


@pytest.fixture(scope="session")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Query:
    """Query the bundled lists alone."""
    return _query(once_a_run(tmp_path_factory, "bundled", build_folder))


@pytest.fixture(scope="session")
def invented(tmp_path_factory: pytest.TempPathFactory) -> Query:
    """Query the bundled lists and lists of invented people."""
    written = tmp_path_factory.mktemp("invented")
    return _query(
        once_a_run(tmp_path_factory, "invented", lambda folder: build_folder(folder, invented_lists(written)))
    )


@pytest.fixture(scope="session")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Query:
    """Query the bundled lists and the world that is worked out by hand."""
    return _query(once_a_run(tmp_path_factory, "worked", build_worked_world) / "data")


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory, shared_dir: Path) -> Query:
    """Query the bundled lists, FIDE's text lists of 2001 to 2004 and some of the text collection before."""
    lists = shared_dir / "lists"
    files = sorted((lists / "fide").glob("[a-z][a-z][a-z]0[1-4]frl.zip"))
    months = ("1971-07", "1972-07", "1974-05", "1986-01", "1987-01", "1989-01", "1990-01", "1998-01", "1999-01")
    files += [lists / "historical" / f"weeks_{month}.txt" for month in months]
    return _query(once_a_run(tmp_path_factory, "real-and-older", lambda folder: build_folder(folder, files)))
