"""Speed of the documented example queries on a published file with the whole history.

Such a file takes Scid's ratings file and a build of minutes, so it is not made here: RATINGS_BENCHMARK_FILE names one.
"""

import os
import time

import duckdb
import pytest

from pipeline.warehouse.refresh import project

LIMIT_SECONDS = 1.0
RUNS = 3


@pytest.mark.benchmark_run
def test_every_example_answers_within_a_second() -> None:
    file = os.environ.get("RATINGS_BENCHMARK_FILE")
    if not file:
        pytest.skip("RATINGS_BENCHMARK_FILE names no published file")
    models = project()
    examples = {model.qualified_name: model.example for model in models.models if model.example}
    examples |= {macro.name: macro.example for macro in models.macros}
    took = {}
    with duckdb.connect(file, read_only=True) as connection:
        for name, query in examples.items():
            times = []
            for _ in range(RUNS):
                start = time.perf_counter()
                connection.execute(query).fetchall()
                times.append(time.perf_counter() - start)
            took[name] = min(times)
        values = connection.execute("select count(*) from core.entries").fetchone()
    slowest = sorted(took.items(), key=lambda item: -item[1])
    print(f"\n{values[0] if values else 0:,} ratings, {len(took)} examples, best of {RUNS}:")
    print("\n".join(f"{seconds * 1000:8.1f} ms  {name}" for name, seconds in slowest[:8]))
    assert [name for name, seconds in slowest if seconds > LIMIT_SECONDS] == []
