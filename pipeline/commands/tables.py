"""Frames as text for the terminal."""

import sys

import polars as pl


def as_text(frame: pl.DataFrame, rows: int) -> str:
    """The first ``rows`` rows as a table; piped output is as wide as it needs, a terminal's fits."""
    with pl.Config(
        tbl_rows=rows,
        tbl_cols=-1,
        tbl_width_chars=-1 if not sys.stdout.isatty() else 200,
        fmt_str_lengths=120,
        tbl_hide_column_data_types=True,
        tbl_hide_dataframe_shape=True,
        tbl_formatting="UTF8_FULL_CONDENSED",
    ):
        return str(frame.head(rows))
