"""Removes old matches, a few at a time.

The clock may be wrong. So nothing is removed within an hour of a start or while it cannot be trusted, and
per hour never more than a tenth of the matches of one status, or 1,000 if that is more. This leaves the
operator time to notice it in the log.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

import sqlalchemy as sa

from ninefold.match.kinds import Status
from ninefold.store.sql import queries
from ninefold.store.sql.database import Database
from ninefold.store.sql.notifications import notify
from ninefold.store.sql.rooms import NO_SUCH_MATCH, NoSuchMatch
from ninefold.store.sql.schema import matches, moves

log = logging.getLogger("ninefold.store")

HOUR = 3600.0
LEAST = 1000  # this many matches of one status may always be removed in an hour
PART = 10  # and one in this many, if that is more
STEP = 500  # matches removed in one transaction, so that no move waits long
UNSTARTED = 600.0  # seconds after which a match without a move may make room for another
ABANDONED = 86400.0  # the same, for any unfinished match
BATCH = 100  # matches that make room at once
OPERATOR = "operator"  # as the sender of a notification
LOCK = 0x9F01E  # any number: on PostgreSQL, the process that holds this lock does the cleanup


def remove_match(database: Database, id: str, connection: sa.Connection) -> None:
    """Remove a match, for an operator. A server that runs notices soon. Raises NoSuchMatch."""
    if connection.execute(sa.delete(matches).where(matches.c.id == id)).rowcount != 1:
        raise NoSuchMatch(NO_SUCH_MATCH)
    if database.shared:
        notify(OPERATOR, [id], connection)
    else:
        removals = queries.count_removals(connection)
        connection.exec_driver_sql(f"PRAGMA user_version = {(removals + 1) % 2**31}")
    connection.commit()


def remove_idle(database: Database, connection: sa.Connection, now: float | None = None) -> list[str]:
    """Remove some unfinished matches to make room for others, and return their ids.

    First come those without a move for which nobody has done anything for ten minutes, then those in
    which nobody has moved for a day; the longest idle first.
    """
    now = time.time() if now is None else now
    table = matches.c
    moved = sa.exists().where(moves.c.match_serial == table.serial)
    unstarted = sa.and_(~moved, table.touched < now - UNSTARTED)
    idle = sa.and_(queries.UNFINISHED, sa.or_(unstarted, table.touched < now - ABANDONED))
    wanted = sa.select(table.id).where(idle).order_by(moved, table.touched).limit(BATCH)
    ids = list(connection.execute(wanted).scalars())
    connection.execute(sa.delete(matches).where(table.id.in_(ids), idle))
    connection.commit()
    database.evict_removed(ids)
    return ids


class Cleanup:
    """Removes matches that nobody has touched for `ages` seconds, by status; 0 keeps them forever."""

    def __init__(
        self,
        database: Database,
        ages: Mapping[Status, float],
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._ages = ages
        self._steady = steady
        self._since = steady()
        self._holding: sa.Connection | None = None

    def run(self, now: float | None) -> int:
        """Remove old matches if an hour has passed, and return how many. Call it often.

        `now` is the time by a clock that can be trusted; None while it cannot.
        """
        if now is None or self._steady() - self._since < HOUR or not self._is_elected():
            return 0
        self._since = self._steady()
        ages = {status: now - age for status, age in self._ages.items() if age}
        counts = {status: self._remove(status, before) for status, before in ages.items()}
        found = {str(status): count for status, count in counts.items() if count}
        if found:
            log.info("%s", json.dumps({"tidied": found}))
        return sum(counts.values())

    def _is_elected(self) -> bool:
        """Whether this process does the cleanup. It stays so for as long as its connection lasts."""
        if not self._database.shared:
            return True
        try:
            if self._holding is None:
                self._holding = self._database.engine.connect()
            locked = self._holding.execute(sa.text("SELECT pg_try_advisory_lock(:lock)"), {"lock": LOCK})
            elected = bool(locked.scalar_one())
            self._holding.commit()
        except sa.exc.SQLAlchemyError:
            self.close()
            return False
        return elected

    def close(self) -> None:
        holding, self._holding = self._holding, None
        if holding is not None:
            holding.invalidate()
            holding.close()

    def _remove(self, status: Status, before: float) -> int:
        table = matches.c
        old = sa.and_(table.status == status, table.touched < before)
        with self._database.engine.connect() as connection:
            total = sa.select(sa.func.count()).where(table.status == status)
            most = max(LEAST, connection.execute(total).scalar_one() // PART)
            wanted = sa.select(table.id).where(old).order_by(table.touched).limit(most)
            ids = list(connection.execute(wanted).scalars())
        for some in _chunks(ids):
            with self._database.engine.begin() as connection:  # one may have been touched since
                connection.execute(sa.delete(matches).where(table.id.in_(some), old))
            self._database.evict_removed(some)
        return len(ids)


def _chunks(ids: list[str]) -> Iterator[list[str]]:
    rest = iter(ids)
    while some := list(islice(rest, STEP)):
        yield some
