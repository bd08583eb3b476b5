"""The entry point: tables and columns, what is refused, what is hidden, sameness under order and seed."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from offset_truth import FLOOR, TRUTH, frame, simulate

from pipeline.analytics.offset_errors import ErrorAssumption
from pipeline.analytics.offset_pairs import PairsError
from pipeline.analytics.offset_report import (
    BY_BAND_SCHEMA,
    BY_LIST_SCHEMA,
    BY_YEAR_SCHEMA,
    FIT_SCHEMA,
    OffsetEstimates,
    estimate_offsets,
)


def estimate(pairs: pl.DataFrame, **options: object) -> OffsetEstimates:
    given = {"population": "simulated", "fide_floor": FLOOR, "draws": 50, "seed": 1, **options}
    return estimate_offsets(pairs, **given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def pairs() -> pl.DataFrame:
    simulated = simulate(7)
    return frame(simulated.fide, simulated.uscf)


@pytest.fixture(scope="module")
def estimates(pairs: pl.DataFrame) -> OffsetEstimates:
    return estimate(pairs)


def test_tables_have_their_columns(estimates: OffsetEstimates) -> None:
    assert estimates.by_band.schema == BY_BAND_SCHEMA
    assert estimates.fits.schema == FIT_SCHEMA
    assert estimates.by_list.schema == BY_LIST_SCHEMA
    assert estimates.by_year.schema == BY_YEAR_SCHEMA
    for name in ("population", "period", "estimator", "uscf_minus_fide_estimate", "ci_low", "ci_high", "caveat"):
        assert estimates.by_band[name].null_count() == 0
    assert set(estimates.by_band["period"]) == {"2024-09"}


def test_every_estimator_is_there_under_its_question(estimates: OffsetEstimates) -> None:
    assert set(estimates.by_band.select("estimator", "question").unique().iter_rows()) == {
        ("structural", "same strength"),
        ("projected_bands", "same strength"),
        ("equipercentile", "same strength"),
        ("typical_by_fide", "typical rating"),
        ("typical_by_uscf", "typical rating"),
    }


def test_the_two_questions_have_different_answers(estimates: OffsetEstimates) -> None:
    """Bands of FIDE and of US ratings straddle the structural line; were questions swapped, this would fail."""

    def at(estimator: str, rating: int) -> float:
        row = estimates.by_band.filter(pl.col("estimator") == estimator, pl.col("rating") == rating)
        return float(row["uscf_minus_fide_estimate"].item())

    assert at("typical_by_uscf", 1550) > TRUTH.offset(np.array([1550.0]))[0] + 40
    assert at("typical_by_fide", 2250) < TRUTH.offset(np.array([2250.0]))[0] - 8
    assert at("projected_bands", 1750) == pytest.approx(TRUTH.offset(np.array([1750.0]))[0], abs=12)
    assert at("structural", 1500) == pytest.approx(TRUTH.offset(np.array([1500.0]))[0], abs=20)


def test_estimates_lie_in_their_intervals_and_ranges(estimates: OffsetEstimates) -> None:
    rows = estimates.by_band
    value = pl.col("uscf_minus_fide_estimate")
    assert rows.filter((value < pl.col("ci_low")) | (value > pl.col("ci_high"))).is_empty()
    structural = rows.filter(pl.col("estimator") == "structural")
    assert structural.filter((value < pl.col("range_low")) | (value > pl.col("range_high"))).is_empty()
    assert rows.filter(pl.col("estimator") != "structural")["range_low"].null_count() == rows.height - structural.height
    banded = rows.filter(pl.col("band").is_not_null())
    assert banded.filter((value < pl.col("quartile_low")) | (value > pl.col("quartile_high"))).is_empty()


def test_the_assumed_ratio_is_weighed_and_the_range_holds_others(estimates: OffsetEstimates) -> None:
    fits = estimates.fits
    assert fits["assumed_ratio"].to_list() == [1.0, 0.5, 1.0, 2.0]
    assert fits["ratio_doubt"].to_list() == [0.5, 0, 0, 0]
    assert fits["error_ratio"].to_list()[1:] == [0.5, 1.0, 2.0]
    assert fits["error_ratio"][0] not in (0.5, 1.0, 2.0)
    structural = estimates.by_band.filter(pl.col("estimator") == "structural")
    stated = structural["caveat"].str.extract(r"the ratio in use is (\d+\.\d\d)").cast(pl.Float64)
    assert stated.to_list() == pytest.approx([fits["error_ratio"][0]] * structural.height, abs=0.006)
    # Which ratio is right matters most at the top: nobody should read the estimate without its range.
    width = structural["range_high"] - structural["range_low"]
    assert width.max() == width[-1]


def test_the_interval_contains_the_doubt_about_the_ratio(pairs: pl.DataFrame, estimates: OffsetEstimates) -> None:
    """Held at the ratio that was found, the same pairs give the same estimate and a shorter interval at the top."""
    held = estimate(pairs, assumed=ErrorAssumption.holding(estimates.fits["error_ratio"][0]))

    def at_2300(found: OffsetEstimates) -> dict[str, float]:
        return found.by_band.row(
            by_predicate=(pl.col("estimator") == "structural") & (pl.col("rating") == 2300), named=True
        )

    doubted, certain = at_2300(estimates), at_2300(held)
    assert doubted["uscf_minus_fide_estimate"] == pytest.approx(certain["uscf_minus_fide_estimate"], abs=0.3)
    assert doubted["ci_high"] - doubted["ci_low"] > 1.15 * (certain["ci_high"] - certain["ci_low"])


def test_rows_with_few_persons_are_hidden(estimates: OffsetEstimates) -> None:
    smallest = dict(estimates.by_band.group_by("estimator").agg(pl.col("sample_size").min()).iter_rows())
    assert min(smallest["structural"], smallest["equipercentile"]) >= 30
    assert min(smallest["projected_bands"], smallest["typical_by_fide"], smallest["typical_by_uscf"]) >= 20


def test_nothing_is_said_of_strengths_at_the_floor(estimates: OffsetEstimates) -> None:
    lowest = dict(estimates.by_band.group_by("estimator").agg(pl.col("rating").min()).iter_rows())
    assert lowest["structural"] == 1500
    assert lowest["equipercentile"] == 1500
    assert lowest["projected_bands"] == 1650


def test_the_top_warns_of_circularity(estimates: OffsetEstimates) -> None:
    circular = estimates.by_band.filter(pl.col("caveat").str.contains("by its own formula"))
    assert circular["rating"].min() == 2200


def test_a_strength_below_the_fitted_players_says_so(estimates: OffsetEstimates) -> None:
    continued = estimates.by_band.filter(pl.col("caveat").str.contains("continued a little below"))
    assert continued.select("estimator", "rating").rows() == [("structural", 1500)]


def test_disagreeing_estimators_are_pointed_out() -> None:
    """With very unequal errors, matching of ranks is far off at the top of the list."""
    simulated = simulate(3, persons=6000, fide_error=140, uscf_error=30)
    rows = estimate(frame(simulated.fide, simulated.uscf), assumed=ErrorAssumption.holding((30 / 140) ** 2)).by_band
    warned = rows.filter(pl.col("caveat").str.contains("points from the matching of ranks"))
    assert set(warned["estimator"]) == {"structural"}
    assert warned["caveat"].str.extract(r"differs by (\d+) points").cast(pl.Int64).min() > 30


def test_order_of_rows_is_irrelevant(pairs: pl.DataFrame, estimates: OffsetEstimates) -> None:
    shuffled = estimate(pairs.sample(fraction=1.0, shuffle=True, seed=3))
    assert shuffled.by_band.equals(estimates.by_band)
    assert shuffled.fits.equals(estimates.fits)
    assert shuffled.by_list.equals(estimates.by_list)


def test_the_seed_decides_the_intervals_only(pairs: pl.DataFrame, estimates: OffsetEstimates) -> None:
    other = estimate(pairs, seed=2)
    keys = ["estimator", "rating", "uscf_minus_fide_estimate"]
    assert other.by_band.select(keys).equals(estimates.by_band.select(keys))
    assert not other.by_band["ci_low"].equals(estimates.by_band["ci_low"])


def test_whole_number_truth_without_noise_is_recovered() -> None:
    fide = np.arange(1402, 2600, 2)
    uscf = np.where(fide <= 2000, 2060 + 3 * (fide - 2000) // 2, 2060 + (fide - 2000))
    result = estimate(frame(fide, uscf))
    fit = result.fits.row(0, named=True)
    assert (fit["level_at_2000"], fit["slope_below_2000"], fit["slope_above_2000"]) == (2060.0, 1.5, 1.0)
    at_1600 = result.by_band.filter(pl.col("estimator") == "structural", pl.col("rating") == 1600)
    assert at_1600.select("uscf_minus_fide_estimate", "ci_low", "ci_high").row(0) == (-140.0, -140.0, -140.0)


def test_both_sides_of_march_2024_are_refused(pairs: pl.DataFrame) -> None:
    old = pairs.with_columns(
        pl.lit(date(2024, 2, 1)).alias("list_date"), pl.lit(date(2024, 2, 1)).alias("uscf_list_date")
    )
    with pytest.raises(PairsError, match="run from 2024-02-01 to 2024-09-01: FIDE changed its scale on 2024-03-01"):
        estimate(pl.concat([old, pairs]))
    # Also where only the US supplement is of the other side.
    with pytest.raises(PairsError, match="filter the pairs to one side"):
        estimate(pairs.with_columns(pl.lit(date(2024, 2, 1)).alias("uscf_list_date")))
    assert estimate(old, draws=2).by_band.height > 0


def test_a_person_twice_on_a_list_is_refused(pairs: pl.DataFrame) -> None:
    with pytest.raises(PairsError, match="found p000003 more than once on 2024-09-01"):
        estimate(pl.concat([pairs, pairs.slice(3, 1)]))


def test_missing_ratings_are_refused(pairs: pl.DataFrame) -> None:
    with pytest.raises(PairsError, match="expected a uscf_rating in every row, found 2 without"):
        estimate(
            pairs.with_columns(
                pl.when(pl.int_range(pl.len()) < 2).then(None).otherwise("uscf_rating").alias("uscf_rating")
            )
        )


def test_few_pairs_give_no_line_but_say_so(pairs: pl.DataFrame) -> None:
    result = estimate(pairs.head(25))
    assert result.by_band.filter(pl.col("question") == "same strength").is_empty()
    assert result.fits["level_at_2000"].null_count() == 4
    assert set(result.fits["caveat"]) == {"too few pairs above the floor margin for a line"}


def test_no_pairs_give_empty_tables(pairs: pl.DataFrame) -> None:
    result = estimate(pairs.clear())
    assert result.by_band.schema == BY_BAND_SCHEMA
    assert result.by_band.is_empty()
    assert result.fits.is_empty()
    assert result.by_year.is_empty()


def test_the_period_names_its_first_and_last_month(pairs: pl.DataFrame) -> None:
    later = pairs.with_columns(
        pl.lit(date(2025, 2, 1)).alias("list_date"), pl.lit(date(2025, 2, 1)).alias("uscf_list_date")
    )
    result = estimate(pl.concat([pairs, later]), draws=2)
    assert set(result.by_band["period"]) == {"2024-09 to 2025-02"}
    assert result.by_year["year"].unique().sort().to_list() == [2024, 2025]
