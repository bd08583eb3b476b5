"""The truncated fit finds the truth on simulated lists, and says so where it cannot."""

import numpy as np
import polars as pl
import pytest

from pipeline.analytics.truncated_fit import MIN_PLAYERS, fit_truncated_normals, inverse_mills


def counts_of(ratings: np.ndarray, cut: int, list_key: int = 1) -> pl.DataFrame:
    values, players = np.unique(np.rint(ratings).astype(int), return_counts=True)
    return pl.DataFrame(
        {"list_key": list_key, "population": "all", "cut": cut, "rating": values, "player_count": players}
    )


@pytest.mark.parametrize(("cut", "mean", "deviation"), [(1400, 1800, 300), (2000, 1900, 250), (2200, 1900, 220)])
def test_finds_mean_and_deviation_behind_the_cut(cut: int, mean: int, deviation: int) -> None:
    everybody = np.random.default_rng(7).normal(mean, deviation, 200_000)
    fit = fit_truncated_normals(counts_of(everybody, cut)).row(0, named=True)
    assert fit["fit_mean"] == pytest.approx(mean, abs=0.12 * deviation)
    assert fit["fit_sd"] == pytest.approx(deviation, rel=0.05)
    assert fit["hidden_fraction"] == pytest.approx((everybody < cut - 0.5).mean(), abs=0.03)
    assert fit["fitted_count"] == int((np.rint(everybody) >= cut).sum())
    assert fit["fit_distance"] < 0.01


def test_an_exponential_tail_gives_no_fit() -> None:
    ratings = 2200 + np.random.default_rng(8).exponential(60, 5_000)
    fit = fit_truncated_normals(counts_of(ratings, 2200)).row(0, named=True)
    assert fit["fit_mean"] is None
    assert fit["hidden_fraction"] is None
    assert fit["fit_distance"] is None


def test_a_bad_fit_shows_in_its_distance() -> None:
    two_humps = np.concatenate([np.full(1_000, 1500), np.full(1_000, 2300)])
    spread = two_humps + np.random.default_rng(9).normal(0, 40, 2_000)
    assert fit_truncated_normals(counts_of(spread, 1300)).row(0, named=True)["fit_distance"] > 0.1


def test_few_players_are_left_out_and_lists_kept_apart() -> None:
    few = counts_of(np.random.default_rng(1).normal(2000, 200, MIN_PLAYERS - 1), 1000, list_key=1)
    many = counts_of(np.random.default_rng(2).normal(2000, 200, 5_000), 1000, list_key=2)
    assert fit_truncated_normals(pl.concat([few, many]))["list_key"].to_list() == [2]


def test_inverse_mills_at_known_points() -> None:
    assert inverse_mills(np.array([0.0]))[0] == pytest.approx(np.sqrt(2 / np.pi))
    assert inverse_mills(np.array([-8.0]))[0] == pytest.approx(0, abs=1e-10)
