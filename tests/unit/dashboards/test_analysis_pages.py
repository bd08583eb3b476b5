"""Queries and declarations of the pages of analyses: who passed whom, lists that print titles, formulas in force,
comparing several values."""

from pathlib import Path

import duckdb
import polars as pl
import pytest

from dashboards.page import Figure, Page, Switch
from dashboards.pages import compression, federations, inflation, ledger, percentiles, titles, us_chess, women
from dashboards.render import control_of


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    made.execute("create schema marts")
    return made


def figure(page: Page, name: str) -> Figure:
    return next(one for one in page.figures if one.name == name)


def strengths(connection: duckdb.DuckDBPyConnection, means: dict[str, list[float | None]]) -> None:
    """Complete lists of January 2000, 2001, ... with these means, and an empty top list."""
    connection.execute(
        "create table marts.federation_strength (publisher varchar, rating_type varchar, list_date date, "
        "federation varchar, mean_top_10 double, best_rating integer, median_rating double, player_count integer, "
        "gm_count integer, women_count integer, federation_basis varchar)"
    )
    connection.execute(
        "create table marts.top_list (publisher varchar, rating_type varchar, list_date date, federation varchar, "
        "player_id integer, rating integer)"
    )
    for federation, series in means.items():
        for year, mean in enumerate(series, start=2000):
            connection.execute(
                "insert into marts.federation_strength values "
                "('fide', 'standard', make_date(?, 1, 1), ?, ?, 2600, 2000, 100, 5, 10, 'printed')",
                [year, federation, mean],
            )


def passes(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str, int, int]]:
    rows = connection.sql(figure(federations.PAGE, "passes").sql).pl().to_dicts()
    return [
        (row["passing_federation"], row["other_federation"], row["list_date"].year, row["previous_list_date"].year)
        for row in rows
    ]


def test_a_federation_passes_another_when_it_gets_ahead(connection: duckdb.DuckDBPyConnection) -> None:
    strengths(connection, {"IND": [2500, 2650, 2700], "RUS": [2700, 2690, 2695]})
    assert passes(connection) == [("IND", "RUS", 2002, 2001)]


def test_level_is_not_yet_ahead_and_a_lead_kept_is_no_new_one(connection: duckdb.DuckDBPyConnection) -> None:
    strengths(connection, {"AAA": [2600, 2650, 2651, 2700], "BBB": [2650, 2650, 2650, 2650]})
    assert passes(connection) == [("AAA", "BBB", 2002, 2001)]


def test_a_list_without_ten_players_is_skipped_and_said(connection: duckdb.DuckDBPyConnection) -> None:
    strengths(connection, {"AAA": [2600, None, 2660], "BBB": [2650, 2650, 2650]})
    assert passes(connection) == [("AAA", "BBB", 2002, 2000)]


def test_top_lists_give_means_of_federations_with_ten_players_in_them(connection: duckdb.DuckDBPyConnection) -> None:
    strengths(connection, {"AAA": [2600]})
    connection.execute(
        "insert into marts.top_list select 'fide', 'standard', date '2020-01-01', "
        "case when n <= 12 then 'AAA' else 'BBB' end, n, 2800 - n from range(1, 22) as t(n)"
    )
    # The complete list of the same day is not replaced by its own first hundred.
    connection.execute(
        "insert into marts.top_list select 'fide', 'standard', date '2000-01-01', 'AAA', n, 2800 from range(12) as t(n)"
    )
    rows = connection.sql(figure(federations.PAGE, "strength").sql).fetchall()
    columns = [column[0] for column in connection.sql(figure(federations.PAGE, "strength").sql).description]
    shown = {(str(r["list_date"]), r["federation"]): r for r in (dict(zip(columns, row, strict=True)) for row in rows)}
    assert set(shown) == {("2000-01-01", "AAA"), ("2020-01-01", "AAA")}
    assert shown["2000-01-01", "AAA"]["mean_top_10"] == 2600
    assert shown["2020-01-01", "AAA"]["mean_top_10"] == sum(2800 - n for n in range(1, 11)) / 10
    assert shown["2020-01-01", "AAA"]["federation_basis"] == "top list"
    assert shown["2020-01-01", "AAA"]["player_count"] is None


def test_lists_that_print_a_few_titles_only_are_left_out(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "create table marts.title_counts as select * from (values "
        "('fide', 'standard', date '1996-01-01', 'all', 'GM', 20, null::integer, 20, 2400.0), "
        "('fide', 'standard', date '1999-01-01', 'all', 'GM', 600, null, 10, 2500.0), "
        "('fide', 'standard', date '1999-01-01', 'AAA', 'GM', 7, null, 0, 2550.0)) as t(publisher, rating_type, "
        "list_date, federation, title, player_count, active_count, women_count, mean_rating)"
    )
    connection.execute(
        "create table marts.list_summary as select * from (values ('fide', 'standard', date '1996-01-01', 20000), "
        "('fide', 'standard', date '1999-01-01', 30000)) as t(publisher, rating_type, list_date, rows_count)"
    )
    frame = connection.sql(figure(titles.PAGE, "counts").sql).pl()
    assert frame.select("federation", "player_count").rows() == [("AAA", 7), ("World", 600)]
    assert frame["list_date"].unique().cast(pl.String).to_list() == ["1999-01-01"]
    league = connection.sql(figure(titles.PAGE, "league").sql).pl()
    assert league.select("place", "federation", "player_count").rows() == [(1, "AAA", 7)]


def test_formulas_have_names_and_are_told_apart_by_validity(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "create table marts.rating_conversions as select 'published' as kind, conversion, 'US Chess' as issuer, "
        "'first rating' as scope, 1800 as rating, 1747.1 as result, -52.9 as difference_points, from_system, "
        "to_system, "
        "valid_from::date as valid_from, valid_until::date as valid_until, 5 as counts_as_games, remark, "
        "'read' as conversion_source from (values "
        "('init-2024', 'FIDE', 'USCF', '2024-03-01', null, ''), ('init-2017', 'FIDE', 'USCF', '2017-01-01', "
        "'2024-03-01', ''), ('vegas', 'FIDE', 'USCF', null, null, 'undated'), ('new-rule', 'USCF', 'FIDE', "
        "'2025-01-01', null, ''), ('fide-2024', 'FIDE', 'FIDE', '2024-03-01', null, '')) "
        "as t(conversion, from_system, to_system, valid_from, valid_until, remark)"
    )
    frame = connection.sql(figure(us_chess.PAGE, "formulas").sql).pl()
    assert frame.select("formula", "held", "direction").rows() == [
        ("First rating 2017", "earlier", "FIDE to USCF"),
        ("First rating 2024", "now", "FIDE to USCF"),
        ("new-rule", "now", "USCF to FIDE"),
        ("Vegas festival", "now", "FIDE to USCF"),
    ]


def test_without_us_data_the_page_of_us_chess_says_how_to_get_them() -> None:
    for name in ("bands", "pairs", "years", "filters"):
        needs = figure(us_chess.PAGE, name).needs
        assert "`ratings fetch uscf`" in needs
        assert "`ratings add FILE...`" in needs
    assert "`ratings fetch fide --from 2024-02 --to 2024-03`" in figure(compression.PAGE, "bands").needs


def test_the_converter_needs_no_table_to_be_built(tmp_path: Path) -> None:
    assert us_chess.PAGE.context is not None
    assert us_chess.PAGE.context(duckdb.connect(), tmp_path, tmp_path / "none") == {"conversions": None}


def test_several_starts_with_the_defaults_that_are_held() -> None:
    switch = Switch("federations", "Federations", "several", column="federation", default="RUS,URS,IND")
    held = control_of(switch, [pl.DataFrame({"federation": ["IND", "RUS", "USA"]})])
    assert held is not None
    assert held.value == "RUS,IND"
    assert [value for value, _, _ in held.options] == ["IND", "RUS", "USA"]
    others = control_of(switch, [pl.DataFrame({"federation": ["DDD", "CCC", "BBB", "AAA"]})])
    assert others is not None
    assert others.value == "AAA,BBB,CCC"


def test_indices_compared_have_names_without_commas(connection: duckdb.DuckDBPyConnection) -> None:
    """The address separates them by commas."""
    names = [
        "edwards",
        "mean_10",
        "mean_20",
        "mean_50",
        "mean_100",
        "gap",
        "fixed_cohort",
        "mean_all",
        "mean_common_cut",
    ]
    connection.execute(
        "create table marts.inflation_indices as select 'fide' as publisher, 'standard' as rating_type, "
        "date '2020-01-01' as list_date, 'complete' as coverage, unnest($names) as index_name, 2000.0::double as "
        "index_value, 'points' as index_unit, 'all' as population, 'x' as definition",
        {"names": names},
    )
    indices = figure(inflation.PAGE, "indices")
    shown = connection.sql(indices.sql).pl()["index_name"].to_list()
    assert len(set(shown)) == len(names)
    assert not any("," in name or "_" in name for name in shown)
    switch = next(one for one in indices.switches if one.kind == "several")
    assert set(switch.default.split(",")) <= set(shown)


def test_the_expected_gap_stands_beside_the_observed_one(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "create table marts.gender_gap as select 'fide' as publisher, 'standard' as rating_type, date '2020-01-01' as "
        "list_date, 10 as top_n, 2780.0 as men_top_mean, 2550.0 as women_top_mean, 230::double as top_gap, "
        "95.64::double as expected_gap, 134.36::double as unexplained_gap"
    )
    frame = connection.sql(figure(women.PAGE, "gap").sql).pl()
    assert frame.select("gap_kind", "gap", "unexplained_gap").rows() == [
        ("Expected from numbers", 95.6, 134.4),
        ("Observed", 230.0, 134.4),
    ]


def test_bars_of_the_ledger_have_room_for_each_verdict() -> None:
    height = figure(ledger.PAGE, "checks").height
    assert callable(height)
    one = height(pl.DataFrame({"verdict": ["agrees"]}))
    assert height(pl.DataFrame({"verdict": ["agrees", "differs", "agrees"]})) > one


def test_standing_is_written_without_needless_decimals(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "create table marts.percentiles as select 'fide' as publisher, 'standard' as rating_type, date '2020-01-01' as "
        "list_date, 'all' as population, 'everybody' as method, 'percentile' as look_up, 2300 as rating, "
        "unnest([99.0::double, 99.9]) as percentile, 1000 as lowest_counted"
    )
    frame = connection.sql(figure(percentiles.PAGE, "reach").sql).pl()
    assert frame["standing"].to_list() == ["Better than 99 %", "Better than 99.9 %"]
