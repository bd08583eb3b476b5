"""From raw files to current lists: source files and editions by month, then the lake as a whole."""

import dagster as dg

from pipeline.assets.partitions import list_months, month_of
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore
from pipeline.lists.sync import add_bundled, read_sources, sync, unread
from pipeline.settings import Settings

GROUP = "lists"


def _stores() -> tuple[RawStore, Lake]:
    settings = Settings.from_env()
    return RawStore(settings.raw_dir), Lake(settings.lake_dir)


@dg.asset(
    group_name=GROUP,
    kinds={"file"},
    partitions_def=list_months(),
    backfill_policy=dg.BackfillPolicy.single_run(),
    description="Raw files held of each month's lists, immutable, named by their SHA-256.",
)
def source_files(context: dg.AssetExecutionContext) -> None:
    store, _ = _stores()
    add_bundled(store)
    months = {month_of(key) for key in context.partition_keys}
    held = [source for source in store.sources() if source.list_date is None or source.list_date in months]
    context.add_output_metadata({"files": len(held), "bytes": sum(source.byte_size for source in held)})


@dg.asset(
    group_name=GROUP,
    kinds={"polars", "parquet"},
    partitions_def=list_months(),
    backfill_policy=dg.BackfillPolicy.single_run(),
    deps=[source_files],
    description="What every source file states of every list, one Parquet file per list and source file.",
)
def editions(context: dg.AssetExecutionContext) -> None:
    store, lake = _stores()
    months = {month_of(key) for key in context.partition_keys}
    pending = [source for source in unread(store, lake) if source.list_date is None or source.list_date in months]
    failures = read_sources(pending, store, lake)
    for source in pending:
        if failure := failures.get(source.sha256):
            context.log.error(failure)
    context.add_output_metadata({"files_read": len(pending) - len(failures), "files_refused": len(failures)})


@dg.asset(
    group_name=GROUP,
    kinds={"parquet"},
    deps=[editions],
    description="The current edition of every list held, chosen by a declared order; files not read yet are read.",
)
def current_lists(context: dg.AssetExecutionContext) -> dg.MaterializeResult[None]:
    store, lake = _stores()
    synced = sync(store, lake, lambda source: context.log.info(f"read {source.file_name}"))
    for failure in synced.failures.values():
        context.log.error(failure)
    return dg.MaterializeResult(
        metadata={
            "lists": len(synced.current),
            "source_files": len(synced.sources),
            "refused": dg.MetadataValue.md("\n".join(f"- {text}" for text in synced.failures.values()) or "none"),
        }
    )
