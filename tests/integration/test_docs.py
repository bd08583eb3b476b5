"""What the documents promise: queries run, commands exist, links lead somewhere, nothing names a machine."""

import re
import shlex
import subprocess
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from pipeline.cli import COMMANDS, ratings

ROOT = Path(__file__).resolve().parent.parent.parent
TRACKED = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
DOCUMENTS = [ROOT / name for name in TRACKED.splitlines()]
README = (ROOT / "README.md").read_text()
SHELL_LINES = [
    line.split("#")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", "\n".join(path.read_text() for path in DOCUMENTS), re.DOTALL)
    for line in block.splitlines()
]
RATINGS_LINES = sorted({line for line in SHELL_LINES if re.match(r"(\.venv/bin/)?ratings ", line)})


@pytest.mark.parametrize("query", re.findall(r"```sql\n(.*?)```", README, re.DOTALL))
def test_the_five_questions_have_answers(database: duckdb.DuckDBPyConnection, query: str) -> None:
    assert database.execute(query).fetchall()


def test_there_are_five_questions() -> None:
    assert len(re.findall(r"```sql\n", README)) == 5


@pytest.mark.parametrize("call", re.findall(r"`(from \w+\(.*?\))`", README))
def test_macros_named_in_the_readme_answer(database: duckdb.DuckDBPyConnection, call: str) -> None:
    assert database.execute(call).fetchall()


@pytest.mark.parametrize("line", RATINGS_LINES)
def test_commands_in_the_documents_exist(line: str) -> None:
    words = shlex.split(line)[1:]
    commands = [word for word in words if not word.startswith("-")]
    assert commands, line
    assert commands[0] in COMMANDS, line
    group = words[:2] if commands[0] in ("fetch", "rule") and len(commands) > 1 else words[:1]
    result = CliRunner().invoke(ratings, [*group, "--help"])
    assert result.exit_code == 0, result.output
    for option in [word.split("=")[0] for word in words if word.startswith("--")]:
        assert option in result.output, f"{line}: {option} is not an option"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    result = CliRunner().invoke(ratings, [command, "--help"])
    assert result.exit_code == 0, result.output
    assert len(result.output.splitlines()) > 4


def test_every_make_target_in_the_documents_exists() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {word for line in SHELL_LINES for word in re.findall(r"make (\w+)", line)}
    assert named <= targets


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text()):
        assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_nothing_names_a_machine_or_a_package_host() -> None:
    hosts = "|".join(rf"{name}\.{'org'}" for name in ("pypi", "pythonhosted", r"deb\.debian", r"registry\.npmjs"))
    found = subprocess.run(
        ["git", "grep", "-nIE", rf"(^|[^a-z.])/(work|farm|home|root)/|{hosts}", "--", "."],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert found.stdout == ""
