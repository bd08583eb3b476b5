"""Progress on the terminal: a bar when somebody watches, nothing when nobody does."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


@contextmanager
def steps(title: str, total: int | None = None) -> Iterator[Callable[[str], None]]:
    """Show progress through named steps; the value given is called with the name of each step."""
    console = Console(stderr=True)
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(title, total=total)

        def step(name: str) -> None:
            progress.update(task, advance=1, description=f"{title}: {name}")

        yield step
