"""Raw files, editions and current lists: the immutable raw store and the lake of Parquet files. No DuckDB."""
