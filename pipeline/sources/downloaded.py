"""What asking for one file came to. Values only."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

from pipeline.sources.partial import Validators


@dataclass(frozen=True, slots=True)
class Downloaded:
    """A complete, checked file. It lies in the session's folder; whoever asked for it moves or removes it."""

    path: Path
    url: str
    file_name: str
    validators: Validators
    sha256: str
    byte_size: int
    retrieved_at: datetime
    resumed: bool
    tries: int = 1

    @property
    def made_on(self) -> date:
        """Day on which the publisher made the file, UTC; where it does not say, the day of the download."""
        try:
            return parsedate_to_datetime(self.validators.last_modified or "").astimezone(UTC).date()
        except ValueError:
            return self.retrieved_at.date()


@dataclass(frozen=True, slots=True)
class NotModified:
    """The publisher says that the version known to the caller is still the current one."""

    url: str
    tries: int
