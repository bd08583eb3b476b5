"""Reading files in shares: as many steps as wanted, which an executor may send to other machines.

Every share reads the files whose digest falls to it and writes Parquet into the lake, nothing else; who reads a file
does not matter to what is written.
"""

import dagster as dg

from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore, SourceFile
from pipeline.lists.sync import add_bundled, read_sources, unread
from pipeline.settings import Settings


def share_of(source: SourceFile, shares: int) -> int:
    """Which share reads a file."""
    return int(source.sha256[:8], 16) % shares


def share_assets(shares: int) -> list[dg.AssetsDefinition]:
    """One asset a share."""
    return [_share(number, shares) for number in range(shares)]


def _share(number: int, shares: int) -> dg.AssetsDefinition:
    @dg.asset(
        key=["lake_shares", f"share_{number + 1}"],
        group_name="lists",
        kinds={"polars", "parquet"},
        description=f"Share {number + 1} of {shares} of the files that are not read yet.",
    )
    def share(context: dg.AssetExecutionContext) -> dg.MaterializeResult[None]:
        settings = Settings.from_env()
        store, lake = RawStore(settings.raw_dir), Lake(settings.lake_dir)
        add_bundled(store)
        pending = [source for source in unread(store, lake) if share_of(source, shares) == number]
        failures = read_sources(pending, store, lake)
        for failure in failures.values():
            context.log.error(failure)
        return dg.MaterializeResult(
            metadata={"files_read": len(pending) - len(failures), "files_refused": len(failures)}
        )

    return share
