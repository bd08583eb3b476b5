"""Where Scid's ratings file is looked for, and what is said when it is nowhere."""

from pathlib import Path

import pytest

from pipeline.sources import scid


def test_the_setting_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "ratings.ssp"
    own.write_bytes(b"")
    monkeypatch.setenv("RATINGS_SCID", str(own))
    assert scid.ratings_file() == own


def test_a_wrong_setting_is_not_replaced_by_a_guess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATINGS_SCID", str(tmp_path / "none.ssp"))
    with pytest.raises(scid.SourceMissingError, match=r"none\.ssp"):
        scid.ratings_file()


def test_it_is_found_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RATINGS_SCID", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(scid, "USUAL_PLACES", ("/nonexistent/spelling.ssp", "~/.scid/spelling.ssp"))
    with pytest.raises(scid.SourceMissingError, match="apt install scid-rating-data"):
        scid.ratings_file()
    (tmp_path / ".scid").mkdir()
    (tmp_path / ".scid" / "spelling.ssp").write_bytes(b"")
    assert scid.ratings_file() == tmp_path / ".scid" / "spelling.ssp"
