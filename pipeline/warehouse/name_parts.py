"""Names taken apart, kept beside the editions: of hundreds of thousands of names a new list brings a few new ones.

Belongs here: keeping them, as long as they are what would be made now. Not here: how a name is taken apart
(``players.spelling``).
"""

from functools import cache
from pathlib import Path
from typing import Final

import polars as pl

from pipeline.code_digest import code_digest
from pipeline.lists.files import write_atomically
from pipeline.lists.lake import Lake
from pipeline.players.spelling import PARTS_SCHEMA, parts_of

_STEM: Final = "name_parts"
#: Share of new names from which on they are written with the others: before, making them again costs less.
_WORTH_WRITING: Final = 0.05


def kept_parts(lake: Lake, names: pl.Series) -> pl.DataFrame:
    """Parts of all ``names`` (``spelling.parts_of``), made for those only that were not in the lake.

    Call it with ``publish.build_lock`` held.
    """
    path = lake.root / f"{_STEM}-{_code()}.parquet"
    known = _read(path)
    distinct = names.drop_nulls().unique().alias("name").to_frame()
    new = distinct.join(known, on="name", how="anti")["name"]
    if new.is_empty():
        return known
    parts = pl.concat([known, parts_of(new)])
    if len(new) > _WORTH_WRITING * parts.height:
        held = parts.join(distinct, on="name", how="semi")
        write_atomically(path, lambda temporary: held.write_parquet(temporary, compression_level=1))
        for other in lake.root.glob(f"{_STEM}-*.parquet"):
            if other != path:
                other.unlink()
    return parts


def _read(path: Path) -> pl.DataFrame:
    """What is kept there; nothing where that cannot be read: it can be made again."""
    try:
        kept = pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError):
        return pl.DataFrame(schema=PARTS_SCHEMA)
    return kept if kept.schema == pl.Schema(PARTS_SCHEMA) else pl.DataFrame(schema=PARTS_SCHEMA)


@cache
def _code() -> str:
    """Digest of what decides the parts of a name."""
    return code_digest(("polars",), [("pipeline/domain", "names.py"), ("pipeline/players", "spelling.py")])[:16]
