"""The structural line: bias on simulated truth, what goes wrong without its parts, exactness, limits."""

import numpy as np
import pytest
from offset_truth import FLOOR, TRUTH, Pairs, simulate
from scipy.optimize import least_squares

from pipeline.analytics.offset_errors import ErrorAssumption, ErrorSizes
from pipeline.analytics.offset_report import HELD_RATIOS
from pipeline.analytics.offset_structural import (
    KNOT,
    ROBUST_SCALE,
    HingedFit,
    HingedLine,
    TooFewPairsError,
    deming_line,
    fit_hinged,
)

RUNS = 60
STRENGTHS = np.arange(1500.0, 2401.0, 100.0)
EASY = {"fide_error": 60.0, "uscf_error": 75.0}
HARD = {"fide_error": 90.0, "uscf_error": 60.0}
TRUE_RATIO = ErrorAssumption(75**2 / 60**2)


def as_floats(pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    return pairs.fide.astype(float), pairs.uscf.astype(float)


def ratio_of(sizes: dict[str, float]) -> float:
    return (sizes["uscf_error"] / sizes["fide_error"]) ** 2


def fits_of_runs(assumed: ErrorAssumption, **scenario: float) -> list[HingedFit]:
    return [
        fit_hinged(*as_floats(simulate(seed, **scenario)), assumed=assumed, fide_floor=FLOOR) for seed in range(RUNS)
    ]


def mean_error(lines: list[HingedLine], strengths: np.ndarray = STRENGTHS) -> np.ndarray:
    """Mean over the runs of estimated minus true offset, at each strength."""
    return np.mean([line.offset(strengths) - TRUTH.offset(strengths) for line in lines], axis=0)


@pytest.mark.parametrize(
    ("sizes", "assumed", "wrong_links"),
    [
        (EASY, EASY, 0.0),
        (HARD, HARD, 0.0),
        (EASY, EASY, 0.02),
        (EASY, {"fide_error": 78.0, "uscf_error": 75.0}, 0.0),
    ],
    ids=["errors 60 and 75", "errors 90 and 60", "2 % wrong links", "FIDE error thought 30 % too large"],
)
def test_the_truth_is_met_within_six_points(
    sizes: dict[str, float], assumed: dict[str, float], wrong_links: float
) -> None:
    """Every scenario with a listed error of E1, at 1500, 1600, ..., 2400."""
    fits = fits_of_runs(ErrorAssumption(ratio_of(assumed)), wrong_links=wrong_links, **sizes)
    assert np.abs(mean_error([fit.line for fit in fits])).max() < 6
    assert all(fit.converged for fit in fits)
    if sizes == assumed:
        # Only the ratio of the error sizes was told; their size is found.
        assert np.mean([fit.errors.fide for fit in fits]) == pytest.approx(sizes["fide_error"], rel=0.03)


def test_without_the_scatter_a_fide_error_thought_30_percent_too_large_costs_more() -> None:
    """What the evidence of the bend is for; and that it corrects a wrong ratio in part only."""
    thought, true = 75**2 / 78**2, ratio_of(EASY)
    held = fits_of_runs(ErrorAssumption.holding(thought), **EASY)
    assert 8 < mean_error([fit.line for fit in held])[-1] < 9
    weighed = np.log([fit.errors.ratio for fit in fits_of_runs(ErrorAssumption(thought), **EASY)])
    assert 0.25 < (weighed.mean() - np.log(thought)) / np.log(true / thought) < 0.45


def test_with_the_right_ratio_the_scatter_costs_little() -> None:
    """What it makes the estimates of single samples scatter more: at most a tenth, at the top of the list."""
    for sizes in (EASY, HARD):
        spread = [
            np.std([fit.line.offset(STRENGTHS) for fit in fits_of_runs(assumed, **sizes)], axis=0)
            for assumed in (ErrorAssumption(ratio_of(sizes)), ErrorAssumption.holding(ratio_of(sizes)))
        ]
        assert (spread[0] / spread[1])[STRENGTHS <= 2000].max() < 1.05
        assert (spread[0] / spread[1]).max() < 1.12


def test_errors_that_change_steadily_with_strength_do_not_pass_for_another_ratio() -> None:
    """US Chess's effective numbers of games: errors of 92 at 1500, 70 at 2000, 53 from 2355 on."""
    runs = []
    for seed in range(RUNS):
        random = np.random.default_rng(seed)
        strength = random.normal(1750, 280, 3000)
        uscf = TRUTH.uscf_at(strength)
        games = np.where(uscf > 2355, 50.0, 50 / np.sqrt(0.662 + 0.00000739 * (2569 - uscf) ** 2))
        fide = strength + random.normal(0, 50, 3000)
        uscf += random.normal(0, 373 / np.sqrt(games))
        listed = fide >= FLOOR
        runs.append(fit_hinged(fide[listed], uscf[listed], assumed=ErrorAssumption(1.5), fide_floor=FLOOR))
    assert np.mean(np.log([fit.errors.ratio for fit in runs])) == pytest.approx(np.log(1.5), abs=0.08)


def test_errors_that_jump_at_the_bend_pass_for_another_ratio() -> None:
    """The known weakness, and its limit: of a hundred thousand pairs too the assumption keeps a good part."""
    random = np.random.default_rng(1)
    strength = random.normal(1750, 280, 100_000)
    larger_below = np.where(strength < KNOT, 1.3, 1.0)
    fide = strength + random.normal(0, 50 * larger_below)
    uscf = TRUTH.uscf_at(strength) + random.normal(0, 62.5 * larger_below)
    listed = fide >= FLOOR
    fit = fit_hinged(fide[listed], uscf[listed], assumed=ErrorAssumption(62.5**2 / 50**2), fide_floor=FLOOR)
    assert 0.3 < fit.errors.ratio < 0.8
    assert 10 < fit.line.offset(STRENGTHS)[-1] - TRUTH.offset(STRENGTHS)[-1] < 20


def test_where_the_pairs_cannot_tell_the_assumption_stands() -> None:
    pairs = simulate(3)
    straight = HingedLine(2060.0, 1.02, 1.02)
    uscf = straight.uscf_at(pairs.strength) + np.random.default_rng(4).normal(0, 75, len(pairs.fide))
    fit = fit_hinged(pairs.fide.astype(float), uscf, assumed=ErrorAssumption(1.3), fide_floor=FLOOR)
    assert fit.errors.ratio == pytest.approx(1.3, rel=0.06)  # the fitted slopes are not quite alike
    weak = pairs.strength < 1700
    fide, uscf = (side[weak] for side in as_floats(pairs))
    fits = [
        fit_hinged(fide, uscf, assumed=assumed, fide_floor=FLOOR)
        for assumed in (ErrorAssumption(1.3), ErrorAssumption.holding(1.3))
    ]
    assert fits[0].errors.ratio == pytest.approx(1.3)
    assert fits[0].line.slope_below == pytest.approx(fits[1].line.slope_below)


def test_pairs_of_the_same_persons_are_no_more_evidence() -> None:
    fide, uscf = as_floats(simulate(6))
    once = fit_hinged(fide, uscf, fide_floor=FLOOR)
    twelve = fit_hinged(np.tile(fide, 12), np.tile(uscf, 12), persons=len(fide), fide_floor=FLOOR)
    mistaken = fit_hinged(np.tile(fide, 12), np.tile(uscf, 12), fide_floor=FLOOR)
    assert twelve.errors.ratio == pytest.approx(once.errors.ratio, rel=1e-3)
    assert abs(np.log(mistaken.errors.ratio)) > 1.1 * abs(np.log(once.errors.ratio))


def test_the_range_over_held_ratios_covers_what_a_wrong_one_costs_at_the_top() -> None:
    """No default is best: the report shows the range over 0.5, 1 and 2 beside the estimate.

    The true ratios here are 1.6 and 0.6. One outside the range, as of the errors 90 and 60, is not covered.
    """
    for sizes in (EASY, {"fide_error": 80.0, "uscf_error": 62.0}):
        at_2400 = [
            mean_error([fit.line for fit in fits_of_runs(ErrorAssumption.holding(ratio), **sizes)])[-1]
            for ratio in HELD_RATIOS
        ]
        assert min(at_2400) < 0 < max(at_2400)
        assert max(at_2400) - min(at_2400) > 15


def test_without_the_projected_cut_the_floor_bends_the_line() -> None:
    lines = [fit_hinged(*as_floats(simulate(seed)), assumed=TRUE_RATIO).line for seed in range(RUNS)]
    assert mean_error(lines)[0] == pytest.approx(-18, abs=4)


@pytest.mark.parametrize(
    ("cut_on", "lowest", "listed"), [("fide", 1550, (-47, -22)), ("uscf", 1500, (49, 25))], ids=["fide", "uscf"]
)
def test_cutting_on_a_rating_bends_the_line_much_further(cut_on: str, lowest: int, listed: tuple[int, int]) -> None:
    lines = []
    for seed in range(RUNS):
        pairs = simulate(seed)
        kept = getattr(pairs, cut_on) >= lowest
        lines.append(
            fit_hinged(pairs.fide[kept].astype(float), pairs.uscf[kept].astype(float), assumed=TRUE_RATIO).line
        )
    assert mean_error(lines, np.array([1500.0, 1700.0])) == pytest.approx(listed, abs=8)


def test_noise_free_data_is_recovered_exactly() -> None:
    fide = np.random.default_rng(1).uniform(1400, 2700, 500)
    fit = fit_hinged(fide, TRUTH.uscf_at(fide), fide_floor=FLOOR)
    assert fit.line.level == pytest.approx(TRUTH.level, abs=1e-6)
    assert fit.line.slope_below == pytest.approx(TRUTH.slope_below, abs=1e-9)
    assert fit.line.slope_above == pytest.approx(TRUTH.slope_above, abs=1e-9)
    assert fit.strength == pytest.approx(fide, abs=1e-6)


def test_the_line_minimises_the_robust_distance() -> None:
    """The same minimum as a general optimiser finds, for distances computed point by point on a fine curve."""
    fide, uscf = as_floats(simulate(5, persons=300, wrong_links=0.05))
    errors = ErrorSizes(60, 75)
    line = fit_hinged(fide, uscf, errors=errors).line
    curve = np.arange(600.0, 3000.0, 0.5)

    def distances(parameters: np.ndarray) -> np.ndarray:
        on_curve = HingedLine(*parameters).uscf_at(curve)
        squared = ((fide[:, None] - curve) / errors.fide) ** 2 + ((uscf[:, None] - on_curve) / errors.uscf) ** 2
        return np.sqrt(squared.min(axis=1))

    found = least_squares(
        distances,
        [2050.0, 1.4, 1.1],
        loss="soft_l1",
        f_scale=ROBUST_SCALE,
        x_scale=[10, 0.02, 0.02],
        diff_step=1e-3,
    )
    assert line.offset(STRENGTHS) == pytest.approx(HingedLine(*found.x).offset(STRENGTHS), abs=1.0)


def test_strength_is_the_nearest_point_of_the_line_on_either_side_of_the_bend() -> None:
    random = np.random.default_rng(8)
    fide = random.uniform(1600, 2400, 500)
    uscf = HingedLine(2060, 2.5, 0.6).uscf_at(fide) + random.uniform(-300, 300, 500)
    errors = ErrorSizes(60, 75)
    fit = fit_hinged(fide, uscf, errors=errors)

    def distance(strength: np.ndarray) -> np.ndarray:
        return np.hypot(
            (fide[:, None] - strength) / errors.fide, (uscf[:, None] - fit.line.uscf_at(strength)) / errors.uscf
        )

    nearest = distance(np.arange(1500.0, 2500.0, 0.25)).min(axis=1)
    assert distance(fit.strength[:, None])[:, 0] == pytest.approx(nearest, abs=4e-3)  # the grid is that coarse
    assert (fit.strength == KNOT).any()


def test_deming_has_no_preferred_direction() -> None:
    fide, uscf = as_floats(simulate(2))
    forward = deming_line(fide, uscf, 1.5).slope_below
    backward = deming_line(uscf, fide, 1 / 1.5).slope_below
    assert forward == pytest.approx(1 / backward, rel=1e-9)


def test_the_line_bends_at_2000_and_is_level_there() -> None:
    assert TRUTH.uscf_at(np.array([KNOT - 100, KNOT, KNOT + 100])) == pytest.approx([2060 - 156.67, 2060, 2162])


def test_a_slope_nobody_speaks_for_does_no_harm() -> None:
    pairs = simulate(3)
    weak = pairs.strength < 1800
    fit = fit_hinged(
        pairs.fide[weak].astype(float), pairs.uscf[weak].astype(float), assumed=TRUE_RATIO, fide_floor=FLOOR
    )
    assert fit.converged
    assert abs(fit.line.slope_above) < 3


def test_too_few_pairs_are_refused() -> None:
    fide, uscf = as_floats(simulate(0))
    with pytest.raises(TooFewPairsError, match="at least 30 pairs for a fitted line, found 29"):
        fit_hinged(fide[:29], uscf[:29])
    with pytest.raises(TooFewPairsError, match="30 pairs above the floor margin for a fitted line, found"):
        fit_hinged(fide[:300], uscf[:300], fide_floor=2400)
