"""Settings: what the environment says, and that nonsense in it is named."""

from pathlib import Path

import pytest

from pipeline.settings import Settings


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RATINGS_DATA", str(tmp_path))
    monkeypatch.setenv("RATINGS_THREADS", "2")
    monkeypatch.setenv("RATINGS_FETCH_PAUSE", "0.5")
    monkeypatch.setenv("RATINGS_KEEP_VERSIONS", "0")
    settings = Settings.from_env()
    assert settings.data_dir == tmp_path
    assert settings.threads == 2
    assert settings.pause_seconds == 0.5
    assert settings.keep_versions == 1, "the published version is always kept"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("RATINGS_THREADS", "many"),
        ("RATINGS_THREADS", "-3"),
        ("RATINGS_MEMORY_LIMIT", "plenty"),
        ("RATINGS_MEMORY_LIMIT", "3"),
        ("RATINGS_KEEP_VERSIONS", "1.5"),
        ("RATINGS_LOCK_TIMEOUT", "nan"),
        ("RATINGS_LOCK_TIMEOUT", "soon"),
        ("RATINGS_FETCH_PAUSE", "-1"),
    ],
)
def test_a_value_that_is_no_number_is_named(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ValueError, match=rf"^{variable}: expected .*, found '{value}'$"):
        Settings.from_env()
