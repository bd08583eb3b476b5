"""``ratings sql`` and ``ratings docs``: asking the published file, read-only."""

import sys
from pathlib import Path
from typing import Any

import click

from pipeline.settings import Settings

_FORMATS = ("table", "csv", "json", "parquet")
#: Rows shown as a table; the other formats give everything.
_TABLE_ROWS = 200


def _connect(settings: Settings) -> Any:
    import duckdb

    if not settings.database.exists():
        raise click.ClickException(f"nothing is published in {settings.data_dir} yet; run: ratings build")
    return duckdb.connect(str(settings.database.resolve()), read_only=True)


@click.command()
@click.argument("query", required=False)
@click.option("--format", "output_format", type=click.Choice(_FORMATS), default="table", show_default=True)
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file (needed for parquet)."
)
def sql(query: str | None, output_format: str, output: Path | None) -> None:
    """Run QUERY on the published file; without one, read queries from standard input or a prompt.

    The file is opened read-only: nothing you type can change it.
    """
    with _connect(Settings.from_env()) as connection:
        if query is not None:
            _answer(connection, query, output_format, output)
        elif sys.stdin.isatty():
            _prompt(connection, output_format)
        else:
            _answer(connection, sys.stdin.read(), output_format, output)


def _answer(connection: Any, query: str, output_format: str, output: Path | None) -> None:
    import duckdb

    try:
        relation = connection.sql(query)
        if relation is None:
            return
        _write(relation, output_format, output)
    except duckdb.Error as error:
        raise click.ClickException(str(error)) from error


def _write(relation: Any, output_format: str, output: Path | None) -> None:
    frame = relation.pl()
    match output_format:
        case "parquet":
            if output is None:
                raise click.ClickException("parquet is not text; name a file with --output")
            frame.write_parquet(output)
        case "csv":
            _emit(_formula_safe(frame).write_csv(), output)
        case "json":
            _emit(frame.write_json() + "\n", output)
        case _:
            _emit(_table(frame), output)


def _emit(text: str, output: Path | None) -> None:
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text)


def _formula_safe(frame: Any) -> Any:
    """Quote text that a spreadsheet would run, and write lists as text."""
    import polars as pl
    import polars.selectors as cs

    nested = frame.select(cs.nested()).columns
    frame = frame.with_columns(pl.col(name).map_elements(_as_text, pl.String) for name in nested)
    dangerous = cs.string()
    return frame.with_columns(
        pl.when(dangerous.str.contains(r"^[=+\-@]")).then(pl.lit("'") + dangerous).otherwise(dangerous).name.keep()
    )


def _as_text(value: Any) -> str:
    return str(value) if isinstance(value, dict) else ", ".join(map(str, value))


def _table(frame: Any) -> str:
    from pipeline.commands.tables import as_text

    left = frame.height - _TABLE_ROWS
    more = f"... and {left:,} more rows; see them all with --format csv\n" if left > 0 else ""
    return f"{as_text(frame, _TABLE_ROWS)}\n{more}"


def _prompt(connection: Any, output_format: str) -> None:
    click.echo("SQL, ended by a semicolon; `ratings docs` lists the tables; Ctrl-D leaves.")
    lines: list[str] = []
    while True:
        try:
            lines.append(input("ratings> " if not lines else "    ...> "))
        except EOFError:
            click.echo()
            return
        if lines[-1].rstrip().endswith(";"):
            try:
                _answer(connection, "\n".join(lines), output_format, None)
            except click.ClickException as error:
                error.show()
            lines = []


@click.command()
@click.argument("table", required=False)
def docs(table: str | None) -> None:
    """List the tables and table macros of the published file, or describe TABLE (for example marts.number_ones)."""
    with _connect(Settings.from_env()) as connection:
        if table is None:
            rows = connection.execute(
                "select schema_name || '.' || name, comment from ("
                "select schema_name, table_name as name, comment from duckdb_tables() union all "
                "select schema_name, view_name, comment from duckdb_views() where not internal union all "
                "select schema_name, function_name || '(' || array_to_string(parameters, ', ') || ')', comment "
                "from duckdb_functions() where function_type = 'table_macro' and not internal) order by 1"
            ).fetchall()
            for name, comment in rows:
                click.echo(f"{name}\n    {comment}")
            return
        schema, _, name = table.rpartition(".")
        columns = connection.execute(
            "select column_name, data_type, comment from duckdb_columns() "
            "where schema_name = ? and table_name = ? order by column_index",
            [schema or "marts", name],
        ).fetchall()
        if not columns:
            raise click.ClickException(f"there is no table {table}; `ratings docs` lists them")
        for column, data_type, comment in columns:
            click.echo(f"{column} {data_type}\n    {comment}")
