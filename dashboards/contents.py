"""The contents of the site: its pages in the order of the navigation."""

from typing import Final

from dashboards.page import Page
from dashboards.pages import (
    about,
    coverage,
    dictionary,
    inflation,
    lists,
    number_ones,
    overview,
    peaks,
    players,
    rank_bands,
)

PAGES: Final[tuple[Page, ...]] = (
    overview.PAGE,
    number_ones.PAGE,
    peaks.PAGE,
    lists.PAGE,
    players.PAGE,
    rank_bands.PAGE,
    inflation.PAGE,
    coverage.PAGE,
    dictionary.PAGE,
    about.PAGE,
)
