"""Scid's ratings file (standard lists since 1971, one value per player and list): where it is installed.

It comes with Scid and is not fetched: distributions package it. Its content is read by ``formats``.
"""

import os
from pathlib import Path
from typing import Final

#: Debian's and Ubuntu's scid-rating-data, other packages, own builds, Scid's folder in the home directory.
USUAL_PLACES: Final = (
    "/usr/share/scid/data/spelling.ssp",
    "/usr/share/scid/spelling.ssp",
    "/usr/local/share/scid/data/spelling.ssp",
    "/usr/local/share/scid/spelling.ssp",
    "~/.scid/data/spelling.ssp",
    "~/.scid/spelling.ssp",
)


class SourceMissingError(Exception):
    """A file that has to be installed is not here; the message says how to get it."""


def ratings_file() -> Path:
    """Path of the installed file; RATINGS_SCID names it where it is elsewhere.

    Raises:
        SourceMissingError: it is nowhere.
    """
    told = os.environ.get("RATINGS_SCID")
    for place in (told,) if told else USUAL_PLACES:
        path = Path(place).expanduser()
        if path.is_file():
            return path
    looked = f"RATINGS_SCID says {told}, and there is no such file" if told else "it is in no usual place"
    raise SourceMissingError(
        f"Scid's ratings file is missing ({looked}). Install it with 'apt install scid-rating-data' on "
        "Debian and Ubuntu, or set RATINGS_SCID to the spelling.ssp or ratings.ssp of any Scid."
    )
