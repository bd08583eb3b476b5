"""How patient and how trusting the fetchers are. Numbers only."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How long, how often, how much. Seconds and bytes; the defaults suit lists of up to 60 MB.

    Attributes:
        attempt_seconds: total time of one attempt, against servers that drip.
        longest_wait_seconds: a publisher that asks for a longer wait is left alone until the next run.
    """

    connect_seconds: float = 15.0
    read_seconds: float = 60.0
    attempt_seconds: float = 900.0
    pause_seconds: float = 2.0
    attempts: int = 4
    first_backoff_seconds: float = 5.0
    longest_backoff_seconds: float = 120.0
    longest_wait_seconds: float = 600.0
    file_bytes: int = 256 << 20
    page_bytes: int = 2 << 20
    redirects: int = 5
