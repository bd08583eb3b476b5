"""Facts as reviewed data files (``data/*.csv``), loaded and validated. No network, no DuckDB."""
