"""Persons and spellings that a file describes beside its ratings. All people are invented."""

from pipeline.lists.reading import read_register

SCID = b"""# Ratings of invented people. FIDE ratings APR-2021
@PLAYER " "
Quillfeather, Ann #wgm  NOR/SWE [2400] 1961.02.03--2010.01.01 w
   %Bio FIDEID 9900001
   = Federkiel, Ann
   = Quillfeather, A
   %Elo 1990:2400,2400
Wimbledore, Arthur #-  NOR [2100] ????
   %Elo 1990:2100,2100
"""


def test_every_spelling_of_every_person() -> None:
    register = read_register(SCID, "ratings.ssp")
    assert register is not None
    assert register.columns == [
        "name",
        "fide_id",
        "federation",
        "birth_year",
        "federations",
        "death_year",
        "alternative_name",
    ]
    assert register.rows() == [
        ("Quillfeather, Ann", 9900001, "SWE", 1961, "NOR/SWE", 2010, "Federkiel, Ann"),
        ("Quillfeather, Ann", 9900001, "SWE", 1961, "NOR/SWE", 2010, "Quillfeather, A"),
        ("Wimbledore, Arthur", None, "NOR", None, "NOR", None, None),
    ]


def test_other_files_describe_nobody() -> None:
    assert read_register(b"ID_NUMBER NAME TITLE COUNTRY\r\n", "jan03frl.txt") is None
