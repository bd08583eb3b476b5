"""Tables that Python computes where SQL cannot well: the registry, in any order.

A computed table takes part in the build like a SQL model: it is described by ``dbt_like_sql/computed/<name>.yml``
(dbt's keys: columns, types, tests), built after the relations it reads, tested, and skipped where one of those
failed. Here are only the queries that fetch the input and the names; the statistics are pure functions on frames
in ``pipeline.analytics``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import duckdb
import polars as pl

from pipeline.analytics.truncated_fit import fit_truncated_normals

SCHEMA: Final = "intermediate"


@dataclass(frozen=True, slots=True)
class ComputedTable:
    """A table of schema ``intermediate`` made by a function.

    Attributes:
        name: table name; ``dbt_like_sql/computed/<name>.yml`` describes it.
        reads: qualified names of the tables and models that ``compute`` reads.
        compute: gives the rows, columns named and ordered as described; must not write to the database.
    """

    name: str
    reads: frozenset[str]
    compute: Callable[[duckdb.DuckDBPyConnection], pl.DataFrame]

    @property
    def origin(self) -> str:
        """The function, for people who read the lineage."""
        return f"{self.compute.__module__}.{self.compute.__qualname__}"


def reading(query: str, function: Callable[[pl.DataFrame], pl.DataFrame]) -> Callable[..., pl.DataFrame]:
    """Make a pure function on a frame a function on the database: it gets the rows of ``query``."""

    def compute(connection: duckdb.DuckDBPyConnection) -> pl.DataFrame:
        return function(connection.sql(query).pl())

    compute.__module__, compute.__qualname__ = function.__module__, function.__qualname__
    return compute


_COUNTS_ABOVE_FLOOR: Final = """
    select counts.list_key, populations.population, floors.list_floor::integer as cut, counts.rating::integer as rating,
        sum(counts.player_count)::integer as player_count
    from intermediate.rating_counts as counts
    inner join intermediate.list_floors as floors on floors.list_key = counts.list_key
    inner join core.lists as lists on lists.list_key = counts.list_key
    inner join (values ('all'), ('active')) as populations (population)
        on populations.population = 'all' or (counts.active and lists.activity_basis = 'flag')
    group by all
"""

COMPUTED: Final[tuple[ComputedTable, ...]] = (
    ComputedTable(
        "truncated_fits",
        reads=frozenset({"intermediate.rating_counts", "intermediate.list_floors", "core.lists"}),
        compute=reading(_COUNTS_ABOVE_FLOOR, fit_truncated_normals),
    ),
)
