"""From publishers and dropped files to current lists: by month as far as months are known, then the lake as a whole."""

from collections.abc import Sequence
from datetime import date
from typing import Final

import dagster as dg

from pipeline.assets.alerts import alert
from pipeline.assets.fetching import Fetching, failed, publication_calendar, today
from pipeline.assets.holdings import by_month, editions_held, source_files_held
from pipeline.assets.partitions import list_months, month_of
from pipeline.domain.calendar import next_month
from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore, SourceFile
from pipeline.lists.sync import add_bundled, read_sources, sync, unread
from pipeline.settings import Settings
from pipeline.warehouse.publish import build_lock

GROUP: Final = "lists"
#: Seconds before lists that failed for now are asked for again within the run.
RETRY_AFTER: Final = 300


def _stores() -> tuple[RawStore, Lake]:
    settings = Settings.from_env()
    return RawStore(settings.raw_dir), Lake(settings.lake_dir)


def _months_of_partitions(context: dg.AssetExecutionContext) -> dict[str, set[date]]:
    """The months of each partition of a run; a list that is out before its month goes with the newest one."""
    newest = list_months().get_last_partition_key()
    return {
        key: {month_of(key), next_month(month_of(key))} if key == newest else {month_of(key)}
        for key in context.partition_keys
    }


def _months(context: dg.AssetExecutionContext) -> set[date]:
    """The months of a run."""
    return set().union(*_months_of_partitions(context).values())


def _is_of(source: SourceFile, months: set[date]) -> bool:
    """Whether a file is of these months; one that holds lists of many months is of every month."""
    return source.list_date is None or source.list_date in months


class FetchConfig(dg.Config):
    """``fetch`` asks FIDE for the lists of these months that are not held, and for the newest again.

    ``retries`` is how often lists that failed for now are asked for once more.
    """

    fetch: bool = False
    retries: int = 2


@dg.asset(
    group_name=GROUP,
    kinds={"file"},
    description="Files dropped into the inbox folder: added and moved aside, those that cannot be with the reason.",
)
def inbox(context: dg.AssetExecutionContext) -> dg.MaterializeResult[None]:
    swept = Fetching(Settings.from_env(), today()).sweep_inbox()
    for file in swept:
        context.log.log("INFO" if file.result == "added" else "ERROR", f"{file.name}: {file.result} {file.reason}")
    results = [file.result for file in swept]
    return dg.MaterializeResult(metadata={name: results.count(name) for name in ("added", "rejected", "failed")})


@dg.asset(
    group_name=GROUP,
    kinds={"file"},
    partitions_def=list_months(),
    backfill_policy=dg.BackfillPolicy.single_run(),
    description="Raw files held of each month's lists, immutable, named by their SHA-256; fetched when told to.",
)
def source_files(context: dg.AssetExecutionContext, config: FetchConfig) -> dg.MaterializeResult[None]:
    settings, (store, _) = Settings.from_env(), _stores()
    add_bundled(store)
    months = _months(context)
    fetched = _fetch(context, config, Fetching(settings, today()), months) if config.fetch else {}
    sources = store.sources()
    for key, of_partition in _months_of_partitions(context).items():
        context.add_asset_metadata(source_files_held(sources, of_partition), partition_key=key)
    return dg.MaterializeResult(metadata=fetched)


@dg.asset_check(asset=source_files, description="No list of FIDE was refused or failed when it was last asked for.")
def every_list_came() -> dg.AssetCheckResult:
    problems = Fetching(Settings.from_env(), today()).problems()
    refused = any(status == "refused" for status, _ in problems.values())
    return dg.AssetCheckResult(
        passed=not problems,
        severity=dg.AssetCheckSeverity.ERROR if refused else dg.AssetCheckSeverity.WARN,
        metadata={"lists": dg.MetadataValue.md(_bullets([reason for _, reason in problems.values()]))},
    )


def _fetch(
    context: dg.AssetExecutionContext, config: FetchConfig, fetching: Fetching, months: set[date]
) -> dict[str, int]:
    """Ask for the lists of these months. A list that does not come stops neither the others nor what follows."""
    keys = [key for key in fetching.fide_range(min(months), max(months)) if key.list_date in months]
    outcomes = []
    for outcome in fetching.fide(keys):
        outcomes.append(outcome)
        context.log.log("ERROR" if failed([outcome]) else "INFO", str(outcome))
    wrong = failed(outcomes)
    if any(outcome.status == "failed_transient" for outcome in wrong) and context.retry_number < config.retries:
        raise dg.RetryRequested(max_retries=config.retries, seconds_to_wait=RETRY_AFTER)
    if refused := [str(outcome) for outcome in wrong if outcome.status == "refused"]:
        alert(fetching.settings, "lists_refused", "\n".join(refused), run_id=context.run_id)
    counts = {f"lists_{status}": 0 for status in ("stored", "revised", "unchanged", "not_yet", "refused")}
    counts["lists_failed_transient"] = 0
    for outcome in outcomes:
        counts[f"lists_{outcome.status}"] += 1
    counts["bytes_fetched"] = sum(outcome.got.byte_size for outcome in outcomes if outcome.got)
    return counts


@dg.asset(
    group_name=GROUP,
    kinds={"polars", "parquet"},
    partitions_def=list_months(),
    backfill_policy=dg.BackfillPolicy.single_run(),
    deps=[source_files],
    description="What every source file states of every list, one Parquet file per list and source file.",
)
def editions(context: dg.AssetExecutionContext) -> dg.MaterializeResult[None]:
    store, lake = _stores()
    months = _months(context)
    pending = [source for source in unread(store, lake) if _is_of(source, months)]
    failures = read_sources(pending, store, lake)
    for failure in failures.values():
        context.log.error(failure)
    summaries = filter(None, (lake.summary(source.sha256) for source in store.sources()))
    held = by_month(edition for summary in summaries for edition in summary.editions)
    calendar = publication_calendar()
    for key, of_partition in _months_of_partitions(context).items():
        of_month = [edition for month in sorted(of_partition) for edition in held.get(month, [])]
        context.add_asset_metadata(editions_held(of_month, calendar, of_partition), partition_key=key)
    return dg.MaterializeResult(
        metadata={"run_files_read": len(pending) - len(failures), "run_files_refused": len(failures)},
    )


def current_lists_after(deps: Sequence[dg.AssetsDefinition]) -> dg.AssetsDefinition:
    """The asset of current lists, made once ``deps`` have read what they read."""

    @dg.asset(
        group_name=GROUP,
        kinds={"parquet"},
        deps=deps,
        description="The current edition of every list held, chosen by a declared order; files not read yet are read.",
    )
    def current_lists(context: dg.AssetExecutionContext) -> dg.MaterializeResult[None]:
        store, lake = _stores()
        with build_lock(Settings.from_env()):
            synced = sync(store, lake, lambda source: context.log.info(f"read {source.file_name}"))
        for failure in synced.failures.values():
            context.log.error(failure)
        return dg.MaterializeResult(
            metadata={
                "lists": len(synced.current),
                "source_files": len(synced.sources),
                "files_read": len(synced.newly_read),
                "refused": dg.MetadataValue.md(_bullets(list(synced.failures.values()))),
            }
        )

    return current_lists


current_lists = current_lists_after([editions, inbox])


@dg.asset_check(asset=current_lists, description="The newest list of every rating type is the one in force.")
def newest_list_is_held() -> dg.AssetCheckResult:
    fetching = Fetching(Settings.from_env(), today())
    overdue = fetching.overdue()
    late = [key for key in overdue if fetching.status(key) == "late"]
    return dg.AssetCheckResult(
        passed=not late,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={"overdue": dg.MetadataValue.md(_bullets([f"{key}: {fetching.status(key)}" for key in overdue]))},
    )


def _bullets(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines) or "none"
