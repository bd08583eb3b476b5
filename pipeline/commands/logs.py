"""Logging of the commands: words for people, or one JSON object a line for machines (RATINGS_LOG=json)."""

import json
import logging
import os
import sys
from datetime import UTC, datetime
from typing import Final

#: Attribute of a log record that holds further values for the JSON line.
FACTS: Final = "facts"


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time (UTC), level, logger, message, the record's facts, the traceback if any."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        values: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, FACTS, {}),
        }
        if record.exc_info:
            values["traceback"] = self.formatException(record.exc_info)
        return json.dumps(values, ensure_ascii=False, default=str)


def wants_json() -> bool:
    """Whether logs are to be JSON."""
    return os.environ.get("RATINGS_LOG", "") == "json"


def configure() -> None:
    """Send the pipeline's log to standard error in the format asked for. Call it once a command.

    Raises:
        ValueError: RATINGS_LOG is neither ``text`` nor ``json``.
    """
    if (chosen := os.environ.get("RATINGS_LOG", "text")) not in ("text", "json"):
        raise ValueError(f"RATINGS_LOG: expected text or json, found {chosen!r}")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if wants_json() else logging.Formatter("%(levelname)s: %(message)s"))
    logger = logging.getLogger("pipeline")
    logger.handlers[:] = [handler]
    logger.setLevel(logging.INFO if wants_json() else logging.WARNING)
    logger.propagate = False
