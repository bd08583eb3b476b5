"""How fast and in how much memory the large collections are read: Scid's file, and XML beside text.

Every run is a process of its own; text and XML of the same invented list (the collection's ``tools/gen_lists.py``)
take turns and the medians of their processor times are compared, since other work on the machine moves the clock.
"""

import json
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.benchmark_run, pytest.mark.slow]

ROOT = Path(__file__).resolve().parent.parent.parent
#: As many players as the combined list of October 2026 had, whose XML took 856 MB.
PLAYERS = 1_920_000
TURNS = 3

CHILD = """
import json, resource, sys, time
from pathlib import Path
import polars as pl
from pipeline.formats import fide_text, fide_xml, scid
from pipeline.formats.recognise import read_list
path = Path(sys.argv[1])
data = path.read_bytes() if {in_memory} else b""
wall, cpu = time.perf_counter(), time.process_time()
{job}
cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps(dict(rows=rows, cpu=cpu, wall=wall, peak=peak)))
"""
READ_ZIP = "rows = read_list(data, path.name).lines_read"
READ_XML = "rows = fide_xml.parse_stream(path.open('rb')).lines_read"
READ_XML_BLOCKS = "rows = sum(part.lines_read for part in fide_xml.parse_blocks(path.open('rb')))"
SCID_TO_PARQUET = """
rows = 0
for number, part in enumerate(scid.parse_blocks(path)):
    part.entries.write_parquet(f"{sys.argv[2]}/{number}.parquet")
    rows += part.entries.height
"""


def run(job: str, *arguments: Path, in_memory: bool = False) -> dict[str, float]:
    script = CHILD.replace("{job}", job).replace("{in_memory}", str(in_memory))
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    result: dict[str, float] = json.loads(done.stdout)
    return result


def show(what: str, result: dict[str, float]) -> None:
    print(
        f"\n| {what} | {result['rows']:,.0f} | {result['cpu']:.1f} | {result['wall']:.1f} | {result['peak']:.0f} |",
        end="",
    )


@pytest.fixture(scope="module")
def big_lists(shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("big")
    tool = shared_dir / "tools" / "gen_lists.py"
    command = [sys.executable, str(tool), "snapshot", "--players", str(PLAYERS), "--out", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.mark.scid
def test_scid_file_to_parquet(scid_file: Path, tmp_path: Path) -> None:
    result = run(SCID_TO_PARQUET, scid_file, tmp_path)
    show("Scid's file to Parquet", result)
    assert result["rows"] > 23_000_000
    assert result["wall"] <= 25
    assert result["peak"] < 1000


@pytest.mark.shared
def test_xml_against_text(big_lists: Path) -> None:
    paths = {"text": big_lists / "players_list_foa.zip", "XML": big_lists / "players_list_foa_xml.zip"}
    runs: dict[str, list[dict[str, float]]] = {kind: [] for kind in paths}
    for _ in range(TURNS):
        for kind, path in paths.items():
            runs[kind].append(run(READ_ZIP, path, in_memory=True))
    medians = {}
    for kind, results in runs.items():
        medians[kind] = {name: statistics.median(result[name] for result in results) for name in results[0]}
        show(f"zipped {kind}", medians[kind])
    ratio = medians["XML"]["cpu"] / medians["text"]["cpu"]
    print(f"\nXML / text: {ratio:.2f}")
    assert medians["XML"]["rows"] == medians["text"]["rows"]
    assert ratio <= 3


@pytest.mark.shared
@pytest.mark.parametrize(("job", "limit"), [(READ_XML, 1000), (READ_XML_BLOCKS, 400)], ids=["whole", "blocks"])
def test_memory_of_a_large_xml_list(big_lists: Path, job: str, limit: float) -> None:
    path = big_lists / "players_list_foa_xml.xml"
    result = run(job, path)
    show(f"XML of {path.stat().st_size / 1e6:.0f} MB", result)
    assert result["peak"] < limit
