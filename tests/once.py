"""What is dear to make and only read is made once a run, not once a worker."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def once_a_run(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder that ``make`` fills: made by the first worker that asks, for all workers. Do not change it."""
    workers = factory.getbasetemp()
    root = workers.parent if "PYTEST_XDIST_WORKER" in os.environ else workers
    folder, made = root / f"once-{name}", root / f"once-{name}.made"
    with FileLock(root / f"once-{name}.lock"):
        if not made.exists():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            made.touch()
    return folder
