"""The example of every model and macro runs on a published file; what is known of the answers is asserted."""

from collections.abc import Callable
from datetime import date

import pytest

from pipeline.warehouse.refresh import project

Query = Callable[[str], list[tuple[object, ...]]]

PROJECT = project()
EXAMPLES = {model.table.name: model.example for model in PROJECT.models if model.example} | {
    macro.name: macro.example for macro in PROJECT.macros
}
#: Answers on the bundled lists; figures of the literature, or told by catalogue.top100_list_summary.
KNOWN = {
    "elite_membership": [("Kasparov, Garry", 56)],
    "era_adjusted_peaks": [("Fischer, Robert James", 223.0)],
    "generations": [(1960, 43)],
    "history_of": [(date(1979, 1, 1), 2545, 40)],
    "inflation_indices": [("edwards", 2717.2), ("gap", 30.0)],
    "list_anomalies": [("top_ten_of_eleven",)],
    "list_coverage": [("held", "top")],
    "list_summary": [(2785, 125)],
    "movers": [("Kasimdzhanov, Rustam", 87)],
    "number_ones": [("Carlsen, Magnus", 4841)],
    "player_history": [(date(2006, 1, 1), 2625, 89)],
    "prodigies": [("Wei, Yi", 16)],
    "published_figure_checks": [("agrees", "125")],
    "rank_band_counts": [(49,)],
    "rank_of": [(12,)],
    "rating_at_rank": [(10, 2751), (20, 2723)],
    "records": [("Fischer, Robert James", 125.0)],
    "rule_calendar": [("floor 1400",)],
    "top": [(1, "Kasparov, Garry", 2851), (2, "Anand, Viswanathan", 2769), (3, "Kramnik, Vladimir", 2758)],
    "top_player_peaks": [("Carlsen, Magnus", 2882, date(2014, 5, 1))],
    "top_list": [("Kasparov, Garry", 2851), ("Anand, Viswanathan", 2769)],
}
#: Answers on the lists of invented people, counted from how these were made (``conftest.invented_lists``).
KNOWN_ON_INVENTED = {
    "activity": [(135, 675)],
    "compression_2024": [(1400, 15, 1671.0)],
    "entry_effects": [(50, 0.3)],
    "k_factor_counts": [(20, 150)],
    "player_match_rates": [
        (date(2004, 1, 1), date(2003, 1, 1), 1.0, 150),
        (date(2004, 4, 1), date(2004, 1, 1), 1.0, 200),
        (date(2013, 3, 1), date(2004, 4, 1), 0.9, 180),
        (date(2024, 2, 1), date(2013, 3, 1), 1.0, 180),
        (date(2024, 3, 1), date(2024, 2, 1), 0.95, 190),
    ],
    "points_created": [(495, 550, -55)],
    "rating_type_pairs": [(12,)],
    "title_counts": [("all", 19)],
}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_example_runs(bundled: Query, name: str) -> None:
    rows = bundled(EXAMPLES[name])
    if name in KNOWN:
        assert rows == KNOWN[name]


@pytest.mark.parametrize("name", sorted(KNOWN_ON_INVENTED))
def test_example_of_complete_lists(invented: Query, name: str) -> None:
    assert invented(EXAMPLES[name]) == KNOWN_ON_INVENTED[name]


def test_every_mart_and_macro_has_an_example() -> None:
    named = {model.table.name for model in PROJECT.models if model.table.schema == "marts"}
    named |= {macro.name for macro in PROJECT.macros}
    assert named <= EXAMPLES.keys()


def test_every_mart_has_a_grain_and_every_column_a_description() -> None:
    marts = [model.table for model in PROJECT.models if model.table.schema == "marts"]
    # The grain of this view is tested on small databases (test_marts_invented.py).
    assert [table.name for table in marts if not table.grain] == ["player_history"]
    assert [(table.name, column.name) for table in marts for column in table.columns if not column.description] == []


def test_macros_say_what_they_are(bundled: Query) -> None:
    comments = dict(
        bundled("select function_name, comment from duckdb_functions() where function_type = 'table_macro'")
    )
    for macro in PROJECT.macros:
        assert comments[macro.name] == macro.description


def test_a_list_in_force_is_the_newest_before_the_day(bundled: Query) -> None:
    assert bundled("select distinct list_date from top(1, date '2000-12-31')") == [(date(2000, 10, 1),)]
    assert bundled("select * from top(1, date '1971-06-30')") == []
    assert bundled("select * from rank_of(2700, date '1971-06-30')") == []


def test_a_player_is_found_by_name_in_any_case_and_by_number(bundled: Query) -> None:
    by_name = bundled("select * from history_of('CARLSEN, magnus')")
    assert by_name
    assert by_name == bundled("select * from history_of(1503014)")
    assert bundled("select * from history_of('nobody')") == []


def test_a_rating_nobody_has_gets_the_rank_it_would_have(bundled: Query) -> None:
    first, second = bundled("select rating, world_rank from top(2, date '2000-01-01')")
    assert first == (2851, 1)
    assert bundled("select world_rank from rank_of(2900, date '2000-01-01')") == [(1,)]
    assert bundled("select world_rank from rank_of(2850, date '2000-01-01')") == [(2,)]
    assert second == (2769, 2)
