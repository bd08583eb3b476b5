"""Parts of lists come back whole and in order, from memory and from disk; reading in blocks changes no edition."""

from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline.domain.list_key import ListKey
from pipeline.formats import fide_xml, recognise
from pipeline.formats.parsed import FormatError
from pipeline.formats.recognise import read_list, read_list_blocks
from pipeline.lists import editions
from pipeline.lists.editions import write_editions
from pipeline.lists.lake import Lake
from pipeline.lists.list_parts import ListParts
from pipeline.lists.raw_store import SourceFile

ONE, TWO = ListKey("fide", "standard", date(2001, 1, 1)), ListKey("fide", "rapid", date(2014, 1, 1))


def frame(*numbers: int) -> pl.DataFrame:
    return pl.DataFrame({"line_number": numbers, "name": [f"Invented {number}" for number in numbers]})


@pytest.mark.parametrize("most_rows", [0, 3, 100])
def test_parts_come_back_in_the_order_of_the_file(most_rows: int) -> None:
    with ListParts(most_rows) as parts:
        parts.add([(TWO, frame(1, 2)), (ONE, frame(1))])
        parts.add([(TWO, frame(3))])
        parts.add([(ONE, frame(4, 5)), (TWO, frame(5))])
        assert parts.lists() == sorted([ONE, TWO])
        assert_frame_equal(parts.take(ONE), frame(1, 4, 5))
        assert_frame_equal(parts.take(TWO), frame(1, 2, 3, 5))
        assert parts.lists() == []


def players_xml(players: int, end: bytes = b"</playerslist>") -> bytes:
    player = (
        "<player><fideid>{0}</fideid><name>Ash, Ida {0}</name><country>XXA</country><rating>{1}</rating>"
        "<rapid_rating>{2}</rapid_rating><news>x</news><flag></flag></player>\n"
    )
    lines = (player.format(9_900_000 + number, 1500 + number % 900, number % 2 * 1600) for number in range(players))
    return b"<playerslist>\n" + "".join(lines).encode() + end


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read XML 20 kB at a time, and keep 100 rows in memory."""
    blocks = fide_xml.parse_blocks
    reader = next(reader for reader in recognise.READERS if reader.name == "fide_xml")
    monkeypatch.setattr(editions, "ListParts", partial(ListParts, 100))
    monkeypatch.setattr(
        recognise,
        "READERS",
        (type(reader)("fide_xml", reader.sniff, reader.parse, parse_blocks=lambda stream: blocks(stream, 20_000)),),
    )


def test_a_list_in_blocks_is_the_same_list(tmp_path: Path, small_blocks: None) -> None:
    data = players_xml(1000)
    source = SourceFile(
        "a", "players.xml", "fide", "test", datetime(2026, 1, 1, tzinfo=UTC), len(data), list_date=date(2014, 1, 1)
    )
    whole, blockwise = Lake(tmp_path / "whole"), Lake(tmp_path / "blocks")
    parts = list(read_list_blocks(data, "players.xml", readers=recognise.READERS, large=1))
    assert len(parts) > 5
    expected = write_editions(source, [read_list(data, "players.xml")], whole)
    summary = write_editions(source, parts, blockwise)
    assert summary.editions == expected.editions
    assert summary.lines_read == expected.lines_read == 1000
    for edition in expected.editions:
        paths = [lake.edition_path(edition.key, "a") for lake in (whole, blockwise)]
        assert_frame_equal(*(pl.read_parquet(path) for path in paths))
    notes = pl.concat(part.notes for part in parts)
    assert notes.filter(code="unknown_element")["detail"].to_list() == ["<news> is not read"]


def test_a_list_cut_off_at_its_end_leaves_nothing(tmp_path: Path, small_blocks: None) -> None:
    data = players_xml(1000, end=b"<player><fideid>1")
    source = SourceFile("a", "players.xml", "fide", "test", datetime(2026, 1, 1, tzinfo=UTC), len(data))
    blocks = read_list_blocks(data, "players.xml", readers=recognise.READERS, large=1)
    with pytest.raises(FormatError, match=r"^players\.xml: "):
        write_editions(source, blocks, Lake(tmp_path))
    assert list(tmp_path.iterdir()) == []
