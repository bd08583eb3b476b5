"""Every case of the collection, as far as reading its files decides it; one test for each key of its ``must``.

Keys that need more than the reader are named in ``CHECKED_ELSEWHERE`` with the module that judges them; a key that
is neither judged here nor there fails, so that a new case cannot pass unread.
"""

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from case_files import CHECKS, Case, case_folders, check, players, value_of

from pipeline.domain.titles import TITLES
from pipeline.formats.parsed import FormatError, ParsedFile

pytestmark = pytest.mark.shared

#: Case, or case and key -> module under tests/ that judges it.
CHECKED_ELSEWHERE = {
    "10_month_label_disagrees: periods_present_afterwards": "integration/test_fetch_faults.py",
    "10_month_label_disagrees: 2025-09": "integration/test_fetch_faults.py",
    "11_broken_downloads: after_good_then_any_refused_file": "integration/test_fetch_faults.py",
    "11_broken_downloads: nothing_left_behind": "integration/test_fetch_faults.py",
    **{
        f"12_inactive_dropped_for_one_period: {key}": "cases/test_inactive_dropped_case.py"
        for key in (
            "bands_active",
            "bands_all",
            "ids_absent_in_2002-01_only",
            "peak_of_9901202",
            "new_players_2002-04",
        )
    },
    "14_rerun_then_revision": "cases/test_revision_case.py",
    "13_us_members_file": "cases/test_us_members_case.py",
    "16_publication_calendar": "cases/test_calendar_case.py",
}

FOLDERS = case_folders()
KEYS = [(folder, key) for folder in FOLDERS for key in Case(folder).must]


def elsewhere(case: str, key: str) -> str | None:
    return CHECKED_ELSEWHERE.get(case) or CHECKED_ELSEWHERE.get(f"{case}: {key}")


@pytest.fixture(scope="module")
def cases(shared_dir: Path) -> dict[str, Case]:
    return {folder.name: Case(folder) for folder in FOLDERS}


def test_the_collection_is_there(cases: dict[str, Case]) -> None:
    assert len(cases) >= 16


@pytest.mark.parametrize(
    ("folder", "key"),
    [(folder, key) for folder, key in KEYS if not elsewhere(folder.name, key)],
    ids=lambda value: value.name if isinstance(value, Path) else value,
)
def test_must(cases: dict[str, Case], folder: Path, key: str) -> None:
    case = cases[folder.name]
    if key in case.files:
        judge_file(case, key, case.must[key])
        return
    assert key in CHECKS, f"no check for {key!r}: register one with @check, or name the module that judges it"
    CHECKS[key](case, case.must[key])


@pytest.mark.parametrize("module", sorted(set(CHECKED_ELSEWHERE.values())))
def test_modules_named_exist(module: str) -> None:
    assert (Path(__file__).parent.parent / module).is_file()


def judge_file(case: Case, name: str, expected: Any) -> None:
    """Judge what ``must`` says of one file: a result of its own, or that it is refused."""
    if isinstance(expected, dict):
        alone = case.of_file(name)
        for key, value in expected.items():
            CHECKS[key](alone, value)
        return
    assert "refused" in expected
    assert isinstance(case.results[name], FormatError)


@check("rows_read", "rows_in_file", "rows_read_each", "rows")
def rows_read(case: Case, expected: Any) -> None:
    for name, parsed in case.parsed.items():
        here = expected.get(name, expected.get(case.period(name))) if isinstance(expected, dict) else expected
        if isinstance(case.must.get("outcome", {}).get(name), str) and "refused" in case.must["outcome"][name]:
            continue
        assert parsed.lines_read == here, name


@check("rows_rejected")
def rows_rejected(case: Case, expected: int) -> None:
    assert sum(parsed.rejects.height for parsed in case.parsed.values()) == expected


@check("players")
def listed_players(case: Case, expected: list[dict[str, Any]]) -> None:
    for player in expected:
        found = {name: value_of(case.only, player["fide_id"], name) for name in player}
        assert found == player


@check("same_for_every_file")
def same_for_every_file(case: Case, expected: dict[str, dict[str, Any]]) -> None:
    for parsed in case.parsed.values():
        for fide_id, values in expected.items():
            assert {name: value_of(parsed, int(fide_id), name) for name in values} == values


@check("standard_and_games")
def standard_and_games(case: Case, expected: dict[str, dict[str, list[int]]]) -> None:
    for parsed, by_id in case.by_period(expected):
        for fide_id, pair in by_id.items():
            assert [value_of(parsed, int(fide_id), name) for name in ("standard", "standard_games")] == pair


def value_by_id(name: str) -> None:
    @check(name)
    def judge(case: Case, expected: dict[str, Any]) -> None:
        for parsed, by_id in case.by_period(expected):
            found = {fide_id: value_of(parsed, int(fide_id), name) for fide_id in by_id}
            assert found == by_id


for _name in ("name", "title", "w_title", "federation", "birth_year", "sex", "active", "standard"):
    value_by_id(_name)


@check("active_by_id")
def active_by_id(case: Case, expected: dict[str, bool]) -> None:
    assert {fide_id: value_of(case.only, int(fide_id), "active") for fide_id in expected} == expected


@check("normalised_title")
def normalised_title(case: Case, expected: dict[str, dict[str, str]]) -> None:
    for parsed, titles in case.by_period(expected):
        assert {fide_id: value_of(parsed, int(fide_id), "title") for fide_id in titles} == titles


@check("raw_title_kept")
def raw_title_kept(case: Case, expected: dict[str, dict[str, str]]) -> None:
    for parsed, codes in case.by_period(expected):
        assert {fide_id: value_of(parsed, int(fide_id), "printed_title") for fide_id in codes} == codes


@check("not_counted_as_gm_im_fm_cm_or_women_equivalents")
def without_a_title(case: Case, expected: dict[str, list[int]]) -> None:
    for parsed, fide_ids in case.by_period(expected):
        assert [value_of(parsed, fide_id, "title") for fide_id in fide_ids] == [None] * len(fide_ids)


@check("titled_counts")
def titled_counts(case: Case, expected: dict[str, dict[str, int]]) -> None:
    for parsed, counts in case.by_period(expected):
        found = players(parsed).drop_nulls("title").group_by("title").len()
        assert dict(found.iter_rows()) == counts
        assert set(counts) <= set(TITLES)


@check("players_total")
def players_total(case: Case, expected: Any) -> None:
    for parsed, count in case.by_period(expected):
        assert players(parsed).height == count


@check("active_players", "players_active")
def active_players(case: Case, expected: Any) -> None:
    for parsed, count in case.by_period(expected):
        assert players(parsed).filter("active").height == count


@check("inactive_players")
def inactive_players(case: Case, expected: int) -> None:
    assert players(case.only).filter(~pl.col("active")).height == expected


@check("women_total")
def women_total(case: Case, expected: int) -> None:
    assert players(case.only).filter(sex="F").height == expected


@check("active_women")
def active_women(case: Case, expected: int) -> None:
    assert players(case.only).filter("active", sex="F").height == expected


@check("highest_rated_active_woman")
def highest_rated_active_woman(case: Case, expected: int) -> None:
    women = players(case.only).filter("active", sex="F").sort("rating", descending=True)
    assert women["fide_id"][0] == expected


@check("active_ranking_standard")
def active_ranking_standard(case: Case, expected: list[dict[str, Any]]) -> None:
    rank = pl.col("rating").rank("min", descending=True)
    ranked = players(case.only).filter("active").with_columns(rank=rank).sort("rank", "fide_id")
    found = ranked.group_by("rank", "rating", maintain_order=True).agg(fide_ids="fide_id")
    assert found.select("rank", "fide_ids", "rating").to_dicts() == expected


@check("period")
def period_of_the_name(case: Case, expected: str) -> None:
    (name,) = case.parsed
    assert case.only.stated_month is None
    assert case.period(name) == expected


@check("period_source")
def period_source(case: Case, expected: str) -> None:
    assert "file name" in expected
    assert case.only.stated_month is None


@check("distinct_fide_ids")
def distinct_fide_ids(case: Case, expected: int) -> None:
    assert case.only.entries["fide_id"].n_unique() == expected


@check("ids_reported_as_duplicated")
def ids_reported_as_duplicated(case: Case, expected: list[int]) -> None:
    assert sorted(case.only.notes.filter(code="duplicate_fide_id")["fide_id"].unique()) == expected


@check("harmless_exact_repeat")
def harmless_exact_repeat(case: Case, expected: list[int]) -> None:
    assert case.only.notes.filter(code="repeated_line")["fide_id"].to_list() == expected


@check("rows_per_fide_id_and_period_in_the_result")
def one_row_an_id(case: Case, expected: str) -> None:
    assert expected == "at most 1"
    assert players(case.only)["fide_id"].is_unique().all()


@check("players_counted")
def players_counted(case: Case, expected: dict[str, int]) -> None:
    assert expected["min"] <= players(case.only).height <= expected["max"]


@check("certain_rows")
def certain_rows(case: Case, expected: dict[str, dict[str, Any]]) -> None:
    standing = players(case.only)
    columns = {"standard": "rating", "standard_games": "games"}
    for fide_id, values in expected.items():
        row = standing.row(by_predicate=pl.col("fide_id") == int(fide_id), named=True)
        assert {name: row[columns.get(name, name)] for name in values} == values


@check("same_result_when_ingested_twice")
def same_result_when_ingested_twice(case: Case, expected: bool) -> None:
    again = Case(case.folder)
    assert players(case.only).equals(players(again.only)) is expected
    assert case.only.notes.equals(again.only.notes) is expected


@check("no_replacement_character_U+FFFD_in_any_name")
def no_replacement_character(case: Case, expected: bool) -> None:
    assert (not case.only.entries["name"].str.contains("\ufffd").any()) is expected


@check("no_control_character_U+0080-U+009F_in_any_name")
def no_control_character(case: Case, expected: bool) -> None:
    assert (not case.only.entries["name"].str.contains("[\u0080-\u009f]").any()) is expected


#: Words of a refusal -> words of our message.
REFUSALS = {
    "cut off": "cut off",
    "a web page": "web page",
    "no bytes": "no bytes",
    "without players": "without players",
    "checksum": "checksum|damaged",
}


@check("outcome")
def outcome(case: Case, expected: dict[str, str]) -> None:
    for name, text in expected.items():
        result = case.results[name]
        asked_for = date.fromisoformat(f"{case.files[name]['asked_for']}-01")
        if text.startswith("refused: "):
            (words,) = (said for meant, said in REFUSALS.items() if meant in text)
            assert isinstance(result, FormatError)
            assert pl.Series([str(result)]).str.contains(words).item()
            continue
        assert isinstance(result, ParsedFile), name
        if text.startswith("refused for "):
            assert result.stated_month not in (None, asked_for)
        elif text.startswith("refused, or accepted with the cut last line rejected"):
            last = result.rejects.filter(pl.col("line_number") == pl.col("line_number").max())
            assert (result.rejects.height, last.height) == (1, 1)
            assert last["line_number"].item() > result.entries["line_number"].max()
        else:
            assert text.startswith("accepted")
            assert f"{result.lines_read} players" in text
            assert result.rejects.is_empty()
            assert result.stated_month == asked_for
