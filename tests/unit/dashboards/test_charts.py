"""Every chart of every page against the schema of Vega-Lite, which a build of the site leaves out."""

from pathlib import Path

import duckdb
import pytest
from browser.invented import write_database

from dashboards.contents import PAGES
from dashboards.page import Page
from dashboards.render import specification, specifications


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("invented") / "ratings.duckdb"
    write_database(path)
    return path


@pytest.mark.parametrize("page", [page for page in PAGES if page.figures], ids=lambda page: page.name)
def test_the_charts_hold_against_the_schema(database: Path, page: Page) -> None:
    with duckdb.connect(str(database), read_only=True) as connection:
        for figure in page.figures:
            frame = connection.sql(figure.sql).pl()
            assert not frame.is_empty(), f"{figure.name} has no invented rows"
            charts = {name: build(frame) for name, build in figure.charts.items()}
            drawn = {name: chart for name, chart in charts.items() if chart is not None}
            for chart in drawn.values():
                chart.to_dict()
            assert specifications(figure, frame) == {name: specification(chart) for name, chart in drawn.items()}
            assert drawn.keys() == figure.charts.keys(), f"{figure.name} has charts that were not drawn"
