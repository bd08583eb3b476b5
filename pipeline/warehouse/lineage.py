"""Which columns of other tables each column of a model is made from, read from the SQL (sqlglot).

It takes seconds for all models, so the result is kept in a file and computed again only when a model changes.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError
from sqlglot.lineage import lineage
from sqlglot.optimizer import build_scope
from sqlglot.optimizer.qualify import qualify

from pipeline.lists.files import write_bytes_atomically
from pipeline.warehouse.models import Model, Project

#: Model -> column -> (qualified table, column) pairs it is made from, sorted.
Lineage = dict[str, dict[str, list[tuple[str, str]]]]


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


def _of_model(model: Model, schema: dict[str, Any]) -> dict[str, list[tuple[str, str]]]:
    query = qualify(
        parse_one(model.sql, read="duckdb"), schema=schema, dialect="duckdb", validate_qualify_columns=False
    )
    scope = build_scope(query)
    found = {}
    for column in model.table.columns:
        try:
            node = lineage(column.name, query, schema=schema, dialect="duckdb", scope=scope, trim_selects=False)
        except SqlglotError:  # a construct that lineage cannot see through: better none than a wrong one
            continue
        sources = {
            (f"{leaf.source.db}.{leaf.source.name}", leaf.name.rpartition(".")[2].strip('"'))
            for leaf in node.walk()
            if not leaf.downstream and isinstance(leaf.source, exp.Table) and leaf.source.db
        }
        # A table that adds to itself comes from what it adds.
        found[column.name] = sorted(source for source in sources if source[0] != model.qualified_name)
    return found
