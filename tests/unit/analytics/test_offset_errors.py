"""The ratio of the errors: what the scatter on both sides of the bend says, and how it is weighed."""

import numpy as np
import pytest

from pipeline.analytics.offset_errors import BendContrast, ErrorAssumption, ErrorSizes, weighed_ratio

SLOPES = (1.5667, 1.02)


def scattered(seed: int, *, jump: float = 0.0, trend: float = 0.0, pairs: int = 2650) -> tuple[np.ndarray, np.ndarray]:
    """Strengths about the bend, and distances whose log variance has this jump and this trend per 100 points."""
    random = np.random.default_rng(seed)
    beyond = random.normal(-250, 280, pairs)
    log_variance = np.where(beyond > 0, jump, 0.0) + trend * beyond / 100
    return beyond, random.normal(size=pairs) * np.exp(log_variance / 2)


def jumps(**scatter: float) -> tuple[np.ndarray, float]:
    """The estimates of 200 samples, and the variance that is stated for them."""
    found = []
    for seed in range(200):
        beyond, distance = scattered(seed, **scatter)
        contrast = BendContrast.between_sides(beyond, distance, np.ones(len(beyond)))
        found.append(contrast.jump(distance))
    return np.array(found), contrast.variance


def test_the_jump_of_the_scatter_is_found_with_the_variance_stated() -> None:
    found, variance = jumps()
    assert found.mean() == pytest.approx(0, abs=0.03)
    assert found.var() == pytest.approx(variance, rel=0.25)  # 200 samples know a variance to a tenth
    assert jumps(jump=0.15)[0].mean() == pytest.approx(0.15, abs=0.03)


def test_a_steady_change_with_strength_is_no_jump() -> None:
    """Errors a fifth larger at 1500 than at 2000: the means of both sides differ, the jump is small."""
    steady = jumps(trend=-0.07)[0].mean()
    assert steady == pytest.approx(0, abs=0.05)


def test_wrong_links_are_no_scatter() -> None:
    beyond, distance = scattered(1)
    wrong = distance.copy()
    wrong[::50] = 12.0
    clean, faulty = (BendContrast.between_sides(beyond, d, np.ones(len(beyond))).jump(d) for d in (distance, wrong))
    assert faulty == pytest.approx(clean, abs=0.05)


def test_neither_the_size_of_the_scatter_nor_its_trend_counts() -> None:
    beyond, distance = scattered(3)
    weights = np.random.default_rng(0).integers(0, 3, len(beyond)).astype(float)
    contrast = BendContrast.between_sides(beyond, distance, weights)
    assert contrast.weights.sum() == pytest.approx(0, abs=1e-12)
    assert contrast.weights @ beyond == pytest.approx(0, abs=1e-9)
    assert not contrast.weights[weights == 0].any()


def test_without_pairs_on_both_sides_nothing_is_known() -> None:
    beyond, distance = scattered(2)
    for nobody in (beyond < 0, beyond > 0):
        contrast = BendContrast.between_sides(beyond, distance, nobody.astype(float))
        assert (contrast.jump(distance), contrast.variance) == (0.0, np.inf)
    two = BendContrast.between_sides(np.array([-5.0, 5.0]), np.array([1.0, 0.5]), np.ones(2))
    assert two.variance == np.inf


def test_another_ratio_keeps_the_scatter_across_the_line() -> None:
    errors = ErrorSizes(60, 75)
    other = errors.with_ratio(0.8, 1.5667)
    assert other.ratio == pytest.approx(0.8)
    assert (1.5667 * other.fide) ** 2 + other.uscf**2 == pytest.approx((1.5667 * 60) ** 2 + 75**2)


def test_a_jump_that_is_known_and_no_doubt_about_it_give_the_true_ratio() -> None:
    """60 and 75 are true; sizes that explain the scatter below the bend only lead there in a few steps."""
    assumed = ErrorAssumption(75**2 / 78**2, ratio_doubt=1000.0, jump_doubt=1e-6)
    errors = ErrorSizes(60, 75).with_ratio(assumed.ratio, SLOPES[0])
    for _ in range(8):
        true, thought = (
            [(slope * sizes.fide) ** 2 + sizes.uscf**2 for slope in SLOPES] for sizes in (ErrorSizes(60, 75), errors)
        )
        jump = np.log(true[1] / thought[1]) - np.log(true[0] / thought[0])
        errors = errors.with_ratio(weighed_ratio(assumed, errors, SLOPES, jump, 0.0), SLOPES[0])
    assert errors.fide == pytest.approx(60, abs=0.01)
    assert errors.uscf == pytest.approx(75, abs=0.01)


def test_the_assumption_stands_where_nothing_is_known_or_the_line_does_not_bend() -> None:
    assumed = ErrorAssumption(1.3)
    now = ErrorSizes(60, 75)
    assert weighed_ratio(assumed, now, SLOPES, 0.4, np.inf) == pytest.approx(1.3)
    assert weighed_ratio(assumed, now, (1.0, 1.0), 0.4, 0.01) == pytest.approx(1.3)


def test_the_more_is_known_the_farther_the_ratio_moves_but_never_all_the_way() -> None:
    assumed = ErrorAssumption(1.0)
    moved = [np.log(weighed_ratio(assumed, ErrorSizes(60, 60), SLOPES, -0.05, v)) for v in (0.1, 0.01, 0.001, 0.0)]
    rise = 1 / (SLOPES[1] ** 2 + 1) - 1 / (SLOPES[0] ** 2 + 1)
    alone = -0.05 / rise
    assert 0 > moved[0] > moved[1] > moved[2] > moved[3] > 0.7 * alone


def test_a_drawn_assumption_spreads_as_its_doubts_say() -> None:
    generator = np.random.default_rng(0)
    drawn = [ErrorAssumption(1.5).drawn(generator) for _ in range(4000)]
    logs = np.log([draw.ratio for draw in drawn])
    assert (logs.mean(), logs.std()) == pytest.approx((np.log(1.5), 0.5), abs=0.03)
    assert np.std([draw.jump for draw in drawn]) == pytest.approx(0.08, abs=0.005)
    assert ErrorAssumption.holding(0.7).drawn(generator).ratio == 0.7
