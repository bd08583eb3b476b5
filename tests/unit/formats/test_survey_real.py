"""The table of all real files equals the record that came with them, row for row; what is no list is refused."""

import csv
from pathlib import Path

import pytest

from pipeline.formats.mapping import load_mapping
from pipeline.formats.survey import survey

pytestmark = pytest.mark.shared

MAPPINGS = sorted((Path(__file__).parents[2] / "data/mappings").glob("*.toml"))

#: Files of the folders that no reader may take for a list, and why not.
NO_LIST = {
    "chessmetrics_2001-2004_top100.csv": "another rating system, 20 to 40 points above FIDE's",
    "federation_transfers_2000-2017.csv": "transfers of players, no ratings",
    "fide_codes_to_iso3.txt": "codes of federations",
    "fide_country_codes.csv": "codes of federations",
    "live2700_2023-03_2700_data.csv": "live ratings of a day; countries instead of federations, no ids",
    "names_cmcavity_substitutions.json": "spellings of names",
    "top100_1967-2024_rankings_subset.csv": "no header, numbers for list dates; the bundled history holds it",
}


@pytest.mark.parametrize("folder_name", ["fide", "historical"])
def test_counts_are_those_of_the_record(shared_dir: Path, folder_name: str) -> None:
    folder = shared_dir / "lists" / folder_name
    with (folder / "SOURCES.tsv").open(newline="", encoding="utf-8") as file:
        recorded = {row["file"]: int(row["rows"]) for row in csv.DictReader(file, delimiter="\t") if _is_list(row)}
    files = sorted(path for path in folder.iterdir() if path.name != "SOURCES.tsv")
    assert {path.name for path in files} == recorded.keys() | (NO_LIST.keys() & {path.name for path in files})
    mappings = [load_mapping(path.read_text(encoding="utf-8"), path.name) for path in MAPPINGS]
    # A mapping that names the columns itself fits every table with so many of them.
    mappings = [mapping for mapping in mappings if not mapping.header]
    found = {row["file"]: row for row in survey(files, mappings).iter_rows(named=True)}
    read = {name: (row["lines"], row["kept"], row["rejected"]) for name, row in found.items() if row["layout"]}
    assert read == {name: (rows, rows, 0) for name, rows in recorded.items()}
    for name in found.keys() - recorded.keys():
        assert found[name]["notes"].startswith(f"refused: {name}: no known layout fits")


def _is_list(row: dict[str, str]) -> bool:
    return row["file"] not in NO_LIST
