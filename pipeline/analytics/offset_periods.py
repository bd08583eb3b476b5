"""From all pairs at hand to the published tables: which pairs of which lists an estimate is made of.

Belongs here: samples (pairs from lists; each file of collected pairs), the two sides of March 2024, one list a year,
the populations, the number of draws. Not here: the filters and the estimators themselves.

A person is on every list of a year, and the twelfth list says little that the first did not. Hence the estimates by
strength rest on one list a year and scale, the one with most pairs; the chained series uses every list.
"""

from collections.abc import Iterator
from datetime import date
from functools import partial
from typing import Final

import numpy as np
import polars as pl

from pipeline.analytics.offset_bands import QUARTILES, quantiles_by_band
from pipeline.analytics.offset_bootstrap import DRAWS, percentile_interval, resample_persons
from pipeline.analytics.offset_chained import chained_offsets, last_list_of_each_year
from pipeline.analytics.offset_filters import COUNT_SCHEMA, POPULATIONS, judge_pairs
from pipeline.analytics.offset_pairs import (
    OFFSET_PAIR_SCHEMA,
    Floats,
    Integers,
    after_compression,
    person_numbers,
    ratings,
)
from pipeline.analytics.offset_report import BY_BAND_SCHEMA, BY_YEAR_SCHEMA, estimate_offsets
from pipeline.catalogue.tables import load

#: Origin of pairs made from rating lists; every other origin is the name of a file of ready pairs.
FROM_LISTS: Final = "lists"
#: Population of all ready pairs of one scale together, those of other federations and inactive players left out.
COLLECTED: Final = "collected"
#: Population of players under 21, by the filters of the main series but for age.
JUNIORS: Final = "usa_juniors"
#: Draws for other lists than the newest of a scale: their intervals are drawn as a band, not quoted.
DRAWS_OF_EARLIER_LISTS: Final = 200
#: Fewer pairs than this show no row of any estimator.
_FEWEST: Final = 20

SCALES: Final = ("until 2024-02", "from 2024-03")
_SCALE: Final = pl.when(after_compression("list_date")).then(pl.lit(SCALES[1])).otherwise(pl.lit(SCALES[0]))
#: What one call of the filters is about.
_GROUP: Final = ("origin", "source_key", "scale")

JUDGED_SCHEMA: Final[dict[str, pl.DataType]] = {"residual": pl.Float64(), "failed_filter": pl.String()}
FILTER_COUNT_SCHEMA: Final[dict[str, pl.DataType]] = {
    "origin": pl.String(),
    "source_key": pl.Int32(),
    "scale": pl.String(),
    **COUNT_SCHEMA,
}
SAMPLE_SCHEMA: Final[dict[str, pl.DataType]] = {
    "origin": pl.String(),
    "source_key": pl.Int32(),
    "link_method": pl.String(),
    "list_date": pl.Date(),
    "uscf_list_date": pl.Date(),
    "sample_size": pl.Int64(),
    "uscf_minus_fide_estimate": pl.Float64(),
    "ci_low": pl.Float64(),
    "ci_high": pl.Float64(),
    "quartile_low": pl.Float64(),
    "quartile_high": pl.Float64(),
}


def judged(candidates: pl.DataFrame) -> pl.DataFrame:
    """Candidates with ``residual`` and ``failed_filter`` (null = passed all); each sample and scale by itself.

    Args:
        candidates: columns of ``OFFSET_PAIR_SCHEMA`` and ``origin``, ``source_key``; others are kept.
    """
    parts = [judge_pairs(group).pairs for _, group in _groups(candidates)]
    if not parts:
        return candidates.with_columns(pl.lit(None, dtype).alias(name) for name, dtype in JUDGED_SCHEMA.items())
    return pl.concat(parts).drop("scale").with_columns(pl.col("residual").round(1))


def filter_counts(candidates: pl.DataFrame) -> pl.DataFrame:
    """What each filter removed and could not judge: FILTER_COUNT_SCHEMA, per sample and scale."""
    parts = [
        judge_pairs(group).counts.with_columns(
            pl.lit(value, FILTER_COUNT_SCHEMA[name]).alias(name) for name, value in zip(_GROUP, key, strict=True)
        )
        for key, group in _groups(candidates)
    ]
    ordered = [part.select(FILTER_COUNT_SCHEMA.keys()) for part in parts]
    return pl.concat([pl.DataFrame(schema=FILTER_COUNT_SCHEMA), *ordered])


def estimates(pairs: pl.DataFrame) -> pl.DataFrame:
    """Every estimator for every scale, year and population: BY_BAND_SCHEMA.

    Args:
        pairs: result of ``judged``.
    """
    found = [pl.DataFrame(schema=BY_BAND_SCHEMA)]
    for scale in SCALES:
        of_scale = pairs.filter(scale == _SCALE)
        listed = of_scale.filter(pl.col("origin") == FROM_LISTS)
        lists = _list_of_each_year(listed)
        for number, list_date in enumerate(lists, 1):
            draws = DRAWS if number == len(lists) else DRAWS_OF_EARLIER_LISTS
            on_list = listed.filter(pl.col("list_date") == list_date)
            for population, members in _populations(on_list):
                found.append(_by_band(members, population, draws))
        found.append(_by_band(_collected(of_scale), COLLECTED, DRAWS))
    return pl.concat(found)


def chained_by_year(pairs: pl.DataFrame) -> pl.DataFrame:
    """The chained series and the cross-section beside it, on the last list of each year: BY_YEAR_SCHEMA.

    Args:
        pairs: result of ``judged``. Collected samples are of single months, so that they have no series.
    """
    found = [pl.DataFrame(schema=BY_YEAR_SCHEMA)]
    for scale in SCALES:
        listed = pairs.filter(scale == _SCALE, pl.col("origin") == FROM_LISTS)
        for population, members in _populations(listed):
            if members.height < _FEWEST:
                continue
            first, last = _span(members)
            rows = last_list_of_each_year(chained_offsets(_as_pairs(members), draws=DRAWS_OF_EARLIER_LISTS))
            keys = {
                "population": pl.lit(population),
                "period": pl.lit(f"{first:%Y-%m} to {last:%Y-%m}"),
                "first_list": pl.lit(first),
                "last_list": pl.lit(last),
            }
            found.append(rows.with_columns(**keys).select(pl.col(name).cast(to) for name, to in BY_YEAR_SCHEMA.items()))
    return pl.concat(found)


def collected_samples(pairs: pl.DataFrame) -> pl.DataFrame:
    """The median difference of each file of ready pairs, by its own word on the links: SAMPLE_SCHEMA.

    Nothing is filtered. The interval is that of the median of such a sample; how it was selected is not in it.
    """
    rows = []
    stated = pairs.filter(pl.col("origin") != FROM_LISTS)
    by = ["origin", "source_key", "link_method", "list_date", "uscf_list_date"]
    for key, group in stated.sort(*by).group_by(by, maintain_order=True):
        fide, uscf = ratings(group)
        low, middle, high = _quartiles(np.ones(len(fide)), uscf - fide)
        draws = resample_persons(
            partial(_quartiles, difference=uscf - fide), person_numbers(group), draws=DRAWS, seed=0
        )
        ci_low, ci_high = percentile_interval(draws)
        rows.append((*key, len(fide), middle, ci_low[1], ci_high[1], low, high))
    frame = pl.DataFrame(rows, schema=SAMPLE_SCHEMA, orient="row")
    return frame.with_columns(pl.col(pl.Float64).round(1))


def _quartiles(weights: Floats, difference: Integers) -> Floats:
    """Lower quartile, median, upper quartile of a whole sample."""
    return quantiles_by_band(np.zeros(len(difference), dtype=np.int64), 1, difference, weights, QUARTILES)[:, 0]


def _groups(candidates: pl.DataFrame) -> Iterator[tuple[tuple[object, ...], pl.DataFrame]]:
    ordered = candidates.with_columns(scale=_SCALE).sort(*_GROUP, "person_id", "list_date", nulls_last=True)
    yield from ordered.group_by(_GROUP, maintain_order=True)


def _list_of_each_year(listed: pl.DataFrame) -> list[object]:
    """The list with most usable pairs of each year; of equal ones the latest."""
    usable = listed.filter(POPULATIONS["everybody"])
    return (
        usable.group_by("list_date")
        .agg(pairs=pl.len())
        .filter(pl.col("pairs") >= _FEWEST)
        .sort("pairs", "list_date")
        .group_by(pl.col("list_date").dt.year().alias("year"))
        .agg(pl.col("list_date").last())["list_date"]
        .sort()
        .to_list()
    )


def _populations(listed: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    for population, belongs in POPULATIONS.items():
        yield population, listed.filter(belongs)
    juniors = judge_pairs(listed.drop(JUDGED_SCHEMA.keys()), juniors=True).pairs
    yield JUNIORS, juniors.filter(POPULATIONS["usa"])


def _collected(pairs: pl.DataFrame) -> pl.DataFrame:
    """Ready pairs of all files, one row per person and list: the file added first stands."""
    foreign = (pl.col("federation") != "USA").fill_null(False)
    inactive = ~pl.col("active").fill_null(True)
    return (
        pairs.filter(pl.col("origin") != FROM_LISTS, ~foreign, ~inactive)
        .sort("source_key", "person_id")
        .unique(["person_id", "list_date"], keep="first", maintain_order=True)
        # The month of the US rating is not used: where it differs by months the row of the sample says so.
        .with_columns(uscf_list_date=pl.col("list_date"))
    )


def _by_band(members: pl.DataFrame, population: str, draws: int) -> pl.DataFrame:
    if members.height < _FEWEST:
        return pl.DataFrame(schema=BY_BAND_SCHEMA)
    _, last = _span(members)
    rows = estimate_offsets(
        _as_pairs(members), population=population, fide_floor=_fide_floor(last), draws=draws
    ).by_band
    if population == COLLECTED:
        warning = "; samples collected by others, self-selected, months of the two ratings may differ"
    elif members["uscf_games_24_months"].is_null().all():
        warning = "; how much these players play in the US is not known: no source states their games"
    else:
        return rows
    return rows.with_columns(caveat=pl.col("caveat") + warning)


def _as_pairs(members: pl.DataFrame) -> pl.DataFrame:
    return members.select(OFFSET_PAIR_SCHEMA.keys())


def _span(pairs: pl.DataFrame) -> tuple[date, date]:
    """First and last list."""
    first, last = pairs.select(first=pl.col("list_date").min(), last=pl.col("list_date").max()).row(0)
    return first, last


def _fide_floor(list_date: date) -> int | None:
    """Floor of the FIDE standard lists of a day (men's, while the floors differed)."""
    floors = load("rating_floors").filter(pl.col("sex").is_in(["M", "both"]), pl.col("from_list") <= list_date)
    in_force = floors.sort("from_list")["floor"].to_list()
    return in_force[-1] if in_force else None
