"""Two lines on one id in one list (or, on lists without ids, on one name, federation and birth year).

Real lists of 2001-2013 hold up to 18 such ids: a player with an old and a new rating, or two people on one id.
No rule is right every time, so the rule is fixed and visible: the line with more games, then the later line
stands; the other stays in the edition, marked with the line that stands.
"""

import polars as pl


def mark_duplicates(entries: pl.DataFrame) -> pl.DataFrame:
    """Add ``duplicate_of``: null for the line that stands, else that line's number.

    Args:
        entries: entries of one list (ENTRY_SCHEMA columns), any order.
    """
    # US Chess ids count downwards and names are hashed into the rest of 64 bits, so that kinds never meet.
    ids = pl.coalesce(
        # first, because a US record may state the FIDE id of somebody else: that is no second line
        -pl.col("uscf_id").cast(pl.Int64),
        pl.col("fide_id").cast(pl.Int64),
        (pl.struct("name", "federation", "birth_year").hash() // 2).cast(pl.Int64),
    )
    numbered = entries.select(id=ids, line="line_number", games=pl.col("games").fill_null(-1))
    if numbered["id"].n_unique() == numbered.height:
        return entries.with_columns(duplicate_of=pl.lit(None, dtype=pl.Int32))
    standing = (
        numbered.sort("games", "line", descending=True)
        .group_by("id", maintain_order=True)
        .agg(standing=pl.col("line").first(), lines=pl.len())
        .filter(pl.col("lines") > 1)
    )
    return (
        entries.with_columns(id=ids)
        .join(standing.select("id", "standing"), on="id", how="left", maintain_order="left")
        .with_columns(duplicate_of=pl.when(pl.col("standing") != pl.col("line_number")).then("standing").cast(pl.Int32))
        .drop("id", "standing")
    )
