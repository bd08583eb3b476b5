"""An invented world in which the offset between US Chess and FIDE is known: FIDE lists, API answers, a director file.

The truth is that of the published rules of 2024: one US rating per strength, FIDE's scale changed in March 2024. The
people with faults (provisional, at the floor, inactive, young, foreign, wrongly linked) are counted in ``World``.
"""

import json
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import numpy as np
from list_builder import Player, archive_name, zipped_list
from us_member_files import GOLDEN, dbase

from pipeline.analytics.offset_structural import HingedLine

BEFORE, AFTER = date(2024, 2, 1), date(2024, 9, 1)
#: US rating by strength on FIDE's scale of each time; the same US rating for the same person.
TRUTH = {BEFORE: HingedLine(2060.0, 0.94, 1.02), AFTER: HingedLine(2060.0, 1.5667, 1.02)}
FIRST_FIDE, FIRST_USCF = 9_900_001, 19_900_001
#: Each fault belongs to people of its own, in this order; the others have none.
FAULTS = {
    "provisional": 15,
    "floor": 11,
    "inactive": 12,
    "junior": 45,
    "foreign": 20,
    "unlinked": 9,
    "named": 30,
    "wrong": 4,
}


@dataclass(frozen=True)
class World:
    """The files, and who has which fault (numbers of persons)."""

    files: list[Path]
    people: int
    faults: dict[str, range] = field(default_factory=dict)


def write_world(folder: Path, people: int = 700, seed: int = 5) -> World:
    """Write the files of the world; the same every time."""
    random = np.random.default_rng(seed)
    strength = np.clip(random.normal(1800, 230, people), 1520, 2600)
    us_error = random.normal(0, 75, people)
    uscf = np.rint(TRUTH[AFTER].uscf_at(strength) + us_error).astype(int)
    old_strength = np.where(strength < 2000, (strength - 800) / 0.6, strength)
    scales = {BEFORE: old_strength, AFTER: strength}
    fide = {day: np.rint(of + random.normal(0, 60, people)).astype(int) for day, of in scales.items()}
    faults, start = {}, 0
    for fault, count in FAULTS.items():
        faults[fault] = range(start, start + count)
        start += count
    files = []
    for day in (BEFORE, AFTER):
        players = [_player(number, int(fide[day][number]), faults) for number in range(people)]
        listed = [player for player in players if (player.rating or 0) >= (1000 if day == BEFORE else 1400)]
        files.append(folder / archive_name(day))
        files[-1].write_bytes(zipped_list(listed, day))
    lines = [line for number in range(people) for line in _answers(number, int(uscf[number]), faults)]
    files.append(folder / "uscf_api_members_2024-09-20.jsonl")
    files[-1].write_text("".join(json.dumps(line) + "\n" for line in lines))
    return World(files, people, faults)


def director_file(people: int = 120) -> bytes:
    """A complete list of other members: 100 established, 20 provisional, from 600 points on in steps of 15."""
    rows = [
        (
            str(19_100_001 + number),
            f"{_word(number)}, DIRECTED",
            "12/31/27",
            "OH",
            f"{600 + 15 * number}" + ("/7" if number % 6 == 0 else ""),
            "",
        )
        for number in range(people)
    ]
    return dbase(GOLDEN, [*rows, ("19199999", "INACTIVE ID", "", "", "", "")])


def _word(number: int) -> str:
    return "".join(chr(65 + number // 26**place % 26) for place in (0, 1, 2)) + "INVENTED"


def _player(number: int, rating: int, faults: dict[str, range]) -> Player:
    return Player(
        fide_id=FIRST_FIDE + number,
        name=f"{_word(number).capitalize()}, Paul",
        federation="NOR" if number in faults["foreign"] else "USA",
        rating=rating,
        games=3,
        birth_year=2010 if number in faults["junior"] else 1980,
        active=number not in faults["inactive"],
    )


def _answers(number: int, rating: int, faults: dict[str, range]) -> list[dict[str, object]]:
    rating += 700 if number in faults["wrong"] else 0
    member: dict[str, object] = {
        "id": str(FIRST_USCF + number),
        "firstName": "SAUL" if number in faults["unlinked"] else "PAUL" if number not in faults["wrong"] else "ZED",
        "lastName": _word(number) if number not in faults["wrong"] else f"OTHER{number}",
        "status": "Active",
        "expirationDate": "2027-12-31",
        "stateRep": "OH",
        "ratings": [{"rating": rating, "ratingSystem": "R", "isProvisional": False}],
    }
    if number in faults["floor"]:
        member["ratings"] = [{"rating": rating, "ratingSystem": "R", "isProvisional": False, "floor": rating}]
    if number not in faults["named"] and number not in faults["unlinked"]:
        member["fideId"] = str(FIRST_FIDE + number)
    stated: dict[str, object] = {"source": "R", "rating": rating} | (
        {"provisionalGameCount": 9} if number in faults["provisional"] else {}
    )
    supplements = [{"ratingSupplementDate": f"{day}", "ratings": [stated]} for day in (BEFORE, AFTER)]
    return [{"member": member}, {"member_id": member["id"], "supplements": supplements}]
