"""The data dictionary: every published table and column with its meaning, read from the comments in the database."""

from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb

from dashboards.page import Page

_SQL = """
with tables as (
    select schema_name, table_name, comment from duckdb_tables() where not internal
    union all
    select schema_name, view_name, comment from duckdb_views() where not internal
)
select c.schema_name || '.' || c.table_name, t.comment, c.column_name, lower(c.data_type), c.comment
from duckdb_columns() as c
inner join tables as t on c.schema_name = t.schema_name and c.table_name = t.table_name
where not c.internal
order by case c.schema_name when 'marts' then 0 when 'catalogue' then 1 else 2 end, 1, c.column_index
"""


def _context(connection: duckdb.DuckDBPyConnection, folder: Path, previous: Path) -> dict[str, Any]:
    rows = connection.execute(_SQL).fetchall()
    return {
        "tables": [
            {"name": name, "comment": comment or "", "columns": [row[2:] for row in columns]}
            for (name, comment), columns in groupby(rows, key=lambda row: row[:2])
        ]
    }


PAGE = Page(
    name="dictionary",
    section="Sources",
    label="Data dictionary",
    title="What does each table and column mean?",
    lead=(
        "The published database, table by table. Open the file with any DuckDB client and paste the SQL of any chart."
    ),
    template="dictionary.html.j2",
    context=_context,
)
