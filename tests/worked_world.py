"""An invented world small enough to work out by hand: what the examples of the marts must answer on it.

300 people on FIDE's lists of January 2003 and January 2004 (the second of which was published twice), and 230 others
with a US rating that is a straight line of their FIDE rating, without any error.
"""

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from building import add, publish
from list_builder import Player, archive_name, l6_text, zipped_list
from us_world import director_file

from pipeline.settings import Settings

#: The edition of January 2004 that was published first and then replaced.
FIRST_RETRIEVED = datetime(2025, 6, 1, tzinfo=UTC)
BEFORE, AFTER = date(2024, 2, 1), date(2024, 9, 1)
#: Five people at each of these FIDE ratings, from 1500 to 2400.
US_RATINGS = range(1500, 2401, 20)
#: People beside them whom one filter each removes.
PROVISIONAL, JUNIORS, FOREIGNERS = 3, 4, 2

READY_PAIRS = """uscf_id,uscf_regular_2008_04,link,fide_id,fide_fed,fide_standard_2008_04
19300001,2510,usa_unique,9970001,USA,2500
19300002,2420,usa_unique,9970002,USA,2400
19300003,2370,usa_unique,9970003,USA,2300
19300004,2240,foreign_unique,9970004,NOR,2200
19300005,2160,foreign_unique,9970005,ESP,2100
19300006,2000,none,9970006,ESP,1900
"""


def people_of_2003() -> list[Player]:
    """Rated 2400, 2398, ... 1802; every third a woman, the first included; of four, two born in 1988, two in 1960."""
    return [
        Player(
            fide_id=9_950_001 + number,
            name=_name(number, "Worked"),
            federation=("NOR", "IND", "GER")[number % 3],
            rating=2400 - 2 * number,
            sex="F" if number % 3 == 0 else "M",
            birth_year=1988 if number % 4 < 2 else 1960,
        )
        for number in range(300)
    ]


def people_of_2004() -> list[Player]:
    """The same people: the young won 30 points, the others lost 4."""
    return [
        replace(player, rating=(player.rating or 0) + (30 if player.birth_year == 1988 else -4))
        for player in people_of_2003()
    ]


def first_edition_of_2004() -> list[Player]:
    """Without the last player; players 10 to 12 are printed 10 points too high."""
    return [
        replace(player, rating=(player.rating or 0) + (10 if number in (10, 11, 12) else 0))
        for number, player in enumerate(people_of_2004()[:-1])
    ]


def us_rating(fide_rating: int, list_date: date) -> int:
    """The truth: 0.95 of the FIDE rating and 150 points before March 2024, 30 points less than FIDE after."""
    return 150 + fide_rating * 19 // 20 if list_date == BEFORE else fide_rating - 30


def us_people() -> list[Player]:
    """First those who pass every filter, then those of each fault, all rated 2000."""
    good = [rating for rating in US_RATINGS for _ in range(5)]
    return [
        Player(
            fide_id=9_960_001 + number,
            name=_name(number, "Paired"),
            federation="NOR" if number >= len(good) + PROVISIONAL + JUNIORS else "USA",
            rating=rating,
            games=4,
            birth_year=2010 if 0 <= number - len(good) - PROVISIONAL < JUNIORS else 1980,
        )
        for number, rating in enumerate(good + [2000] * (PROVISIONAL + JUNIORS + FOREIGNERS))
    ]


def build_worked_world(folder: Path) -> Settings:
    """Write the files of the world, add them and publish."""
    settings = Settings(data_dir=folder / "data")
    lists = {"jan03frl.txt": l6_text(people_of_2003(), date(2003, 1, 1))}
    lists |= {"jan04frl.txt": l6_text(people_of_2004(), date(2004, 1, 1))}
    lists |= {archive_name(day): zipped_list(us_people(), day) for day in (BEFORE, AFTER)}
    lists |= {"uscf_api_members_2024-09-20.jsonl": _answers(), "pairs_worked.csv": READY_PAIRS.encode()}
    replaced = folder / "first" / "jan04frl.txt"
    replaced.parent.mkdir(parents=True)
    replaced.write_bytes(l6_text(first_edition_of_2004(), date(2004, 1, 1)))
    add(settings, replaced, retrieved_at=FIRST_RETRIEVED)
    for name, content in lists.items():
        (folder / name).write_bytes(content)
        add(settings, folder / name)
    directed = folder / "TARATSUP.DBF"
    directed.write_bytes(director_file())
    add(settings, directed, list_date=date(2024, 10, 1))
    publish(settings)
    return settings


def _name(number: int, word: str) -> str:
    """Surnames of every first letter: a list of one letter would be taken for an extract."""
    return f"{chr(65 + number % 26)}{word.lower()} {number:03d}, Player"


def _answers() -> bytes:
    """What the API of US Chess says of these members: each rated by the truth on both dates."""
    good = 5 * len(US_RATINGS)
    lines: list[dict[str, object]] = []
    for number, player in enumerate(us_people()):
        provisional = {"provisionalGameCount": 9} if 0 <= number - good < PROVISIONAL else {}
        ratings = {day: us_rating(player.rating or 0, day) for day in (BEFORE, AFTER)}
        member = str(19_200_001 + number)
        last_name, _, first_name = player.name.partition(", ")
        lines.append(
            {
                "member": {
                    "id": member,
                    "firstName": first_name.upper(),
                    "lastName": last_name.upper(),
                    "status": "Active",
                    "expirationDate": "2027-12-31",
                    "stateRep": "OH",
                    "fideId": str(player.fide_id),
                    "ratings": [{"rating": ratings[AFTER], "ratingSystem": "R", "isProvisional": False}],
                }
            }
        )
        stated = [
            {"ratingSupplementDate": f"{day}", "ratings": [{"source": "R", "rating": rating} | provisional]}
            for day, rating in ratings.items()
        ]
        lines.append({"member_id": member, "supplements": stated})
    return "".join(json.dumps(line) + "\n" for line in lines).encode()
