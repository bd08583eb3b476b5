"""What can go wrong between here and a publisher, by consequence: ask again later, or do not.

Belongs here: the exceptions of fetching. What they lead to is decided in ``fetch.py``.
"""

from pipeline.formats.parsed import FormatError


class FetchError(Exception):
    """A file that was not obtained.

    Attributes:
        url: address that was asked.
        reason: what happened, one clause without a full stop.
        advice: what to do next, one sentence.
        tries: how often the address was asked.
    """

    def __init__(self, url: str, reason: str, advice: str) -> None:
        super().__init__(url, reason, advice)
        self.url = url
        self.reason = reason
        self.advice = advice
        self.tries = 1

    def __str__(self) -> str:
        return f"{self.url}: {self.reason.rstrip('.')}. {self.advice}"


class TransientError(FetchError):
    """Worth asking again: time-out, reset, cut off, busy server.

    Attributes:
        retry_after: seconds the publisher asked to wait, if it did.
    """

    def __init__(self, url: str, reason: str, advice: str, retry_after: float | None = None) -> None:
        super().__init__(url, reason, advice)
        self.retry_after = retry_after


class PermanentError(FetchError):
    """Asking again in this run cannot help: not there, forbidden, too large, another host, wrong content."""


class NotFoundError(PermanentError):
    """The publisher says that there is no such file."""


class ContentRefusedError(PermanentError):
    """The file came, and is not what was asked for; the cause is the FormatError of the content check."""


class WrongListError(FormatError):
    """The content is a rating list, but not the one asked for."""


class NotYetPublishedError(FormatError):
    """The publisher still serves the list before the one asked for."""
