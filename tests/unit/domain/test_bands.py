import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.catalogue.tables import load
from pipeline.domain.bands import band_label_expr, bands_of, provably_complete

SYSTEMS = ["fide", "uscf", "hundreds"]


def label(rating: int | None, system: str = "fide") -> str | None:
    frame = pl.DataFrame({"rating": [rating]}, schema={"rating": pl.Int16()})
    found: str | None = frame.select(band_label_expr(pl.col("rating"), load("rank_bands"), system)).item()
    return found


@pytest.mark.parametrize(
    ("rating", "system", "expected"),
    [
        (2882, "fide", "2800+"),
        (2800, "fide", "2800+"),
        (2799, "fide", "2700-2799"),
        (2299, "fide", "2200-2299"),
        (1400, "fide", "1400-1699"),
        (1399, "fide", "below 1400"),
        (2400, "uscf", "2400+"),
        (100, "uscf", "100-199"),
        (1850, "uscf", "1800-1999"),
        (1000, "hundreds", "1000-1099"),
        (999, "hundreds", "below 1000"),
        (None, "fide", None),
    ],
)
def test_band_of_a_rating(rating: int | None, system: str, expected: str | None) -> None:
    assert label(rating, system) == expected


@given(st.lists(st.integers(min_value=0, max_value=3200)), st.sampled_from(SYSTEMS))
def test_every_rating_falls_into_the_one_band_that_contains_it(ratings: list[int], system: str) -> None:
    frame = pl.DataFrame({"rating": ratings}, schema={"rating": pl.Int16()})
    labelled = frame.with_columns(band_label=band_label_expr(pl.col("rating"), load("rank_bands"), system))
    limits = labelled.join(bands_of(load("rank_bands"), system), on="band_label", how="left")
    inside = (pl.col("rating") >= pl.col("band_low").fill_null(-1)) & (
        pl.col("rating") <= pl.col("band_high").fill_null(9999)
    )
    assert limits.filter(~inside).is_empty()
    assert limits.height == len(ratings)


def test_titles_stand_at_the_ratings_the_regulations_ask_for() -> None:
    named = bands_of(load("rank_bands"), "fide").filter(pl.col("title_name").is_not_null())
    first = named.group_by("title_name", maintain_order=True).agg(pl.col("band_low").min())
    lows = dict(zip(first["title_name"], first["band_low"], strict=True))
    assert lows["Candidate Master"] == 2200
    assert lows["FIDE Master"] == 2300
    assert lows["International Master"] == 2400
    assert lows["Grandmaster"] == 2500


def test_a_top_list_covers_only_bands_above_its_last_rating() -> None:
    def covered(last: int) -> list[str]:
        return provably_complete(load("rank_bands"), "fide", last)["band_label"].to_list()

    assert covered(2650) == ["2700-2799", "2800+"]
    assert covered(2699) == ["2700-2799", "2800+"]
    assert covered(2700) == ["2800+"]
    assert covered(2599) == ["2600-2699", "2700-2799", "2800+"]


def test_bands_that_do_not_add_up_are_refused() -> None:
    bands = load("rank_bands").filter(pl.col("band_label") != "2300-2399")
    with pytest.raises(ValueError, match="does not start where the one below ends"):
        bands_of(bands, "fide")
    closed = load("rank_bands").filter(pl.col("band_label") != "2800+")
    with pytest.raises(ValueError, match="open at both ends"):
        bands_of(closed, "fide")
    with pytest.raises(ValueError, match="no band system 'dwz'; known are fide, hundreds, uscf"):
        bands_of(bands, "dwz")
