"""Reading SQL and YAML files: one SELECT a file, the relations it reads; mistakes name file and line."""

from pathlib import Path
from typing import Any, Final

import sqlglot
import yaml
from sqlglot import exp

#: libyaml's safe loader where PyYAML was built with it: six times as fast.
_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ModelError(Exception):
    """A model, its metadata or a test that cannot be used; the message names file and line."""


def single_select(path: Path) -> exp.Query:
    """The one SELECT of a file.

    Raises:
        ModelError: a syntax error, more statements, or another kind of statement.
    """
    try:
        statements = [found for found in sqlglot.parse(path.read_text(), read="duckdb") if found]
    except sqlglot.errors.ParseError as error:
        where = error.errors[0]
        raise ModelError(
            f"{path}:{where.get('line')}:{where.get('col')}: {where.get('description')} near {where.get('highlight')!r}"
        ) from error
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        raise ModelError(f"{path}: expected exactly one SELECT, found {len(statements)} statement(s)")
    return statements[0]


def relations(query: exp.Expr) -> frozenset[str]:
    """Qualified names of the tables a query reads; names of its own CTEs are not tables."""
    return frozenset(f"{table.db}.{table.name}" for table in query.find_all(exp.Table) if table.db)


def read_yaml(path: Path) -> Any:
    """The content of a YAML file.

    Raises:
        ModelError: it is not there or not YAML.
    """
    try:
        return yaml.load(path.read_text(), Loader=_Loader)
    except (OSError, yaml.YAMLError) as error:
        raise ModelError(f"{path}: {error}") from error
