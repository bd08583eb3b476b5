"""Building the site: same bytes twice, exchanged as a whole, clear errors, declarations that hold."""

import re
from dataclasses import replace
from pathlib import Path

import duckdb
import polars as pl
import pytest

from dashboards import assets, theme
from dashboards.contents import PAGES
from dashboards.page import Caption, Column, Figure, Page
from dashboards.pages import number_ones
from dashboards.render import code_spans, specification
from dashboards.site import SiteError, build_site

CAPTION = Caption("What.", "Everybody.", "marts.counts")


def figure(sql: str = "select list_date, players from marts.counts order by list_date") -> Figure:
    return Figure(
        name="counts",
        title="How many?",
        caption=CAPTION,
        sql=sql,
        columns=(Column("list_date", "List", "month"), Column("players", "Players", "integer")),
        marts=("marts.counts",),
        needs="Run `ratings build`.",
        alt=lambda frame: f"{frame.height} lists",
        table_open=True,
    )


def page(*figures: Figure) -> Page:
    return Page("index", "", "Overview", "How many players?", "A lead.", figures)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create schema marts")
        connection.execute("create table marts.counts as select date '1971-07-01' as list_date, 592 as players")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_two_builds_are_byte_equal(database: Path, tmp_path: Path) -> None:
    first = build_site(database, tmp_path / "one")
    second = build_site(database, tmp_path / "two")
    assert contents(first.out) == contents(second.out)
    assert first.bytes == sum(map(len, contents(first.out).values()))
    assert first.pages == len(PAGES)


def test_the_previous_site_changes_nothing(database: Path, tmp_path: Path) -> None:
    """Onto the site of an earlier database, or from nothing: the same files, and none that is no longer needed."""
    sharded = page(figure(), replace(figure(), name="sharded", shard_by="list_date"))
    site = tmp_path / "site"
    build_site(database, site, [sharded])
    earlier = contents(site)
    with duckdb.connect(str(database)) as connection:
        connection.execute("update marts.counts set list_date = date '1972-07-01', players = 794")
    build_site(database, site, [sharded])
    assert contents(site) == contents(build_site(database, tmp_path / "anew", [sharded]).out)
    assert earlier.keys() - contents(site).keys()


def test_the_bundle_is_taken_from_the_previous_site(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    build_site(database, site, [page(figure())])
    before = contents(site)

    def made_again() -> str:
        raise AssertionError("the bundle is made again")

    monkeypatch.setattr(assets, "vega_bundle", made_again)
    build_site(database, site, [page(figure())])
    assert contents(site) == before


@pytest.mark.parametrize("damage", [b"", b"alert(1)"], ids=["cut off", "changed"])
def test_a_damaged_bundle_is_made_again(database: Path, tmp_path: Path, damage: bytes) -> None:
    site = tmp_path / "site"
    build_site(database, site, [page(figure())])
    before = contents(site)
    (bundle,) = (site / "assets").glob("vega-*.js")
    bundle.write_bytes(bundle.read_bytes()[:-100] + damage)
    build_site(database, site, [page(figure())])
    assert contents(site) == before


def test_a_failed_build_leaves_the_old_site(database: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    build_site(database, out, [page(figure())])
    before = contents(out)
    with pytest.raises(SiteError, match=r"page index, figure counts: .*no_such_column"):
        build_site(database, out, [page(figure("select no_such_column from marts.counts"))])
    assert contents(out) == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["ratings.duckdb", "site"]


def test_a_page_that_cannot_prepare_itself_is_named(database: Path, tmp_path: Path) -> None:
    """As with a file published before a column was there."""
    with duckdb.connect(str(database)) as connection:
        connection.execute("create table marts.players as select 1 as player_id")
    with pytest.raises(SiteError, match=r"page players: .*player_name"):
        build_site(database, tmp_path / "site")


def test_a_query_must_give_the_declared_columns(database: Path, tmp_path: Path) -> None:
    with pytest.raises(SiteError, match=r"gives \['players'\], declared are \['list_date', 'players'\]"):
        build_site(database, tmp_path / "site", [page(figure("select players from marts.counts"))])


def test_a_missing_database_is_named(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match=r"nothing\.duckdb"):
        build_site(tmp_path / "nothing.duckdb", tmp_path / "site")
    assert list(tmp_path.iterdir()) == []


def test_a_mart_that_is_not_there_leaves_an_explained_gap(database: Path, tmp_path: Path) -> None:
    absent = replace(figure(), name="absent", marts=("marts.nowhere",))
    report = build_site(database, tmp_path / "site", [page(figure(), absent)])
    assert report.empty_figures == ("index/absent",)
    text = (report.out / "index.html").read_text(encoding="utf-8")
    assert "Run <code>ratings build</code>." in text
    assert 'data-figure="counts"' in text
    assert 'data-figure="absent"' not in text


def test_shards_are_written_and_not_inlined(database: Path, tmp_path: Path) -> None:
    with duckdb.connect(str(database)) as connection:
        connection.execute("insert into marts.counts values (date '1972-07-01', 794)")
    sharded = replace(figure(), shard_by="list_date")
    report = build_site(database, tmp_path / "site", [page(sharded)])
    shards = sorted(path.name for path in (report.out / "data").iterdir())
    assert [re.sub("-[0-9a-f]{12}.js", "", name) for name in shards] == [
        "index-counts-1971-07-01",
        "index-counts-1972-07-01",
    ]
    assert 'id="rows-counts"' not in (report.out / "index.html").read_text(encoding="utf-8")


def test_nothing_points_outside_the_site(database: Path, tmp_path: Path) -> None:
    build_site(database, tmp_path / "site")
    for name, content in contents(tmp_path / "site").items():
        if "vega-" not in name:
            addresses = set(re.findall(rb"(?:https?:)?//[a-z][\w.-]+\.[a-z]+", content))
            assert addresses <= {b"http://www.w3.org"}, name


def test_code_spans_escape_everything_else() -> None:
    assert code_spans("<b> `a < b` &") == "&lt;b&gt; <code>a &lt; b</code> &amp;"


@pytest.mark.parametrize("declared", PAGES, ids=lambda page: page.name)
def test_declarations_of_the_pages_hold(declared: Page) -> None:
    assert re.fullmatch("[a-z_]+", declared.name)
    assert declared.title
    assert declared.lead.endswith(".")
    names = [one.name for one in declared.figures]
    assert len(set(names)) == len(names)
    for one in declared.figures:
        columns = {column.name for column in one.columns}
        assert set(one.tooltip) <= columns
        assert one.sort.removeprefix("-") in columns
        assert "order by" in one.sql, "rows must come in a fixed order"
        assert one.marts
        assert "`ratings " in one.needs
        for switch in one.switches:
            assert {switch.column, *switch.columns} - {""} <= columns
        if one.timeline:
            assert {"list_date", "rating_type"} <= columns


def test_every_colour_of_a_chart_is_a_token() -> None:
    """No chart names a colour of its own: each would be wrong in one of the two schemes."""
    for declared in PAGES:
        for one in declared.figures:
            for build in one.charts.values():
                source = Path(build.__code__.co_filename).read_text(encoding="utf-8")
                assert not re.search(r"#[0-9a-f]{6}\b", source)
                assert set(re.findall(r'"@([a-z]+\d?)"', source)) <= theme.TOKENS["light"].keys()


def test_specifications_do_not_depend_on_counters() -> None:
    frame = pl.DataFrame(
        {
            "list_date": ["2000-01-01"],
            "gap_1_2": [10],
            "rating_rank_1": [2800],
            "coverage": ["top"],
            "rating_type": ["x"],
        }
    )
    gap = next(one for one in number_ones.PAGE.figures if one.name == "gap")
    first, second = (specification(gap.charts[""](frame)) for _ in range(2))
    assert first == second
    assert "config" not in first


def test_own_script_is_joined_in_order() -> None:
    script = assets.own_script()
    positions = [script.index((assets.STATIC / f"{name}.js").read_text(encoding="utf-8")) for name in assets.SCRIPTS]
    assert positions == sorted(positions)
