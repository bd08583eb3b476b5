"""How FIDE rounded the change of March 2024, read off players who did not play between two lists.

Inactive players of the US list of February 2025 whose rating of April 2021 is known: most did not play in between,
so their rating of 2025 is the old one, changed once.
"""

import json
import math
import re
from pathlib import Path

import pytest

from pipeline.domain.fide_rules import compressed_rating

pytestmark = [pytest.mark.shared, pytest.mark.scid]


def ratings_of_2025(shared_dir: Path) -> dict[int, int]:
    rows = json.loads((shared_dir / "lists" / "uscf" / "fide_usa_2025-02-14.json").read_text())
    return {row["fideid"]: row["rating_standard"] for row in rows if "i" in row["flag"] and row["rating_standard"]}


def ratings_of_april_2021(scid_file: Path, wanted: set[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    player = None
    with scid_file.open("rb") as lines:
        for line in lines:
            if identity := re.search(rb"%Bio FIDEID (\d+)", line):
                player = int(identity[1])
            elif player in wanted and (year := re.search(rb" 2021:(?:[^,]*,){3}(\d+)", line)):
                found[player] = int(year[1])
    return found


def test_the_change_was_rounded_to_the_nearest_point(shared_dir: Path, scid_file: Path) -> None:
    after = ratings_of_2025(shared_dir)
    before = ratings_of_april_2021(scid_file, set(after))
    pairs = [(old, after[player]) for player, old in before.items() if old < 2000]
    # Within a point of the formula is a player who did not play; whole results say nothing about rounding.
    exact = [(old, new, old + 0.4 * (2000 - old)) for old, new in pairs]
    telling = [row for row in exact if abs(row[1] - row[2]) <= 1 and abs(row[2] - round(row[2])) > 0.1]
    assert len(telling) > 500
    nearest = sum(new == compressed_rating(old) for old, new, _ in telling)
    assert nearest / len(telling) > 0.99
    assert sum(new == math.floor(value) for _, new, value in telling) / len(telling) < 0.6
    assert sum(new == math.ceil(value) for _, new, value in telling) / len(telling) < 0.6
