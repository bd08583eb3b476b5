"""Text that begins like a compressed file is text all the same."""

import gzip
import zlib

import polars as pl
import pytest

from pipeline.formats.csv_text import as_csv_text
from pipeline.formats.line_cutting import split_lines


@pytest.mark.parametrize("data", [zlib.compress(b"a\nb\n"), gzip.compress(b"a\nb\n")])
def test_nothing_is_unpacked(data: bytes) -> None:
    table = pl.read_csv(as_csv_text(data), has_header=False, encoding="utf8-lossy", ignore_errors=True)
    assert table.rows() != [("a",), ("b",)]


def test_a_mark_of_the_text_itself_stays_one() -> None:
    assert pl.read_csv(as_csv_text("\ufeffName\nInventedov\n".encode())).columns == ["Name"]


def test_lines_may_begin_like_a_compressed_file() -> None:
    lines = split_lines(b"x\x01 Inventedov\nsecond\n", 1)
    assert lines.table["text"].to_list() == ["x\x01 Inventedov", "second"]
