"""What the documents print behind `# ` after a question to the rule book is what the command answers."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipeline.cli import ratings
from pipeline.settings import Settings
from pipeline.warehouse.refresh import project

DOCUMENT = Path(__file__).parents[2] / "dbt_like_sql" / "README.md"
ANSWERED = re.findall(r"^ratings ((?:rule|convert) .*?)\s+# (.+)$", DOCUMENT.read_text(), re.MULTILINE)


@pytest.mark.parametrize(("question", "answer"), ANSWERED)
def test_questions_have_the_answers_printed_beside_them(bundled: Settings, question: str, answer: str) -> None:
    result = CliRunner(env={"RATINGS_DATA": str(bundled.data_dir)}).invoke(ratings, question.split())
    assert result.exit_code == 0, result.output
    if question.startswith("convert"):
        system, name, value = re.fullmatch(r"(.+) \((\S+)\): (\d+)", answer).groups()  # type: ignore[union-attr]
        assert re.search(rf"^{system}.*\({name}\): {value}$", result.output, re.MULTILINE)
    else:
        assert re.split(r"[\n:]", result.output)[0] == answer


def test_there_are_documented_questions() -> None:
    assert len(ANSWERED) >= 10


def test_every_mart_is_in_the_table_of_analyses_and_every_name_in_it_is_one() -> None:
    table = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| ") and "`" in line]
    named = set(re.findall(r"`(\w+)`", "\n".join(line for line in table if "macro" in line or "/" not in line)))
    models = project()
    marts = {model.table.name for model in models.models if model.table.schema == "marts"}
    macros = {macro.name for macro in models.macros}
    text = set(re.findall(r"`(\w+)`", DOCUMENT.read_text()))
    assert marts <= text
    assert named <= marts | macros
