"""The example of every model and macro runs on a published file, and its answer is the one written here.

The answers, and how they are known, are in ``tests/example_answers.py``.
"""

from collections.abc import Callable
from datetime import date

import pytest
from example_answers import KNOWN, KNOWN_ON_INVENTED, WORKED_OUT

from pipeline.warehouse.refresh import project

Query = Callable[[str], list[tuple[object, ...]]]

PROJECT = project()
EXAMPLES = {model.table.name: model.example for model in PROJECT.models if model.example} | {
    macro.name: macro.example for macro in PROJECT.macros
}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_example_runs(bundled: Query, name: str) -> None:
    rows = bundled(EXAMPLES[name])
    if name in KNOWN:
        assert rows == KNOWN[name]


def test_the_answer_of_every_example_is_written_here() -> None:
    assert sorted(EXAMPLES.keys() - KNOWN.keys() - KNOWN_ON_INVENTED.keys() - WORKED_OUT.keys()) == []


@pytest.mark.parametrize("name", sorted(WORKED_OUT))
def test_example_of_the_worked_world(worked: Query, name: str) -> None:
    assert worked(EXAMPLES[name]) == WORKED_OUT[name]


@pytest.mark.parametrize("name", sorted(KNOWN_ON_INVENTED))
def test_example_of_complete_lists(invented: Query, name: str) -> None:
    assert invented(EXAMPLES[name]) == KNOWN_ON_INVENTED[name]


def test_every_mart_and_macro_has_an_example() -> None:
    named = {model.table.name for model in PROJECT.models if model.table.schema == "marts"}
    named |= {macro.name for macro in PROJECT.macros}
    assert named <= EXAMPLES.keys()


def test_every_mart_has_a_grain_and_every_column_a_description() -> None:
    marts = [model.table for model in PROJECT.models if model.table.schema == "marts"]
    # The grain of these views is tested on small databases (test_marts_invented.py).
    assert sorted(table.name for table in marts if not table.grain) == ["player_history", "player_ratings"]
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
