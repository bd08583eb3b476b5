"""The files for running it for real parse, name what exists, and agree with the settings in the code."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from conftest import ROOT

from pipeline.assets.instance import INSTANCE_CONFIG
from pipeline.definitions import defs

DEPLOY = ROOT / "pipeline" / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))


def read_unit(path: Path) -> configparser.ConfigParser:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(path)
    return unit


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_a_program_of_the_environment_and_writes_only_data(path: Path) -> None:
    unit = read_unit(path)
    program, *words = unit["Service"]["ExecStart"].split()
    assert Path(program).name in ("dagster-daemon", "dagster-webserver")
    assert words[words.index("-w") + 1] == "workspace.yaml"
    assert unit["Service"]["ReadWritePaths"] == environment()["RATINGS_DATA"]
    assert unit["Service"]["ProtectSystem"] == "strict"


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_systemd_accepts_the_unit(path: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is absent")
    text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", path.read_text(), flags=re.MULTILINE)
    copy = tmp_path / path.name
    copy.write_text(text)
    result = subprocess.run(["systemd-analyze", "verify", str(copy)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def environment() -> dict[str, str]:
    lines = [line for line in (DEPLOY / "chess-rating-history.env").read_text().splitlines() if line[:1] not in "#"]
    return dict(line.split("=", 1) for line in lines)


def test_every_setting_named_is_one_the_code_reads() -> None:
    code = "".join(path.read_text() for path in (ROOT / "pipeline").rglob("*.py"))
    named = set(environment()) | set(re.findall(r"RATINGS_[A-Z_]+[A-Z]", (DEPLOY / "README.md").read_text()))
    for name in named:
        if name.startswith("RATINGS_"):
            assert name in code, name


def test_postgres_settings_differ_from_the_default_ones_in_storage_only() -> None:
    postgres = yaml.safe_load((DEPLOY / "dagster.postgres.yaml").read_text())
    assert postgres.pop("storage")["postgres"]["postgres_url"] == {"env": "RATINGS_POSTGRES_URL"}
    default = yaml.safe_load(INSTANCE_CONFIG)
    assert default.pop("event_log_storage")["class"] == "RunHistory"
    assert postgres == default


def test_dask_settings_name_a_cluster() -> None:
    assert "address" in yaml.safe_load((DEPLOY / "dask.yaml").read_text())["execution"]["config"]["cluster"]["existing"]


def test_the_image_copies_what_exists() -> None:
    for line in (DEPLOY / "Containerfile").read_text().splitlines():
        if line.startswith("COPY "):
            *sources, _ = line.split()[1:]
            for source in sources:
                assert (ROOT / source).exists(), source


def test_the_guide_names_every_schedule_and_sensor() -> None:
    guide = (DEPLOY / "README.md").read_text()
    repository = defs.get_repository_def()
    for automation in [*repository.sensor_defs, *repository.schedule_defs]:
        assert f"`{automation.name}`" in guide
