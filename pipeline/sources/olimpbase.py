"""OlimpBase: all lists of 1967 to 2001 in one archive. Its content is read by ``formats``."""

from typing import Final

from pipeline.formats.recognise import read_list
from pipeline.sources.downloaded import Downloaded
from pipeline.sources.errors import WrongListError
from pipeline.sources.wanted import Wanted

#: The site, then the mirror of its pages.
ADDRESSES: Final = (
    "https://www.olimpbase.org/Elo/data/elo1967-2001.zip",
    "https://bartelski.pl/olimpbase/Elo/data/elo1967-2001.zip",
)


def wanted(address: str = ADDRESSES[0]) -> Wanted:
    """The bulk file at ``address`` (setting RATINGS_OLIMPBASE_URL); the mirror follows the site's own address."""
    return Wanted(
        collection="olimpbase",
        label="olimpbase 1967-2001",
        list_date=None,
        rating_type=None,
        candidates=lambda _: ADDRESSES if address == ADDRESSES[0] else (address,),
        check=check,
    )


def check(got: Downloaded) -> None:
    """Accept a download only as OlimpBase's bulk file.

    Raises:
        FormatError: it is something else.
    """
    parsed = read_list(got.path.read_bytes(), got.file_name)
    if parsed.collection != "olimpbase":
        raise WrongListError(f"{got.file_name}: a {parsed.layout} list, expected OlimpBase's bulk file")
