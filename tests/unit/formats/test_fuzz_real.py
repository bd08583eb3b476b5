"""Damaged copies of every real file of the collections: refused, or read with every line accounted for, and soon.

FIDE's text lists have a stricter test of their own (``test_fide_text_real``).
"""

import random
import time
from pathlib import Path

import polars as pl
import pytest

from pipeline.formats.parsed import FormatError
from pipeline.formats.recognise import read_list

pytestmark = pytest.mark.shared

BYTES = b"0189 AZaz,.-<>&;%\x00\x1a\xe9\xa0\x85\t"


def real_files(shared_dir: Path) -> list[Path]:
    lists = shared_dir / "lists"
    return [
        *sorted((lists / "historical").glob("weeks_*.txt")),
        *sorted((lists / "historical").glob("toparc_*.txt"))[::10],
        lists / "fide" / "scid_ratings0421_excerpt.ssp",
        lists / "fide" / "standard_xml_excerpt.xml",
    ]


def damaged(line: bytes, source: random.Random) -> bytes:
    place = source.randrange(len(line) + 1)
    letters = bytes(source.choice(BYTES) for _ in range(source.randint(1, 4)))
    return source.choice(
        [
            line[:place] + letters + line[place + len(letters) :],
            line[:place] + letters + line[place:],
            line[:place] + line[place + len(letters) :],
            line[:place],
            line + line,
            letters * 500,
        ]
    )


@pytest.mark.parametrize("seed", range(3))
def test_damage_is_refused_or_accounted_for(shared_dir: Path, seed: int) -> None:
    source = random.Random(seed)
    read = 0
    for path in real_files(shared_dir):
        lines = path.read_bytes().split(b"\n")[:500]
        spoilt = [damaged(line, source) if source.random() < 0.05 else line for line in lines]
        started = time.process_time()
        try:
            parsed = read_list(b"\n".join(spoilt), path.name)
        except FormatError:
            continue
        finally:
            assert time.process_time() - started < 10, path.name
        read += 1
        kept = parsed.entries["line_number"].n_unique()
        assert kept + parsed.rejects.height + parsed.lines_without_entry == parsed.lines_read, path.name
        assert parsed.entries["rating"].drop_nulls().is_between(1, 3999).all(), path.name
        assert parsed.entries["line_number"].max() <= len(b"\n".join(spoilt).splitlines()), path.name  # type: ignore[operator]
    assert read >= 15


def test_untouched_lines_of_the_text_collection_read_the_same(shared_dir: Path) -> None:
    source = random.Random(7)
    for path in sorted((shared_dir / "lists" / "historical").glob("weeks_*.txt")):
        head, lines = (part := path.read_bytes().split(b"\n"))[:5], part[5:400]
        touched = {number for number in range(len(lines)) if source.random() < 0.05}
        spoilt = [damaged(line, source).replace(b"\n", b"") if n in touched else line for n, line in enumerate(lines)]
        original, parsed = (read_list(b"\n".join([*head, *part]), path.name) for part in (lines, spoilt))
        same = ~pl.col("line_number").is_in([number + 6 for number in touched])
        assert parsed.entries.filter(same).equals(original.entries.filter(same)), path.name
