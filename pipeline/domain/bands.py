"""Bands of ratings: which band a rating falls into, and which bands an incomplete list covers for certain.

Belongs here: pure functions on frames of bands. Not here: the bands themselves (catalogue ``rank_bands``).
A frame of bands has the columns band_system, band_label, band_low, band_high (limits included, null = open).
"""

import polars as pl


def bands_of(bands: pl.DataFrame, system: str) -> pl.DataFrame:
    """The bands of one system, lowest first, checked to cover every rating exactly once.

    Raises:
        ValueError: no such system, or its bands leave a gap, overlap, or are not open at both ends.
    """
    chosen = bands.filter(pl.col("band_system") == system).sort("band_low", nulls_last=False)
    if chosen.is_empty():
        known = ", ".join(sorted(bands["band_system"].unique()))
        raise ValueError(f"no band system {system!r}; known are {known}")
    lows, highs = chosen["band_low"].to_list(), chosen["band_high"].to_list()
    if lows[0] is not None or highs[-1] is not None:
        raise ValueError(f"band system {system!r} must be open at both ends, so that bands add up to the list")
    for label, low, high_below in zip(chosen["band_label"][1:], lows[1:], highs[:-1], strict=True):
        if low is None or high_below is None or low != high_below + 1:
            raise ValueError(f"band system {system!r}: band {label!r} does not start where the one below ends")
    return chosen


def band_label_expr(rating: pl.Expr, bands: pl.DataFrame, system: str) -> pl.Expr:
    """Label of the band each rating falls into; null for unrated players.

    Raises:
        ValueError: as ``bands_of``.
    """
    chosen = bands_of(bands, system)
    label = pl.lit(chosen["band_label"][0])
    for name, low in zip(chosen["band_label"][1:], chosen["band_low"][1:], strict=True):
        label = pl.when(rating >= low).then(pl.lit(name)).otherwise(label)
    return pl.when(rating.is_not_null()).then(label).otherwise(None)


def provably_complete(bands: pl.DataFrame, system: str, last_listed_rating: int) -> pl.DataFrame:
    """Bands that a list of the first N players covers for certain: those wholly above its last rating.

    Players who share the last rating may be cut off, so a band that contains it is never complete.
    """
    return bands_of(bands, system).filter(pl.col("band_low") > last_listed_rating)
