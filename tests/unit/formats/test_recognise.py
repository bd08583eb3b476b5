"""From a file to its reader: which member is read, and what is said when nothing fits."""

import io
import zipfile
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from fide_lines import LAYOUTS

from pipeline.formats.archive import ArchiveError
from pipeline.formats.mapping import load_mapping
from pipeline.formats.parsed import FormatError, ParsedFile, UnknownLayoutError
from pipeline.formats.reader import HEAD_BYTES, Reader
from pipeline.formats.recognise import read_list
from pipeline.formats.survey import SURVEY_SCHEMA, survey

N1 = LAYOUTS["fide_text_n1"]
PLAYERS = [
    {"fide_id": str(9_900_000 + n), "name": f"Invented, {n}", "federation": "NOR", "rating": "1800"} for n in range(5)
]
LIST = N1.file(PLAYERS)


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        LIST,
        zipped(list=LIST),
        zipped(readme=b"Read me first.\r\n", list=LIST, picture=bytes(range(256))),
        zipped(inner=zipped(list=LIST)),
    ],
)
def test_the_member_that_is_a_list_is_read(data: bytes) -> None:
    parsed = read_list(data, "sep12.zip")
    assert (parsed.layout, parsed.entries.height, parsed.stated_month) == ("fide_text_n1", 5, date(2012, 9, 1))


def test_several_lists_in_one_archive_are_refused_by_name() -> None:
    with pytest.raises(FormatError, match=r"2 members are lists \('one', 'two'\); add them one by one"):
        read_list(zipped(one=LIST, two=LIST), "both.zip")


def test_an_unknown_layout_is_refused_with_its_first_lines_made_printable() -> None:
    with pytest.raises(UnknownLayoutError) as error:
        read_list(b"Rank;Player\x07;Elo\r\n" + b"1;" + b"x" * 500 + b"\r\n", "mine.csv")
    said = str(error.value)
    assert said.startswith("mine.csv: no known layout fits. Known: fide_text, ")
    assert "  | Rank;Player?;Elo\n  | 1;xxx" in said
    assert "--mapping" in said
    assert max(len(line) for line in said.splitlines()[1:]) < 140


def test_a_header_without_players_is_refused() -> None:
    with pytest.raises(FormatError, match="a list without players"):
        read_list(N1.file([]), "empty.txt")


def test_messages_name_the_file_once() -> None:
    with pytest.raises(ArchiveError) as error:
        read_list(zipped(list=LIST)[:-30], "cut.zip")
    assert str(error.value).count("cut.zip") == 1
    with pytest.raises(FormatError) as damaged:
        read_list(N1.file(PLAYERS * 20) + b"rubbish\r\n" * 150, "bad.txt")
    assert str(damaged.value).startswith("bad.txt: 150 of 250 lines are damaged (line 102: ")


def test_readers_are_asked_in_order_and_see_the_beginning_only() -> None:
    seen: list[tuple[str, int]] = []

    def sniff(name: str, answer: bool) -> Reader:
        def asked(head: bytes, file_name: str) -> bool:
            seen.append((f"{name} {file_name}", len(head)))
            return answer

        return Reader(
            name,
            asked,
            lambda data: ParsedFile(
                name, "fide", "fide", pl.DataFrame({"line_number": range(1, len(data) + 1)}), len(data)
            ),
        )

    parsed = read_list(b"x" * (HEAD_BYTES + 10), "a.txt", readers=(sniff("first", False), sniff("second", True)))
    assert (parsed.layout, parsed.lines_read) == ("second", HEAD_BYTES + 10)
    assert seen == [("first a.txt", HEAD_BYTES), ("second a.txt", HEAD_BYTES)]


def test_a_file_of_which_no_line_can_be_kept_is_refused() -> None:
    rejects = pl.DataFrame({"line_number": [1], "reason": ["expected a player, found none"], "line_text": ["x"]})
    reader = Reader(
        "picky",
        lambda *_: True,
        lambda _: ParsedFile("picky", "fide", "fide", pl.DataFrame(schema={"line_number": pl.Int32}), 1, rejects),
    )
    with pytest.raises(
        FormatError, match=r"none of its 1 lines could be read as picky \(expected a player, found none\)"
    ):
        read_list(b"x", "x.txt", readers=(reader,))


def test_survey_gives_one_row_a_file(tmp_path: Path) -> None:
    (tmp_path / "sep12.zip").write_bytes(zipped(list=LIST + b"9900009        cut off"))
    (tmp_path / "other.txt").write_text("nothing of ours\n")
    table = survey([*sorted(tmp_path.iterdir()), tmp_path / "absent.txt"])
    assert dict(table.schema) == SURVEY_SCHEMA
    assert table.rows()[1] == ("sep12.zip", "fide_text_n1", 6, 5, 1, 5, "")
    refused = table["notes"].to_list()
    assert refused[0].startswith("refused: other.txt: no known layout fits")
    assert refused[2].startswith("refused: ")
    assert "absent.txt" in refused[2]


def test_survey_reads_other_tables_with_the_first_mapping_that_fits(tmp_path: Path) -> None:
    head = 'publisher="fide"\nformat="csv"\n'
    first = f'{head}collection="one"\n[columns]\nname="Who"\nrating="Elo"'
    second = f'{head}collection="two"\n[columns]\nname="Name"\nrating="Rtng"'
    (tmp_path / "own.csv").write_text("Name,Rtng\nInvented Ash,2000\n")
    table = survey([tmp_path / "own.csv"], [load_mapping(first, "1.toml"), load_mapping(second, "2.toml")])
    assert table.rows() == [("own.csv", "mapping_two", 1, 1, 0, 1, "")]
