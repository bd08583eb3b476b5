"""DuckDB: loading the core tables, running the SQL models and their checks, publishing atomically."""
