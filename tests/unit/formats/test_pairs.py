"""Files of ready pairs: recognised by header, months from columns or file name, unusable lines counted."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from pipeline.formats.pairs import PAIR_SCHEMA, looks_like_pairs, read_pairs
from pipeline.formats.parsed import FormatError, UnknownLayoutError

TEXT = (
    "uscf_id,uscf_regular_2024_04,link,fide_id,fide_fed,fide_standard_2025_02,fide_flag\n"
    "19900001,1874,usa_unique,2999001,USA,1802,\n"
    "19900002,2210,foreign_unique,2999002,CAN,2150,wi\n"
    "19900003,0,usa_unique,2999003,USA,1500,\n"
    "19900004,1600,ambiguous,2999004,USA,1550,\n"
    "19900005,1600\n"
    "19900001,1880,usa_unique,2999001,USA,1802,\n"
)


def test_usable_lines_become_pairs_and_the_rest_is_counted_with_reasons() -> None:
    file = read_pairs(TEXT.encode(), "invented.csv")
    assert file.pairs.schema == PAIR_SCHEMA
    assert file.pairs.height + file.rejects.height == file.lines_read == 6
    assert file.pairs.select(
        "person_id", "list_date", "uscf_list_date", "fide_rating", "uscf_rating", "federation", "active"
    ).rows() == [
        ("uscf:19900001", date(2025, 2, 1), date(2024, 4, 1), 1802, 1874, "USA", True),
        ("uscf:19900002", date(2025, 2, 1), date(2024, 4, 1), 2150, 2210, "CAN", False),
    ]
    assert file.pairs["source_note"][0] == (
        "pairs file invented.csv; FIDE rating of 2025-02, US rating of 2024-04; ids joined by the maker of the file"
    )
    assert file.rejects.select("line_number", "reason").rows() == [
        (4, "no US rating"),
        (5, "the file itself does not link the two ratings (link: ambiguous)"),
        (6, "expected 7 cells as in the header, found 2"),
        (7, "uscf:19900001 is in line 2 already, which is kept"),
    ]


def test_month_from_the_file_name_and_anonymous_persons() -> None:
    text = b"fide_standard,uscf_regular\n1500,1510\n1500,1510\n"
    file = read_pairs(text, "folder/points_2024-09_digitised.csv")
    assert file.pairs["person_id"].to_list() == [
        "points_2024-09_digitised:2",
        "points_2024-09_digitised:3",
    ]
    assert file.pairs["list_date"].unique().to_list() == [date(2024, 9, 1)]
    told = read_pairs(text, "points_2024-09.csv", list_date=date(2020, 1, 1))
    assert told.pairs["list_date"].unique().to_list() == [date(2020, 1, 1)]
    with pytest.raises(FormatError, match="no month of the ratings"):
        read_pairs(text, "points.csv")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("name,uscf_regular_2008_04,fide_standard_2008_04,difference", True),
        ("Name;FIDE_Rating;USCF_Rating", True),
        ("cohort_top,chesscom_rapid,fide,uscf,ecf", False),  # a table of equal strength, not of persons
        ("MEM_ID,MEM_NAME,R_LPB_RAT", False),
        ("fide_rating_2024_01,fide_rating_2024_02,uscf_rating", False),
    ],
)
def test_headers(header: str, expected: bool) -> None:
    assert looks_like_pairs(header) is expected


def test_another_header_is_refused_with_what_was_found() -> None:
    with pytest.raises(UnknownLayoutError, match="found 'a,b'"):
        read_pairs(b"a,b\n1,2\n", "x.csv")


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "pairs", "median"),
    [
        ("pairs_alto2024.csv", 53, None),
        ("pairs_dojo_2024-09_digitised.csv", 100, 52),
        ("pairs_titled_2025.csv", 23, 72),
        ("pairs_top_2008-04.csv", 6, 71),
    ],
)
def test_real_pairs(shared_dir: Path, name: str, pairs: int, median: int | None) -> None:
    file = read_pairs((shared_dir / "lists/uscf" / name).read_bytes(), name)
    assert file.pairs.height == pairs
    assert file.pairs.height + file.rejects.height == file.lines_read
    if median is not None:
        assert _median_offset(file.pairs) == median
    else:
        usa = file.pairs.filter(link="usa_unique")
        assert (usa.height, _median_offset(usa)) == (47, 82)


def _median_offset(pairs: pl.DataFrame) -> float | None:
    return pairs.select((pl.col("uscf_rating") - pl.col("fide_rating")).median()).item()
