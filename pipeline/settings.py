"""Paths and limits, read from the environment once. No other module reads environment variables for them."""

import math
import os
import re
from dataclasses import dataclass
from pathlib import Path

PROJECT_ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the data lives and how much of the machine a build may take.

    Attributes:
        data_dir: the one folder of everything the pipeline writes (``RATINGS_DATA``).
        memory_limit: DuckDB's memory limit during a build (``RATINGS_MEMORY_LIMIT``).
        threads: threads of a build (``RATINGS_THREADS``; 0 = all cores).
        keep_versions: published versions kept for readers that still have them open (``RATINGS_KEEP_VERSIONS``).
        lock_timeout: seconds a second build waits for the first (``RATINGS_LOCK_TIMEOUT``).
        contact: address put into the user agent of downloads (``RATINGS_CONTACT``).
        pause_seconds: pause between two requests to one host (``RATINGS_FETCH_PAUSE``).
        time_zone: of the monthly schedule (``RATINGS_TIME_ZONE``).
        sensor_seconds: how often the inbox and overdue lists are looked for; 0 = every 30 seconds and every hour
            (``RATINGS_SENSOR_SECONDS``).
        max_run_seconds: a scheduled run that takes longer is ended (``RATINGS_MAX_RUN_SECONDS``).
        alert_command, alert_url: told of failed runs and late lists (``RATINGS_ALERT_COMMAND``, which gets JSON on
            its standard input, and ``RATINGS_ALERT_URL``, which gets it by POST).
        shares: in how many steps a distributed run reads files (``RATINGS_SHARES``).
        fide_url: base address of FIDE's download server (``RATINGS_FIDE_URL``).
        olimpbase_url: address of OlimpBase's bulk file (``RATINGS_OLIMPBASE_URL``).
        uscf_url: base address of the US Chess ratings API (``RATINGS_USCF_URL``).
    """

    data_dir: Path
    memory_limit: str = "3GB"
    threads: int = 0
    keep_versions: int = 3
    lock_timeout: float = 600.0
    contact: str = ""
    pause_seconds: float = 2.0
    time_zone: str = "UTC"
    sensor_seconds: int = 0
    max_run_seconds: int = 4 * 3600
    alert_command: str = ""
    alert_url: str = ""
    shares: int = 4
    fide_url: str = "https://ratings.fide.com"
    olimpbase_url: str = "https://www.olimpbase.org/Elo/data/elo1967-2001.zip"
    uscf_url: str = "https://ratings-api.uschess.org"

    @classmethod
    def from_env(cls) -> "Settings":
        """Read the settings.

        Raises:
            ValueError: a value is not the number it should be; the message names the variable.
        """
        env = os.environ
        defaults = cls(data_dir=Path())
        return cls(
            data_dir=Path(env.get("RATINGS_DATA") or PROJECT_ROOT / "data").expanduser().resolve(),
            memory_limit=_memory("RATINGS_MEMORY_LIMIT", defaults.memory_limit),
            threads=_whole("RATINGS_THREADS", defaults.threads),
            keep_versions=max(1, _whole("RATINGS_KEEP_VERSIONS", defaults.keep_versions)),
            lock_timeout=_seconds("RATINGS_LOCK_TIMEOUT", defaults.lock_timeout),
            contact=env.get("RATINGS_CONTACT", defaults.contact),
            pause_seconds=_seconds("RATINGS_FETCH_PAUSE", defaults.pause_seconds),
            time_zone=env.get("RATINGS_TIME_ZONE", defaults.time_zone),
            sensor_seconds=_whole("RATINGS_SENSOR_SECONDS", defaults.sensor_seconds),
            max_run_seconds=_whole("RATINGS_MAX_RUN_SECONDS", defaults.max_run_seconds),
            alert_command=env.get("RATINGS_ALERT_COMMAND", defaults.alert_command),
            alert_url=env.get("RATINGS_ALERT_URL", defaults.alert_url),
            shares=max(1, _whole("RATINGS_SHARES", defaults.shares)),
            fide_url=env.get("RATINGS_FIDE_URL", defaults.fide_url).rstrip("/"),
            olimpbase_url=env.get("RATINGS_OLIMPBASE_URL", defaults.olimpbase_url),
            uscf_url=env.get("RATINGS_USCF_URL", defaults.uscf_url).rstrip("/"),
        )

    @property
    def raw_dir(self) -> Path:
        """Immutable raw files by SHA-256, each with its manifest."""
        return self.data_dir / "raw"

    @property
    def lake_dir(self) -> Path:
        """Parquet: editions, and the current list of every (publisher, rating type, date)."""
        return self.data_dir / "lake"

    @property
    def versions_dir(self) -> Path:
        """Published DuckDB files; the newest is what ``database`` points to."""
        return self.data_dir / "versions"

    @property
    def database(self) -> Path:
        """The file analysts open, read-only."""
        return self.data_dir / "ratings.duckdb"

    @property
    def marts_dir(self) -> Path:
        """Marts as Parquet and CSV."""
        return self.data_dir / "marts"

    @property
    def site_dir(self) -> Path:
        """The static site."""
        return self.data_dir / "site"

    @property
    def site_mark(self) -> Path:
        """Says which publication the site was made from, and by which pages."""
        return self.data_dir / ".site-fingerprint"

    @property
    def inbox_dir(self) -> Path:
        """Files dropped here are added by the inbox sensor."""
        return self.data_dir / "inbox"

    @property
    def fetch_dir(self) -> Path:
        """State of downloads: validators, partial files."""
        return self.data_dir / "fetch"

    @property
    def dagster_home(self) -> Path:
        """Dagster's run history and configuration."""
        return self.data_dir / "dagster"

    @property
    def build_lock(self) -> Path:
        """Lock file of the one writer."""
        return self.data_dir / ".build.lock"


def _memory(variable: str, default: str) -> str:
    text = os.environ.get(variable, "").strip() or default
    if not re.fullmatch(r"\d+(\.\d+)? ?[KMGT]i?B", text, re.ASCII):
        raise ValueError(f"{variable}: expected an amount of memory such as 3GB or 800MB, found {text!r}")
    return text


def _whole(variable: str, default: int) -> int:
    text = os.environ.get(variable, "")
    if text and not (text.isascii() and text.isdigit()):
        raise ValueError(f"{variable}: expected a whole number, 0 or more, found {text!r}")
    return int(text or default)


def _seconds(variable: str, default: float) -> float:
    text = os.environ.get(variable, "")
    try:
        seconds = float(text or default)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < math.inf:
        raise ValueError(f"{variable}: expected a number of seconds, 0 or more, found {text!r}")
    return seconds
