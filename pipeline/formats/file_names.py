"""What the name of a file says about the list in it: month and rating type.

Belongs here: the naming habits of FIDE's archive, of the collections and of the usual conversions. A name is only a
claim: the caller compares it with what was asked for and with what the file itself states.
"""

import re
from datetime import date
from pathlib import PurePosixPath
from typing import Final

#: FIDE's names of months, in every language of its pages.
MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_RATING_TYPE: Final = re.compile(r"(?<![a-z])(standard|rapid|blitz)(?![a-z])")
#: jan01frl.zip, standard_aug12frl_xml.zip, blitz_JUL15.csv.zip
_MONTH_WORD: Final = re.compile(rf"(?<![a-z])({'|'.join(MONTHS)})[a-z]?[ _-]?((?:19|20)?[0-9]{{2}})(?![0-9])")
#: weeks_1971-07.txt, ecl2020_2006-01.tsv.zip
_YEAR_MONTH: Final = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})[-_.]?(0[1-9]|1[0-2])(?![0-9])")
_SINGLE_LIST: Final = re.compile(r"frl(?![a-z])")


def list_of_file_name(name: str) -> tuple[date | None, str | None]:
    """Return (first day of the list's month, rating type) as far as the name of a file tells them.

    FIDE's names without a rating type (``jan01frl.zip``) are those of standard lists, the only ones there were; two
    digits of a year mean 1970 to 2069.

    >>> list_of_file_name("blitz_sep12frl.txt")
    (datetime.date(2012, 9, 1), 'blitz')
    """
    base = PurePosixPath(name.replace("\\", "/")).name.lower()
    found_type = _RATING_TYPE.search(base)
    month = _month(base)
    if found_type:
        return month, found_type[1]
    return month, "standard" if month and _SINGLE_LIST.search(base) else None


def _month(base: str) -> date | None:
    if found := _MONTH_WORD.search(base):
        year = int(found[2])
        if year < 100:
            year += 1900 if year >= 70 else 2000
        return date(year, MONTHS.index(found[1]) + 1, 1)
    if found := _YEAR_MONTH.search(base):
        return date(int(found[1]), int(found[2]), 1)
    return None
