"""Which pairs an estimate is made of: samples apart, scales apart, one list a year, the list with most pairs."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from offset_truth import TRUTH, frame, simulate

from pipeline.analytics import offset_periods
from pipeline.analytics.offset_filters import COUNT_SCHEMA
from pipeline.analytics.offset_periods import chained_by_year, collected_samples, estimates, filter_counts, judged
from pipeline.analytics.offset_report import BY_BAND_SCHEMA, BY_YEAR_SCHEMA

LISTS = (date(2023, 6, 1), date(2024, 2, 1), date(2024, 3, 1), date(2024, 9, 1), date(2025, 3, 1))


def candidates(on: date, persons: int = 400, seed: int = 1, origin: str = "lists", **columns: object) -> pl.DataFrame:
    pairs = simulate(seed, persons=persons)
    known = {"federation": "USA", "birth_year": 1980, "active": True, "link_method": "fide_id", **columns}
    key = None if origin == "lists" else 7
    return frame(pairs.fide, pairs.uscf, on=on, **known).with_columns(
        origin=pl.lit(origin), source_key=pl.lit(key, pl.Int32)
    )


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is chosen does not depend on the number of draws."""
    monkeypatch.setattr(offset_periods, "DRAWS", 20)
    monkeypatch.setattr(offset_periods, "DRAWS_OF_EARLIER_LISTS", 10)


@pytest.fixture(scope="module")
def pairs() -> pl.DataFrame:
    sizes = (400, 300, 350, 420, 410)
    return judged(pl.concat(candidates(day, size) for day, size in zip(LISTS, sizes, strict=True)))


def test_nothing_gives_empty_tables_of_the_published_columns() -> None:
    nothing = judged(candidates(LISTS[0]).clear())
    assert estimates(nothing).schema == pl.Schema(BY_BAND_SCHEMA)
    assert chained_by_year(nothing).schema == pl.Schema(BY_YEAR_SCHEMA)
    assert collected_samples(nothing).is_empty()
    assert filter_counts(nothing).columns == ["origin", "source_key", "scale", *COUNT_SCHEMA]


def test_one_list_a_year_and_scale_the_one_with_most_pairs(pairs: pl.DataFrame) -> None:
    found = estimates(pairs)
    assert found["period"].unique().sort().to_list() == ["2023-06", "2024-02", "2024-09", "2025-03"]
    assert (found["first_list"] == found["last_list"]).all()


def test_the_series_uses_every_list_and_starts_anew_in_march_2024(pairs: pl.DataFrame) -> None:
    chained = chained_by_year(pairs).filter(population="usa", estimator="chained").sort("list_date")
    assert chained["period"].to_list() == ["2023-06 to 2024-02"] * 2 + ["2024-03 to 2025-03"] * 2
    assert chained["list_date"].to_list() == [LISTS[0], LISTS[1], LISTS[3], LISTS[4]]


def test_the_order_of_rows_changes_nothing(pairs: pl.DataFrame) -> None:
    shuffled = pairs.sample(fraction=1.0, shuffle=True, seed=3)
    assert estimates(shuffled).equals(estimates(pairs))
    assert filter_counts(shuffled).equals(filter_counts(pairs))


def test_a_wrong_link_is_judged_by_the_line_of_its_own_scale() -> None:
    before, after = candidates(LISTS[0]), candidates(LISTS[3])
    wrong = pl.col("person_id") == "p000007"
    far = before.with_columns(uscf_rating=pl.when(wrong).then(pl.lit(600)).otherwise("uscf_rating").cast(pl.Int16))
    failed = judged(pl.concat([far, after])).filter(failed_filter="residual").select("person_id", "list_date")
    by_list = {day: {person for person, on in failed.rows() if on == day} for day in (LISTS[0], LISTS[3])}
    assert by_list[LISTS[0]] == by_list[LISTS[3]] | {"p000007"}
    assert "p000007" not in by_list[LISTS[3]]


def test_juniors_are_a_series_of_their_own() -> None:
    young = candidates(LISTS[3], persons=200, seed=2, birth_year=2012).with_columns(
        person_id=pl.concat_str(pl.lit("young "), "person_id")
    )
    found = estimates(judged(pl.concat([candidates(LISTS[3]), young])))
    typical = found.filter(estimator="typical_by_fide")
    sizes = dict(typical.group_by("population").agg(pl.col("sample_size").sum()).iter_rows())
    assert set(sizes) == {"usa", "everybody", "usa_fide_id", "everybody_fide_id", "usa_juniors"}
    assert 0 < sizes["usa_juniors"] < sizes["usa"] <= 400


def test_collected_samples_do_not_mix_with_lists() -> None:
    listed, collected = candidates(LISTS[3]), candidates(LISTS[3], 120, 4, "sample.csv", link_method="by hand")
    both = judged(pl.concat([listed, collected]))
    found = estimates(both)
    assert found.filter(pl.col("population") != "collected").equals(estimates(judged(listed)))
    own = found.filter(population="collected")
    assert own["caveat"].str.contains("self-selected").all()
    assert (own["sample_size"] <= 120).all()
    sample = collected_samples(both).row(0, named=True)
    difference = collected["uscf_rating"] - collected["fide_rating"]
    assert (sample["origin"], sample["source_key"], sample["sample_size"]) == ("sample.csv", 7, collected.height)
    assert sample["uscf_minus_fide_estimate"] == pytest.approx(difference.median(), abs=0.06)
    assert sample["ci_low"] <= sample["uscf_minus_fide_estimate"] <= sample["ci_high"]


def test_a_collected_sample_of_different_months_is_a_sample_but_no_pair_of_a_month() -> None:
    apart = candidates(LISTS[4], 120, 4, "sample.csv").with_columns(uscf_list_date=pl.lit(date(2024, 4, 1)))
    both = judged(apart)
    assert both["failed_filter"].unique().to_list() == ["same_month"]
    structural = estimates(both).filter(estimator="structural", population="collected")
    truth = TRUTH.offset(structural["rating"].to_numpy().astype(np.float64))
    assert np.abs(structural["uscf_minus_fide_estimate"].to_numpy() - truth).max() < 60
