"""Facts as reviewed data files (``data/*.csv``), loaded and validated by typed functions. No network, no DuckDB."""
