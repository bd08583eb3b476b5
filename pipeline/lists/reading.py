"""Reading a source file as the lake needs it: in blocks, with a mapping, and the register of persons beside it."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from pipeline.formats import scid, scid_people
from pipeline.formats.archive import open_list
from pipeline.formats.mapped_table import parse_mapped
from pipeline.formats.mapping import load_mapping
from pipeline.formats.parsed import ParsedFile
from pipeline.formats.reader import HEAD_BYTES
from pipeline.formats.recognise import read_list_blocks


def read_blocks(content: bytes, file_name: str, mapping: str | None = None) -> Iterator[ParsedFile]:
    """The content of a file, in one piece or, where it is large and its layout allows, some players at a time.

    Args:
        mapping: text of a column mapping, for tables of no known layout.

    Raises:
        FormatError: the file cannot be accepted; blocks that came before must be thrown away.
    """
    if mapping is not None:
        for member in open_list(content, file_name):
            yield parse_mapped(member.read(), load_mapping(mapping, f"mapping of {file_name}"))
    else:
        yield from read_list_blocks(content, file_name)


def read_register(content: bytes, file_name: str) -> pl.DataFrame | None:
    """Persons and their other spellings, where the file describes persons beside its ratings (Scid's does).

    Returns:
        One row per person and spelling: ``name``, ``fide_id``, ``federation``, ``birth_year`` (as its entries
        state them), ``federations`` (all, joined by "/"), ``death_year``, ``alternative_name``.
    """
    if not scid.sniff(content[:HEAD_BYTES], file_name):
        return None
    others = scid_people.spellings(content).filter(kind="alternative").select("line_number", "alternative_name")
    return (
        scid_people.people(content)
        .join(others, on="line_number", how="left", maintain_order="left")
        .select("name", "fide_id", "federation", "birth_year", "federations", "death_year", "alternative_name")
    )


def bundled_history() -> Path:
    """The bundled lists: the top of every official standard list since 1971."""
    return Path(__file__).resolve().parent.parent / "catalogue" / "data" / "elite_history.csv"
