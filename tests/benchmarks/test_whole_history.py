"""The whole history from Scid's file, with FIDE's own lists of 2001-2004 beside it: what is held and what agrees.

Minutes of work, so no part of the ordinary tests. The figures are those of the published file, as a reader sees them.
"""

import resource
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from building import build_folder, read_only

Rows = list[tuple[object, ...]]
Query = Callable[[str], Rows]

pytestmark = [pytest.mark.benchmark_run, pytest.mark.shared, pytest.mark.scid, pytest.mark.slow]

#: Official standard lists until April 2021 of which Scid's file states no value. Of seven the bundled top is held.
WITHOUT_VALUES = {f"{year}-07" for year in range(1978, 1990)} | {"2000-10"}

#: January lists whose mean of the first ten differs from that of catalogue.top100_list_summary: points, and why.
EXPLAINED = {
    "1980-01": (-0.1, "Scid's file has Mecking with 2614; OlimpBase and the text collection have 2615"),
    "1983-01": (0.5, "Andersson is 2635 in Scid's file and the text collection, 2630 on OlimpBase's page"),
    "1985-01": (1.5, "Scid's file has Karpov with 2720; published figures (first 2715, gap 10) need 2705"),
    "2003-01": (-0.2, "FIDE's file and Scid's have Kramnik with 2807, FIDE's top-100 page has 2809"),
}


@pytest.fixture(scope="module")
def history(scid_file: Path, shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Query:
    lists = sorted((shared_dir / "lists" / "fide").glob("[a-z][a-z][a-z]0[1-4]frl.zip"))
    assert len(lists) == 10
    wall, cpu = time.perf_counter(), time.process_time()
    settings = build_folder(tmp_path_factory.mktemp("history"), [scid_file, *lists])
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = settings.database.resolve().stat().st_size / 1e6
    print(f"\nread and built: {cpu:.0f} s CPU, {wall:.0f} s by the clock, peak {peak:.0f} MB; file of {size:.0f} MB")
    connection = read_only(settings)
    return lambda sql: connection.execute(sql).fetchall()


def test_every_list_that_scid_states_is_held(history: Query) -> None:
    assert history("select lines_read, lines_rejected from core.source_files where collection = 'scid'") == [
        (380_415, 0)
    ]
    assert history(
        """
        select sum(edition_rows) from core.editions
        join core.source_files using (source_key) where collection = 'scid'
        """
    ) == [(23_781_358,)]
    rows = history(
        """
        select strftime(list_date, '%Y-%m') from marts.list_coverage
        where publisher = 'fide' and rating_type = 'standard' and official
            and list_date <= date '2021-04-01' and coverage is distinct from 'complete'
        """
    )
    assert {row[0] for row in rows} == WITHOUT_VALUES


def test_agreement_with_the_lists_of_2001_to_2004(history: Query) -> None:
    rows = history(
        """
        select strftime(list_date, '%Y-%m'), compared_count, differing_count, agreement
        from marts.edition_agreement where current_collection = 'fide' and other_collection = 'scid' order by 1
        """
    )
    print()
    for month, compared, differing, agreement in rows:
        print(f"| {month} | {compared:,} | {differing} | {100 * float(str(agreement)):.2f} % |")
    assert len(rows) == 10
    assert all(98.9 <= round(100 * float(str(agreement)), 2) <= 99.98 for *_, agreement in rows)
    listed = history(
        """
        select strftime(list_date, '%Y-%m'), count(*) from marts.edition_differences
        where current_collection = 'fide' and other_collection = 'scid' and difference = 'ratings differ'
        group by 1 order by 1
        """
    )
    assert listed == [(month, differing) for month, _, differing, _ in rows]


def test_january_counts_and_means_are_those_of_the_top_100_pages(history: Query) -> None:
    rows = history(
        """
        select
            strftime(pages.list_date, '%Y-%m'),
            pages.n2700 = summary.active_ge_2700,
            round(summary.mean_top_10 - pages.mean10, 1)
        from catalogue.top100_list_summary as pages
        inner join marts.list_summary as summary
            on summary.list_date = pages.list_date
            and summary.publisher = 'fide'
            and summary.rating_type = 'standard'
        where pages.official = 1 and month(pages.list_date) = 1 and pages.list_date <= date '2021-04-01'
        """
    )
    assert len(rows) == 47
    assert all(counts_agree for _, counts_agree, _ in rows)
    assert {month: points for month, _, points in rows if points} == {
        month: points for month, (points, _) in EXPLAINED.items()
    }
