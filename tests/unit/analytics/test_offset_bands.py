"""Bands and ranks: exact quantiles, and the biases that tell the two questions apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from offset_truth import FLOOR, TRUTH, Pairs, simulate

from pipeline.analytics.offset_bands import (
    Bands,
    equipercentile_offsets,
    persons_by_band,
    persons_near,
    quantiles_by_band,
)
from pipeline.analytics.offset_errors import ErrorAssumption
from pipeline.analytics.offset_structural import fit_hinged

RUNS = 60
AT = np.array([1500, 1700, 1900, 2000, 2200])
CENTRED = Bands(1450, 9)  # bands whose middle is 1500, 1600, ..., 2300


def median_error(by: str, sizes: dict[str, float], at: np.ndarray = AT) -> np.ndarray:
    """Mean over the runs of the band's median difference minus the true offset at the band's middle."""
    errors = []
    for seed in range(RUNS):
        pairs = simulate(seed, **sizes)
        value, weights = banding_value(pairs, by, sizes)
        inside = (value >= CENTRED.first) & (value < CENTRED.first + 100 * CENTRED.count)
        medians = quantiles_by_band(
            CENTRED.of(value[inside]), CENTRED.count, (pairs.uscf - pairs.fide)[inside], weights[inside]
        )[0]
        errors.append(medians[(at - 1500) // 100] - TRUTH.offset(at.astype(float)))
    return np.mean(errors, axis=0)


def banding_value(pairs: Pairs, by: str, sizes: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    everybody = np.ones(len(pairs.fide))
    if by == "average":
        return (pairs.fide + pairs.uscf) / 2, everybody
    if by == "strength":
        ratio = (sizes.get("uscf_error", 75) / sizes.get("fide_error", 60)) ** 2
        assumed = ErrorAssumption(ratio)
        fit = fit_hinged(pairs.fide.astype(float), pairs.uscf.astype(float), assumed=assumed, fide_floor=FLOOR)
        return fit.strength, fit.used.astype(float)
    return getattr(pairs, by), everybody


@pytest.mark.parametrize(
    ("by", "listed"),
    [("fide", (18, 4, -12, -28, -21)), ("uscf", (79, 39, 2, -23, 20)), ("average", (50, 23, -2, -18, 3))],
)
def test_bands_of_a_rating_answer_another_question(by: str, listed: tuple[int, ...]) -> None:
    """Were a band's median taken for the offset at equal strength, it would be off by this much."""
    assert median_error(by, {}) == pytest.approx(listed, abs=6)


def test_larger_errors_make_bands_of_a_rating_worse() -> None:
    error = median_error("fide", {"fide_error": 90, "uscf_error": 60})
    assert error == pytest.approx((38, 8, -23, -41, -45), abs=6)


def test_bands_of_projected_strength_meet_the_truth() -> None:
    assert np.abs(median_error("strength", {}, AT[1:])).max() < 6


def test_ranks_meet_the_truth_but_blur_the_bend() -> None:
    errors = []
    for seed in range(RUNS):
        pairs = simulate(seed)
        offsets = equipercentile_offsets(pairs.fide, pairs.uscf, np.ones(len(pairs.fide)), AT)
        errors.append(offsets - TRUTH.offset(AT.astype(float)))
    assert np.mean(errors, axis=0) == pytest.approx((0, 2, -2, -13, 5), abs=5)


def test_the_entry_list_of_a_section_tells_a_tale_of_its_own() -> None:
    """USCF 1900 and above among FIDE 1700-1950: the entry rule, not the scales, makes the offset positive."""
    selected, unselected = [], []
    for seed in range(10):
        pairs = simulate(seed)
        band = (pairs.fide >= 1700) & (pairs.fide <= 1950)
        difference = pairs.uscf - pairs.fide
        selected.append(np.median(difference[band & (pairs.uscf >= 1900)]))
        unselected.append(np.median(difference[band]))
    assert np.mean(selected) == pytest.approx(94, abs=10)
    assert np.mean(unselected) == pytest.approx(-48, abs=10)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-300, 300), st.integers(0, 3)), min_size=1, max_size=60))
def test_weighted_quantiles_are_those_of_repeated_values(rows: list[tuple[int, int, int]]) -> None:
    band, difference, times = (np.array(column) for column in zip(*rows, strict=True))
    found = quantiles_by_band(band, 3, difference, times.astype(float), (0.25, 0.5, 0.75))
    for number in range(3):
        repeated = np.repeat(difference[band == number], times[band == number])
        if not len(repeated):
            assert np.isnan(found[:, number]).all()
            continue
        expected = np.quantile(repeated, [0.25, 0.5, 0.75], method="averaged_inverted_cdf")
        assert found[:, number] == pytest.approx(expected)
        assert found[1, number] == pytest.approx(np.median(repeated))


@given(st.integers(-200, 200), st.lists(st.integers(1400, 2700), min_size=5, max_size=80, unique=True))
def test_ranks_find_a_constant_shift(shift: int, fide: list[int]) -> None:
    ratings = np.array(fide)
    offsets = equipercentile_offsets(ratings, ratings + shift, np.ones(len(ratings)), ratings)
    assert offsets == pytest.approx(np.full(len(ratings), shift))


def test_a_weight_counts_like_a_repeated_pair() -> None:
    pairs = simulate(4, persons=400)
    times = np.random.default_rng(0).integers(0, 3, len(pairs.fide))
    weighted = equipercentile_offsets(pairs.fide, pairs.uscf, times.astype(float), AT)
    repeated = equipercentile_offsets(
        np.repeat(pairs.fide, times), np.repeat(pairs.uscf, times), np.ones(times.sum()), AT
    )
    assert weighted == pytest.approx(repeated)


def test_bands_are_labelled_by_their_ends() -> None:
    bands = Bands.covering(np.array([1650, 1700, 1899]))
    assert bands.labels() == ["1600-1699", "1700-1799", "1800-1899"]
    assert bands.of(np.array([1699, 1700])).tolist() == [0, 1]


def test_persons_are_counted_once() -> None:
    person = np.array([0, 0, 1, 1, 2])
    assert persons_by_band(np.array([0, 0, 0, 1, 1]), 3, person).tolist() == [2, 2, 0]
    assert persons_near(np.array([1500, 1510, 1601, 1600, 1800]), person, np.array([1500])).tolist() == [2]
