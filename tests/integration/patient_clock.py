"""A clock whose waits cost nothing: it jumps ahead instead, and remembers how long it was asked to wait."""

import time
from dataclasses import dataclass, field


@dataclass
class PatientClock:
    """The machine's time, plus everything that was slept."""

    slept: list[float] = field(default_factory=list)

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time() + sum(self.slept)

    def sleep(self, seconds: float) -> None:
        """Jump ahead."""
        self.slept.append(seconds)
