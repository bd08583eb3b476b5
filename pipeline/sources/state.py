"""What is known of every address asked: its version, when and how the last time went. One JSON file.

Losing the file loses no list: everything is asked for once more, whole.
"""

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock

from pipeline.sources.partial import Validators

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AddressState:
    """The state of one address.

    Attributes:
        label: the list it is an address of, as in ``Wanted.label``.
        etag, last_modified, sha256: the version that was stored last, if any was.
        checked_at: when the publisher was asked last, ISO 8601 in UTC.
        outcome: how that went, one of ``fetch.Status``.
        reason: why, where the outcome needs one.
        attempts: requests for the file since it was last stored or found unchanged.
    """

    label: str
    checked_at: str
    outcome: str
    reason: str = ""
    attempts: int = 0
    etag: str | None = None
    last_modified: str | None = None
    sha256: str | None = None

    @property
    def validators(self) -> Validators:
        """For asking conditionally."""
        return Validators(self.etag, self.last_modified)


class FetchState:
    """The states of all addresses, in the file ``path``; safe with several processes and with kills."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def of_url(self, url: str) -> AddressState | None:
        """What is known of an address."""
        return self._read().get(url)

    def all(self) -> dict[str, AddressState]:
        """Every address with its state."""
        return self._read()

    def stored(self, label: str) -> tuple[str, AddressState] | None:
        """Address and state of the version of a list that was stored last."""
        found = [
            (state.checked_at, url, state)
            for url, state in self._read().items()
            if state.label == label and state.sha256
        ]
        if not found:
            return None
        _, url, state = max(found, key=lambda item: item[:2])
        return url, state

    def record(self, url: str, state: AddressState) -> None:
        """Replace what is known of an address."""
        with self._locked():
            states = self._read()
            states[url] = state
            text = json.dumps({key: asdict(states[key]) for key in sorted(states)}, indent=1) + "\n"
            temporary = self._path.with_name(f".{self._path.name}.{os.getpid()}.tmp")
            with temporary.open("w") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self._path)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self._path.with_name(f".{self._path.name}.lock")):
            yield

    def _read(self) -> dict[str, AddressState]:
        try:
            content = json.loads(self._path.read_text())
            return {url: AddressState(**values) for url, values in content.items()}
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, AttributeError) as error:
            _log.warning("%s is damaged (%s): every address is asked again, whole", self._path, error)
            return {}
