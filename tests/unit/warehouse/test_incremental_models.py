"""Models that a continued build makes for the changed lists only must not read what changes for older lists."""

import pytest

from pipeline.warehouse.models import Model
from pipeline.warehouse.refresh import project

#: What stays as it is for a list when later lists come: entries and what was printed, not who is who since then.
_FIXED = {
    "core.entries",
    "core.superseded_entries",
    "core.player_versions",
    "core.editions",
    "core.lists",
    "core.source_files",
    "staging.held_lists",
}

INCREMENTAL = [model for model in project().models if model.incremental]


def _follows_persons(model: Model) -> bool:
    return model.incremental is not None and model.incremental.follows_persons


@pytest.mark.parametrize("model", INCREMENTAL, ids=lambda model: model.qualified_name)
def test_an_incremental_model_reads_only_what_stays(model: Model) -> None:
    others = {other.qualified_name for other in INCREMENTAL}
    read = {name for name in model.depends_on if not name.startswith("catalogue.")}
    assert read <= _FIXED | others


@pytest.mark.parametrize("model", INCREMENTAL, ids=lambda model: model.qualified_name)
def test_an_incremental_model_says_whose_a_row_is(model: Model) -> None:
    assert model.incremental is not None
    key = model.incremental.unique_key
    assert set(key) <= {column.name for column in model.table.columns}
    if model.incremental.merges:
        assert "player_id" in key, "rows of persons on lists loaded again are taken out"
        assert model.qualified_name in model.sql, "it adds to what it holds"
    else:
        assert key in {("list_key",), ("list_date",)}


@pytest.mark.parametrize("model", INCREMENTAL, ids=lambda model: model.qualified_name)
def test_a_model_about_persons_follows_them(model: Model) -> None:
    following = {
        other.qualified_name for other in INCREMENTAL if other.incremental and other.incremental.follows_persons
    }
    about_persons = "player_id" in model.sql or "link_method" in model.sql or bool(model.depends_on & following)
    assert about_persons == _follows_persons(model)


def test_the_largest_tables_are_incremental() -> None:
    names = {model.qualified_name for model in INCREMENTAL}
    assert {"intermediate.federation_ranks", "intermediate.player_peaks", "marts.points_created"} <= names
