"""What a publisher's answer means: is it worth another try, may it be followed, does it fit a part.

Belongs here: reading status and headers. Asking is in ``http.py``.
"""

from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit

import requests

from pipeline.sources.errors import FetchError, NotFoundError, PermanentError, TransientError

#: Statuses below 500 that mean: later.
BUSY: Final = frozenset({408, 425, 429})
BY_HAND: Final = "Open the address in a browser; a file saved from there can be put into the inbox folder."
LATER: Final = "The next run asks again and continues where this one stopped."
NO_ANSWER: Final = (
    "The next run asks again. Some publishers do not answer the networks of hosting companies at all: "
    "if it stays so, try from another network, or put the file into the inbox folder."
)


def same_host(url: str, target: str) -> bool:
    """Same host and port; from http to https is allowed, never back."""
    old, new = urlsplit(url), urlsplit(target)
    if (old.scheme, new.scheme) == ("http", "https"):
        return old.hostname == new.hostname and old.port in (None, 80) and new.port in (None, 443)
    return (old.scheme, old.hostname, old.port) == (new.scheme, new.hostname, new.port)


def whole_size(content_range: str, start: int) -> int | None:
    """SIZE of ``bytes START-END/SIZE``, if the range begins at ``start`` and ends with the file."""
    span, _, size = content_range.removeprefix("bytes ").partition("/")
    if not size.isdigit() or span != f"{start}-{int(size) - 1}":
        return None
    return int(size)


def too_large(url: str, size: int, limit: int) -> PermanentError:
    return PermanentError(url, f"larger than allowed: {size} bytes, the limit is {limit}", BY_HAND)


def refusal(response: requests.Response, now: float) -> FetchError:
    """The exception for a status that brings no file."""
    url, status = response.url, response.status_code
    if status >= 500 or status in BUSY:
        wait = retry_after(response.headers.get("Retry-After", ""), now)
        asked = f", asks to wait {wait:.0f} s" if wait is not None else ""
        return TransientError(url, f"the publisher answers {status}{asked}", LATER, wait)
    if status in (404, 410):
        return NotFoundError(url, f"the publisher answers {status}: no such file", BY_HAND)
    if status in (401, 403, 451):
        return PermanentError(url, f"the publisher answers {status}: not for us", BY_HAND)
    return PermanentError(url, f"the publisher answers {status}, which brings no file", BY_HAND)


def retry_after(value: str, now: float) -> float | None:
    """Seconds to wait from a ``Retry-After`` header: a number or a date."""
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except ValueError:
        return None
