"""A documented table and its columns: what loaded tables, models and computed tables have in common."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Column:
    """A documented column."""

    name: str
    data_type: str
    description: str
    data_tests: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A documented table: schema, name, meaning, columns, and the columns that identify a row."""

    schema: str
    name: str
    description: str
    columns: tuple[Column, ...]
    grain: tuple[str, ...] = ()

    @property
    def qualified_name(self) -> str:
        """Name as SQL writes it."""
        return f"{self.schema}.{self.name}"

    @property
    def create_sql(self) -> str:
        """The empty table."""
        columns = ", ".join(f"{column.name} {column.data_type}" for column in self.columns)
        return f"create table {self.qualified_name} ({columns})"
