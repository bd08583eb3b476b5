"""The offset over time: composition must not move it, changes of the scales must."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from offset_truth import TRUTH, frame

from pipeline.analytics.offset_chained import MINIMUM_MATCHED, chained_offsets, last_list_of_each_year
from pipeline.analytics.offset_pairs import PairsError

MONTHS = [date(2024 + (2 + number) // 12, (2 + number) % 12 + 1, 1) for number in range(37)]
TRUE_CHANGE = 35.0


def panel(seed: int, persons: int = 600) -> pl.DataFrame:
    """37 lists on which the US scale rises by 35 points while weaker players, whose offset is lower, join."""
    random = np.random.default_rng(seed)
    joins = np.sort(random.integers(-37, 37, persons))  # half are there from the start
    strength = random.normal(1900, 200, persons) - 5.0 * np.maximum(joins, 0)
    fide_error, uscf_error = random.normal(0, 50, persons), random.normal(0, 60, persons)
    lists = []
    for number, month in enumerate(MONTHS):
        # A rating lingers: only some players play in a month, and then their error is drawn anew in part.
        plays = random.random(persons) < 0.3
        fide_error = np.where(plays, 0.9 * fide_error + random.normal(0, 20, persons), fide_error)
        uscf_error = np.where(plays, 0.9 * uscf_error + random.normal(0, 25, persons), uscf_error)
        uscf = TRUTH.uscf_at(strength) + TRUE_CHANGE * number / 36 + uscf_error
        whole = frame(np.rint(strength + fide_error).astype(int), np.rint(uscf).astype(int), on=month)
        lists.append(whole.filter(pl.Series(joins <= number)))
    return pl.concat(lists)


def change(offsets: pl.DataFrame, estimator: str) -> float:
    values = offsets.filter(pl.col("estimator") == estimator)["uscf_minus_fide_estimate"]
    return float(values[-1] - values[0])


def test_matched_persons_show_the_true_change_where_the_cross_section_misses_it() -> None:
    results = [chained_offsets(panel(seed), draws=2) for seed in range(12)]
    chained = np.mean([change(result, "chained") for result in results])
    cross_section = np.mean([change(result, "cross_section") for result in results])
    assert chained == pytest.approx(TRUE_CHANGE, abs=4)
    assert cross_section < TRUE_CHANGE - 15


def test_the_interval_widens_along_the_chain() -> None:
    rows = chained_offsets(panel(1), draws=200, seed=1).filter(pl.col("estimator") == "chained")
    assert (rows["ci_low"] <= rows["uscf_minus_fide_estimate"]).all()
    assert (rows["uscf_minus_fide_estimate"] <= rows["ci_high"]).all()
    assert (rows["chain"] == 1).all()


def two_lists(change_of_first: int, persons: int = 40) -> pl.DataFrame:
    fide = np.full(persons, 1800)
    later = fide - 50
    later[0] += change_of_first
    return pl.concat([frame(fide, fide - 50, on=date(2025, 1, 1)), frame(fide, later, on=date(2025, 2, 1))])


def test_one_person_moves_the_mean_by_no_more_than_100_points() -> None:
    assert change(chained_offsets(two_lists(40), draws=2), "chained") == pytest.approx(1.0)
    assert change(chained_offsets(two_lists(900), draws=2), "chained") == pytest.approx(2.5)
    assert change(chained_offsets(two_lists(-900), draws=2), "chained") == pytest.approx(-2.5)


def test_with_too_few_matched_persons_the_chain_starts_anew() -> None:
    rows = two_lists(0)
    strangers = rows.filter(pl.col("list_date") == date(2025, 2, 1)).with_columns(
        pl.when(pl.int_range(pl.len()) < MINIMUM_MATCHED - 1)
        .then("person_id")
        .otherwise(pl.col("person_id") + "x")
        .alias("person_id")
    )
    broken = pl.concat([rows.filter(pl.col("list_date") == date(2025, 1, 1)), strangers])
    chained = chained_offsets(broken, draws=2).filter(pl.col("estimator") == "chained")
    assert chained["chain"].to_list() == [1, 2]
    assert "chain starts anew" in chained["caveat"][1]
    assert chained["sample_size"].to_list() == [40, 40]


def test_absence_from_a_list_breaks_the_match() -> None:
    first, second, third = (frame(np.full(60, 1800), np.full(60, 1850), on=date(2025, m, 1)) for m in (1, 2, 3))
    rows = pl.concat([first, second.head(30), third])
    matched = chained_offsets(rows, draws=2).filter(pl.col("estimator") == "chained")["sample_size"]
    assert matched.to_list() == [60, 30, 30]


def test_the_year_is_told_by_its_last_list() -> None:
    years = last_list_of_each_year(chained_offsets(panel(2), draws=2)).filter(pl.col("estimator") == "chained")
    assert years["year"].to_list() == [2024, 2025, 2026, 2027]
    assert years["list_date"].to_list() == [date(2024, 12, 1), date(2025, 12, 1), date(2026, 12, 1), date(2027, 3, 1)]


def test_lists_of_both_scales_are_not_chained() -> None:
    old = frame(np.full(30, 1800), np.full(30, 1850), on=date(2024, 2, 1))
    with pytest.raises(PairsError, match="filter the pairs to one side"):
        chained_offsets(pl.concat([old, two_lists(0)]))


def test_no_pairs_give_no_rows() -> None:
    assert chained_offsets(two_lists(0).clear()).is_empty()
