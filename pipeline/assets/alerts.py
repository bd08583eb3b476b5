"""Telling somebody: a command or an address from the settings gets one JSON object per event."""

import json
import logging
import subprocess
from typing import Final

import requests

from pipeline.settings import Settings

_log = logging.getLogger(__name__)

#: Seconds the command or the address gets.
PATIENCE: Final = 30


def alert(settings: Settings, event: str, message: str, **facts: object) -> bool:
    """Tell what happened; True when somebody was told. An alert that fails is logged and stops nothing.

    Args:
        event: ``run_failed``, ``list_late`` or ``lists_refused``.
        message: one sentence or more, for people.
        facts: further values of the JSON object.
    """
    content = json.dumps({"event": event, "message": message, **facts}, default=str)
    told = False
    if settings.alert_command:
        try:
            subprocess.run(settings.alert_command, shell=True, input=content, text=True, timeout=PATIENCE, check=True)
            told = True
        except (subprocess.SubprocessError, OSError) as error:
            _log.error("the alert command failed (%s); the alert was: %s", error, message)
    if settings.alert_url:
        try:
            headers = {"Content-Type": "application/json"}
            requests.post(settings.alert_url, content, headers=headers, timeout=PATIENCE).raise_for_status()
            told = True
        except requests.RequestException as error:
            # The address may hold a secret: only the kind of the error is logged.
            _log.error("the alert address failed (%s); the alert was: %s", type(error).__name__, message)
    return told
