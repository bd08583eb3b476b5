"""Published rules: their pieces, dates and directions, and the identity that explains the rule of 2024."""

from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from pipeline.analytics.published_conversions import (
    CURVE_SCHEMA,
    UnknownRuleError,
    converted,
    official_rule,
    published_curves,
    rules,
    rules_in_force,
)


def at(rule_id: str, *ratings: float) -> list[float]:
    return [round(float(value), 2) for value in converted(rule_id, np.array(ratings, dtype=float))]


def test_the_rule_of_2024_is_the_old_one_through_fides_compression_undone() -> None:
    """180 + 0.94 ((x - 800) / 0.6) = -1073.3 + 1.5667 x: the line was not fitted anew."""
    new_scale = np.arange(1400.0, 2000.0)
    old_scale = (new_scale - 800) / 0.6
    assert converted("fide-2024", np.rint(old_scale[old_scale < 2000])) == pytest.approx(
        new_scale[old_scale < 2000], abs=0.5
    )
    through_old_rule = 180 + 0.94 * old_scale
    assert through_old_rule == pytest.approx(-1073 - 1 / 3 + (0.94 / 0.6) * new_scale, abs=1e-9)
    assert converted("init-2024", new_scale) == pytest.approx(through_old_rule, abs=0.5)
    assert converted("init-2017", old_scale) == pytest.approx(through_old_rule, abs=1e-9)


def test_the_youth_rule_of_2024_follows_in_the_same_way() -> None:
    new_scale = np.arange(1400.0, 2000.0)
    assert converted("youth-2024", new_scale) == pytest.approx(
        converted("youth-2020", (new_scale - 800) / 0.6), abs=0.5
    )


def test_offsets_of_the_official_rule() -> None:
    implied = {
        1400: -280,
        1500: -223,
        1600: -166,
        1700: -110,
        1800: -53,
        1900: 4,
        2000: 60,
        2200: 64,
        2400: 68,
        2600: 72,
    }
    found = converted("init-2024", np.array(list(implied))) - np.array(list(implied))
    assert found.round().astype(int).tolist() == list(implied.values())
    assert at("init-2024", 1893)[0] == pytest.approx(1893, abs=0.5)
    before = {1000: 120, 1500: 90, 1800: 72, 2000: 60}
    found = converted("init-2017", np.array(list(before))) - np.array(list(before))
    assert found.tolist() == pytest.approx(list(before.values()))


def test_the_pieces_are_not_exchanged() -> None:
    """Programs exist with 0.94 above 2000; they give 2436 at 2400."""
    assert at("init-2017", 1600, 2400) == [1684.0, 2468.0]
    assert at("init-2017", 2000) == pytest.approx(at("init-2017", 2001), abs=1.1)


def test_steps_of_a_table() -> None:
    assert at("cca-2024", 1744, 1745, 1789, 1790, 2249, 2250) == [1744, 1800, 1800, 1850, 2250, 2300]


def test_a_fraction_belongs_to_the_piece_of_the_nearest_rating() -> None:
    assert at("cca-2024", 1744.4, 1744.6) == [1744.4, 1800]


def test_what_is_not_known_of_a_rule_is_not_made_up() -> None:
    assert np.isnan(at("init-2008b", 1999, 2000)).tolist() == [False, True]
    assert np.isnan(at("cca-2018", 1719, 1720)).tolist() == [True, False]


def test_pieces_of_a_rule_neither_overlap_nor_leave_gaps() -> None:
    for _, pieces in rules().sort("rule_id", "from_min", nulls_last=False).group_by("rule_id", maintain_order=True):
        assert (pieces["from_min"][1:] == pieces["from_max"][:-1] + 1).all()
        assert pieces["valid_from"].n_unique() == 1
        assert pieces["valid_until"].n_unique() == 1
        assert pieces.filter((pl.col("kind") == "constant") != (pl.col("slope") == 0)).is_empty()


@pytest.mark.parametrize(
    ("day", "rule"),
    [
        (date(2000, 1, 1), None),
        (date(2006, 1, 1), "init-2005"),
        (date(2010, 1, 1), "init-2008b"),
        (date(2024, 2, 29), "init-2017"),
        (date(2024, 3, 1), "init-2024"),
    ],
)
def test_the_official_rule_by_date(day: date, rule: str | None) -> None:
    assert official_rule(day) == rule


def test_rules_in_force_by_date_and_direction() -> None:
    def names(day: date, *direction: str) -> set[str]:
        return set(rules_in_force(day, *direction)["rule_id"])

    assert names(date(2024, 3, 10), "FIDE", "USCF") == {
        "rulebook-avg", "rulebook-lin", "rulebook-100", "init-2024", "youth-2024", "vegas", "cca-2018",
    }  # fmt: skip
    surveys = {"dojo-2024", "chessgoals-2024"}
    assert names(date(2026, 1, 1), "FIDE", "USCF") == {"init-2024", "youth-2024", "vegas", "cca-2024"} | surveys
    assert names(date(2023, 6, 1), "USCF", "FIDE") == {"chessgoals-2023"}
    # No rule of US Chess leads back, and a survey before the compression says nothing after it.
    assert names(date(2026, 1, 1), "USCF", "FIDE") == {"dojo-2024-back", "chessgoals-2024-back"}
    assert names(date(2024, 3, 10), "USCF", "FIDE") == set()


def test_curves_for_drawing() -> None:
    curves = published_curves(date(2026, 1, 1), range(1400, 2801, 100))
    assert curves.schema == CURVE_SCHEMA
    official = curves.filter(pl.col("rule_id") == "init-2024")
    assert official.height == 15
    assert official.filter(pl.col("rating") == 1500)["difference"].item() == pytest.approx(-222.95)
    assert not curves.filter(pl.col("rule_id") == "vegas")["dated"].any()
    partial = published_curves(date(2012, 1, 1), [1900, 2100]).filter(pl.col("rule_id") == "init-2008b")
    assert partial["rating"].to_list() == [1900]
    assert published_curves(date(2026, 1, 1), [1800], "USCF", "FIDE").schema == CURVE_SCHEMA


def test_an_unknown_rule_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownRuleError, match="no published conversion 'uscf-2024'; there are: rulebook-avg"):
        converted("uscf-2024", np.array([1500.0]))


@pytest.mark.shared
def test_the_catalogue_holds_every_collected_piece(shared_dir: Path) -> None:
    collected = pl.read_csv(shared_dir / "lists/uscf/published_conversions.tsv", separator="\t").rename(
        {"from": "from_system", "to": "to_system", "game_factor": "counts_as_games"}
    )
    columns = [name for name in rules().columns if name in collected.columns]
    assert len(columns) == 12
    of_survey = pl.col("rule_id").str.contains("^(dojo|chessgoals)-2024")
    ours = rules().filter(~of_survey).select(columns).sort("rule_id", "from_min")
    assert collected.cast(ours.schema).select(columns).sort("rule_id", "from_min").equals(ours)
    assert ours.height == 46


@pytest.mark.shared
def test_survey_tables_are_met_row_by_row_in_both_directions(shared_dir: Path) -> None:
    lists = shared_dir / "lists" / "uscf"
    dojo = pl.read_csv(lists / "dojo_cohorts_2024-09.csv").select("fide", "uscf").drop_nulls()
    goals = (
        pl.read_csv(lists / "chessgoals_2024-03.csv", has_header=False, infer_schema=False)
        .filter(pl.col("column_0").str.contains(r"^\d{3,4}$"))
        .select(fide=pl.col("column_9").cast(pl.Int64), uscf=pl.col("column_7").cast(pl.Int64))
        .drop_nulls()
    )
    assert (dojo.height, goals.height) == (16, 21)
    for name, table in (("dojo-2024", dojo), ("chessgoals-2024", goals)):
        fide, uscf = table["fide"].to_numpy(), table["uscf"].to_numpy()
        assert converted(name, fide) == pytest.approx(uscf, abs=0.01)
        assert converted(f"{name}-back", uscf) == pytest.approx(fide, abs=0.01)
        assert np.isnan(converted(name, np.array([fide.min() - 1, fide.max() + 1]))).all()
        between = np.arange(fide.min(), fide.max() + 1)
        assert (np.diff(converted(name, between)) > 0).all()
