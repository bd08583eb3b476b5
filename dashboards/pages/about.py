"""About: how to read the pages, where the lists come from, licence, how to cite. The words are in the template."""

from pathlib import Path
from typing import Any

import duckdb

from dashboards.page import Page

_SOURCES_SQL = """
select collection, count(*)::integer, min(list_date), max(list_date)
from marts.list_coverage
where held
group by collection
order by collection
"""


def _context(connection: duckdb.DuckDBPyConnection, folder: Path, previous: Path) -> dict[str, Any]:
    try:
        return {"collections": connection.execute(_SOURCES_SQL).fetchall()}
    except duckdb.CatalogException:
        return {"collections": []}


PAGE = Page(
    name="about",
    section="Sources",
    label="About",
    title="Where do the numbers come from?",
    lead="Definitions that hold on every page, the sources, and how to cite.",
    template="about.html.j2",
    context=_context,
)
