"""Who was active on a list without flags: told by the publisher's top list of the same month, person by person."""

from datetime import date
from pathlib import Path

from building import RETRIEVED, add, publish, read_only

from pipeline.lists.adding import add_file
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore
from pipeline.settings import Settings

MAPPING = """
publisher = "fide"
collection = "invented"
format = "csv"
rating_type = "standard"
list_date = 2025-01-01

[columns]
fide_id = "number"
name = "name"
federation = "federation"
rating = "rating"
birth_year = "born"
"""
#: The complete list; it has no flags. Two people have no number.
COMPLETE = """number,name,federation,rating,born
9900001,"Ardley, Moss",NOR,2700,1960
9900002,"Brinlow, Fern",NOR,2690,1961
9900003,"Cawderby, Elm",NOR,2650,1962
9900004,"Dunmoor, Ash",NOR,2649,1963
9900005,"Eskerton, Ivy",NOR,,1964
,"Foxglove, Reed",NOR,2680,1965
,"Gorsewick, Alder",NOR,2670,1966
"""
#: The top list prints no numbers; it ends at 2650.
TOP = (
    "Rank\tName\tTitle\tCountry\tRating\tGames\tB-Year\r\n"
    " 1\t Ardley, Moss\t g\t NOR\t 2700\t 0\t 1960\r\n"
    " 2\t Foxglove, Reed\t g\t NOR\t 2680\t 0\t 1965\r\n"
    " 3\t Cawderby, Elm\t g\t NOR\t 2650\t 0\t 1962\r\n"
)


def activity(folder: Path, top: str | None, top_type: str = "standard") -> tuple[dict[str, bool | None], str]:
    """Activity by surname on the published list, and what told it."""
    settings = Settings(data_dir=folder / "data")
    complete = folder / "complete.csv"
    complete.write_text(COMPLETE)
    store, lake = RawStore(settings.raw_dir), Lake(settings.lake_dir)
    add_file(complete, store, lake, retrieved_at=RETRIEVED, mapping=MAPPING)
    if top is not None:
        page = folder / "toparc_2025-01.txt"
        page.write_text(top, newline="")
        add(settings, page, list_date=date(2025, 1, 1), rating_type=top_type)
    publish(settings)
    with read_only(settings) as connection:
        rows = connection.execute(
            "select split_part(player_name, ',', 1), active from staging.entries "
            "where list_date = date '2025-01-01' and rating_type = 'standard'"
        ).fetchall()
        basis = connection.execute(
            "select activity_basis from core.lists where list_date = date '2025-01-01' and rating_type = 'standard'"
        ).fetchone()
    assert len(rows) == 7
    assert basis is not None
    return dict(rows), basis[0]


def test_the_top_list_tells_who_was_active(tmp_path: Path) -> None:
    assert activity(tmp_path, TOP) == (
        {
            "Ardley": True,
            "Cawderby": True,  # on the last place
            "Foxglove": True,  # no number, but found on the page
            "Brinlow": False,  # above the last place and not on the page
            "Dunmoor": None,  # below the last place: the page cannot tell
            "Eskerton": None,  # unrated
            "Gorsewick": None,  # above the last place, but without a number: the link may have been missed
        },
        "top list",
    )


def test_equal_to_the_last_place_and_missing_is_not_told(tmp_path: Path) -> None:
    """Pages cut ties now and then: who is rated as the last on the page is not taken for inactive."""
    found, _ = activity(tmp_path, TOP.replace("Cawderby, Elm", "Hollis, Jay").replace("1962", "1970"))
    assert found["Cawderby"] is None


def test_without_a_top_list_nothing_is_known(tmp_path: Path) -> None:
    found, basis = activity(tmp_path, None)
    assert set(found.values()) == {None}
    assert basis == "none"


def test_a_top_list_of_another_rating_type_tells_nothing(tmp_path: Path) -> None:
    found, basis = activity(tmp_path, TOP, "rapid")
    assert set(found.values()) == {None}
    assert basis == "none"
