"""Real pairs: four small collected samples. What they say is a check of the arithmetic, not a result.

The samples are small, chosen by themselves or by rank, and partly months apart: see their SOURCES.tsv.
"""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from pipeline.analytics.offset_errors import ErrorSizes
from pipeline.analytics.offset_filters import judge_pairs
from pipeline.analytics.offset_pairs import OFFSET_PAIR_SCHEMA
from pipeline.analytics.offset_report import OffsetEstimates, estimate_offsets
from pipeline.analytics.offset_structural import fit_hinged
from pipeline.domain.entry import conform
from pipeline.formats.pairs import read_pairs

pytestmark = pytest.mark.shared

ALTO = "pairs_alto2024.csv"
SCATTER = "pairs_dojo_2024-09_digitised.csv"
TITLED = "pairs_titled_2025.csv"
TOP_2008 = "pairs_top_2008-04.csv"


def collected(shared_dir: Path, *names: str) -> pl.DataFrame:
    """Every pair of the files that has both ratings."""
    return pl.concat(read_pairs((shared_dir / "lists/uscf" / name).read_bytes(), name).pairs for name in names)


def usable(shared_dir: Path) -> pl.DataFrame:
    """Pairs after March 2024, of ALTO those linked to a player of federation USA."""
    return collected(shared_dir, ALTO, SCATTER, TITLED).filter(
        pl.col("link").is_null() | (pl.col("link") == "usa_unique")
    )


def median_offset(pairs: pl.DataFrame) -> float:
    return float((pairs["uscf_rating"] - pairs["fide_rating"]).median())  # type: ignore[arg-type]


def estimate(pairs: pl.DataFrame) -> OffsetEstimates:
    return estimate_offsets(
        conform(pairs, OFFSET_PAIR_SCHEMA), population="collected", fide_floor=1400, draws=200, seed=1
    )


def test_median_offsets_of_the_samples(shared_dir: Path) -> None:
    alto = collected(shared_dir, ALTO)
    assert alto.height == 53
    usa = alto.filter(pl.col("link") == "usa_unique")
    assert (usa.height, median_offset(usa)) == (47, 82)
    for name, size, median in ((SCATTER, 100, 52), (TITLED, 23, 72), (TOP_2008, 6, 71)):
        pairs = collected(shared_dir, name)
        assert pairs.height == size
        assert median_offset(pairs) == pytest.approx(median, abs=0.5)


@pytest.mark.parametrize(
    ("name", "medians", "sizes"),
    [
        (ALTO, (-258, 12, 71, 67, 142, 110, 112), (2, 15, 13, 5, 6, 7, 5)),
        (SCATTER, (26, -30, 17, 52, 102, 109, 49), (6, 12, 23, 22, 15, 16, 6)),
    ],
)
def test_medians_by_fide_band(shared_dir: Path, name: str, medians: tuple[int, ...], sizes: tuple[int, ...]) -> None:
    edges = np.array([1600, 1700, 1800, 1900, 2000, 2200])
    pairs = collected(shared_dir, name)
    band = np.searchsorted(edges, pairs["fide_rating"].to_numpy(), side="right")
    offset = (pairs["uscf_rating"] - pairs["fide_rating"]).to_numpy()
    assert [int((band == number).sum()) for number in range(7)] == list(sizes)
    assert [float(np.median(offset[band == number])) for number in range(7)] == pytest.approx(medians, abs=1)


def test_bands_of_the_us_rating_tell_the_opposite_of_the_same_people(shared_dir: Path) -> None:
    pairs = collected(shared_dir, ALTO)
    weak = pairs.filter(pl.col("uscf_rating") < 1600)
    middle = pairs.filter(pl.col("uscf_rating").is_between(1800, 1899))
    assert (weak.height, median_offset(weak)) == (11, pytest.approx(-142, abs=1))
    assert (middle.height, median_offset(middle)) == (10, pytest.approx(106, abs=1))


def test_the_line_through_170_pairs(shared_dir: Path) -> None:
    pairs = usable(shared_dir)
    assert pairs.height == 170
    fide, uscf = (pairs[name].to_numpy().astype(float) for name in ("fide_rating", "uscf_rating"))
    line = fit_hinged(fide, uscf, errors=ErrorSizes(60, 75), fide_floor=1400).line
    assert 1.53 <= line.slope_below <= 1.57
    assert 2150 <= line.level <= 2157
    assert 0.84 <= line.slope_above <= 0.85


def test_the_report_on_170_pairs_is_wide_and_covers_the_strengths_of_many(shared_dir: Path) -> None:
    structural = estimate(usable(shared_dir)).by_band.filter(pl.col("estimator") == "structural")
    assert structural["rating"].to_list() == [1600, 1700, 1800, 1900, 2000]
    at_1800 = structural.row(2, named=True)
    assert at_1800["ci_low"] < at_1800["range_low"] < 40 < at_1800["range_high"] < at_1800["ci_high"]
    assert (structural["ci_high"] - structural["ci_low"]).min() > 30  # type: ignore[operator]


def test_small_samples_show_little(shared_dir: Path) -> None:
    """No band of the 6 or the 53 holds 20 persons, no strength has 30 around it."""
    assert estimate(collected(shared_dir, TOP_2008)).by_band.is_empty()
    assert estimate(collected(shared_dir, ALTO)).by_band.is_empty()


def test_ratings_ten_months_apart_are_not_pairs_of_a_month(shared_dir: Path) -> None:
    judged = judge_pairs(conform(collected(shared_dir, ALTO), OFFSET_PAIR_SCHEMA))
    assert judged.counts.select("filter", "removed").row(0) == ("same_month", 53)
