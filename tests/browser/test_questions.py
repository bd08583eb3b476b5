"""Twenty questions people ask, each answered in at most three interactions from the front page, as
``dashboards/README.md`` says; every answer is compared with the marts."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest
from browser.visitor import Visitor, drawn
from playwright.sync_api import Locator, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("invented_only")]

README = Path(__file__).parents[2] / "dashboards" / "README.md"
MOST_INTERACTIONS = 3

Ask = Callable[[str], list[tuple[Any, ...]]]


@dataclass
class Reader:
    """Somebody with a question, at first on the front page; counts what he does."""

    page: Page
    interactions: int = 0

    def did(self) -> None:
        """Count one interaction, once the page is drawn again."""
        drawn(self.page)
        self.interactions += 1

    def go(self, label: str) -> None:
        """Follow a link of the navigation."""
        self.page.locator("nav .rail").get_by_role("link", name=label, exact=True).click()
        self.did()

    def choose(self, switch: str, value: str) -> None:
        """Choose an option of segments."""
        self.page.locator(f"label:has(input[name='{switch}'][value='{value}'])").first.click()
        self.did()

    def select(self, switch: str, value: str) -> None:
        """Choose from a menu."""
        self.page.locator(f"select[data-switch='{switch}']").select_option(value)
        self.did()

    def day(self, switch: str, day: str) -> None:
        """Give a day."""
        field = self.page.locator(f"[data-list-date='{switch}'] input[type=date]")
        field.fill(day)
        field.dispatch_event("change")
        self.page.wait_for_url(f"**{switch}={day}*")
        self.did()

    def type(self, field: str, text: str) -> None:
        """Type into a field."""
        self.page.locator(field).fill(text)
        self.did()

    def open_table(self, figure: str) -> None:
        """Open the table of a figure."""
        self.page.locator(f"[data-figure={figure}] details.rows summary").click()
        self.did()

    def table(self, figure: str) -> list[dict[str, str]]:
        """What stands in the open table of a figure, by the names of the columns."""
        table = self.page.locator(f"[data-figure={figure}] details.rows[open] table")
        expect(table).to_be_visible()
        names = [button.get_attribute("data-column") or "" for button in table.locator("thead button").all()]
        rows = table.locator("tbody").evaluate(
            "body => [...body.rows].map(row => [...row.cells].map(cell => cell.textContent))"
        )
        return [dict(zip(names, row, strict=True)) for row in rows]


@pytest.fixture
def reader(visitor: Visitor) -> Reader:
    return Reader(visitor.open("index"))


@pytest.fixture
def ask(database: Path) -> Ask:
    """Answers of the published file."""

    def answer(sql: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(database), read_only=True) as connection:
            return connection.execute(sql).fetchall()

    return answer


def row(rows: list[dict[str, str]], **values: str) -> dict[str, str]:
    """The one row with these values."""
    found = [one for one in rows if all(one[name] == value for name, value in values.items())]
    assert len(found) == 1, (values, rows[:3])
    return found[0]


def who_was_number_one_on_a_day(reader: Reader, ask: Ask) -> None:
    reader.go("Any list")
    reader.day("list", "2003-12-25")
    expected = ask(
        "select player_name, rating from marts.player_history where rating_type = 'standard' "
        "and list_date = date '2003-07-01' and world_rank = 1"
    )
    first = reader.table("list")[0]
    assert [(first["player_name"], int(first["rating"]))] == expected


def what_percentile_is_2000_in_two_years(reader: Reader, ask: Ask) -> None:
    reader.go("Percentiles")
    rows = reader.table("below")
    for year in (2021, 2023):
        ((expected,),) = ask(
            "select percentile from marts.percentiles where rating_type = 'standard' and population = 'all' "
            f"and method = 'everybody' and look_up = 'rating' and rating = 2000 and list_date = date '{year}-01-01'"
        )
        assert row(rows, list_date=f"January {year}", rating="2000")["percentile"] == f"{expected:.2f}"


def what_percentile_is_it_above_the_common_cut(reader: Reader, ask: Ask) -> None:
    reader.go("Percentiles")
    reader.choose("method", "common cut")
    reader.select("rating", "2200")
    ((expected,),) = ask(
        "select percentile from marts.percentiles where rating_type = 'standard' and population = 'all' and method = "
        "'common cut' and look_up = 'rating' and rating = 2200 and list_date = date '2010-01-01'"
    )
    assert row(reader.table("below"), list_date="January 2010")["percentile"] == f"{expected:.2f}"


def which_rating_is_better_than_99_percent(reader: Reader, ask: Ask) -> None:
    reader.go("Percentiles")
    reader.select("percent", "Better than 99 %")
    reader.open_table("reach")
    ((expected,),) = ask(
        "select rating from marts.percentiles where rating_type = 'standard' and population = 'all' and method = "
        "'everybody' and look_up = 'percentile' and percentile = 99 and list_date = date '2024-01-01'"
    )
    assert row(reader.table("reach"), list_date="January 2024")["rating"] == str(expected)


def how_many_above_2700_each_january(reader: Reader, ask: Ask) -> None:
    reader.go("Rank bands")
    reader.open_table("thresholds")
    shown = {
        one["list_date"]: one["player_count"]
        for one in reader.table("thresholds")
        if one["mark"] == "2700 or more" and one["list_date"].startswith("January")
    }
    expected = ask(
        "select 'January ' || year(list_date), active_ge_2700::varchar from marts.list_summary where rating_type = "
        "'standard' and month(list_date) = 1 order by list_date desc limit 5"
    )
    assert expected
    assert [(date, shown[date]) for date, _ in expected] == expected


def when_did_one_federation_pass_another(reader: Reader, ask: Ask) -> None:
    reader.go("Federations")
    reader.select("who", "CCC")
    reader.select("whom", "BBB")
    expected = ask("""
        with leads as (
            select list_date, max(mean_top_10) filter (where federation = 'CCC')
                > max(mean_top_10) filter (where federation = 'BBB') as ahead
            from marts.federation_strength
            where rating_type = 'standard'
            group by list_date
        )
        select strftime(list_date, '%B %Y') from leads
        qualify ahead and not lag(ahead) over (order by list_date)
    """)
    assert len(expected) == 1
    assert [(one["list_date"],) for one in reader.table("passes")] == expected


def which_federation_led_in_a_year(reader: Reader, ask: Ask) -> None:
    reader.go("Federations")
    reader.day("league", "2010-03-01")
    reader.open_table("league")
    expected = ask(
        "select federation from marts.federation_strength where rating_type = 'standard' and list_date = "
        "date '2010-01-01' and strength_rank = 1"
    )
    assert [(reader.table("league")[0]["league_federation"],)] == expected


def how_many_grandmasters_has_a_federation(reader: Reader, ask: Ask) -> None:
    reader.go("Titles")
    reader.select("federation", "AAA")
    reader.open_table("counts")
    ((expected,),) = ask(
        "select player_count from marts.title_counts where rating_type = 'standard' and federation = 'AAA' "
        "and title = 'GM' and list_date = date '2020-01-01'"
    )
    assert row(reader.table("counts"), list_date="January 2020", title="GM")["player_count"] == str(expected)


def what_share_are_women(reader: Reader, ask: Ask) -> None:
    reader.go("Women and men")
    reader.open_table("share")
    ((expected,),) = ask(
        "select women_count from marts.gender_gap where rating_type = 'standard' and top_n = 1 "
        "and list_date = date '2024-01-01'"
    )
    newest = reader.table("share")[0]
    assert newest["list_date"] == "January 2024"
    assert newest["women_count"] == str(expected)
    assert newest["women_fraction"] == "20%"


def how_much_of_the_gap_do_numbers_explain(reader: Reader, ask: Ask) -> None:
    reader.go("Women and men")
    reader.choose("first", "20")
    reader.open_table("gap")
    ((gap, expected_gap),) = ask(
        "select top_gap, expected_gap from marts.gender_gap where rating_type = 'standard' and top_n = 20 "
        "and list_date = date '2015-01-01'"
    )
    rows = reader.table("gap")
    assert float(row(rows, list_date="January 2015", gap_kind="Observed")["gap"]) == pytest.approx(gap, abs=0.06)
    assert float(row(rows, list_date="January 2015", gap_kind="Expected from numbers")["gap"]) == pytest.approx(
        expected_gap, abs=0.06
    )


def who_was_youngest_to_2700(reader: Reader, ask: Ask) -> None:
    reader.go("Ages and prodigies")
    expected = ask(
        "select player_name, age from marts.prodigies where rating_type = 'standard' and threshold = 2700 "
        "order by age_rank, list_date, player_name limit 1"
    )
    first = reader.table("prodigies")[0]
    assert [(first["player_name"], int(first["age"]))] == expected


def how_old_is_the_top_ten(reader: Reader, ask: Ask) -> None:
    reader.go("Ages and prodigies")
    reader.open_table("elite")
    ((expected,),) = ask(
        "select mean_age from marts.elite_ages where rating_type = 'standard' and top_n = 10 "
        "and list_date = date '2023-07-01'"
    )
    shown = row(reader.table("elite"), list_date="July 2023", elite="Top 10")["mean_age"]
    assert float(shown) == pytest.approx(expected, abs=0.06)


def who_has_the_highest_rating_ever(reader: Reader, ask: Ask) -> None:
    reader.go("Peaks and records")
    expected = ask(
        "select player_name, peak_rating from marts.top_player_peaks where rating_type = 'standard' and peak_rank = 1"
    )
    first = reader.table("peaks")[0]
    assert [(first["player_name"], int(first["peak_rating"]))] == expected


def who_stood_out_most_from_his_time(reader: Reader, ask: Ask) -> None:
    reader.go("Peaks and records")
    reader.select("method", "z_top_100")
    reader.open_table("adjusted")
    expected = ask(
        "select player_name from marts.era_adjusted_peaks where rating_type = 'standard' and method = 'z_top_100' "
        "and method_rank = 1"
    )
    assert [(reader.table("adjusted")[0]["player_name"],)] == expected


def who_led_longest(reader: Reader, ask: Ask) -> None:
    reader.go("Records and movers")
    expected = ask(
        "select holder, record_value::integer from marts.records where rating_type = 'standard' and record_code = "
        "'longest_reign' and record_rank = 1"
    )
    shown = [one for one in reader.table("book") if one["record_rank"] == "1"]
    assert sorted((one["holder"], int(one["record_value"])) for one in shown) == sorted(expected)


def who_gained_most_in_a_year(reader: Reader, ask: Ask) -> None:
    reader.go("Records and movers")
    reader.day("moved_on", "2010-08-15")
    reader.open_table("movers")
    expected = ask(
        "select player_name, change from marts.movers where rating_type = 'standard' and span = '12 months' "
        "and direction = 'gain' and list_date = date '2010-07-01' and move_rank = 1"
    )
    shown = [one for one in reader.table("movers") if one["move_rank"] == "1"]
    assert sorted((one["player_name"], int(one["change"])) for one in shown) == sorted(expected)


def what_is_fide_1850_in_us_points(reader: Reader, ask: Ask) -> None:
    reader.go("FIDE and US Chess")
    reader.type("#convert-rating", "1850")
    results = reader.page.locator("#convert-results tr")
    ((low, high),) = ask(
        "select ci_low, ci_high from marts.rating_conversions where kind = 'estimate' and rating = 1800"
    )
    # Halfway between 1800 and 1900, for which estimates are given.
    expect(results.first).to_contain_text(f"1890 ({low + 50:.0f} to {high + 50:.0f})")
    ((official,),) = ask("select result from marts.rating_conversions where conversion = 'init-2024' and rating = 1850")
    expect(results.nth(1)).to_contain_text("US Chess: First rating 2024")
    expect(results.nth(1).locator("td").first).to_have_text(f"{official:.0f}")


def and_before_march_2024(reader: Reader, ask: Ask) -> None:
    reader.go("FIDE and US Chess")
    day = reader.page.locator("#convert-on")
    day.fill("2023-06-01")
    day.dispatch_event("change")
    reader.page.wait_for_url("**convert_on=2023-06-01*")
    reader.did()
    ((official,),) = ask("select result from marts.rating_conversions where conversion = 'init-2017' and rating = 1850")
    formulas = reader.page.locator("#convert-results tr", has_text="US Chess: ")
    expect(formulas).to_have_count(1)
    expect(formulas.locator("td").first).to_have_text(f"{official:.0f}")


def is_it_about_100_points(reader: Reader, ask: Ask) -> None:
    reader.go("FIDE and US Chess")
    expected = ask(
        "select computed_value, verdict from marts.published_figure_checks where measure = 'offset_uscf_minus_fide'"
    )
    shown = row(reader.table("statements"), subject="system offset")
    assert [(shown["computed_value"], shown["verdict"])] == expected


def what_did_march_2024_give(reader: Reader, ask: Ask) -> None:
    reader.go("March 2024")
    reader.open_table("rule")
    ((expected,),) = ask("select result from marts.rating_conversions where conversion = 'fide-2024' and rating = 1500")
    assert float(row(reader.table("rule"), rating="1500")["result"]) == expected


def which_lists_are_missing(reader: Reader, ask: Ask) -> None:
    reader.go("Coverage and anomalies")
    reader.choose("status", "missing")
    expected = ask(
        "select strftime(list_date, '%B %Y') from marts.list_coverage "
        "where status = 'missing' and rating_type = 'standard'"
    )
    assert sorted((one["list_date"],) for one in reader.table("calendar")) == sorted(expected)


#: The questions as the README has them, in its order.
QUESTIONS = (
    who_was_number_one_on_a_day,
    what_percentile_is_2000_in_two_years,
    what_percentile_is_it_above_the_common_cut,
    which_rating_is_better_than_99_percent,
    how_many_above_2700_each_january,
    when_did_one_federation_pass_another,
    which_federation_led_in_a_year,
    how_many_grandmasters_has_a_federation,
    what_share_are_women,
    how_much_of_the_gap_do_numbers_explain,
    who_was_youngest_to_2700,
    how_old_is_the_top_ten,
    who_has_the_highest_rating_ever,
    who_stood_out_most_from_his_time,
    who_led_longest,
    who_gained_most_in_a_year,
    what_is_fide_1850_in_us_points,
    and_before_march_2024,
    is_it_about_100_points,
    what_did_march_2024_give,
    which_lists_are_missing,
)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_answered_in_at_most_three_interactions(
    reader: Reader, ask: Ask, question: Callable[[Reader, Ask], None]
) -> None:
    question(reader, ask)
    assert 1 <= reader.interactions <= MOST_INTERACTIONS


def test_the_readme_has_a_path_for_each_question() -> None:
    section = README.read_text(encoding="utf-8").partition("## Questions and the way to their answers")[2]
    numbered = [line for line in section.splitlines() if line.startswith("| ") and line.split("|")[1].strip().isdigit()]
    assert len(numbered) == len(QUESTIONS)


def test_several_federations_are_compared_by_code(visitor: Visitor) -> None:
    page = visitor.open("federations", "federations=AAA")
    lines: Locator = page.locator("[data-figure=strength] .chart g.mark-line path")
    expect(lines).to_have_count(1)
    field = page.get_by_role("combobox", name="Federations")
    field.fill("bbb")
    field.press("Enter")
    expect(page.get_by_role("button", name="Remove BBB")).to_be_visible()
    drawn(page)
    expect(lines).to_have_count(2)
    assert page.url.endswith("#federations=AAA%2CBBB")
    page.get_by_role("button", name="Remove AAA").click()
    drawn(page)
    expect(lines).to_have_count(1)
    expect(page.get_by_role("button", name="Remove BBB")).to_be_disabled()
    field.fill("nowhere")
    field.press("Enter")
    expect(lines).to_have_count(1)
