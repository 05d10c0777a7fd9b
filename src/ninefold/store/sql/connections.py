"""Connections to a database: how they are made, and how long anything on them may take.

On PostgreSQL, a statement has two deadlines. The server's own comes first and says why. But a server that
has gone silent never answers, so we have a later one, and close the connection when it passes.
"""

from __future__ import annotations

import sqlite3
import time
from functools import cache
from typing import Any

import sqlalchemy as sa

PAGE = 1024  # bytes; a commit writes whole pages, and a move changes little on each
MARGIN = 1.0  # seconds between the server's deadline and ours
LOG = 64_000_000  # bytes in SQLite's log before the writer itself has to copy it

# A peer that no longer acknowledges what we send is given up after 10 seconds, or 20 if nothing is sent.
PATIENCE = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 10_000,  # milliseconds
}


def make_engine(url: sa.URL, timeout: float, connections: int) -> sa.Engine:
    """An engine for SQLite or PostgreSQL.

    `timeout` is in seconds: for a lock, for a free connection, and on PostgreSQL for any statement.
    """
    if url.get_backend_name() == "sqlite":
        return _make_sqlite_engine(url, timeout)
    engine = sa.create_engine(
        url,
        isolation_level="READ COMMITTED",  # the database may have another default
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=True,
        pool_timeout=timeout,
        connect_args={"connect_timeout": max(2, round(timeout))},
        hide_parameters=True,  # errors are logged, and moves and settings may be secret
    )

    @sa.event.listens_for(engine, "do_connect")
    def _connect(_: object, __: object, given: Any, options: dict[str, Any]) -> Any:
        return connection_type(timeout + MARGIN).connect(*given, **{**PATIENCE, **options})

    @sa.event.listens_for(engine, "connect")
    def _set_timeouts(connection: Any, _: object) -> None:
        milliseconds = round(1000 * timeout)
        for name in ("statement_timeout", "lock_timeout"):
            connection.execute(f"SET {name} = {milliseconds}")
        connection.commit()

    return engine


@cache
def connection_type(seconds: float) -> Any:
    """A type of connections that are closed when they do not answer in time."""
    from psycopg import Connection, OperationalError

    class BoundedConnection(Connection[Any]):
        def wait(self, gen: Any, *more: Any, **options: Any) -> Any:
            try:
                return super().wait(_bound(gen, seconds), *more, **options)
            except TimeoutError:
                self.close()
                raise OperationalError("the database has not answered in time") from None

    return BoundedConnection


def _bound(generator: Any, seconds: float) -> Any:
    """The same generator of psycopg's, which raises TimeoutError when it has waited for too long.

    While nothing arrives, psycopg resumes it several times per second.
    """
    deadline = time.monotonic() + seconds
    try:
        wanted = next(generator)
        while True:
            ready = yield wanted
            if time.monotonic() > deadline:
                raise TimeoutError
            wanted = generator.send(ready)
    except StopIteration as end:
        return end.value


def _make_sqlite_engine(url: sa.URL, timeout: float) -> sa.Engine:
    arguments = {"timeout": timeout, "check_same_thread": False}
    engine = sa.create_engine(url, connect_args=arguments, hide_parameters=True, paramstyle="named")

    @sa.event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: object) -> None:
        connection.execute(f"PRAGMA page_size = {PAGE}")  # of a new database
        _write_ahead(connection, time.monotonic() + timeout)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        (page,) = connection.execute("PRAGMA page_size").fetchone()  # an older database has larger ones
        connection.execute(f"PRAGMA wal_autocheckpoint = {LOG // page}")

    return engine


def _write_ahead(connection: sqlite3.Connection, deadline: float) -> None:
    """Have SQLite write ahead. Of several that do so at once, it refuses all but one without waiting."""
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return
