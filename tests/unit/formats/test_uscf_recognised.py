"""US Chess files are recognised among all readers, plain or zipped, and by one reader only."""

import contextlib
import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from us_member_files import CROSSTABLE, GOLDEN, MEMBERS, PAGE, TSV, dbase

from pipeline.formats import uscf
from pipeline.formats.parsed import FormatError
from pipeline.formats.recognise import READERS, read_list

SHARED = (
    ("lists/uscf/api_member_sample.json", "uscf_api"),
    ("lists/uscf/msa_member_12910923.html", "uscf_member_page"),
    ("lists/uscf/crosstable_tournamentinfo.txt", "uscf_crosstable"),
    ("cases/13_us_members_file/us_members_2016-06.csv", "uscf_csv_members"),
)
#: Files about US players that are no rating list of any publisher.
OTHERS = (
    "alto2024_entries.csv",
    "api_v1_swagger.json",
    "chessgoals_2024-03.csv",
    "dojo_cohorts_2024-09.csv",
    "fide_usa_2025-02-14.json",
    "pairs_alto2024.csv",
    "pairs_dojo_2024-09_digitised.csv",
    "pairs_titled_2025.csv",
    "pairs_top_2008-04.csv",
    "published_conversions.tsv",
)


def zipped(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("_", "."), data)
    return buffer.getvalue()


def claiming(data: bytes) -> list[str]:
    return [reader.name for reader in READERS if reader.sniff(data[:65536], "file")]


def test_director_file_in_a_zip_with_its_index() -> None:
    table = dbase(GOLDEN, MEMBERS, "cp437", 1)
    data = zipped(TARATSUP_DBF=table, TARATSUP_NDX=b"\x01\x00\x00\x00" + bytes(508))
    assert read_list(data, "golden.zip").layout == "uscf_dbase_members"
    assert uscf.members(data, "golden.zip").height == 4


def test_tab_separated_golden_database() -> None:
    assert claiming(TSV.encode()) == ["uscf_members"]
    assert uscf.members(TSV.encode(), "golden.txt").height == 3


def test_other_publishers_state_no_member_facts() -> None:
    assert uscf.members(b"something else\n", "x.txt").height == 0


API_LINES = (
    b'{"member":{"id":"19900001","lastName":"A","ratings":[{"rating":1500,"ratingSystem":"R"}]},'
    b'"retrieved":"2026-01-02"}\n{"member_id":"19900001","supplements":[{"ratingSupplementDate":"2024-02-01",'
    b'"ratings":[{"source":"R","rating":1490}]}]}\n'
)
SEEDS = (dbase(GOLDEN, MEMBERS, "cp437", 1), TSV.encode(), API_LINES, PAGE.encode(), CROSSTABLE.encode())


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(
    reader=st.integers(0, 4),
    seed=st.sampled_from(SEEDS),
    cuts=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), st.binary(max_size=6)), max_size=4),
)
def test_damaged_files_are_refused_and_never_crash(
    reader: int, seed: bytes, cuts: list[tuple[float, int, bytes]]
) -> None:
    for place, length, inserted in cuts:
        start = int(place * len(seed))
        seed = seed[:start] + inserted + seed[start + length :]
    for one in uscf.READERS:
        one.sniff(seed, "file")
    with contextlib.suppress(FormatError):
        uscf.READERS[reader].parse(seed)


@pytest.mark.shared
@pytest.mark.parametrize(("name", "layout"), SHARED)
def test_real_files(shared_dir: Path, name: str, layout: str) -> None:
    data = (shared_dir / name).read_bytes()
    assert len(claiming(data)) == 1
    assert read_list(data, Path(name).name).layout == layout


@pytest.mark.shared
@pytest.mark.parametrize("name", OTHERS)
def test_files_that_are_no_list_are_claimed_by_no_us_reader(shared_dir: Path, name: str) -> None:
    head = (shared_dir / "lists/uscf" / name).read_bytes()[:65536]
    assert not [reader.name for reader in uscf.READERS if reader.sniff(head, name)]
