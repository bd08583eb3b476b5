"""FIDE's own lists: every row read, counts as recorded, bytes written back, and no harm from damaged copies."""

import csv
import random
import time
from pathlib import Path

import polars as pl
import pytest

from pipeline.formats import fide_text
from pipeline.formats.archive import open_list
from pipeline.formats.file_names import list_of_file_name
from pipeline.formats.line_cutting import write_lines
from pipeline.formats.parsed import FormatError
from pipeline.formats.survey import survey

pytestmark = pytest.mark.shared

#: "layout N1" in the record of sources -> name of the layout here.
KNOWN = ("L1", "L2", "L3", "L4", "L5", "L6", "O1", "N1", "N2", "N3", "N4")


def sources(shared_dir: Path) -> list[dict[str, str]]:
    with (shared_dir / "lists" / "fide" / "SOURCES.tsv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def layout_of(row: dict[str, str]) -> str | None:
    return next((f"fide_text_{name.lower()}" for name in KNOWN if f"layout {name}" in row["format"]), None)


def text_lists(shared_dir: Path) -> list[Path]:
    return [shared_dir / "lists" / "fide" / row["file"] for row in sources(shared_dir) if layout_of(row)]


def content(path: Path) -> bytes:
    return open_list(path.read_bytes(), path.name)[0].read()


def test_rows_and_layouts_are_those_of_the_record(shared_dir: Path) -> None:
    rows = {row["file"]: row for row in sources(shared_dir) if layout_of(row)}
    table = survey(shared_dir / "lists" / "fide" / name for name in rows)
    assert table.height == 24
    for found in table.iter_rows(named=True):
        recorded = rows[found["file"]]
        assert found["layout"] == layout_of(recorded), found
        assert (found["lines"], found["kept"], found["rejected"]) == (int(recorded["rows"]),) * 2 + (0,), found


def test_header_month_and_file_name_agree(shared_dir: Path) -> None:
    for path in text_lists(shared_dir):
        month, _ = list_of_file_name(path.name)
        stated = fide_text.parse(content(path)).stated_month
        assert stated in (None, month), path.name


def test_known_oddities_are_noted(shared_dir: Path) -> None:
    """Counts of the documentation of the lists: duplicated ids, names not ASCII, birth years to come."""
    expected = {
        "jan02frl.zip": {"duplicate_fide_id": 1},
        "jan03frl.zip": {"duplicate_fide_id": 18},
        "apr03frl.zip": {"duplicate_fide_id": 13},
        "oct03frl.zip": {"duplicate_fide_id": 4},
        "blitz_mar13frl.zip": {"duplicate_fide_id": 6},
        "apr01frl.zip": {"birth_year_in_future": 11, "name_decoded_by_guess": 12},
        "jul02frl.zip": {"birth_year_in_future": 16},
        "blitz_jul14frl.zip": {"birth_year_damaged": 1},
    }
    for name, codes in expected.items():
        notes = fide_text.parse(content(shared_dir / "lists" / "fide" / name)).notes
        for code, players in codes.items():
            assert notes.filter(code=code)["fide_id"].n_unique() == players, (name, code)


def test_every_list_is_written_back_to_the_same_bytes(shared_dir: Path) -> None:
    """The lists of 2001-2004 and 2012-2014, and all others: no line differs, not even the damaged one of 2011."""
    for path in text_lists(shared_dir):
        data = content(path)
        printed, layout = fide_text.parse_printed(data)
        lines = [line.removesuffix(b"\r") for line in data.split(b"\n")]
        original = [lines[number - 1] for number in printed["line_number"]]
        assert write_lines(printed, layout) == original, path.name


#: Lines of which the entry says less than is printed: "*" for no federation, 0 games of unrated players.
SAYS_LESS = {("players_list_mar11_part1.txt", "federation"): 13, ("players_list_mar11_part1.txt", "games"): 11}


def test_entries_hold_what_is_printed(shared_dir: Path) -> None:
    """Id, name, federation, title, rating, games and flag of each entry stand in its line, byte for byte."""
    columns = {
        "fide_id": pl.col("fide_id").cast(pl.String),
        "name": pl.coalesce("printed_name", "name"),
        "federation": pl.col("federation"),
        "title": pl.col("printed_title"),
        "rating": pl.col("rating").cast(pl.String),
        "games": pl.col("games").cast(pl.String),
        "flag": pl.col("printed_flag"),
    }
    for path in text_lists(shared_dir):
        data = content(path)
        printed, layout = fide_text.parse_printed(data)
        if not layout.has("rating"):
            continue
        stated = fide_text.parse(data).entries.select("line_number", *(c.alias(name) for name, c in columns.items()))
        both = stated.join(printed, on="line_number", suffix=" printed", validate="1:1")
        assert both.height == printed.height == stated.height
        for name in columns:
            differ = both.filter(pl.col(name).fill_null("") != pl.col(f"{name} printed").str.strip_chars(" "))
            assert differ.height == SAYS_LESS.get((path.name, name), 0), (path.name, name, differ)


def damaged(lines: list[bytes], source: random.Random) -> tuple[list[bytes], set[int]]:
    """Spoil about one line in twenty; return the lines and the numbers of those that were not touched."""
    result, untouched = [], set()
    for line in lines:
        if source.random() > 0.05 or not line:
            untouched.add(len(result))
            result.append(line)
            continue
        place = source.randrange(len(line))
        letters = bytes(source.choice(b"0189 AZaz,.-\x00\x1a\x01\xe9\xa4+\t") for _ in range(source.randint(1, 3)))
        result.append(
            source.choice(
                [
                    line[:place] + letters + line[place + len(letters) :],
                    line[:place] + letters + line[place:],
                    line[:place] + line[place + len(letters) :],
                    line[:place],
                    letters * 200,
                    line + line,
                ]
            )
        )
    return result, untouched


@pytest.mark.parametrize("seed", range(5))
def test_damaged_copies_lose_no_row_and_spoil_no_other(shared_dir: Path, seed: int) -> None:
    source = random.Random(seed)
    for path in text_lists(shared_dir):
        first, *others = [line.removesuffix(b"\r") for line in content(path).rstrip(b"\x1a").split(b"\n")]
        lines = [*others[:60], *source.sample(others, min(len(others), 400))]
        original = fide_text.parse(b"\n".join([first, *lines]))
        spoilt, untouched = damaged(lines, source)
        started = time.process_time()
        parsed = fide_text.parse(b"\n".join([first, *spoilt]))
        assert time.process_time() - started < 10
        players = [line for line in spoilt if line.strip(b" \t\x00\x1a")]
        no_header = original.entries["line_number"].min() == 1
        assert parsed.lines_read == len(players) + no_header, path.name
        assert parsed.entries["line_number"].n_unique() + parsed.rejects.height == parsed.lines_read
        same = pl.col("line_number").is_in([number + 2 for number in untouched])
        order = ["line_number", "rating_type"]
        here, there = (p.entries.filter(same).sort(order).drop("sex") for p in (parsed, original))
        assert here.equals(there), path.name


def test_hostile_files_end_soon(shared_dir: Path) -> None:
    data = content(shared_dir / "lists" / "fide" / "rapid_oct12frl.zip")
    shifted = b"\r\n".join(line[:70] + b" x" + line[70:] for line in data.split(b"\r\n"))
    hostile = [
        data + b"y" * 20_000_000,
        data + b"1\r\n" * 200_000,
        b"\r" * 1_000_000 + data,
        data.replace(b" ", b"\t"),
        shifted * 10,
        data.replace(b"\r\n", b""),
    ]
    for attack in hostile:
        started = time.process_time()
        try:
            parsed = fide_text.parse(attack)
        except FormatError:
            pass
        else:
            assert parsed.entries["line_number"].n_unique() + parsed.rejects.height == parsed.lines_read
        assert time.process_time() - started < 30
