"""From files to the offset marts: links, pairs, filters, estimates and conversions in a world of known truth."""

from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from building import add, publish, read_only
from click.testing import CliRunner
from us_world import AFTER, BEFORE, FAULTS, FIRST_USCF, TRUTH, World, director_file, write_world

from pipeline.analytics.offset_conversion import convert
from pipeline.analytics.published_conversions import converted, rules
from pipeline.cli import ratings
from pipeline.settings import Settings
from pipeline.warehouse.refresh import project

OFFSET_MARTS = (
    "fide_uscf_pairs",
    "fide_uscf_pair_filters",
    "fide_uscf_offset_by_band",
    "fide_uscf_offset_by_year",
    "fide_uscf_samples",
    "uscf_class_counts",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Settings, World]:
    folder = tmp_path_factory.mktemp("us_world")
    world = write_world(folder)
    settings = Settings(data_dir=folder / "data")
    for path in world.files:
        add(settings, path)
    directed = folder / "TARATSUP.DBF"
    directed.write_bytes(director_file())
    add(settings, directed, list_date=date(2024, 10, 1))
    publish(settings)
    return settings, world


@pytest.fixture(scope="module")
def opened(built: tuple[Settings, World]) -> duckdb.DuckDBPyConnection:
    return read_only(built[0])


def one(connection: duckdb.DuckDBPyConnection, query: str) -> Any:
    ((value,),) = connection.execute(query).fetchall()
    return value


def test_members_and_links(opened: duckdb.DuckDBPyConnection, built: tuple[Settings, World]) -> None:
    people = built[1].people
    assert one(opened, "select count(*) from core.uscf_members") == people + 121
    assert one(opened, "select count(*) from core.uscf_members where not is_person") == 1
    by_method = dict(opened.execute("select link_method, count(*) from core.us_links group by all").fetchall())
    assert by_method == {"fide_id": people - FAULTS["named"] - FAULTS["unlinked"], "name": FAULTS["named"]}
    by_confidence = dict(opened.execute("select confidence, count(*) from core.us_links group by all").fetchall())
    assert by_confidence["low"] == FAULTS["named"] + FAULTS["wrong"]
    reviews = opened.execute("select reason, linked, count(*) from core.us_link_reviews group by all").fetchall()
    assert reviews == [("names_share_no_word", True, FAULTS["wrong"])]
    published = {
        row[0]
        for row in opened.execute(
            "select column_name from duckdb_columns() where table_name = 'uscf_members'"
        ).fetchall()
    }
    assert not published & {"birth_year", "birth_date", "address", "street", "email", "sex"}


def test_every_filter_removes_whom_it_should(opened: duckdb.DuckDBPyConnection) -> None:
    removed = dict(
        opened.execute(
            "select filter, removed from marts.fide_uscf_pair_filters where scale = 'until 2024-02'"
        ).fetchall()
    )
    # On the old scale nobody is below FIDE's floor, so that all people with faults are pairs.
    assert removed["same_month"] == removed["uscf_rated"] == removed["fide_rated"] == 0
    assert removed["uscf_established"] == FAULTS["provisional"]
    assert removed["uscf_above_floor"] == FAULTS["floor"]
    assert removed["fide_active"] == FAULTS["inactive"]
    assert removed["adult"] == FAULTS["junior"]
    assert removed["residual"] == FAULTS["wrong"]
    assert removed["federation"] == FAULTS["foreign"]
    pairs, sums = opened.execute(
        "select (select count(*) from marts.fide_uscf_pairs where list_date = ?), "
        "(select sum(removed) + min(remaining) from marts.fide_uscf_pair_filters where scale = 'until 2024-02')",
        [BEFORE],
    ).fetchall()[0]
    assert pairs == sums


def test_pairs_carry_ids_and_both_ratings(opened: duckdb.DuckDBPyConnection, built: tuple[Settings, World]) -> None:
    first_good = sum(FAULTS.values())
    rows = opened.execute(
        "select list_date, fide_id, uscf_id, uscf_minus_fide = uscf_rating - fide_rating, fide_games, uscf_games, "
        "filters_passed, failed_filter from marts.fide_uscf_pairs where person_id = ? order by list_date",
        [f"uscf:{FIRST_USCF + first_good}"],
    ).fetchall()
    assert [row[0] for row in rows] == [BEFORE, AFTER]
    # The US rating never changed; two supplements of twelve months do not tell that nothing was played.
    assert {row[3:] for row in rows} == {(True, 3, None, 10, None)} | {(True, 6, None, 10, None)}
    links = one(opened, "select count(*) from core.us_links")
    assert one(opened, f"select count(*) from marts.fide_uscf_pairs where list_date = date '{BEFORE}'") == links


@pytest.mark.parametrize("list_date", [BEFORE, AFTER])
def test_the_structural_estimate_finds_the_truth_on_both_scales(
    opened: duckdb.DuckDBPyConnection, list_date: date
) -> None:
    rows = opened.execute(
        "select rating, uscf_minus_fide_estimate, ci_low, ci_high from marts.fide_uscf_offset_by_band "
        "where estimator = 'structural' and population = 'usa' and first_list = ? order by rating",
        [list_date],
    ).fetchall()
    assert {1600, 1700, 1800, 1900, 2000} <= {row[0] for row in rows}
    truth = TRUTH[list_date].offset(np.array([row[0] for row in rows], dtype=float))
    found = np.array([row[1] for row in rows])
    assert np.abs(found - truth)[:5].max() < 25
    inside = [low <= true <= high for (_, _, low, high), true in zip(rows, truth, strict=True)]
    assert sum(inside) >= len(inside) - 2


def test_the_two_sides_of_march_2024_stay_apart(opened: duckdb.DuckDBPyConnection) -> None:
    for mart in ("fide_uscf_offset_by_band", "fide_uscf_offset_by_year"):
        pooled = f"select count(*) from marts.{mart} where first_list < date '2024-03-01' and last_list >= '2024-03-01'"
        assert one(opened, pooled) == 0
        sides = f"select count(distinct first_list >= date '2024-03-01') from marts.{mart}"
        assert one(opened, sides) == 2
    at_1600 = dict(
        opened.execute(
            "select first_list, uscf_minus_fide_estimate from marts.fide_uscf_offset_by_band "
            "where estimator = 'structural' and population = 'usa' and rating = 1600"
        ).fetchall()
    )
    assert at_1600[BEFORE] > 50 > -100 > at_1600[AFTER]


def test_populations(opened: duckdb.DuckDBPyConnection) -> None:
    sizes = dict(
        opened.execute(
            "select population, max(sample_size) from marts.fide_uscf_offset_by_band "
            "where estimator = 'typical_by_fide' and first_list = ? group by all",
            [AFTER],
        ).fetchall()
    )
    assert {"usa", "everybody", "usa_fide_id", "everybody_fide_id"} <= sizes.keys()
    assert "usa_active" not in sizes  # no file states US games, so that nobody is known to be active
    assert sizes["usa_fide_id"] <= sizes["usa"] <= sizes["everybody"]
    unsaid = (
        "select count(*) from marts.fide_uscf_offset_by_band where population <> 'collected' "
        "and not contains(caveat, 'no source states their games')"
    )
    assert one(opened, unsaid) == 0


def test_the_examples_of_the_offset_marts_have_answers(opened: duckdb.DuckDBPyConnection) -> None:
    examples = {model.table.name: model.example for model in project().models if model.table.name in OFFSET_MARTS}
    assert examples.keys() == set(OFFSET_MARTS)
    answers = {name: opened.execute(str(query)).fetchall() for name, query in examples.items()}
    assert [row[0] for row in answers["fide_uscf_pairs"]] == [BEFORE, AFTER]
    removed = {row[0]: row[1] for row in answers["fide_uscf_pair_filters"]}
    assert removed["federation"] == FAULTS["foreign"]
    assert [row[0] for row in answers["fide_uscf_offset_by_year"]] == [2024, 2024]
    assert all(low <= estimate <= high for _, estimate, low, high in answers["fide_uscf_offset_by_band"])
    assert sum(row[1] for row in answers["uscf_class_counts"]) == 120
    assert answers["fide_uscf_samples"] == []  # no file of ready pairs is in this world


def test_classes_are_counted_on_complete_lists_only(opened: duckdb.DuckDBPyConnection) -> None:
    rows = opened.execute(
        "select class_name, player_count, established_count from marts.uscf_class_counts "
        "where rating_type = 'regular' and list_date = date '2024-10-01' and player_count > 0 order by band_low"
    ).fetchall()
    assert sum(row[1] for row in rows) == 120
    assert sum(row[2] for row in rows) == 100
    assert rows[0][:2] == ("Class G", 14)  # 600, 615, ... 795
    assert one(opened, "select count(distinct list_date) from marts.uscf_class_counts where player_count > 0") == 1


@pytest.mark.parametrize("rating", [1650, 1733, 1850, 1999])
@pytest.mark.parametrize("direction", ["fide_to_uscf", "uscf_to_fide"])
def test_the_macro_says_what_the_function_says(opened: duckdb.DuckDBPyConnection, rating: int, direction: str) -> None:
    fitted = opened.sql("from marts.fide_uscf_offset_by_band").pl()
    systems = ("fide", "uscf") if direction == "fide_to_uscf" else ("uscf", "fide")
    rows = opened.execute(
        "select question, result, ci_low, ci_high, sample_size from convert_rating(?, ?, ?, date '2024-11-01') "
        "where population is not null",
        [rating, *systems],
    ).fetchall()
    assert [row[0] for row in rows] == ["same strength", "typical rating"]
    for question, *found, size in rows:
        answer = convert(rating, direction, date(2024, 11, 1), fitted, question=question)  # type: ignore[arg-type]
        assert found == pytest.approx([answer.estimate, answer.ci_low, answer.ci_high], abs=0.11)
        assert size == answer.sample_size


def shell(settings: Settings, *arguments: str) -> str:
    result = CliRunner(env={"RATINGS_DATA": str(settings.data_dir)}).invoke(ratings, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def test_convert_says_which_question_it_answered(built: tuple[Settings, World]) -> None:
    said = shell(built[0], "convert", "--from", "fide", "--to", "uscf", "1850", "--on", "2024-11")
    assert "Same strength: 18" in said  # the truth is 1825
    assert "the US rating that stands for the same strength as this FIDE rating" in said
    assert "Typical rating: " in said
    assert "half of these players lie between" in said
    assert "US Chess's own rule for a first rating (init-2024): 1825" in said
    before = shell(built[0], "convert", "--from", "fide", "--to", "uscf", "1850", "--on", "2023-11")
    assert "Same strength: 19" in before  # the truth is 1919
    assert "(init-2017): 1919" in before


def test_convert_refuses_what_the_estimates_do_not_cover(built: tuple[Settings, World]) -> None:
    said = shell(built[0], "convert", "--from", "fide", "--to", "uscf", "2790", "--on", "2024-11")
    assert "Same strength: not estimated" in said
    assert "where enough players are" in said
    assert "(init-2024): 2866" in said


def test_without_us_data_nothing_is_invented(bundled: Settings, database: duckdb.DuckDBPyConnection) -> None:
    for mart in OFFSET_MARTS:
        assert one(database, f"select count(*) from marts.{mart}") == 0, mart
    assert one(database, "select count(*) from marts.rating_conversions where kind = 'estimate'") == 0
    assert (
        one(database, "select count(distinct conversion) from marts.rating_conversions")
        == rules()["rule_id"].n_unique()
    )
    said = shell(bundled, "convert", "--from", "fide", "--to", "uscf", "1850", "--on", "2025-01")
    assert said.splitlines()[2].startswith("No estimate: no pairs of FIDE and US ratings are held")
    assert "(init-2024): 1825" in said
    answers = database.execute("select population from convert_rating(1850, 'fide', 'uscf', '2025-01-01')").fetchall()
    assert answers
    assert {row[0] for row in answers} == {None}


def test_published_rules_are_evaluated_as_the_function_does(database: duckdb.DuckDBPyConnection) -> None:
    for conversion in rules()["rule_id"].unique():
        rows = database.execute(
            "select rating, result from marts.rating_conversions where conversion = ? order by rating", [conversion]
        ).fetchall()
        values = converted(conversion, np.arange(1000, 2801, 50))
        expected = [(rating, value) for rating, value in zip(range(1000, 2801, 50), values, strict=True)]
        known = [(rating, pytest.approx(value, abs=0.051)) for rating, value in expected if not np.isnan(value)]
        assert rows == known


@pytest.mark.shared
def test_collected_pairs_are_samples_with_their_medians(tmp_path: Path, shared_dir: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    names = ("alto2024", "dojo_2024-09_digitised", "titled_2025", "top_2008-04")
    said = [add(settings, shared_dir / f"lists/uscf/pairs_{name}.csv") for name in names]
    assert said[0].endswith("120 lines read, 53 pairs, 67 rejected")
    publish(settings)
    with read_only(settings) as connection:
        medians = connection.execute(
            "select origin, link_method, sample_size, uscf_minus_fide_estimate, ci_low <= 82 and 82 <= ci_high "
            "from marts.fide_uscf_samples order by all"
        ).fetchall()
        assert [row[1:4] for row in medians] == [
            ("foreign_unique", 6, 69.5),
            ("usa_unique", 47, 82.0),
            (None, 100, 52.0),
            (None, 23, 72.0),
            (None, 6, 71.0),
        ]
        assert medians[1][4]
        kept = one(connection, "select sum(lines_kept) from core.source_files where layout = 'rating_pairs'")
        assert kept == one(connection, "select count(*) from marts.fide_uscf_pairs") == 182
        estimates = connection.execute(
            "select estimator, caveat from marts.fide_uscf_offset_by_band where population = 'collected'"
        ).fetchall()
        assert {row[0] for row in estimates} >= {"structural", "typical_by_fide"}
        assert all("self-selected" in row[1] for row in estimates)
