"""Persons and their spellings in Scid's ratings file: what linking people across lists needs.

Belongs here: facts about persons as of the file's last list. Not here: ratings (scid), and the decision who is
who (players). A person's key is the line on which the player begins, which is also ``line_number`` of the
ratings.
"""

from typing import Final

import polars as pl

from pipeline.domain.titles import OPEN_TITLES, TITLE_OF_CODE, WOMEN_TITLES
from pipeline.formats.scid_blocks import Source, lines_of, persons_of, player_blocks

PEOPLE_SCHEMA: Final[dict[str, pl.DataType]] = {
    "line_number": pl.Int32(),
    "name": pl.String(),
    "fide_id": pl.Int32(),
    "fide_id_deprecated": pl.Boolean(),
    "sex": pl.String(),
    "title": pl.String(),
    "w_title": pl.String(),
    "other_titles": pl.String(),
    "federation": pl.String(),
    "federations": pl.String(),
    "birth_year": pl.Int16(),
    "death_year": pl.Int16(),
}

SPELLING_SCHEMA: Final[dict[str, pl.DataType]] = {
    "line_number": pl.Int32(),
    "name": pl.String(),
    "alternative_name": pl.String(),
    "kind": pl.String(),
}


def people(source: Source) -> pl.DataFrame:
    """One row per person (PEOPLE_SCHEMA).

    ``title`` is the open title, else the women's title; ``w_title`` the women's title beside an open one;
    ``other_titles`` a comma list of honorary and correspondence titles as printed. ``federations`` are joined
    by ``/``, earliest first; ``federation`` is the last. A deprecated number is no longer on the publisher's
    lists: its holder died, or it was dropped or merged into another.
    """
    frames = [_people_of(persons_of(lines_of(line, block))) for line, block in player_blocks(source)]
    return pl.concat(frames) if frames else pl.DataFrame(schema=PEOPLE_SCHEMA)


def spellings(source: Source) -> pl.DataFrame:
    """One row per spelling (SPELLING_SCHEMA): ``kind`` is ``preferred`` or ``alternative``.

    Every person has a row ``preferred`` in which ``alternative_name`` is the name itself, so that one column
    holds all spellings of a person.
    """
    frames = [_spellings_of(lines_of(line, block)) for line, block in player_blocks(source)]
    return pl.concat(frames) if frames else pl.DataFrame(schema=SPELLING_SCHEMA)


def _people_of(persons: pl.DataFrame) -> pl.DataFrame:
    printed = pl.col("titles").str.split("+")
    known = printed.list.eval(
        pl.element().str.to_lowercase().replace_strict(TITLE_OF_CODE, default=None, return_dtype=pl.String)
    )
    open_title = known.list.filter(pl.element().is_in(OPEN_TITLES)).list.first()
    women_title = known.list.filter(pl.element().is_in(WOMEN_TITLES)).list.first()
    # "w" alone marks a woman; it is not a title, and not the "w" of a two-letter code either.
    others = printed.list.filter(~pl.element().str.to_lowercase().is_in([*TITLE_OF_CODE, "w"]) & (pl.element() != ""))
    return persons.select(
        pl.col("person").alias("line_number"),
        "name",
        "fide_id",
        "fide_id_deprecated",
        "sex",
        pl.coalesce(open_title, women_title).alias("title"),
        pl.when(open_title.is_not_null()).then(women_title).alias("w_title"),
        others.list.join(",").replace("", None).alias("other_titles"),
        pl.col("federations").list.last().alias("federation"),
        pl.col("federations").list.join("/"),
        "birth_year",
        "death_year",
    )


def _spellings_of(lines: pl.DataFrame) -> pl.DataFrame:
    persons = persons_of(lines).select("person", "name")
    preferred = persons.select("person", "name", alternative_name="name", kind=pl.lit("preferred"))
    alternative = (
        lines.filter(pl.col("line").str.contains(r"^\s+="))
        .select(
            "person",
            alternative_name=pl.col("line").str.extract(r"^\s+=\s*([^#]*)").str.strip_chars(),
            kind=pl.lit("alternative"),
        )
        .filter(pl.col("alternative_name") != "")
        .join(persons, on="person", how="inner", maintain_order="left")
        .select("person", "name", "alternative_name", "kind")
    )
    return pl.concat([preferred, alternative]).sort("person", maintain_order=True).rename({"person": "line_number"})
