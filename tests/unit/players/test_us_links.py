"""Links between US Chess and FIDE: ids first, names only where nothing speaks against them. Invented people."""

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.players.us_links import LINK_SCHEMA, REVIEW_REASONS, REVIEW_SCHEMA, link_us_players

US: dict[str, Any] = {
    "uscf_id": pl.Int32,
    "fide_id": pl.Int32,
    "name": pl.String,
    "is_person": pl.Boolean,
    "sex": pl.String,
}
FIDE: dict[str, Any] = {"fide_id": pl.Int32, "name": pl.String, "federation": pl.String, "sex": pl.String}


def us(*rows: tuple[int, int | None, str], persons: bool = True, sex: str | None = None) -> pl.DataFrame:
    return pl.DataFrame([(*row, persons, sex) for row in rows], schema=US, orient="row")


def fide(*rows: tuple[int, str], federation: str = "USA", sex: str | None = None) -> pl.DataFrame:
    return pl.DataFrame([(*row, federation, sex) for row in rows], schema=FIDE, orient="row")


def linked(links: pl.DataFrame) -> list[tuple[int, int, str, str]]:
    return links.select("uscf_id", "fide_id", "link_method", "confidence").rows()


def reasons(review: pl.DataFrame) -> list[tuple[str, int, int, bool]]:
    return review.select("reason", "uscf_id", "fide_id", "linked").rows()


def test_a_stated_id_wins_and_names_only_grade_it() -> None:
    links, review = link_us_players(
        us(
            (1, 101, "QUILLFEATHER, ODESSA M"),
            (2, 102, "MAREK BRONTIDE"),
            (3, 103, "ZEPHYRINE, TALIA"),
            (4, 104, "UMBERWICK, JONAS"),
        ),
        fide(
            (101, "Quillfeather, Odessa"),
            (102, "Brontide-Oldwater, Marek"),
            (103, "Kestrelmoor, Piotr"),
            (999, "Umberwick, Jonas"),
        ),
    )
    assert (links.schema, review.schema) == (LINK_SCHEMA, REVIEW_SCHEMA)
    assert linked(links) == [
        (1, 101, "fide_id", "high"),
        (2, 102, "fide_id", "medium"),
        (3, 103, "fide_id", "low"),
        (4, 104, "fide_id", "medium"),
    ]
    assert reasons(review) == [("fide_id_not_listed", 4, 104, True), ("names_share_no_word", 3, 103, True)]


@pytest.mark.parametrize(
    ("us_name", "fide_name"),
    [
        ("QUILLFEATHER, ODESSA", "Quillfeather, Odessa"),
        ("ODESSA M QUILLFEATHER", "Quillfeather, Odessa Mary"),
        ("WGM ODESSA-MARY QUILLFEATHER", "Quillfeather, Odessa Mary"),
        ("O'HOLLOWMERE, SEAMUS JR", "OHollowmere, Seamus"),
        ("SEAMUS O'HOLLOWMERE III", "O`Hollowmere, Seamus"),
        ("MÜLLERSTEIN, JÖRG", "Muellerstein, Joerg"),
        ("DE LA PETREL, ANA", "De La Petrel, Ana"),
    ],
)
def test_spellings_of_one_name(us_name: str, fide_name: str) -> None:
    links, review = link_us_players(us((1, None, us_name)), fide((101, fide_name)))
    assert linked(links) == [(1, 101, "name", "low")]
    assert review.height == 0


@pytest.mark.parametrize(
    ("members", "players", "expected"),
    [
        (  # twice in the US
            us((1, None, "BRONTIDE, MAREK"), (2, None, "MAREK X BRONTIDE")),
            fide((101, "Brontide, Marek")),
            [("name_not_unique", 1, 101, False), ("name_not_unique", 2, 101, False)],
        ),
        (  # twice in the US, one of them linked by id to somebody else: still no proof for the other
            us((1, 101, "BRONTIDE, MAREK"), (2, None, "BRONTIDE, MAREK")),
            fide((101, "Brontide, Marek"), (102, "Brontide, Marek")),
            [("name_not_unique", 2, 102, False)],
        ),
        (  # twice at FIDE
            us((1, None, "BRONTIDE, MAREK")),
            fide((101, "Brontide, Marek"), (102, "Brontide, Marek A")),
            [("name_not_unique", 1, 101, False), ("name_not_unique", 1, 102, False)],
        ),
        (
            us((1, None, "BRONTIDE, MAREK A")),
            fide((101, "Brontide, Marek B")),
            [("given_names_differ", 1, 101, False)],
        ),
        (
            us((1, None, "BRONTIDE, MAREK JR")),
            fide((101, "Brontide, Marek Sr")),
            [("generation_differs", 1, 101, False)],
        ),
        (
            us((1, None, "BRONTIDE, MAREK"), sex="M"),
            fide((101, "Brontide, Marek"), sex="F"),
            [("sex_differs", 1, 101, False)],
        ),
    ],
)
def test_names_that_prove_nothing(
    members: pl.DataFrame, players: pl.DataFrame, expected: list[tuple[str, int, int, bool]]
) -> None:
    links, review = link_us_players(members, players)
    assert "name" not in links["link_method"].to_list()
    assert reasons(review) == expected


def test_names_do_not_link_outside_the_federation_nor_by_initial_or_surname_alone() -> None:
    members = us((1, None, "BRONTIDE, MAREK"), (2, None, "THORNEBARROW"), (3, None, "UMBERWICK, J"))
    players = pl.concat(
        [
            fide((101, "Brontide, Marek"), federation="CAN"),
            fide((102, "Thornebarrow"), (103, "Umberwick, J.")),
        ]
    )
    links, review = link_us_players(members, players)
    assert (links.height, review.height) == (0, 0)


def test_duplicate_and_retired_ids_are_no_persons() -> None:
    members = pl.concat(
        [
            us((1, 101, "BRONTIDE, MAREK"), (3, None, "ZEPHYRINE, TALIA")),
            us((2, 101, "BRONTIDE, MAREK"), (4, None, "ZEPHYRINE, TALIA"), persons=False),
        ]
    )
    links, review = link_us_players(members, fide((101, "Brontide, Marek"), (102, "Zephyrine, Talia")))
    assert linked(links) == [(1, 101, "fide_id", "high"), (3, 102, "name", "low")]
    assert review.height == 0


def test_contradicting_records_link_nobody() -> None:
    members = us(
        (1, 101, "BRONTIDE, MAREK"),
        (2, 101, "BRONTIDE, MARIA"),
        (3, 103, "ZEPHYRINE, TALIA"),
        (3, 104, "ZEPHYRINE, TALIA"),
    )
    players = fide((101, "Brontide, Marek"), (103, "Zephyrine, Talia"), (104, "Zephyrine, Tal"))
    links, review = link_us_players(members, players)
    assert links.height == 0
    assert reasons(review) == [
        ("several_fide_ids", 3, 103, False),
        ("several_fide_ids", 3, 104, False),
        ("several_us_records", 1, 101, False),
        ("several_us_records", 2, 101, False),
    ]


def test_two_records_of_one_member_that_agree_are_one() -> None:
    members = us((1, None, "BRONTIDE, MAREK"), (1, 101, "BRONTIDE, MAREK"))
    assert linked(link_us_players(members, fide((101, "Brontide, Marek")))[0]) == [(1, 101, "fide_id", "high")]


_NAMES = st.sampled_from(["BRONTIDE, MAREK", "BRONTIDE, MAREK A", "ZEPHYRINE, TALIA", "UMBERWICK, JONAS JR", "PETREL"])


@settings(max_examples=60)
@given(
    members=st.lists(st.tuples(st.integers(1, 6), st.none() | st.integers(101, 106), _NAMES), max_size=8),
    players=st.lists(st.tuples(st.integers(101, 106), _NAMES), max_size=6, unique_by=lambda row: row[0]),
    seed=st.integers(0, 9),
)
def test_no_id_twice_and_row_order_does_not_matter(
    members: list[tuple[int, int | None, str]], players: list[tuple[int, str]], seed: int
) -> None:
    members = sorted({row[0]: row for row in members}.values())
    links, review = link_us_players(us(*members), fide(*players))
    assert links["uscf_id"].is_unique().all()
    assert links["fide_id"].is_unique().all()
    assert set(review["reason"]) <= REVIEW_REASONS.keys()
    shuffled = us(*members).sample(fraction=1, shuffle=True, seed=seed)
    again, review_again = link_us_players(shuffled, fide(*players).reverse())
    assert again.equals(links)
    assert review_again.equals(review)


@pytest.mark.shared
def test_entry_list_of_a_real_open_against_the_american_list(shared_dir: Path) -> None:
    """The 120 entries and the list of 2025-02: the same links as those made independently for the pairs file."""
    folder = shared_dir / "lists/uscf"
    with (folder / "alto2024_entries.csv").open(newline="") as file:
        members = us(*((int(row[1]), None, row[2]) for row in csv.reader(file)))
    listed = json.loads((folder / "fide_usa_2025-02-14.json").read_text())
    players = pl.DataFrame(
        [(row["fideid"], row["name"], row["country"], row["sex"]) for row in listed], schema=FIDE, orient="row"
    )
    links, review = link_us_players(members, players)
    expected = pl.read_csv(folder / "pairs_alto2024.csv").filter(link="usa_unique").select("uscf_id", "fide_id")
    assert set(links.select("uscf_id", "fide_id").rows()) == set(expected.rows())
    assert links.height == 53
    assert review["reason"].unique().to_list() == ["name_not_unique"]
    assert review["uscf_id"].n_unique() == 1
