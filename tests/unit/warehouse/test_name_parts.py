"""Names taken apart are kept beside the editions, and never stand in the way of what would be made now."""

from pathlib import Path

import polars as pl
import pytest

from pipeline.lists.lake import Lake
from pipeline.players.spelling import parts_of
from pipeline.warehouse import name_parts

NAMES = pl.Series("name", ["Wimbledore, Arthur", "Quillfeather,B.", None, "Wimbledore, Arthur"])


def rows(parts: pl.DataFrame) -> list[tuple[str, ...]]:
    return sorted(parts.rows())


def test_only_new_names_are_taken_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def watched(names: pl.Series) -> pl.DataFrame:
        asked.append(sorted(names))
        return parts_of(names)

    monkeypatch.setattr(name_parts, "parts_of", watched)
    lake = Lake(tmp_path)
    assert rows(name_parts.kept_parts(lake, NAMES)) == rows(parts_of(NAMES))
    more = pl.concat([NAMES, pl.Series("name", ["Ottergreen, C"])])
    for _ in range(2):
        assert rows(name_parts.kept_parts(lake, more)) == rows(parts_of(more))
    assert asked == [["Quillfeather,B.", "Wimbledore, Arthur"], ["Ottergreen, C"]]


def test_few_new_names_are_not_worth_writing_all(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    many = pl.Series("name", [f"{chr(65 + number % 26)}immel{number}, Arthur" for number in range(100)])
    name_parts.kept_parts(lake, many)
    (kept,) = tmp_path.iterdir()
    before = kept.read_bytes()
    with_few = pl.concat([many, NAMES])
    assert rows(name_parts.kept_parts(lake, with_few)) == rows(parts_of(with_few))
    assert kept.read_bytes() == before


def test_names_that_nobody_has_are_left_out_when_it_is_written(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    name_parts.kept_parts(lake, pl.Series("name", ["Ottergreen, C"]))
    name_parts.kept_parts(lake, NAMES)
    (kept,) = tmp_path.iterdir()
    assert rows(pl.read_parquet(kept)) == rows(parts_of(NAMES))


@pytest.mark.parametrize("content", [b"", b"PAR1 cut off"])
def test_what_cannot_be_read_is_made_again(tmp_path: Path, content: bytes) -> None:
    lake = Lake(tmp_path)
    name_parts.kept_parts(lake, NAMES)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(content)
    assert rows(name_parts.kept_parts(lake, NAMES)) == rows(parts_of(NAMES))
    assert rows(pl.read_parquet(kept)) == rows(parts_of(NAMES))


def test_parts_of_other_columns_are_made_again(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    name_parts.kept_parts(lake, NAMES)
    (kept,) = tmp_path.iterdir()
    pl.read_parquet(kept).drop("sound").write_parquet(kept)
    assert rows(name_parts.kept_parts(lake, NAMES)) == rows(parts_of(NAMES))


def test_parts_made_by_other_code_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake = Lake(tmp_path)
    name_parts.kept_parts(lake, NAMES)
    (made_before,) = tmp_path.iterdir()
    monkeypatch.setattr(name_parts, "_code", lambda: "other")
    name_parts.kept_parts(lake, NAMES)
    assert [path.name for path in tmp_path.iterdir()] == ["name_parts-other.parquet"] != [made_before.name]
