"""What file names claim."""

from datetime import date

import pytest

from pipeline.formats.file_names import list_of_file_name


@pytest.mark.parametrize(
    ("name", "month", "rating_type"),
    [
        ("jan01frl.zip", date(2001, 1, 1), "standard"),
        ("JAN03FRL.TXT", date(2003, 1, 1), "standard"),
        ("standard_aug12frl_xml.zip", date(2012, 8, 1), "standard"),
        ("blitz_sep12frl.txt", date(2012, 9, 1), "blitz"),
        ("rapid_feb14frl.zip", date(2014, 2, 1), "rapid"),
        ("blitz_JUL15.csv.zip", date(2015, 7, 1), "blitz"),
        ("weeks_1971-07.txt", date(1971, 7, 1), None),
        ("fide_2001-01_frl.txt", date(2001, 1, 1), "standard"),
        ("toparc_2000-07.txt", date(2000, 7, 1), None),
        ("ecl2020_2006-01.tsv.zip", date(2006, 1, 1), None),
        ("folder/of jan99/mar11frl.txt", date(2011, 3, 1), "standard"),
        ("C:\\lists\\apr04frl.zip", date(2004, 4, 1), "standard"),
        ("players_list_foa.txt", None, None),
        ("standard_rating_list.zip", None, "standard"),
        ("mittens_2010.csv.zip", None, None),
        ("marathon12.txt", None, None),
        ("notes 2001-13.txt", None, None),
        ("", None, None),
    ],
)
def test_month_and_type(name: str, month: date | None, rating_type: str | None) -> None:
    assert list_of_file_name(name) == (month, rating_type)
