"""Two lines on one id: the one with more games stands, then the later one; never both, never by chance."""

import polars as pl
import pytest

from pipeline.domain.entry import ENTRY_SCHEMA, conform
from pipeline.lists.duplicates import mark_duplicates


def entries(*rows: dict[str, object]) -> pl.DataFrame:
    return conform(pl.DataFrame(list(rows), infer_schema_length=None), ENTRY_SCHEMA)


def marks(frame: pl.DataFrame) -> dict[int, int | None]:
    marked = mark_duplicates(frame)
    return dict(zip(marked["line_number"], marked["duplicate_of"], strict=True))


def test_more_games_stand_then_the_later_line() -> None:
    frame = entries(
        {"line_number": 2, "fide_id": 1, "name": "Kestrel, A", "rating": 2100, "games": 4},
        {"line_number": 3, "fide_id": 1, "name": "Kestrel, A", "rating": 2147, "games": 0},
        {"line_number": 4, "fide_id": 2, "name": "Umber, B", "rating": 2000, "games": 0},
        {"line_number": 5, "fide_id": 2, "name": "Umber, C", "rating": 2010, "games": 0},
        {"line_number": 6, "fide_id": 3, "name": "Larkspur, D", "rating": 2300},
    )
    assert marks(frame) == {2: None, 3: 2, 4: 5, 5: None, 6: None}


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_rows_changes_nothing(seed: int) -> None:
    frame = entries(*({"line_number": n, "fide_id": n // 3, "games": n % 2, "name": "X"} for n in range(30)))
    assert marks(frame.sample(fraction=1.0, shuffle=True, seed=seed)) == marks(frame)


def test_without_ids_the_same_name_federation_and_birth_year_is_one_line() -> None:
    frame = entries(
        {"line_number": 5, "name": "Walter, Guenter", "federation": "DDR", "rating": 2310},
        {"line_number": 6, "name": "Walter, Guenter", "federation": "SUI", "rating": 2245},
        {"line_number": 7, "name": "Twice, Printed", "federation": "NOR", "rating": 2245},
        {"line_number": 8, "name": "Twice, Printed", "federation": "NOR", "rating": 2245},
    )
    assert marks(frame) == {5: None, 6: None, 7: 8, 8: None}
