"""Mapping files and the tables they describe: invented tables, every message, and the real conversions."""

import csv
import io
import zipfile
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from pipeline.formats.mapped_table import parse_mapped
from pipeline.formats.mapping import MappingError, load_mapping
from pipeline.formats.parsed import FormatError

MAPPINGS = Path(__file__).parents[2] / "data/mappings"

PLAIN = """
publisher = "fide"
collection = "invented"
format = "csv"
rating_type = "rapid"
list_date = 2015-11-01
missing = ["NA"]
[columns]
fide_id = "No."
name = "Who"
federation = "Fed"
title = "Titl"
rating = "Rtng"
games = "G"
birth_year = "Born"
flag = "Flag"
[titles]
grandmaster = "GM"
"""
ROWS = (
    b'No.,Who,Fed,Titl,Rtng,G,Born,Flag\n9900101,"Ash, Ida",xxa,Grandmaster,2501,4,1984-05-01,wi\n'
    b'9900102,"Birch, Oz",NA,wm,0,,0000,\n,,XXC,,2000,,,\n9900104,"Cole, Uma",XXC,zz,many,,,\n'
    b'9900105,"Dale, Eve",XXC,zz,1999.0,lots,198,\n'
)


def test_csv_table() -> None:
    parsed = parse_mapped(ROWS, load_mapping(PLAIN, "own.toml"))
    assert (parsed.collection, parsed.layout, parsed.lines_read) == ("invented", "mapping_invented", 5)
    assert (parsed.stated_month, parsed.stated_rating_type) == (date(2015, 11, 1), "rapid")
    ida, oz, eve = parsed.entries.to_dicts()
    assert (ida["rating"], ida["title"], ida["sex"], ida["active"]) == (2501, "GM", "F", False)
    assert (ida["federation"], ida["birth_year"], ida["games"]) == ("XXA", 1984, 4)
    assert (ida["list_date"], ida["rating_type"], ida["line_number"]) == (date(2015, 11, 1), "rapid", 2)
    assert (oz["rating"], oz["title"], oz["federation"], oz["birth_year"]) == (None, "WIM", None, None)
    assert (oz["active"], oz["games"], oz["sex"]) == (True, None, None)
    assert (eve["rating"], eve["title"], eve["printed_title"]) == (1999, None, "zz")
    assert parsed.rejects.select("line_number", "reason").rows() == [
        (4, "neither a name nor an id"),
        (5, "expected a rating, found 'many'"),
    ]
    assert parsed.notes.select("code", "detail").rows() == [
        ("unknown_title_code", "zz"),
        ("unreadable_number", "games: 'lots'; birth_year: '198'"),
    ]


def test_title_behind_the_name_and_name_continued_in_the_title() -> None:
    base = PLAIN.split("[titles]")[0].replace('title = "Titl"\n', "")
    behind = load_mapping(base + "[name]\ntitle_pattern = '\\s{2,}([a-z]{1,2})$'\nreplace = [[' ?,', ',']]", "a.toml")
    header = b"No.,Who,Fed,Titl,Rtng,G,Born,Flag\n"
    entry = parse_mapped(header + b'1,"Ash ,Ida    wf",XXA,,2000,,,\n', behind).entries.row(0, named=True)
    assert (entry["name"], entry["title"], entry["printed_title"]) == ("Ash,Ida", "WFM", "wf")
    assert entry["printed_name"] == "Ash ,Ida    wf"
    continued = load_mapping(PLAIN + "[name]\ncontinued_in_title = true", "b.toml")
    parsed = parse_mapped(header + b'1,"Ash, Antho",XXA,ny,2000,,,\n2,"Elm, B",XXA,f,2000,,,\n', continued)
    assert parsed.entries["name"].to_list() == ["Ash, Anthony", "Elm, B"]
    assert parsed.entries["title"].to_list() == [None, "FM"]
    assert parsed.notes["code"].to_list() == ["name_continued_in_title"]


BY_TYPE = """
publisher = "fide"
collection = "invented"
format = "{format}"
[columns]
fide_id = "id"
rating = {{ standard = "s", blitz = "b" }}
"""


@pytest.mark.parametrize("file_format", ["json", "parquet"])
def test_one_column_per_rating_type(file_format: str) -> None:
    table = pl.DataFrame({"id": [1, 2, 3], "s": [2000, None, None], "b": [2100, 1900, 0]})
    buffer = io.BytesIO()
    if file_format == "json":
        table.write_json(buffer)
    else:
        table.write_parquet(buffer)
    parsed = parse_mapped(buffer.getvalue(), load_mapping(BY_TYPE.format(format=file_format), "own.toml"))
    assert sorted(parsed.entries.select("fide_id", "rating_type", "rating").rows()) == [
        (1, "blitz", 2100),
        (1, "standard", 2000),
        (2, "blitz", 1900),
        (3, "standard", None),
    ]
    assert parsed.entries["active"].null_count() == 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("publisher", "publisher = [", "own.toml: not TOML"),
        ('publisher = "fide"', "", "own.toml: publisher: is missing"),
        ('publisher = "fide"', 'publisher = "wcf"', "own.toml: publisher: expected one of fide, uscf, found 'wcf'"),
        ('format = "csv"', 'format = "xls"', "own.toml: format: expected one of csv"),
        ('"rapid"', '"regular"', "own.toml: rating_type: expected one of standard"),
        ("2015-11-01", '"Nov 2015"', "own.toml: list_date: expected a day"),
        ("2015-11-01", "2015", "own.toml: list_date: expected a day"),
        ('["NA"]', '"NA"', "own.toml: missing: expected a list"),
        ("missing", "header = 4\nmissing", "own.toml: header: expected a list of texts"),
        ('format = "csv"', 'format = "json"\nheader = ["a"]', "own.toml: header: columns of a json table have names"),
        ("missing", "mising", "own.toml: mising: unknown key; known are"),
        ("games", "game", "own.toml: columns.game: unknown key"),
        ('games = "G"', "games = 4", "own.toml: columns.games: expected a text, found 4"),
        ('rating = "Rtng"', "", "own.toml: columns.rating: is missing"),
        ('rating = "Rtng"', 'rating = { rapid = "Rtng" }', "own.toml: rating_type: columns.rating already"),
        ('rating = "Rtng"', 'rating = { regular = "R" }', "own.toml: columns.rating.regular: unknown key"),
        ('flag = "Flag"', 'rating_type = "Flag"', "own.toml: rating_type: columns.rating_type says it"),
        ('flag = "Flag"', 'list_date = "Flag"', "own.toml: list_date: columns.list_date says it"),
        ('grandmaster = "GM"', 'grandmaster = "BOSS"', "own.toml: titles.grandmaster: expected one of GM"),
        ("[titles]", "[name]\ntitle_pattern = '('\n[titles]", "own.toml: name.title_pattern: '\\(' is not a regular"),
        ("[titles]", "[name]\ntitle_pattern = 'x'\n[titles]", "own.toml: name.title_pattern: expected a regular"),
        ("[titles]", "[name]\nreplace = ['x']\n[titles]", "own.toml: name.replace: expected pairs"),
        ("[titles]", "[name]\ncontinued_in_title = 1\n[titles]", "own.toml: name.continued_in_title: expected true"),
    ],
)
def test_messages_name_the_key(old: str, new: str, message: str) -> None:
    assert old in PLAIN
    with pytest.raises(MappingError, match=message):
        load_mapping(PLAIN.replace(old, new, 1), "own.toml")


def test_nobody_could_be_told_apart() -> None:
    text = PLAIN.replace('fide_id = "No."\n', "").replace('name = "Who"\n', "")
    with pytest.raises(MappingError, match=r"own\.toml: columns\.name: is missing"):
        load_mapping(text, "own.toml")


def test_a_table_without_header_gets_its_names_from_the_mapping() -> None:
    names = 'header = ["No.", "Who", "Fed", "Titl", "Rtng", "G", "Born", "Flag"]\nmissing'
    mapping = load_mapping(PLAIN.replace("missing", names, 1), "own.toml")
    headless = parse_mapped(ROWS.split(b"\n", 1)[1], mapping)
    whole = parse_mapped(ROWS, load_mapping(PLAIN, "own.toml"))
    assert headless.entries.drop("line_number").equals(whole.entries.drop("line_number"))
    assert headless.entries["line_number"].to_list() == [1, 2, 5]
    assert headless.lines_read == whole.lines_read
    with pytest.raises(MappingError, match=r"own\.toml: header: names 8 columns, the table has 2"):
        parse_mapped(b"1,2\n", mapping)


@pytest.mark.shared
def test_an_entry_list_without_header(shared_dir: Path) -> None:
    mapping = load_mapping((MAPPINGS / "alto2024.toml").read_text(encoding="utf-8"), "alto2024")
    parsed = parse_mapped((shared_dir / "lists/uscf/alto2024_entries.csv").read_bytes(), mapping)
    assert (parsed.lines_read, parsed.entries.height, parsed.rejects.height) == (120, 120, 0)
    first = parsed.entries.row(0, named=True)
    assert (first["uscf_id"], first["name"], first["rating"]) == (12939342, "KAYDEN TROFF", 2575)
    assert parsed.entries["rating"].min() > 100  # type: ignore[operator]  # 0 is unrated, null here


def test_tables_that_do_not_fit() -> None:
    mapping = load_mapping(PLAIN, "own.toml")
    with pytest.raises(MappingError, match=r"own\.toml: columns\.fide_id: the table has no column 'No\.'; it has a, b"):
        parse_mapped(b"a,b\n1,2\n", mapping)
    with pytest.raises(FormatError, match=r"not a parquet table as own\.toml says"):
        parse_mapped(b"a,b\n", load_mapping(PLAIN.replace('"csv"', '"parquet"'), "own.toml"))
    with pytest.raises(FormatError, match="not a csv table"):
        parse_mapped(b"a,b\n1,2,3\n", mapping)
    as_json = load_mapping(PLAIN.replace('"csv"', '"json"'), "own.toml")
    with pytest.raises(MappingError, match=r"the table has no column 'No\.'; it has a$"):
        parse_mapped(b'[{"a": 1, "No.": [1, 2]}]', as_json)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file_name", "mapping_name"),
    [
        ("ecl2020_2006-01.tsv.zip", "ecl2020_2006"),
        ("ecl2020_2008-01.tsv.zip", "ecl2020_2008"),
        ("blitz_JUL15.csv.zip", "anujdahiya24"),
        ("rapid_NOV15.csv.zip", "anujdahiya24"),
        ("mittens_2010.csv.zip", "mittens_2010"),
        ("mathiasbynens_afg_2025-02-14.json", "fide_ratings_json"),
        ("tidytuesday_fide_ratings_august_head.csv", "tidytuesday"),
    ],
)
def test_real_conversions(shared_dir: Path, file_name: str, mapping_name: str) -> None:
    folder = shared_dir / "lists/fide"
    data = (folder / file_name).read_bytes()
    if file_name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = archive.read(archive.namelist()[0])
    mapping = load_mapping((MAPPINGS / f"{mapping_name}.toml").read_text(encoding="utf-8"), mapping_name)
    parsed = parse_mapped(data, mapping)
    with (folder / "SOURCES.tsv").open(encoding="utf-8", newline="") as table:
        source = next(row for row in csv.DictReader(table, delimiter="\t") if row["file"] == file_name)
    assert parsed.rejects.is_empty(), parsed.rejects
    assert parsed.lines_read == int(source["rows"])
    if mapping.format != "json":
        assert parsed.entries["list_date"].unique().to_list() == [date.fromisoformat(source["list date"])]
