"""Text for Polars' CSV reader, which unpacks without being asked what begins like a compressed file.

A damaged or strange text can begin so too ("x" and one of three bytes are enough), and what is unpacked would pass by
the limits of ``archive.py``, the only place that unpacks.
"""

import io
from codecs import BOM_UTF8


def as_csv_text(data: bytes) -> io.BytesIO:
    """``data``, UTF-8, behind a byte order mark, which the reader leaves out and no compressed file begins with."""
    return io.BytesIO(data if data.startswith(BOM_UTF8) else BOM_UTF8 + data)
