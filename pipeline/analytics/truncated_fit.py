"""Normal distributions fitted to what stands above a floor, to correct for players the floor keeps off a list.

A list shows only ratings above its floor. If the ratings of all players were normal, mean and standard deviation of
the whole could be told from mean and variance above the cut: they are sufficient for the truncated normal, and the
fit is the maximum of the likelihood. Here are the estimator and its goodness; nothing reads or writes a database.
Ratings are not normal in truth, which is why every fit comes with its distance from the data.
"""

from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

#: Fewer players above the cut than this are not fitted.
MIN_PLAYERS: Final = 200
#: Cuts searched, in standard deviations from the mean. Beyond the upper end more than 97.7 % of the players would be
#: hidden, and mean and deviation can no longer be told apart.
LOWEST_CUT, HIGHEST_CUT = -8.0, 2.0

Floats = NDArray[np.float64]


def _log_normal_cdf(values: Floats) -> Floats:
    # SciPy takes a quarter of a second to import, which whoever only loads the definitions need not wait for.
    from scipy.special import log_ndtr

    result: Floats = log_ndtr(values)
    return result


def _normal_cdf(values: Floats) -> Floats:
    from scipy.special import ndtr

    result: Floats = ndtr(values)
    return result


def inverse_mills(cut: Floats) -> Floats:
    """Mean of a standard normal variable above ``cut``."""
    density = -0.5 * cut * cut - 0.5 * np.log(2 * np.pi)
    result: Floats = np.exp(density - _log_normal_cdf(-cut))
    return result


def standard_cut(variance_ratio: Floats) -> Floats:
    """Solve for the cut in standard deviations, given variance over squared mean of the excess above the cut.

    The ratio grows with the cut, so bisection finds it. NaN where it lies outside the searched range.
    """
    low = np.full_like(variance_ratio, LOWEST_CUT)
    high = np.full_like(variance_ratio, HIGHEST_CUT)
    inside = (variance_ratio > _ratio(low)) & (variance_ratio < _ratio(high))
    for _ in range(60):
        middle = (low + high) / 2
        below = _ratio(middle) < variance_ratio
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.where(inside, (low + high) / 2, np.nan)


def _ratio(cut: Floats) -> Floats:
    mills = inverse_mills(cut)
    result: Floats = (1 + cut * mills - mills * mills) / (mills - cut) ** 2
    return result


def fit_truncated_normals(counts: pl.DataFrame) -> pl.DataFrame:
    """Fit one truncated normal distribution per list and population.

    Args:
        counts: columns ``list_key``, ``population``, ``cut`` (lowest rating that counts), ``rating`` and
            ``player_count``; ratings below the cut are left out.

    Returns:
        One row per list and population with at least ``MIN_PLAYERS`` above the cut: ``list_key``, ``population``,
        ``cut``, ``fitted_count``, ``fit_mean`` and ``fit_sd`` in points, ``hidden_fraction`` (estimated share of
        players below the cut), ``fit_distance`` (largest difference between fitted and observed share of the players
        above the cut, 0 to 1). The last four are null where the data allow no fit: their tail is as heavy as an
        exponential one, so that any number of players might be hidden.
    """
    keys = ["list_key", "population"]
    # A printed rating stands for a point either way, so the cut lies half a point below the lowest one.
    excess = pl.col("rating") - (pl.col("cut") - 0.5)
    above = counts.filter(pl.col("rating") >= pl.col("cut")).sort([*keys, "rating"])
    moments = (
        above.group_by(keys, maintain_order=True)
        .agg(
            pl.col("cut").first(),
            pl.col("player_count").sum().cast(pl.Int32).alias("fitted_count"),
            ((excess * pl.col("player_count")).sum() / pl.col("player_count").sum()).alias("mean_excess"),
            ((excess**2 * pl.col("player_count")).sum() / pl.col("player_count").sum()).alias("mean_square"),
        )
        .filter(pl.col("fitted_count") >= MIN_PLAYERS)
    )
    mean = moments["mean_excess"].to_numpy()
    variance = moments["mean_square"].to_numpy() - mean**2
    cut = standard_cut(variance / mean**2)
    deviation = mean / (inverse_mills(cut) - cut)
    fits = moments.select(*keys, "cut", "fitted_count").with_columns(
        pl.Series("fit_mean", moments["cut"].to_numpy() - 0.5 - cut * deviation, nan_to_null=True),
        pl.Series("fit_sd", deviation, nan_to_null=True),
        pl.Series("hidden_fraction", _normal_cdf(cut), nan_to_null=True),
    )
    return fits.join(_distances(above, fits), on=keys, how="left", maintain_order="left")


def _distances(above: pl.DataFrame, fits: pl.DataFrame) -> pl.DataFrame:
    """Largest difference of the distribution functions above the cut (Kolmogorov's distance)."""
    keys = ["list_key", "population"]
    joined = above.join(fits.drop("cut").drop_nulls("fit_mean"), on=keys, maintain_order="left")
    observed = (pl.col("player_count").cum_sum().over(keys) / pl.col("fitted_count")).alias("observed")
    joined = joined.with_columns(observed)
    standard = (joined["rating"] + 0.5 - joined["fit_mean"]) / joined["fit_sd"]
    hidden = joined["hidden_fraction"].to_numpy()
    fitted = (_normal_cdf(standard.to_numpy()) - hidden) / (1 - hidden)
    distance = pl.Series("fit_distance", np.abs(fitted - joined["observed"].to_numpy()))
    return (
        joined.select(keys).with_columns(distance).group_by(keys, maintain_order=True).agg(pl.col("fit_distance").max())
    )
