"""The published file of the bundled lists: reference figures, comments, equal bytes, nothing done twice."""

import csv
import hashlib
from datetime import date
from pathlib import Path

import duckdb
from building import copy_of, publish, read_only

from pipeline.settings import Settings

ELITE = Path("pipeline/catalogue/data/elite_history.csv")
OVER_2800 = [
    ("Carlsen, Magnus", 2882, "2014-05"),
    ("Kasparov, Garry", 2851, "1999-07"),
    ("Caruana, Fabiano", 2844, "2014-10"),
    ("Aronian, Levon", 2830, "2014-03"),
    ("So, Wesley", 2822, "2017-02"),
    ("Mamedyarov, Shakhriyar", 2820, "2018-09"),
    ("Vachier-Lagrave, Maxime", 2819, "2016-08"),
    ("Anand, Viswanathan", 2817, "2011-03"),
    ("Kramnik, Vladimir", 2817, "2016-10"),
    ("Topalov, Veselin", 2816, "2015-07"),
    ("Nakamura, Hikaru", 2816, "2015-10"),
    ("Ding, Liren", 2816, "2018-11"),
    ("Grischuk, Alexander", 2810, "2014-12"),
]


def test_the_thirteen_peaks_over_2800(database: duckdb.DuckDBPyConnection) -> None:
    rows = database.execute(
        "select player_name, peak_rating, strftime(peak_list_date, '%Y-%m') from marts.top_player_peaks "
        "where rating_type = 'standard' order by peak_rank limit 13"
    ).fetchall()
    assert sorted(rows) == sorted(OVER_2800)
    assert [row[1] for row in rows] == [peak for _, peak, _ in OVER_2800]


def test_july_1971_has_the_official_twenty_with_ties(database: duckdb.DuckDBPyConnection) -> None:
    rows = database.execute(
        "select world_rank, player_name, rating from marts.player_history "
        "where list_date = date '1971-07-01' and world_rank <= 20 order by world_rank, player_name"
    ).fetchall()
    assert (rows[0][0], rows[0][2], rows[0][1]) == (1, 2760, "Fischer, Robert James")
    ratings = [rating for _, _, rating in rows]
    assert all(rank == 1 + sum(other > rating for other in ratings) for rank, _, rating in rows)
    assert len({rank for rank, *_ in rows}) < len(rows), "the list has ties"
    assert "Krogius, Nikolai V." in {name for _, name, rating in rows if rating == 2575}


def test_the_contradicting_text_is_unofficial_and_apart(database: duckdb.DuckDBPyConnection) -> None:
    stated = database.execute(
        "select distinct rating from catalogue.unofficial_lists where name like 'Fischer%' and not official"
    ).fetchall()
    assert (2720,) in stated
    assert database.execute(
        "select count(*) from staging.entries where list_date = date '1971-07-01' and rating = 2720"
    ).fetchone() == (0,)
    assert database.execute("select count(*) from staging.entries where not official").fetchone() == (0,)


def test_every_row_of_the_bundled_lists_is_there_with_its_rank_and_line(database: duckdb.DuckDBPyConnection) -> None:
    held = dict(
        database.execute(
            "select history.line_number, (list_date, printed_name, rating, world_rank) "
            "from marts.player_history as history join core.source_files using (source_key) "
            "where collection = 'bundled'"
        ).fetchall()
    )
    with ELITE.open() as file:
        printed = {
            line: (date.fromisoformat(row["list_date"]), row["name"], int(row["rating"]), int(row["rank"]))
            for line, row in enumerate(csv.DictReader(file), 2)
        }
    assert held == printed


def test_reigns_of_number_ones(database: duckdb.DuckDBPyConnection) -> None:
    reigns = database.execute(
        "select strftime(first_list_date, '%Y-%m'), player_names, is_shared from marts.number_ones "
        "where rating_type = 'standard' order by reign_number"
    ).fetchall()
    surnames = [(first, names.split(",")[0], shared) for first, names, shared in reigns]
    assert surnames == [
        ("1971-07", "Fischer", False),
        ("1976-01", "Karpov", False),
        ("1984-01", "Kasparov", False),
        ("1994-01", "Karpov", False),
        ("1995-01", "Kasparov", False),
        ("1996-01", "Kasparov", True),
        ("1996-07", "Kasparov", False),
        ("2006-04", "Topalov", False),
        ("2007-04", "Anand", False),
        ("2008-01", "Anand", True),
        ("2008-04", "Anand", False),
        ("2008-10", "Topalov", False),
        ("2010-01", "Carlsen", False),
        ("2010-11", "Anand", False),
        ("2011-01", "Carlsen", False),
        ("2011-03", "Anand", False),
        ("2011-07", "Carlsen", False),
    ]


def test_only_bands_a_top_list_covers_are_counted(database: duckdb.DuckDBPyConnection) -> None:
    rows = database.execute(
        "select band_label, player_count, population, basis from marts.rank_band_counts "
        "where list_date = date '2001-01-01' and band_system = 'hundreds' order by band_low"
    ).fetchall()
    with ELITE.open() as file:
        ratings = [int(row["rating"]) for row in csv.DictReader(file) if row["list_date"] == "2001-01-01"]
    assert min(ratings) == 2595, "so the band 2500-2599 is not covered"
    assert [(label, count, population) for label, count, population, _ in rows] == [
        ("2600-2699", sum(2600 <= rating < 2700 for rating in ratings), "active"),
        ("2700-2799", sum(2700 <= rating < 2800 for rating in ratings), "active"),
        ("2800+", sum(rating >= 2800 for rating in ratings), "active"),
    ]
    assert all("every active player from 2596 on" in basis for *_, basis in rows)


def test_every_table_view_and_column_has_a_comment(database: duckdb.DuckDBPyConnection) -> None:
    tables = database.execute(
        "select schema_name || '.' || table_name from duckdb_tables() where comment is null union all "
        "select schema_name || '.' || view_name from duckdb_views() where comment is null and not internal"
    ).fetchall()
    columns = database.execute(
        "select schema_name || '.' || table_name || '.' || column_name from duckdb_columns() "
        "where comment is null and not internal"
    ).fetchall()
    assert tables == []
    assert columns == []


def test_lines_add_up_for_every_file(database: duckdb.DuckDBPyConnection) -> None:
    assert (
        database.execute(
            "select file_name from core.source_files "
            "where lines_read <> lines_kept + lines_rejected + lines_without_entry"
        ).fetchall()
        == []
    )


def digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_building_again_does_nothing_and_building_anew_gives_equal_bytes(bundled: Settings, tmp_path: Path) -> None:
    from dashboards.site import build_site

    settings = copy_of(bundled, tmp_path / "data")
    version = settings.database.resolve()
    build_site(version, settings.site_dir)
    marts, site = digests(settings.marts_dir), digests(settings.site_dir)
    histories = {path.name: path.stat().st_ino for path in settings.site_dir.glob("data/players/closed-*")}
    assert any(name.endswith(".parquet") for name in marts)
    assert any(name.endswith(".csv") for name in marts)

    assert not publish(settings).published
    assert settings.database.resolve() == version

    assert publish(settings, force=True).published
    assert settings.database.resolve() != version
    build_site(settings.database.resolve(), settings.site_dir)
    assert digests(settings.marts_dir) == marts
    assert digests(settings.site_dir) == site
    assert histories
    taken_over = {path.name: path.stat().st_ino for path in settings.site_dir.glob("data/players/closed-*")}
    assert taken_over == histories, "of years before the newest complete list nothing is written again"


def test_marts_as_files_equal_the_published_tables(bundled: Settings) -> None:
    with read_only(bundled) as connection:
        for path in bundled.marts_dir.glob("*.parquet"):
            name = path.stem
            assert connection.execute(
                f"select count(*) from (from marts.{name} except all from read_parquet('{path}'))"
            ).fetchone() == (0,), name
            expected = connection.execute(f"select count(*) from marts.{name}").fetchone()
            assert connection.execute(f"select count(*) from read_parquet('{path}')").fetchone() == expected
            assert (
                connection.execute(
                    f"select count(*) from read_csv('{path.with_suffix('.csv')}', all_varchar = true, header = true)"
                ).fetchone()
                == expected
            )
