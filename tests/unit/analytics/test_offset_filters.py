"""Filters: their order, what each removes, what is not known, links to review, populations."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from offset_truth import frame, simulate

from pipeline.analytics.offset_filters import POPULATIONS, judge_pairs
from pipeline.analytics.offset_pairs import PairsError

GOOD = {
    "fide_games": 12,
    "uscf_games": 20,
    "uscf_games_24_months": 40,
    "uscf_provisional": False,
    "uscf_floor": 100,
    "active": True,
    "birth_year": 1980,
    "federation": "USA",
    "link_method": "fide_id",
}
ORDER = [
    "same_month",
    "uscf_rated",
    "uscf_established",
    "uscf_above_floor",
    "fide_rated",
    "fide_active",
    "games",
    "adult",
    "residual",
    "federation",
]


def good_pairs(persons: int = 400, seed: int = 1, on: date = date(2024, 9, 1), **changed: object) -> pl.DataFrame:
    pairs = simulate(seed, persons=persons, fide_error=30, uscf_error=40)  # nobody 400 points off by chance
    return frame(pairs.fide, pairs.uscf, on=on, **{**GOOD, **changed})


def with_one(**values: object) -> pl.DataFrame:
    """Good pairs of which the first has other values."""
    first = pl.int_range(pl.len()) == 0
    pairs = good_pairs()
    return pairs.with_columns(
        pl.when(first).then(pl.lit(value, dtype=pairs.schema[name])).otherwise(name).alias(name)
        for name, value in values.items()
    )


@pytest.mark.parametrize(
    ("values", "filter_name"),
    [
        ({"uscf_list_date": date(2024, 10, 1)}, "same_month"),
        ({"uscf_rating": None}, "uscf_rated"),
        ({"uscf_provisional": True}, "uscf_established"),
        ({"uscf_rating": 1800, "uscf_floor": 1800}, "uscf_above_floor"),
        ({"fide_rating": None}, "fide_rated"),
        ({"active": False}, "fide_active"),
        ({"uscf_games": 0}, "games"),
        ({"fide_games": 0}, "games"),
        ({"birth_year": 2004}, "adult"),
        ({"fide_rating": 2400, "uscf_rating": 1500}, "residual"),
        ({"federation": "CAN"}, "federation"),
    ],
)
def test_each_filter_removes_and_counts_its_pair(values: dict[str, object], filter_name: str) -> None:
    judged = judge_pairs(with_one(**values))
    removed = dict(judged.counts.select("filter", "removed").iter_rows())
    assert removed == {**dict.fromkeys(ORDER, 0), filter_name: 1}
    assert judged.pairs["failed_filter"][0] == filter_name
    assert judged.pairs["failed_filter"][1:].is_null().all()
    assert judged.counts["remaining"][-1] == judged.pairs.height - 1


def test_the_first_filter_that_fails_is_the_one_that_counts() -> None:
    judged = judge_pairs(with_one(federation="CAN", uscf_provisional=True, birth_year=2010))
    assert judged.counts["filter"].to_list() == ORDER
    assert judged.pairs["failed_filter"][0] == "uscf_established"
    assert judged.counts["removed"].sum() == 1


def test_a_supplement_of_another_day_of_the_month_is_of_the_same_month() -> None:
    assert judge_pairs(with_one(uscf_list_date=date(2024, 9, 15))).counts["removed"].sum() == 0


def test_someone_turning_21_in_the_year_is_an_adult() -> None:
    assert judge_pairs(with_one(birth_year=2003)).counts["removed"].sum() == 0


def test_juniors_are_judged_apart() -> None:
    judged = judge_pairs(with_one(birth_year=2010), juniors=True)
    assert judged.pairs["failed_filter"].is_null().arg_true().to_list() == [0]
    assert judged.counts.filter(pl.col("filter") == "junior")["removed"].item() == judged.pairs.height - 1


def test_what_is_not_known_passes_and_is_counted() -> None:
    judged = judge_pairs(good_pairs(uscf_provisional=None, uscf_floor=None, fide_games=None, birth_year=None))
    counts = judged.counts
    assert counts["removed"].sum() == 0
    unknown = dict(counts.filter(pl.col("not_known") > 0).select("filter", "not_known").iter_rows())
    every = judged.pairs.height
    assert unknown == {"uscf_established": every, "uscf_above_floor": every, "games": every, "adult": every}


def test_a_known_lack_of_games_decides_even_where_the_other_side_is_not_known() -> None:
    assert judge_pairs(with_one(fide_games=None, uscf_games=0)).pairs["failed_filter"][0] == "games"


def test_suspect_links_go_to_review_with_their_residual() -> None:
    judged = judge_pairs(with_one(fide_rating=2400, uscf_rating=1500))
    assert judged.to_review["person_id"].to_list() == ["p000000"]
    assert judged.to_review["residual"].item() == pytest.approx(-968, abs=40)


def test_each_side_of_march_2024_has_its_own_line() -> None:
    """On the old scale FIDE 1500 is US 1590, on the new one 1277: pooled, good pairs would be suspected."""
    strength = np.random.default_rng(3).normal(1500, 150, 300).round().astype(int)
    old = frame(strength, (180 + 0.94 * strength).round().astype(int), on=date(2023, 5, 1), **GOOD)
    judged = judge_pairs(pl.concat([old, good_pairs()]))
    assert judged.counts["removed"].sum() == 0
    assert judged.pairs.filter(pl.col("list_date") < date(2024, 3, 1))["residual"].abs().max() < 20


def test_without_enough_pairs_for_a_line_nobody_is_suspected() -> None:
    few = good_pairs(persons=20)
    counts = judge_pairs(few).counts.filter(pl.col("filter") == "residual")
    assert counts.select("removed", "not_known").row(0) == (0, few.height)


def test_populations() -> None:
    pairs = pl.concat(
        [
            good_pairs(),
            good_pairs(seed=2, federation="CAN").with_columns(pl.col("person_id") + "-can"),
            good_pairs(seed=3, link_method="name").with_columns(pl.col("person_id") + "-name"),
            good_pairs(seed=4, uscf_games_24_months=29).with_columns(pl.col("person_id") + "-rare"),
            good_pairs(seed=5, uscf_games_24_months=None).with_columns(pl.col("person_id") + "-unknown"),
        ]
    )
    judged = judge_pairs(pairs).pairs
    groups = {
        name: set(judged.filter(rule)["person_id"].str.extract(r"-(\w+)$").fill_null("plain"))
        for name, rule in POPULATIONS.items()
    }
    assert groups == {
        "usa": {"plain", "name", "rare", "unknown"},
        "usa_active": {"plain", "name"},
        "everybody": {"plain", "can", "name", "rare", "unknown"},
        "usa_fide_id": {"plain", "rare", "unknown"},
        "usa_active_fide_id": {"plain"},
        "everybody_fide_id": {"plain", "can", "rare", "unknown"},
    }


def test_a_missing_column_is_named() -> None:
    with pytest.raises(PairsError, match="expected the column birth_year of type Int16, found no such column"):
        judge_pairs(good_pairs().drop("birth_year"))


def test_counts_add_up() -> None:
    pairs = good_pairs().with_columns(
        pl.when(pl.int_range(pl.len()) % 7 == 0).then(pl.lit("CAN")).otherwise("federation").alias("federation"),
        (pl.int_range(pl.len()) % 5 == 0).alias("uscf_provisional"),
    )
    judged = judge_pairs(pairs)
    counts = judged.counts
    assert counts["removed"].sum() + counts["remaining"][-1] == pairs.height
    assert counts["remaining"].to_list() == (pairs.height - counts["removed"].cum_sum()).to_list()
    assert judged.pairs.drop("residual", "failed_filter").equals(pairs)
