"""The contents of the site: its pages in the order of the navigation."""

from typing import Final

from dashboards.page import Page
from dashboards.pages import (
    about,
    ages,
    careers,
    compression,
    coverage,
    dictionary,
    federations,
    inflation,
    ledger,
    lists,
    number_ones,
    overview,
    peaks,
    percentiles,
    players,
    rank_bands,
    records,
    titles,
    us_chess,
    women,
)

PAGES: Final[tuple[Page, ...]] = (
    overview.PAGE,
    number_ones.PAGE,
    peaks.PAGE,
    records.PAGE,
    lists.PAGE,
    players.PAGE,
    rank_bands.PAGE,
    percentiles.PAGE,
    inflation.PAGE,
    compression.PAGE,
    careers.PAGE,
    federations.PAGE,
    titles.PAGE,
    women.PAGE,
    ages.PAGE,
    us_chess.PAGE,
    coverage.PAGE,
    ledger.PAGE,
    dictionary.PAGE,
    about.PAGE,
)
