"""Dagster's run history in SQLite, with its files kept open.

Dagster opens a file, an engine and a cache of statements anew for every event it stores, and closing makes SQLite sync
the file: 27 ms of processor time and up to five times as much waiting for each month of a backfill. Belongs here: how
connections are opened. What is stored, and where, stays Dagster's; either class reads what the other wrote.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from typing import Any, Final

from dagster._core.storage.event_log import SqliteEventLogStorage
from dagster._serdes import ConfigurableClassData
from sqlalchemy import Connection, Engine, QueuePool, create_engine, event

#: Files kept open: the index of all runs, the run that goes on, and some that are looked at.
KEPT: Final = 8
_BUSY_SECONDS: Final = 30
_INDEX: Final = "index"


class RunHistory(SqliteEventLogStorage):
    """The event log below ``history/runs`` in Dagster's home, as Dagster's own class would keep it."""

    def __init__(self, base_dir: str, inst_data: ConfigurableClassData | None = None) -> None:
        self._engines: dict[str, Engine] = {}
        self._tables: set[str] = set()
        self._one_at_a_time = Lock()
        super().__init__(base_dir, inst_data)

    @classmethod
    def config_type(cls) -> dict[str, Any]:
        """Nothing is to be set."""
        return {}

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]
    ) -> "RunHistory":
        """The log where Dagster puts it when nothing is configured."""
        return cls(os.path.join(os.environ["DAGSTER_HOME"], "history", "runs"), inst_data)

    def run_connection(self, run_id: str | None = None) -> AbstractContextManager[Connection]:
        """A transaction on the log of one run."""
        return self._transaction(str(run_id))

    def index_connection(self) -> AbstractContextManager[Connection]:
        """A transaction on the log of the assets of all runs."""
        return self._transaction(_INDEX)

    def has_table(self, table_name: str) -> bool:
        """Whether there is such a table; one that was there stays."""
        if table_name not in self._tables and super().has_table(table_name):
            self._tables.add(table_name)
        return table_name in self._tables

    def store_event(self, event: Any) -> None:
        """Store an event, and tell those who watch the run: they watch its file, not the write-ahead log beside it."""
        super().store_event(event)
        os.utime(self.path_for_shard(event.run_id))

    def wipe(self) -> None:
        """Forget all runs."""
        self._close()
        super().wipe()

    def dispose(self) -> None:
        """Close the files."""
        self._close()
        super().dispose()

    @contextmanager
    def _transaction(self, shard: str) -> Iterator[Connection]:
        with self._one_at_a_time:
            engine = self._engines.pop(shard) if shard in self._engines else self._open(shard)
            self._engines[shard] = engine  # the one used last stands last
            if len(self._engines) > KEPT:
                self._engines.pop(next(iter(self._engines))).dispose()
            with engine.begin() as connection:
                yield connection

    def _open(self, shard: str) -> Engine:
        with super().run_connection(shard):
            pass  # Dagster makes the file and its tables where they are not there yet
        engine = create_engine(
            self.conn_string_for_shard(shard),
            poolclass=QueuePool,
            pool_size=1,
            connect_args={"timeout": _BUSY_SECONDS},
        )
        event.listen(engine, "connect", _sync_at_checkpoints_only)
        return engine

    def _close(self) -> None:
        with self._one_at_a_time:
            while self._engines:
                self._engines.popitem()[1].dispose()


def _sync_at_checkpoints_only(connection: Any, record: object) -> None:
    """With a write-ahead log a power failure can lose the last events so, but never damage the file."""
    connection.execute("pragma synchronous = normal")
