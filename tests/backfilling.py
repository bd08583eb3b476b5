"""Backfills of months in a test: raw files that are held but not read yet, and the run over a range of months."""

import shutil
from pathlib import Path

import dagster as dg

from pipeline.assets.instance import RANGE_TAGS
from pipeline.assets.lists import editions, source_files
from pipeline.assets.partitions import list_months
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore
from pipeline.lists.sync import BUNDLED_AT
from pipeline.settings import Settings

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
#: How Scid's file is thinned: months and layout are those of the whole, reading it takes half a second.
EVERY = 40


def months(first: str, last: str) -> list[str]:
    """Partitions from ``first`` to ``last``, such as 2001-01."""
    return [key for key in list_months().get_partition_keys() if first <= key <= last]


def backfill(opened: dg.DagsterInstance, keys: list[str]) -> dg.ExecuteInProcessResult:
    """One run over these partitions, with the tags that Dagster gives the one run of a backfill."""
    tags = dict(zip(RANGE_TAGS, (keys[0], keys[-1]), strict=True))
    return dg.materialize([source_files, editions], instance=opened, run_config=QUIET, tags=tags)


def metadata_of(result: dg.ExecuteInProcessResult, asset: dg.AssetsDefinition) -> dict[str, dict[str, object]]:
    """What a run recorded of an asset, by partition."""
    return {
        str(event.partition): {
            name: value.value for name, value in event.step_materialization_data.materialization.metadata.items()
        }
        for event in result.get_asset_materialization_events()
        if event.asset_key == asset.key
    }


def forget_what_was_read(settings: Settings) -> None:
    """Leave the raw files alone."""
    shutil.rmtree(settings.lake_dir)


def store_scid(settings: Settings, path: Path) -> None:
    """Put Scid's file into the raw store, unread."""
    RawStore(settings.raw_dir).add(
        path, "spelling.ssp", collection="scid", origin="scid-rating-data", retrieved_at=BUNDLED_AT
    )


def thinned(scid_file: Path, target: Path) -> Path:
    """Scid's file with every fortieth of its players."""
    number = 0
    in_players = False
    with scid_file.open("rb") as lines, target.open("wb") as kept:
        for line in lines:
            if line.startswith(b"@"):
                in_players = line.startswith(b"@PLAYER")
            elif in_players and not line.startswith((b" ", b"#", b"%", b"\n", b"\r")):
                number += 1
            if not in_players or number % EVERY == 0:
                kept.write(line)
    return target


def lake_bytes(settings: Settings) -> dict[str, bytes]:
    """Every file of the lake that is no link to an edition."""
    root = Lake(settings.lake_dir).root
    return {
        str(path.relative_to(root)): path.read_bytes()
        for folder in ("editions", "sources")
        for path in sorted((root / folder).rglob("*"))
        if path.is_file()
    }
