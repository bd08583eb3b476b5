"""The site in a real browser without a network: drawing, switches, addresses, downloads, hostile names, access."""

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import duckdb
import pytest
from browser.invented import COMBINING_NAME, FORMULA_NAME, HOSTILE_NAMES, SCRIPT_NAME
from browser.visitor import Visitor, drawn
from playwright.sync_api import Page, expect

from dashboards import contents
from dashboards.page import Figure
from dashboards.players_index import fold
from dashboards.server import make_server
from dashboards.site import build_site

pytestmark = pytest.mark.browser

NAMES = [page.name for page in contents.PAGES]
MARKS = "g.role-mark path, g.role-mark text, g.role-mark line"


def marks(page: Page, figure: str) -> list[str]:
    """What is drawn inside a figure: the geometry of each mark."""
    return page.locator(f"[data-figure={figure}] .chart").evaluate(
        "(chart, marks) => [...chart.querySelectorAll(marks)]"
        ".map(mark => (mark.getAttribute('d') || mark.textContent) + mark.getAttribute('transform'))",
        MARKS,
    )


def download(page: Page, figure: str, kind: str) -> bytes:
    """What a download button of a figure gives."""
    with page.expect_download() as waiting:
        page.locator(f"[data-figure={figure}] [data-download={kind}]").click()
    return Path(waiting.value.path()).read_bytes()


def csv_rows(page: Page, figure: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(download(page, figure, "csv").decode("utf-8"), newline="")))


def figure_of(page_name: str, figure: str) -> Figure:
    page = next(page for page in contents.PAGES if page.name == page_name)
    return next(one for one in page.figures if one.name == figure)


def switch(page: Page, name: str, value: str) -> None:
    """Choose an option of segments the way a reader does, by its label."""
    page.locator(f"label:has(input[name='{name}'][value='{value}'])").first.click()
    drawn(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("name", NAMES)
def test_every_page_draws_fits_and_is_accessible(
    visitor: Visitor, axe: str, name: str, width: int, scheme: str
) -> None:
    page = visitor.open(name, width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for figure in page.locator("[data-figure]").all():
        chart = figure.locator(".chart")
        if chart.count() and chart.is_visible():
            assert chart.locator(MARKS).count() > 1, figure.get_attribute("data-figure")
            assert len(chart.get_attribute("aria-label") or "") > 40
    assert page.locator("h1").count() == 1
    if (width, scheme) in {(1440, "dark"), (390, "light")}:
        return
    page.evaluate(axe)
    violations = page.evaluate(
        "axe.run({preload: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']})"
        ".then(found => found.violations.map(one => one.id + ': ' + one.nodes[0].html.slice(0, 200)))"
    )
    assert violations == []


def test_pages_stay_small(site: Path) -> None:
    for path in site.glob("*.html"):
        assert path.stat().st_size < 1_500_000, path.name


def test_switches_change_the_marks_and_the_address_restores_the_view(visitor: Visitor, invented_only: None) -> None:
    page = visitor.open("rank_bands")
    before = marks(page, "bands")
    switch(page, "type", "rapid")
    rapid = marks(page, "bands")
    assert rapid != before
    switch(page, "population", "all")
    everybody = marks(page, "bands")
    assert everybody != rapid
    switch(page, "scale", "share")
    page.locator("[data-switch=from]").select_option("2700")
    drawn(page)
    shown = marks(page, "bands")
    assert shown != everybody
    view = page.url.partition("#")[2]
    assert view == "from=2700&population=all&scale=share&type=rapid"

    again = visitor.open("rank_bands", view)
    assert marks(again, "bands") == shown
    assert csv_rows(again, "bands") == csv_rows(page, "bands")
    expect(again.locator("input[name=type][value=rapid]")).to_be_checked()
    assert again.locator("[data-switch=from]").input_value() == "2700"


@pytest.mark.parametrize(
    ("name", "view", "figure"),
    [
        ("rank_bands", "from=&scale=share&population=all", "bands"),
        ("inflation", "", "means"),
        ("inflation", "ranks=change", "ranks"),
    ],
)
def test_labels_beside_lines_do_not_overlap(
    visitor: Visitor, invented_only: None, name: str, view: str, figure: str
) -> None:
    page = visitor.open(name, view)
    boxes = page.locator(f"[data-figure={figure}] g.mark-text.role-mark text").evaluate_all(
        "all => all.map(text => text.getBoundingClientRect()).map(box => [box.left, box.top, box.right, box.bottom])"
    )
    assert len(boxes) > 2
    for place, one in enumerate(boxes):
        for other in boxes[place + 1 :]:
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] + 3 or other[3] <= one[1] + 3
            assert apart, (one, other)


def test_rule_changes_and_anomalies_can_be_switched_off(visitor: Visitor, invented_only: None) -> None:
    page = visitor.open("inflation")
    events = page.locator("[data-figure=ranks] details.events")
    assert events.locator("summary span").text_content() == "(3)"
    both = len(marks(page, "ranks"))
    page.get_by_label("Anomalies", exact=False).uncheck()
    drawn(page)
    assert len(marks(page, "ranks")) == both - 1
    page.get_by_label("Rule changes", exact=False).first.uncheck()
    drawn(page)
    assert len(marks(page, "ranks")) < both - 2
    expect(events).to_be_hidden()
    assert page.url.endswith("#anomalies=off&rules=off")


def test_csv_is_the_view_and_the_sql_gives_all_of_it(visitor: Visitor, database: Path) -> None:
    page = visitor.open("number_ones")
    sql = download(page, "reigns", "sql").decode()
    assert sql.strip() == figure_of("number_ones", "reigns").sql.strip()
    with duckdb.connect(str(database), read_only=True) as connection:
        rows = connection.sql(sql).filter("rating_type = 'standard'").pl().sort("first_list_date").to_dicts()
    taken = csv_rows(page, "reigns")
    assert len(taken) == len(rows)
    for row, line in zip(rows, taken, strict=True):
        assert line["first_list_date"] == row["first_list_date"].isoformat()
        assert int(line["days"]) == row["days"]
        assert line["player_names"].removeprefix("'") == row["player_names"]
    table = page.locator("[data-figure=reigns] tbody tr")
    assert table.count() == len(rows)


def test_pictures_open_and_say_what_they_show(visitor: Visitor) -> None:
    page = visitor.open("inflation")
    svg = download(page, "ranks", "svg").decode()
    root = ElementTree.fromstring(svg)
    text = " ".join(root.itertext())
    assert figure_of("inflation", "ranks").title in text
    assert "Source: marts.list_summary" in text
    png = download(page, "ranks", "png")
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(png[16:20]) >= 1900


def test_table_sorts_and_the_order_is_in_the_address(visitor: Visitor, invented_only: None) -> None:
    page = visitor.open("peaks")
    header = page.locator("[data-figure=peaks] button[data-column=age_at_peak]")
    header.click()
    drawn(page)
    expect(header).to_be_focused()
    expect(page.locator("th[aria-sort=descending] button")).to_have_text("Age")
    ages = [int(row["age_at_peak"]) for row in csv_rows(page, "peaks")]
    assert ages == sorted(ages, reverse=True)
    again = visitor.open("peaks", page.url.partition("#")[2])
    expect(again.locator("th[aria-sort=descending] button")).to_have_text("Age")


def test_filters_of_the_records_narrow_chart_and_table(visitor: Visitor, invented_only: None) -> None:
    page = visitor.open("peaks", "sex=F&federation=BBB")
    rows = csv_rows(page, "peaks")
    assert rows
    assert {(row["sex"], row["federation"]) for row in rows} == {("F", "BBB")}
    page.locator("[data-switch=player]").fill("zaolgo INV")
    page.wait_for_url("**player=zaolgo*")
    drawn(page)
    expect(page.locator("[data-figure=peaks] p.nothing")).to_be_visible()
    nobody = visitor.open("peaks", "player=zaolgo+inv")
    assert [row["player_name"] for row in csv_rows(nobody, "peaks")] == [COMBINING_NAME]


def test_the_list_valid_on_a_day(visitor: Visitor, invented_only: None) -> None:
    page = visitor.open("lists", "list=2003-12-25")
    expect(page.locator("output")).to_have_text("July 2003")
    assert {row["list_date"] for row in csv_rows(page, "list")} == {"2003-07-01"}
    page.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    drawn(page)
    expect(page.locator("output")).to_have_text("January 2004")
    page.get_by_label("Earlier list").click()
    drawn(page)
    expect(page.locator("output")).to_have_text("July 2003")
    switch(page, "type", "rapid")
    expect(page.locator("output")).to_have_text("January 2013")


@pytest.mark.parametrize("zone", ["Pacific/Honolulu", "Pacific/Kiritimati"])
def test_months_do_not_move_with_the_time_zone(visitor: Visitor, zone: str) -> None:
    home = visitor.open("inflation")
    away = visitor.open("inflation", zone=zone)
    assert marks(home, "ranks") == marks(away, "ranks")
    for page in (home, away):
        page.locator("[data-figure=ranks] details.rows summary").click()
    first = "[data-figure=ranks] tbody tr:first-child th"
    assert home.locator(first).text_content() == away.locator(first).text_content()


def test_hostile_names_are_only_text(visitor: Visitor, invented_only: None) -> None:
    for name in ("index", "number_ones", "peaks", "lists", "coverage", "dictionary"):
        page = visitor.open(name)
        assert page.locator("img, b, i").count() == 0
    page = visitor.open("peaks")
    body = page.locator("[data-figure=peaks] tbody")
    for name in HOSTILE_NAMES:
        assert body.get_by_text(name, exact=True).count() == 1
    rows = {row["player_name"] for row in csv_rows(page, "peaks")}
    assert {"'" + FORMULA_NAME, SCRIPT_NAME, "'@ink"} <= rows
    svg = ElementTree.fromstring(download(page, "peaks", "svg").decode())
    assert not [e.tag for e in svg.iter() if e.tag.rpartition("}")[2] in {"script", "image", "img", "foreignObject"}]
    assert any((element.text or "").startswith(SCRIPT_NAME[:12]) for element in svg.iter())


def test_hostile_addresses_do_nothing(visitor: Visitor) -> None:
    attack = quote(SCRIPT_NAME)
    page = visitor.open("peaks", f"player={attack}&type={attack}&peaks.sort={attack}&peaks={attack}")
    assert page.locator("img").count() == 0
    expect(page.locator("[data-figure=peaks] p.nothing")).to_be_visible()


def test_tooltip_gives_exact_values_as_text(visitor: Visitor, invented_only: None) -> None:
    page = visitor.open("peaks", "player=script")
    # Waits until the page stands still: the end of scrolling hides what the pointer tells.
    page.locator("[data-figure=peaks] .chart g.mark-symbol path").first.hover()
    tip = page.locator(".tip")
    expect(tip).to_be_visible()
    expect(tip.locator(".tip-head")).to_have_text(SCRIPT_NAME)
    expect(tip).to_contain_text("2858")
    assert tip.locator("img").count() == 0


def test_players_are_found_by_any_spelling_and_compared(visitor: Visitor, database: Path, invented_only: None) -> None:
    page = visitor.open("players")
    first = marks(page, "history")
    search = page.get_by_label("Search 130 players")
    for typed in ("ZÄO", "spk nobody", "old 3", "inv play 012"):
        search.fill(typed)
        if typed == "spk nobody":
            expect(page.locator("#player-status")).to_have_text("Nobody found.")
        elif typed == "old 3":  # a spelling of the lists before 2010; 3, 30 ... 39
            expect(page.locator("#player-status")).to_have_text("11 found.")
        else:
            expect(page.locator("#player-results button")).to_have_count(1)
            page.locator("#player-results button").click()
            drawn(page)
    chosen = page.locator("#player-chosen button")
    expect(chosen).to_have_count(2)
    assert page.url.endswith("#players=5%2C12")
    assert marks(page, "history") != first
    with duckdb.connect(str(database), read_only=True) as connection:
        sql = download(page, "history", "sql").decode()
        rows = connection.sql(sql).filter("rating_type = 'standard'").order("list_date desc, player_id").fetchall()
    taken = csv_rows(page, "history")
    assert [(r["list_date"], int(r["rating"]), r["player_name"]) for r in taken] == [
        (row[1].isoformat(), row[2], row[0]) for row in rows
    ]
    against_date = marks(page, "history")
    switch(page, "against", "age")
    assert marks(page, "history") != against_date
    view = page.url.partition("#")[2]
    assert marks(visitor.open("players", view), "history") == marks(page, "history")
    chosen.first.click()
    drawn(page)
    expect(chosen).to_have_count(1)


def test_no_more_than_five_players_and_only_numbers(visitor: Visitor, invented_only: None) -> None:
    page = visitor.open("players", "players=" + quote("1,2,3,4,5,6,7,<img>,999999"))
    expect(page.locator("#player-chosen button")).to_have_count(5)
    assert {row["player_id"] for row in csv_rows(page, "history")} == {"1", "2", "3", "4", "5"}
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("text", [*HOSTILE_NAMES, "Łódź-Øst, Þór", "İstanbul, ırmak", "Straße", "ﬁx Ⅷ", "Ё Й, Ў"])
def test_browser_and_builder_fold_alike(visitor: Visitor, text: str) -> None:
    page = visitor.open("about")
    assert page.evaluate("text => Ratings.data.fold(text)", text) == fold(text)


def test_theme_switch_recolours_and_is_kept(visitor: Visitor) -> None:
    page = visitor.open("inflation")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(ground)
    line = "[data-figure=ranks] g.mark-line path"
    drawn_light = page.locator(line).first.get_attribute("stroke")
    page.locator("[data-theme-switch]").click()
    drawn(page)
    assert page.evaluate(ground) != light
    assert page.locator(line).first.get_attribute("stroke") != drawn_light
    page.reload()
    drawn(page)
    assert page.evaluate(ground) != light


def test_keyboard_reaches_every_control_and_focus_is_seen(visitor: Visitor) -> None:
    page = visitor.open("rank_bands")
    wanted = page.evaluate(
        "[...document.querySelectorAll('main a, main button, main select, main summary, main input')]"
        ".filter(e => e.checkVisibility() && !e.disabled && (e.type !== 'radio' || e.checked)).length"
    )
    seen = set()
    for _ in range(wanted + 60):
        page.keyboard.press("Tab")
        at = page.evaluate(
            "(() => { const e = document.activeElement; if (!e || !e.closest('main')) return null;"
            "const shown = e.type === 'radio' ? e.nextElementSibling : e;"
            "const style = getComputedStyle(shown);"
            "const all = [...document.querySelectorAll('main a, main button, main select, main summary, main input')];"
            "return [all.indexOf(e), style.outlineStyle]; })()"
        )
        if at and at[0] >= 0:
            assert at[1] != "none"
            seen.add(at[0])
    assert len(seen) == wanted


def test_pages_without_data_say_what_to_load(browser, tmp_path: Path) -> None:
    database = tmp_path / "empty.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute("create schema marts")
    out = tmp_path / "site"
    report = build_site(database, out)
    assert "number_ones/reigns" in report.empty_figures
    visitor = Visitor(out, browser)
    for name in NAMES:
        page = visitor.open(name)
        figures = page.locator("section.figure")
        for index in range(figures.count()):
            expect(figures.nth(index).locator("p.nothing")).to_contain_text("ratings")
    for context in visitor.contexts:
        context.close()
    assert visitor.console == []


def test_served_on_loopback_the_site_is_the_same(visitor: Visitor, site: Path) -> None:
    with make_server(site) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        served = visitor.open("number_ones", base=f"http://127.0.0.1:{server.server_port}/")
        opened = visitor.open("number_ones")
        assert marks(served, "gap") == marks(opened, "gap")
        assert server.server_address[0] == "127.0.0.1"
        server.shutdown()


def test_settings_of_a_figure_are_plain_json(site: Path) -> None:
    text = (site / "peaks.html").read_text(encoding="utf-8")
    block = text.partition('id="figure-peaks">')[2].partition("</script>")[0]
    assert json.loads(block)["name"] == "peaks"
