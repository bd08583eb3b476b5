"""``ratings rule``: value, rule, days and source from the shell; "unknown" where nobody knows."""

import pytest
from click.testing import CliRunner

from pipeline.cli import ratings


def ask(question: str) -> list[str]:
    result = CliRunner().invoke(ratings, ["rule", *question.split()])
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("k 2300 --on 2015-01 --games 40", "20"),
        ("k 2420 --on 2015-01 --games 40 --reached-2400", "10"),
        ("k 1500 --on 2015-01 --games 5", "40"),
        ("k 1900 --on 2015-01 --games 40 --born 2000", "40"),
        ("k 2100 --on 2009-01 --games 40", "15"),
        ("expected 2200 2000 --on 2010-01", "0.76"),
        ("expected 2500 2000 --on 2010-01", "0.92"),  # 500 points count as 400
        ("expected 2700 2000 --on 2026-01", "0.99"),  # from 2650 on without a cap
        ("change 2000 --opponents 1900,2100 --scores 1,0.5 --k 20 --on 2010-01", "10"),
        ("initial --opponents 1500,1600,1700,1800,1900 --score 2.5 --on 2024-06", "1729"),
        ("performance --opponents 1500,1600 --score 1", "1550"),
        ("performance --opponents 1500,1600 --score 2 --method 400", "1950"),
        ("floor --on 1985-01 --sex F", "1800"),
        ("floor --on 1985-01", "2200"),
        ("floor --on 1973-01 --sex F", "none"),
        ("compression 1400", "1640"),
        ("compression 2000", "2000"),
        ("elo 1613 --opponents 1609,1477,1388,1586,1720 --score 2.5", "1601.27"),
    ],
)
def test_values(question: str, value: str) -> None:
    assert ask(question)[0] == value


def test_an_answer_names_rule_days_and_source() -> None:
    _, *said = ask("k 2420 --on 2005-01")
    assert said == [
        "rule       25 for the first 30 games, then 15 below 2400, 10 once 2400 was reached (by 2003)",
        "valid      from 2003-01-01 to 2011-06-30",
        "source     FIDE Handbook B.02 of 2003 (read)",
    ]


def test_a_formula_shows_its_steps() -> None:
    said = ask("elo 1613 --opponents 1609,1477,1388,1586,1720 --score 3")
    assert said[0] == "1617.27"
    assert "           expected 0.506 0.686 0.785 0.539 0.351" in said
    assert "           sum 2.867, scored 3 of 5" in said
    assert "valid      a formula without a date" in said


def test_us_chess_with_bonus() -> None:
    said = ask("uscf 1500 --opponents 1500,1600,1700 --score 3 --on 2025-09")
    assert float(said[0]) > 1600
    assert any(line.startswith("           bonus ") and not line.endswith(" 0.00") for line in said)
    without = ask("uscf 1500 --opponents 1500,1600 --score 2 --on 2025-09")
    assert "rule       standard formula; no bonus in fewer than three games" in without


def test_us_chess_says_which_part_of_the_special_formula_was_not_read() -> None:
    few_games = ask("uscf 1500 --opponents 1500,1600,1700 --score 2 --on 2025-09 --games 6")
    assert few_games[-1] == "source     Glickman & Doan, The US Chess Rating System (read)"
    for record in ("wins", "losses"):
        said = ask(f"uscf 1500 --opponents 1500,1600,1700 --score 2 --on 2025-09 --games 20 --record {record}")
        assert said[1] == f"rule       special formula (earlier games were {record} only)"
        assert said[-1].startswith("source     a secondary source, not Glickman & Doan's own text")
        assert said[-1].endswith("(unconfirmed)")


@pytest.mark.parametrize(
    "question",
    [
        "k 2420 --on 1970-05",
        "floor --on 1960-01",
        "expected 2000 1900 --on 1965-01",
        "initial --opponents 1500,1600,1700,1800,1900 --score 2 --on 1965-01",
    ],
)
def test_what_nobody_knows_is_said_to_be_unknown(question: str) -> None:
    (said,) = ask(question)
    assert said.startswith("unknown: ")


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("performance --opponents 1500,1600 --score 3", "3"),
        ("initial --opponents 1500 --score 1 --on 2024-06", "5 games"),
        ("performance --opponents 1500,abc --score 1", "expected ratings separated by commas"),
        ("k 2000 --on 2015-13", "is not a day"),
        ("change 2000 --opponents 1900 --scores x --k 20 --on 2010-01", "expected results separated by commas"),
    ],
)
def test_impossible_questions_are_refused(question: str, message: str) -> None:
    result = CliRunner().invoke(ratings, ["rule", *question.split()])
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output
