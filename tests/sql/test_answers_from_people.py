"""The answers pinned for the examples, computed from the people of the lists: plain Python, no SQL, no build."""

from datetime import date
from itertools import pairwise
from statistics import mean

from example_answers import KNOWN, KNOWN_ON_INVENTED, WORKED_OUT
from list_builder import Player, invented_players
from us_world import director_file
from worked_world import US_RATINGS, people_of_2003

from pipeline.catalogue.tables import load


def raised(player: Player) -> int:
    """FIDE's rule of March 2024."""
    rating = player.rating or 0
    return rating + round(0.4 * max(0, 2000 - rating))


PEOPLE = invented_players(200)
#: The lists of January 2003 and of March 2024, with the ratings printed.
OF_2003 = [player.rating or 0 for player in PEOPLE[:150]]
OF_MARCH_2024 = [(player, raised(player)) for player in PEOPLE[:190]]
#: The highest floor of the lists held: that of 2003 (1800; it was 1000 in February 2024 and 1400 in March).
COMMON_CUT = 1800


def percent_below(ratings: list[int], rating: int) -> float:
    return 100 * sum(other < rating for other in ratings) / len(ratings)


def test_mean_rating_at_thirty() -> None:
    ratings = [rating for player, rating in OF_MARCH_2024 if player.birth_year == 2024 - 30]
    assert KNOWN_ON_INVENTED["age_profile"] == [(30, round(mean(ratings)))]


def test_strongest_federation() -> None:
    ratings: dict[str, list[int]] = {}
    for player, rating in OF_MARCH_2024:
        if player.active:
            ratings.setdefault(player.federation, []).append(rating)
    means = {code: mean(sorted(held, reverse=True)[:10]) for code, held in ratings.items()}
    best = max(means, key=lambda code: means[code])
    assert KNOWN_ON_INVENTED["federation_strength"] == [(best, means[best])]


def test_percentiles() -> None:
    assert KNOWN_ON_INVENTED["percentile_of"] == [(round(percent_below(OF_2003, 2000), 3),)]
    above_cut = [rating for rating in OF_2003 if rating >= COMMON_CUT]
    assert KNOWN_ON_INVENTED["percentiles"] == [
        ("common cut", round(percent_below(above_cut, 2200), 1)),
        ("everybody", round(percent_below(OF_2003, 2200), 1)),
    ]


def test_players_above_the_common_cut() -> None:
    assert KNOWN_ON_INVENTED["rating_distribution"] == [(sum(rating >= COMMON_CUT for _, rating in OF_MARCH_2024),)]


def test_survival_of_those_who_came_in_2004() -> None:
    newcomers, left = set(range(150, 200)), set(range(190, 200))
    assert KNOWN_ON_INVENTED["survival"] == [(1 - len(left) / len(newcomers),)]


def elite(list_date: date) -> list[dict[str, object]]:
    """The bundled rows of a list, as the catalogue's file has them."""
    return [row for row in load("elite_history").iter_rows(named=True) if row["list_date"] == list_date]


def test_ages_of_the_first_hundred_of_2003() -> None:
    ages = [(2003 - int(str(row["birth_year"])), row["name"]) for row in elite(date(2003, 1, 1))]
    assert KNOWN["elite_ages"] == [(round(mean(age for age, _ in ages), 1), min(ages)[1])]


def test_players_of_2600_in_1990() -> None:
    summaries = load("top100_list_summary").filter(list_date=date(1990, 1, 1))
    count = sum(int(str(row["rating"])) >= 2600 for row in elite(date(1990, 1, 1)))
    assert KNOWN["ratings_at"] == [(count,)] == [(summaries["n2600"].item(),)]


def test_peaks_and_years_of_the_two_petrosians() -> None:
    best: dict[object, tuple[int, int, date]] = {}
    for row in load("elite_history").sort("list_date").iter_rows(named=True):
        if row["name"].startswith("Petrosian, Tigran") and row["rating"] > best.get(row["name"], (0, 0))[1]:
            best[row["name"]] = (row["birth_year"], row["rating"], row["list_date"])
    assert KNOWN["players"] == [(name, *peak) for name, peak in sorted(best.items(), key=lambda item: item[1])]


def test_the_gap_between_men_and_women_of_the_worked_world() -> None:
    everybody = people_of_2003()
    ratings = [player.rating or 0 for player in everybody]
    women = [player.rating or 0 for player in everybody if player.sex == "F"]
    men = [player.rating or 0 for player in everybody if player.sex == "M"]
    expected_men, expected_women = (round((len(ratings) + 1) / (len(group) + 1)) for group in (men, women))
    assert WORKED_OUT["gender_gap"] == [
        (
            len(women),
            round(len(women) / len(ratings), 4),
            max(men) - max(women),
            ratings[expected_men - 1] - ratings[expected_women - 1],
        )
    ]


def test_classes_of_the_director_file() -> None:
    members = [(600 + 15 * number, number % 6 != 0) for number in range(120)]
    assert all(f"{rating}".encode() in director_file() for rating, _ in members)
    counted = [(count, established) for _, count, established in WORKED_OUT["uscf_class_counts"]]
    bounds = [100, *range(200, 2401, 200), 3000]
    bands = [[known for rating, known in members if low <= rating < high] for low, high in pairwise(bounds)]
    assert counted[:13] == [(len(band), sum(band)) for band in bands]


def test_offsets_over_the_years() -> None:
    assert WORKED_OUT["fide_uscf_offset_by_year"][0][1] == mean(150 - 0.05 * rating for rating in US_RATINGS)
