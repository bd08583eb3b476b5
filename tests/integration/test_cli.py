"""The command line: what it says, its exit codes, and that nothing wrong changes anything."""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from list_builder import Player, invented_players, text_of, zipped_list

from pipeline.cli import main, ratings
from pipeline.settings import Settings

MARCH = date(2025, 3, 1)


@dataclass
class Ran:
    """What a command said and how it ended."""

    returncode: int
    stdout: str
    stderr: str


def run(settings: Settings, *arguments: str, stdin: str | None = None) -> Ran:
    """Run ``ratings ARGUMENTS`` in this process, from its entry point on, as a shell would see it."""
    said, complained = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RATINGS_DATA", str(settings.data_dir))
        patch.setattr(sys, "argv", ["ratings", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((stdin or "").encode()), encoding="utf-8"))
        with redirect_stdout(said), redirect_stderr(complained), pytest.raises(SystemExit) as ended:
            main()
    code = ended.value.code
    texts = [stream.buffer.getvalue().decode() for stream in (said, complained)]  # type: ignore[attr-defined]
    return Ran(code if isinstance(code, int) else int(code is not None), *texts)


def test_a_process_of_its_own_says_the_same(bundled: Settings) -> None:
    for arguments in (("sql", "select 1 as one"), ("remove", "nothing", "--yes"), ("nonsense",)):
        process = subprocess.run(
            [sys.executable, "-m", "pipeline.cli", *arguments],
            env=os.environ | {"RATINGS_DATA": str(bundled.data_dir), "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            timeout=120,
        )
        here = run(bundled, *arguments)
        assert (process.returncode, process.stdout) == (here.returncode, here.stdout)
        assert process.stderr.splitlines()[-1:] == here.stderr.splitlines()[-1:]


def test_sql_in_every_format(bundled: Settings, tmp_path: Path) -> None:
    query = "select player_name, peak_rating from marts.top_player_peaks order by peak_rank limit 2"
    assert "Carlsen, Magnus" in run(bundled, "sql", query).stdout
    csv = run(bundled, "sql", query, "--format", "csv").stdout
    assert csv.splitlines() == ["player_name,peak_rating", '"Carlsen, Magnus",2882', '"Kasparov, Garry",2851']
    rows = json.loads(run(bundled, "sql", query, "--format", "json").stdout)
    assert rows[0] == {"player_name": "Carlsen, Magnus", "peak_rating": 2882}
    target = tmp_path / "peaks.parquet"
    assert run(bundled, "sql", query, "--format", "parquet", "--output", str(target)).returncode == 0
    assert pl.read_parquet(target)["peak_rating"].to_list() == [2882, 2851]
    assert "Kasparov" in run(bundled, "sql", stdin=query).stdout


def test_sql_cannot_change_anything_and_says_what_is_wrong(bundled: Settings) -> None:
    for query in ("create table x as select 1", "select nothing from marts.number_ones", "selec"):
        result = run(bundled, "sql", query)
        assert result.returncode == 1
        assert "Error" in result.stderr
        assert "Traceback" not in result.stderr


def test_csv_cannot_carry_a_formula(bundled: Settings) -> None:
    result = run(bundled, "sql", "select '=1+1' as a, 'plain' as b, [1, 2] as c, {'x': 1} as d", "--format", "csv")
    assert result.stdout.splitlines()[1] == "'=1+1,plain,\"1, 2\",{'x': 1}"


def test_docs_lists_tables_and_describes_one(bundled: Settings) -> None:
    listed = run(bundled, "docs").stdout
    assert "marts.number_ones" in listed
    assert "core.entries" in listed
    assert "main.top(n, as_of)\n    The first n" in listed
    described = run(bundled, "docs", "marts.number_ones").stdout
    assert "first_list_date date" in described.lower()
    assert run(bundled, "docs", "marts.nothing").returncode == 1


def test_status_and_verify(bundled: Settings) -> None:
    status = run(bundled, "status")
    assert status.returncode == 0, status.stderr
    assert "234" in status.stdout
    verified = run(bundled, "verify")
    assert verified.returncode == 0, verified.stderr
    assert "no fault found" in verified.stdout


def test_nothing_published_yet_is_said_plainly(tmp_path: Path) -> None:
    empty = Settings(data_dir=tmp_path)
    for arguments in (("sql", "select 1"), ("docs",), ("dashboards",)):
        result = run(empty, *arguments)
        assert result.returncode == 1
        assert "run: ratings build" in result.stderr
        assert "Traceback" not in result.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data")


def list_file(path: Path, players: list[Player]) -> Path:
    path.write_bytes(zipped_list(players, MARCH))
    return path


def test_add_refuses_what_it_cannot_read_and_keeps_the_rest(folder: Settings, tmp_path: Path) -> None:
    good = list_file(tmp_path / "standard_mar25frl.zip", invented_players(60))
    page = tmp_path / "standard_apr25frl.zip"
    page.write_text("<html><body>Service unavailable</body></html>")
    unknown = tmp_path / "notes.txt"
    unknown.write_text("dear diary\nnothing about chess\n")
    result = run(folder, "add", str(good), str(page), str(unknown))
    assert result.returncode == 1
    assert "60 entries" in result.stdout
    assert "not an archive but a web page" in result.stderr
    assert "dear diary" in result.stderr
    assert "2 of 3 file(s) refused" in result.stderr
    assert "Traceback" not in result.stderr
    assert len(list(folder.raw_dir.glob("*/*.json"))) == 1


@pytest.mark.parametrize("command", ["add", "survey"])
def test_what_is_no_regular_file_is_not_waited_for(folder: Settings, tmp_path: Path, command: str) -> None:
    pipe = tmp_path / "list.txt"
    os.mkfifo(pipe)
    assert "is not a regular file; save what it gives to a file first" in run(folder, command, str(pipe)).stderr
    assert "is not a regular file" in run(folder, command, str(tmp_path)).stderr
    assert "does not exist" in run(folder, command, str(tmp_path / "nothing")).stderr


def test_a_mapping_that_is_no_text_is_named(folder: Settings, tmp_path: Path) -> None:
    table, mapping = tmp_path / "table.csv", tmp_path / "mapping.toml"
    table.write_text("name,rating\n")
    mapping.write_bytes(b"\xe0\x00\xff")
    result = run(folder, "add", "--mapping", str(mapping), str(table))
    assert result.returncode == 1
    assert result.stderr.startswith(f"Error: {mapping}: a mapping is a TOML file in UTF-8")


def test_add_wants_to_know_which_list_it_is(folder: Settings, tmp_path: Path) -> None:
    nameless = tmp_path / "list.txt"
    nameless.write_bytes(text_of(invented_players(30), MARCH))
    assert "--rating-type" in run(folder, "add", str(nameless)).stderr
    assert run(folder, "add", str(nameless), "--rating-type", "rapid").stdout.startswith(
        "list.txt: fide rapid 2025-03, complete"
    )


def test_survey_reads_and_stores_nothing(folder: Settings, tmp_path: Path) -> None:
    good = list_file(tmp_path / "standard_mar25frl.zip", invented_players(60))
    result = run(folder, "survey", str(good))
    assert result.returncode == 0, result.stderr
    assert "fide_text_n2" in result.stdout
    assert not folder.raw_dir.exists()


def test_remove_takes_out_one_file(folder: Settings, tmp_path: Path) -> None:
    run(folder, "add", str(list_file(tmp_path / "standard_mar25frl.zip", invented_players(60))))
    (manifest,) = folder.raw_dir.glob("*/*.json")
    assert run(folder, "remove", "ffffffffffff").returncode == 1
    assert run(folder, "remove", manifest.stem[:12], "--yes").returncode == 0
    assert list(folder.raw_dir.glob("*/*")) == []


def test_a_build_says_which_files_it_went_without(
    folder: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(folder, "add", str(list_file(tmp_path / "standard_mar25frl.zip", invented_players(60))))
    monkeypatch.setattr("pipeline.assets.run.run_build", lambda settings, force: None)
    monkeypatch.setattr("pipeline.assets.run.up_to_date", lambda settings: False)
    shell = CliRunner(env={"RATINGS_DATA": str(folder.data_dir)})
    assert shell.invoke(ratings, ["build"]).exit_code == 0
    (raw,) = folder.raw_dir.glob("*/*.raw")
    raw.unlink()
    (summary,) = folder.lake_dir.glob("sources/*/summary.json")
    summary.unlink()
    result = shell.invoke(ratings, ["build"])
    assert result.exit_code == 3
    assert result.stderr.startswith("not read: standard_mar25frl.zip: its raw file ")
    assert f"ratings remove {raw.stem[:12]}" in result.stderr


def test_a_data_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    in_the_way = tmp_path / "data"
    in_the_way.write_text("a file, not a folder")
    result = run(Settings(data_dir=in_the_way), "build")
    assert result.returncode == 1
    assert result.stderr.startswith(f"Error: the data folder {in_the_way} cannot be written")


def test_errors_are_one_message(folder: Settings) -> None:
    result = run(folder, "remove", "nothing", "--yes")
    assert result.returncode == 1
    assert result.stderr.startswith("error: nothing:")
    assert run(folder, "nonsense").returncode == 2
