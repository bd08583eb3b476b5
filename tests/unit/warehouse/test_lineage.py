"""Column lineage: read from the SQL, kept until a model changes."""

from pathlib import Path

import pytest

from pipeline.warehouse import lineage as lineage_module
from pipeline.warehouse.lineage import Lineage, column_lineage
from pipeline.warehouse.refresh import project


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Lineage:
    return column_lineage(project(), tmp_path_factory.mktemp("lineage") / "lineage.json")


def test_columns_lead_back_through_expressions(found: Lineage) -> None:
    peaks = found["marts.top_player_peaks"]
    assert peaks["player_name"] == [("core.players", "player_name")]
    assert peaks["peak_rating"] == [("intermediate.player_peaks", "peak_rating")]
    assert ("core.entries", "rating") in found["intermediate.player_peaks"]["peak_rating"]
    assert peaks["age_at_peak"] == sorted(peaks["age_at_peak"])
    assert ("core.players", "birth_year") in peaks["age_at_peak"]


def test_a_table_that_adds_to_itself_does_not_come_from_itself(found: Lineage) -> None:
    tables = {table for sources in found["intermediate.player_peaks"].values() for table, _ in sources}
    assert "intermediate.player_peaks" not in tables


def test_sources_are_columns_that_exist(found: Lineage) -> None:
    models = project()
    tables = {table.qualified_name: table for table in (*models.loaded, *(model.table for model in models.models))}
    for columns in found.values():
        for sources in columns.values():
            for table, name in sources:
                assert name == "*" or name in {column.name for column in tables[table].columns}, (table, name)


def test_it_is_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "lineage.json"
    cache.write_text('{"digest": "of another project", "lineage": {}}')
    first = column_lineage(project(), cache)
    monkeypatch.setattr(lineage_module, "_of_model", lambda *_: pytest.fail("computed again"))
    assert column_lineage(project(), cache) == first
