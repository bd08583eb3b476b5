"""The rows of every estimator for one sample: what it is evaluated at, who stands behind it, what to know.

Belongs here: the points and bands of each estimator, what is shown and what is hidden, the caveats. Not here:
the estimators themselves, and the assembly of tables (``offset_report.py``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from pipeline.analytics.offset_bands import (
    BAND_WIDTH,
    QUARTILES,
    Bands,
    equipercentile_offsets,
    persons_by_band,
    persons_near,
    quantiles_by_band,
)
from pipeline.analytics.offset_pairs import Flags, Floats, Integers
from pipeline.analytics.offset_structural import HingedFit, lowest_fitted

SAME_STRENGTH: Final = "same strength"
TYPICAL_RATING: Final = "typical rating"

#: FIDE ratings at which the scales are compared, where enough players are near.
STRENGTHS: Final[Integers] = np.arange(1000, 2900, BAND_WIDTH)
MINIMUM_NEAR: Final = 30
MINIMUM_IN_BAND: Final = 20
#: From here on US Chess converts foreign results by its own formula, so that the offset repeats it in part.
CIRCULAR_FROM: Final = 2200
#: Points by which the structural line and the matching of ranks may differ before a row warns of it.
DISAGREEMENT: Final = 30

_CAVEATS: Final = {
    "structural": "rests on an assumed ratio of the error variances, weighed with the scatter of the pairs; "
    "range_low and range_high hold other ratios",
    "projected_bands": "bands of strength on the structural line, hence with its ratio of the error variances",
    "equipercentile": "takes both ratings to be equally reliable; blurs the bend at 2000",
    "typical_by_fide": "what US rating players of this FIDE rating have, not how far the scales are apart",
    "typical_by_uscf": "what FIDE rating players of this US rating have, not how far the scales are apart",
}
_CIRCULAR: Final = "at this level US Chess rates foreign results by its own formula, which the offset repeats"


@dataclass(frozen=True, slots=True)
class Sample:
    """Pairs as arrays in one row order; ``person`` numbers the persons from 0."""

    fide: Integers
    uscf: Integers
    person: Integers

    @property
    def difference(self) -> Integers:
        """US minus FIDE rating."""
        return self.uscf - self.fide

    @property
    def persons(self) -> int:
        """Number of different persons."""
        return int(self.person.max()) + 1


@dataclass(frozen=True, slots=True)
class Block:
    """The rows of one estimator.

    Attributes:
        rows: one row per value, with everything but the estimate and its interval.
        shown: rows that enough persons stand behind.
        evaluate: the values for weights of the sample's rows and the line fitted with these weights (null
        where
            no line can be fitted: then no block needs it).
    """

    rows: pl.DataFrame
    shown: Flags
    evaluate: Callable[[Floats, HingedFit | None], Floats]


def blocks(sample: Sample, fits: list[HingedFit | None], fide_floor: int | None) -> list[Block]:
    """The blocks of all estimators; without a first fit, those that need no line.

    Args:
        sample: the pairs.
        fits: the headline, then the lines of other ratios of the errors; null where none could be fitted.
        fide_floor: floor of the FIDE lists.
    """
    headline = fits[0]
    found = [_equipercentile(sample), _typical(sample, "fide"), _typical(sample, "uscf")]
    if headline is not None:
        lines = [fit for fit in fits if fit is not None]
        found = [_structural(sample, headline, lines, fide_floor), _projected(sample, headline, fide_floor), *found]
    return found


def _structural(sample: Sample, headline: HingedFit, lines: list[HingedFit], fide_floor: int | None) -> Block:
    used = headline.used
    near = persons_near(headline.strength[used], sample.person[used], STRENGTHS)
    at = STRENGTHS.astype(np.float64)
    over_ratios = np.array([fit.line.offset(at) for fit in lines])
    ranks = equipercentile_offsets(sample.fide, sample.uscf, np.ones(len(sample.fide)), STRENGTHS)
    gap = np.where(_ranked(sample)[1], np.abs(headline.line.offset(at) - ranks), 0.0)
    rows = _rows("structural", SAME_STRENGTH, STRENGTHS, near).with_columns(
        pl.Series("range_low", over_ratios.min(axis=0)),
        pl.Series("range_high", over_ratios.max(axis=0)),
        pl.concat_str(
            "caveat",
            pl.lit(f"; the ratio in use is {headline.errors.ratio:.2f}"),
            pl.when(pl.Series(at < lowest_fitted(fide_floor, headline.errors)))
            .then(pl.lit("; the line is continued a little below the players it was fitted to"))
            .otherwise(pl.lit("")),
            pl.when(pl.Series(gap > DISAGREEMENT))
            .then(pl.format("; differs by {} points from the matching of ranks", pl.Series(np.rint(gap).astype(int))))
            .otherwise(pl.lit("")),
        ),
    )
    return Block(rows, near >= MINIMUM_NEAR, lambda _, fit: _line_of(fit).line.offset(at))


def _projected(sample: Sample, headline: HingedFit, fide_floor: int | None) -> Block:
    bands = Bands.covering(headline.strength)

    def quantiles(weights: Floats, fit: HingedFit, probabilities: tuple[float, ...]) -> Floats:
        return quantiles_by_band(bands.of(fit.strength), bands.count, sample.difference, weights, probabilities)

    persons = persons_by_band(bands.of(headline.strength), bands.count, sample.person)
    quartiles = quantiles(np.ones(len(sample.fide)), headline, QUARTILES)
    rows = _banded("projected_bands", SAME_STRENGTH, bands, persons, quartiles)
    # Below the floor margin, and in a band that it cuts through, players are missing by their rating.
    shown = (persons >= MINIMUM_IN_BAND) & (bands.lows >= lowest_fitted(fide_floor, headline.errors))
    return Block(rows, shown, lambda weights, fit: quantiles(weights, _line_of(fit), (0.5,))[0])


def _equipercentile(sample: Sample) -> Block:
    near, shown = _ranked(sample)
    return Block(
        _rows("equipercentile", SAME_STRENGTH, STRENGTHS, near),
        shown,
        lambda weights, _: equipercentile_offsets(sample.fide, sample.uscf, weights, STRENGTHS),
    )


def _ranked(sample: Sample) -> tuple[Integers, Flags]:
    """Persons near each strength by FIDE rating, and where ranks tell something: with enough of them on both sides.

    At the end of the list, above all at its floor, a rank is that of the end and not of the strength.
    """
    near = persons_near(sample.fide, sample.person, STRENGTHS)
    below, above = (persons_near(sample.fide, sample.person, STRENGTHS + shift, within=50) for shift in (-50, 50))
    return near, (near >= MINIMUM_NEAR) & (np.minimum(below, above) >= MINIMUM_NEAR // 2)


def _typical(sample: Sample, scale: str) -> Block:
    by = sample.fide if scale == "fide" else sample.uscf
    bands = Bands.covering(by)
    band = bands.of(by)

    def quantiles(weights: Floats, probabilities: tuple[float, ...]) -> Floats:
        return quantiles_by_band(band, bands.count, sample.difference, weights, probabilities)

    persons = persons_by_band(band, bands.count, sample.person)
    rows = _banded(f"typical_by_{scale}", TYPICAL_RATING, bands, persons, quantiles(np.ones(len(by)), QUARTILES))
    return Block(rows, persons >= MINIMUM_IN_BAND, lambda weights, _: quantiles(weights, (0.5,))[0])


def _line_of(fit: HingedFit | None) -> HingedFit:
    if fit is None:
        raise AssertionError("a block that rests on the line was evaluated without one")
    return fit


def _rows(estimator: str, question: str, at: Integers, persons: Integers) -> pl.DataFrame:
    return pl.DataFrame({"rating": at, "sample_size": persons}).select(
        pl.lit(estimator).alias("estimator"),
        pl.lit(question).alias("question"),
        "rating",
        "sample_size",
        pl.when(pl.col("rating") >= CIRCULAR_FROM)
        .then(pl.lit(f"{_CAVEATS[estimator]}; {_CIRCULAR}"))
        .otherwise(pl.lit(_CAVEATS[estimator]))
        .alias("caveat"),
    )


def _banded(estimator: str, question: str, bands: Bands, persons: Integers, quartiles: Floats) -> pl.DataFrame:
    return _rows(estimator, question, bands.lows + BAND_WIDTH // 2, persons).with_columns(
        pl.Series("band", bands.labels()),
        pl.Series("quartile_low", quartiles[0]),
        pl.Series("quartile_high", quartiles[2]),
    )
