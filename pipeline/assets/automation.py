"""What starts runs with nobody looking: schedules for new and revised lists, sensors for late ones and the inbox.

Nothing is fetched before somebody has fetched once: automation keeps fresh what an explicit command began.
"""

import json
from typing import Final

import dagster as dg

from pipeline.assets.alerts import alert
from pipeline.assets.fetching import Fetching, today
from pipeline.assets.instance import IN_PROGRESS, RANGE_TAGS, report_dead_runs
from pipeline.assets.jobs import FETCH, inbox_job, refresh_job
from pipeline.assets.partitions import list_months
from pipeline.domain.list_key import ListKey
from pipeline.settings import Settings

_SETTINGS: Final = Settings.from_env()
_BEGIN: Final = "no list of FIDE's archive is held yet; begin with: ratings fetch fide --from YYYY-MM"


def _request(keys: list[ListKey]) -> dg.RunRequest:
    """A run of the refresh job over the months of these lists."""
    months = list_months().get_partition_keys()
    wanted = sorted(f"{key.list_date:%Y-%m}" for key in keys)
    first = next((month for month in months if month >= wanted[0]), months[-1])
    last = next((month for month in reversed(months) if month <= wanted[-1]), months[-1])
    return dg.RunRequest(run_config=FETCH, tags=dict(zip(RANGE_TAGS, (first, last), strict=True)))


def _scheduled() -> dg.RunRequest | dg.SkipReason:
    fetching = Fetching(Settings.from_env(), today())
    if not fetching.held():
        return dg.SkipReason(_BEGIN)
    return _request(fetching.to_refresh())


@dg.schedule(
    job=refresh_job,
    cron_schedule="0 6 1 * *",
    execution_timezone=_SETTINGS.time_zone,
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="On the first of the month: the new lists.",
)
def monthly_lists() -> dg.RunRequest | dg.SkipReason:
    return _scheduled()


@dg.schedule(
    job=refresh_job,
    cron_schedule="0 6 2-31 * *",
    execution_timezone=_SETTINGS.time_zone,
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Every other day: the newest lists again, conditionally, because FIDE makes its files again.",
)
def daily_revisions() -> dg.RunRequest | dg.SkipReason:
    return _scheduled()


@dg.sensor(
    job=refresh_job,
    minimum_interval_seconds=_SETTINGS.sensor_seconds or 3600,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Lists that should be there and are not: asked for every hour; once they are late, somebody is told.",
)
def overdue_lists(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
    report_dead_runs(context.instance)
    settings = Settings.from_env()
    fetching = Fetching(settings, today())
    if not fetching.held():
        return dg.SkipReason(_BEGIN)
    overdue = fetching.overdue()
    told: list[str] = json.loads(context.cursor or "[]")
    late = [str(key) for key in overdue if fetching.status(key) == "late"]
    if fresh := [label for label in late if label not in told]:
        alert(settings, "list_late", f"late: {', '.join(fresh)}", lists=fresh)
    cursor = json.dumps(late)
    # What was refused is asked for once a day, by the schedule.
    refused = {label for label, (status, _) in fetching.problems().items() if status == "refused"}
    wanted = [key for key in overdue if str(key) not in refused]
    if not wanted:
        return dg.SensorResult(skip_reason="every list that is due is held, or was refused today", cursor=cursor)
    if context.instance.get_run_records(dg.RunsFilter(job_name=refresh_job.name, statuses=IN_PROGRESS), limit=1):
        return dg.SensorResult(skip_reason="a refresh is running", cursor=cursor)
    return dg.SensorResult(run_requests=[_request(wanted)], cursor=cursor)


@dg.sensor(
    job=inbox_job,
    minimum_interval_seconds=_SETTINGS.sensor_seconds or 30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Files dropped into the inbox folder.",
)
def inbox_files() -> dg.RunRequest | dg.SkipReason:
    waiting = Fetching(Settings.from_env(), today()).waiting_files()
    if not waiting:
        return dg.SkipReason("the inbox is empty")
    # The same files are not tried twice: one that failed for want of space waits for the next refresh.
    return dg.RunRequest(run_key=";".join(f"{path.name}:{path.stat().st_mtime_ns}" for path in waiting))


@dg.run_failure_sensor(
    default_status=dg.DefaultSensorStatus.RUNNING,
    minimum_interval_seconds=_SETTINGS.sensor_seconds or 30,
    description="Somebody is told of every failed run.",
)
def failed_runs(context: dg.RunFailureSensorContext) -> None:
    run = context.dagster_run
    message = context.failure_event.message or "the run failed"
    alert(Settings.from_env(), "run_failed", message, job=run.job_name, run_id=run.run_id)
