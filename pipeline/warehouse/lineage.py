"""Which columns of other tables each column of a model is made from, read from the SQL (sqlglot).

The result is kept in a file and computed again only when a model changes.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from sqlglot import exp, parse_one
from sqlglot.optimizer import Scope, build_scope
from sqlglot.optimizer.qualify import qualify

from pipeline.lists.files import write_bytes_atomically
from pipeline.warehouse.models import Model, Project

#: Qualified table and column.
Source = tuple[str, str]
#: Model -> column -> what it is made from, sorted.
Lineage = dict[str, dict[str, list[Source]]]


def column_lineage(project: Project, cache: Path) -> Lineage:
    """Lineage of every column of every SQL model; columns that nothing is read for (``count(*)``) have none."""
    digest = hashlib.sha256("\0".join(model.sql for model in project.models).encode()).hexdigest()
    if cache.is_file() and (kept := json.loads(cache.read_text()))["digest"] == digest:
        return {
            model: {column: [(table, name) for table, name in sources] for column, sources in columns.items()}
            for model, columns in kept["lineage"].items()
        }
    found = {model.qualified_name: _of_model(model, _schema(project)) for model in project.models if not model.computed}
    write_bytes_atomically(cache, json.dumps({"digest": digest, "lineage": found}).encode())
    return found


def _schema(project: Project) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for table in (*project.loaded, *(model.table for model in project.models)):
        schema.setdefault(table.schema, {})[table.name] = {column.name: column.data_type for column in table.columns}
    return schema


def _of_model(model: Model, schema: dict[str, Any]) -> dict[str, list[Source]]:
    query = qualify(
        parse_one(model.sql, read="duckdb"), schema=schema, dialect="duckdb", validate_qualify_columns=False
    )
    scope = build_scope(query)
    assert scope is not None, "a model is a SELECT"
    made = dict(_Outputs().of(scope))
    # A table that adds to itself comes from what it adds.
    return {
        column.name: sorted(source for source in made[column.name] if source[0] != model.qualified_name)
        for column in model.table.columns
        if column.name in made
    }


class _Outputs:
    """What the columns of each query inside a query are made from; each query is looked at once."""

    def __init__(self) -> None:
        self._known: dict[int, list[tuple[str, set[Source]]]] = {}

    def of(self, scope: Scope) -> list[tuple[str, set[Source]]]:
        """Columns of the query in order: name, and the columns of tables that its expression reads."""
        if id(scope) not in self._known:
            self._known[id(scope)] = self._union(scope) if scope.set_operation_scopes else self._select(scope)
        return self._known[id(scope)]

    def _union(self, scope: Scope) -> list[tuple[str, set[Source]]]:
        """Columns of a union meet by place and have the names of its first part."""
        first, *others = (self.of(part) for part in scope.set_operation_scopes)
        return [
            (name, sources.union(*(other[place][1] for other in others))) for place, (name, sources) in enumerate(first)
        ]

    def _select(self, scope: Scope) -> list[tuple[str, set[Source]]]:
        assert isinstance(scope.expression, exp.Query | exp.UDTF)
        within = {id(inner.expression): inner for inner in scope.subquery_scopes}
        found = []
        for projection in scope.expression.selects:
            sources: set[Source] = set()
            for node in projection.walk(prune=lambda node: id(node) in within):
                if isinstance(node, exp.Column):
                    sources |= self._read(scope, node)
                elif id(node) in within:
                    sources = sources.union(*(read for _, read in self.of(within[id(node)])))
            found.append((projection.alias_or_name, sources))
        return found

    def _read(self, scope: Scope, column: exp.Column) -> set[Source]:
        source = scope.sources.get(column.table)
        if isinstance(source, Scope):
            return dict(self.of(source)).get(column.name, set())
        if isinstance(source, exp.Table) and source.db:
            return {(f"{source.db}.{source.name}", column.name)}
        return set()
