"""One module per family of file layouts: bytes in, a typed Polars frame, rejects and notes out.

Pure: no file or network access, no Dagster, no DuckDB. What a list *means* (which edition is current, what is
published) is decided in ``pipeline.lists``.
"""
