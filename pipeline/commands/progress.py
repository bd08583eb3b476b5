"""Progress on the terminal: a bar when somebody watches, nothing when nobody does."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TransferSpeedColumn,
)
from rich.table import Column

if TYPE_CHECKING:
    from pipeline.sources.fetch import Progress as FetchProgress


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


@contextmanager
def downloads(title: str, lists: int) -> Iterator[Callable[["FetchProgress"], None]]:
    """Show two bars: lists done, and bytes of the list that is coming; the value given takes each progress report."""
    if not sys.stderr.isatty():
        yield lambda report: None
        return
    text = TextColumn("{task.description}", table_column=Column(min_width=30))
    whole = Progress(text, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    coming = Progress(text, BarColumn(), DownloadColumn(), TransferSpeedColumn())
    whole_task, coming_task = whole.add_task(title, total=lists), coming.add_task("", total=None)
    shown = ""

    def report(now: "FetchProgress") -> None:
        nonlocal shown
        if now.label != shown:
            shown = now.label
            coming.reset(coming_task, description=now.label)
        coming.update(coming_task, completed=now.bytes_done, total=now.bytes_total)
        whole.update(whole_task, completed=now.lists_done, total=now.lists_total)

    # Lines printed meanwhile go above the bars; into a file, where standard output is one, they go as they are.
    with Live(Group(whole, coming), console=Console(stderr=True), transient=True, redirect_stdout=sys.stdout.isatty()):
        yield report
