"""Every bundled table keeps its declaration, and a file that breaks it is refused with file and line."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from pipeline.catalogue.table import (
    DATA_FOLDER,
    CatalogueError,
    Column,
    Reference,
    Table,
    check_references,
    read,
)
from pipeline.catalogue.tables import TABLES, load
from pipeline.domain.titles import title_expr

THINGS = Table(
    "things",
    "Invented table.",
    "invented",
    (
        Column("code", pl.String(), "Code."),
        Column("number", pl.Int16(), "Number.", nullable=True),
        Column("since", pl.Date(), "Date."),
        Column("good", pl.Boolean(), "Flag."),
        Column("kind", pl.String(), "Kind.", allowed=("big", "small")),
    ),
    ("code",),
)
HEADER = "code,number,since,good,kind"


def things(folder: Path, *lines: str, header: str = HEADER) -> pl.DataFrame:
    path = folder / "things.csv"
    path.write_text("\n".join([header, *lines, ""]))
    return read(THINGS, path)


def test_values_get_their_types(tmp_path: Path) -> None:
    frame = things(tmp_path, "a,1,2001-02-03,true,big", "b,,2001-02-04,false,small")
    assert frame.schema == THINGS.schema
    assert frame.row(0) == ("a", 1, date(2001, 2, 3), True, "big")
    assert frame.row(1)[1] is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("b,one,2001-02-03,true,big", r"line 3: column number: expected a value of type Int16; found 'one'"),
        ("b,99999,2001-02-03,true,big", "line 3: column number: expected a value of type Int16"),
        (
            "b,1,2001-02-30,true,big",
            "line 3: column since: expected a value of type Date; found '2001-02-30'",
        ),
        ("b,1,2001-02-03,yes,big", "line 3: column good: expected a value of type Boolean; found 'yes'"),
        ("b,1,2001-02-03,true,huge", "line 3: column kind: expected one of big, small; found 'huge'"),
        (",1,2001-02-03,true,big", "line 3: column code: a value is required"),
        (" b,1,2001-02-03,true,big", "line 3: column code: no blanks at either end"),
        ("a,1,2001-02-03,true,big", "line 2: key code: expected to be unique; found 'a' \\(and 1 more\\)"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(CatalogueError, match=message) as raised:
        things(tmp_path, "a,1,2001-02-03,true,big", line)
    assert "things.csv" in str(raised.value)


def test_a_wrong_header_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="line 1: expected the columns code,number,since,good,kind, found"):
        things(tmp_path, "a,1", header="code,number")


def test_a_missing_or_unreadable_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="file is missing"):
        read(THINGS, tmp_path / "none.csv")
    broken = tmp_path / "things.csv"
    broken.write_bytes(HEADER.encode() + b"\n\xff\xfe,1,2001-02-03,true,big\n")
    with pytest.raises(CatalogueError, match="UTF-8"):
        read(THINGS, broken)


def test_a_value_that_refers_to_nothing_is_named(tmp_path: Path) -> None:
    column = Column("code", pl.String(), "Code.", references=Reference("others", "name"))
    frame = things(tmp_path, "a,1,2001-02-03,true,big", "b,1,2001-02-03,true,big")
    others = pl.DataFrame({"name": ["a"]})
    with pytest.raises(CatalogueError, match=r"line 3: column code: expected a value of others.name; found 'b'"):
        check_references(THINGS, frame, column, others)


@pytest.mark.parametrize("name", TABLES)
def test_bundled_tables_load_and_are_described(name: str) -> None:
    frame = load(name)
    table = TABLES[name]
    assert frame.schema == table.schema
    assert not frame.is_empty()
    assert table.description.endswith(".")
    assert all(column.description.endswith(".") for column in table.columns)


def test_every_file_is_declared() -> None:
    assert {path.stem for path in DATA_FOLDER.glob("*.csv")} == set(TABLES)


def test_an_unknown_table_is_refused() -> None:
    with pytest.raises(CatalogueError, match="no catalogue table 'rank_band'; there are: rating_list_calendar"):
        load("rank_band")


def test_labels_fit_a_chart() -> None:
    for name in ("rule_changes", "known_anomalies"):
        assert load(name)["short_label"].str.len_chars().max() <= 32


def test_anomalies_name_lists_of_the_calendar() -> None:
    standard = load("rating_list_calendar").filter(pl.col("rating_type") == "standard")["list_date"]
    anomalies = load("known_anomalies")
    for column in ("list_date", "last_list_date"):
        assert anomalies[column].drop_nulls().is_in(standard.implode()).all()
    assert anomalies.filter(pl.col("last_list_date") < pl.col("list_date")).is_empty()


@pytest.mark.parametrize(
    ("list_date", "code"),
    [
        ("1974-05-01", "women_missing"),
        ("1978-01-01", "second_edition"),
        ("1987-01-01", "women_plus_100"),
        ("1998-01-01", "names_lost"),
        ("2000-07-01", "myanmar_cut"),
        ("2002-01-01", "inactive_missing"),
        ("2002-07-01", "federations_missing"),
        ("2003-01-01", "second_edition"),
        ("2004-04-01", "games_zero"),
        ("2007-04-01", "second_edition"),
        ("2011-01-01", "federations_missing"),
        ("2020-04-01", "top_ten_of_eleven"),
        ("2024-03-01", "compression"),
        ("2025-01-01", "ratings_reissued"),
    ],
)
def test_known_traps_are_catalogued(list_date: str, code: str) -> None:
    rows = load("known_anomalies").filter(
        (pl.col("list_date") == date.fromisoformat(list_date)) & (pl.col("code") == code)
    )
    assert rows.height == 1


def test_supplements_of_the_calendar_are_anomalies() -> None:
    supplements = load("rating_list_calendar").filter(pl.col("kind") == "supplement")["list_date"]
    marked = load("known_anomalies").filter(pl.col("code") == "supplement_only")["list_date"]
    assert sorted(marked) == sorted(supplements)


def test_the_second_text_on_july_1971_is_the_list_of_1970() -> None:
    lists = load("unofficial_lists")
    text = lists.filter(pl.col("list_label") == "July 1971, contradicting text")
    of_1970 = lists.filter(pl.col("list_label") == "1970").select("name", rating_1970="rating")
    fits = text.join(of_1970, on="name").with_columns(fits=pl.col("rating") == pl.col("rating_1970"))
    assert fits.height == 7
    assert fits.filter(~pl.col("fits"))["name"].to_list() == ["Keres, Paul"]
    assert not text["official"].any()


def test_official_values_of_july_1971_equal_the_bundled_list() -> None:
    july = load("unofficial_lists").filter("official")
    bundled = load("elite_history").filter(pl.col("list_date") == date(1971, 7, 1)).select("name", list="rating")
    joined = july.join(bundled, on="name", how="left")
    assert joined.height == 7
    assert (joined["rating"] == joined["list"]).all()


def test_titles_of_the_codes_are_the_ones_readers_use() -> None:
    codes = load("title_codes").filter(pl.col("title_kind").is_in(["open", "women"]))
    # 1999 to 2012 and before print an open title with small letters; the women's letters begin with w.
    read_as = codes.select("code", "title", read_as=title_expr(pl.col("code")))
    assert read_as.filter(pl.col("title").ne_missing(pl.col("read_as"))).is_empty()
