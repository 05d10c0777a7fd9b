"""Matches that are too old are removed, a few at a time.

A clock may be wrong. So nothing is removed in the hour after a start or after the clock has jumped, and
never more than a tenth of the matches of a kind in an hour: whoever runs the server has time to see it in
the log.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

import sqlalchemy as sa

from ninefold.store.schema import matches
from ninefold.store.sql import Database, Status

log = logging.getLogger("ninefold.store")

HOUR = 3600.0
LEAST = 1000  # matches of a kind that may be removed in an hour, however few there are
PART = 10  # or one in so many
STEP = 500  # matches that are removed in one transaction, so that no move waits for long
JUMP = 60.0  # seconds by which a clock may be set without being mistrusted
LOCK = 0x9F01E  # any number: on PostgreSQL, one process removes for all


class Tidying:
    """`ages` are the seconds after which nobody has touched a match of a status; 0 keeps it for ever."""

    def __init__(
        self,
        database: Database,
        ages: Mapping[Status, float],
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._ages = ages
        self._wall, self._steady = wall, steady
        self._since = steady()
        self._offset = wall() - steady()
        self._holding: sa.Connection | None = None

    def run(self) -> int:
        """Remove what is too old, if it is time for it; how many. To be called often."""
        now, before = self._steady(), self._offset
        self._offset = self._wall() - now
        if abs(self._offset - before) > JUMP:
            log.warning(
                "the clock has jumped by %.0f seconds: nothing is removed for an hour",
                self._offset - before,
            )
            self._since = now
        if now - self._since < HOUR or not self._chosen():
            return 0
        self._since = now
        counts = {status: self._remove(status, age) for status, age in self._ages.items() if age}
        found = {str(status): count for status, count in counts.items() if count}
        if found:
            log.info("%s", json.dumps({"tidied": found}))
        return sum(counts.values())

    def _chosen(self) -> bool:
        """Whether this is the process that removes: it stays so while it holds its connection."""
        if not self._database.shared:
            return True
        try:
            if self._holding is None:
                self._holding = self._database.engine.connect()
            locked = self._holding.execute(sa.text("SELECT pg_try_advisory_lock(:lock)"), {"lock": LOCK})
            chosen = bool(locked.scalar_one())
            self._holding.commit()
        except sa.exc.SQLAlchemyError:
            self.close()
            return False
        return chosen

    def close(self) -> None:
        holding, self._holding = self._holding, None
        if holding is not None:
            holding.invalidate()
            holding.close()

    def _remove(self, status: Status, age: float) -> int:
        table = matches.c
        old = sa.and_(table.status == status, table.touched < self._wall() - age)
        with self._database.engine.connect() as connection:
            of_kind = sa.select(sa.func.count()).where(table.status == status)
            most = max(LEAST, connection.execute(of_kind).scalar_one() // PART)
            wanted = sa.select(table.id).where(old).order_by(table.touched).limit(most)
            ids = list(connection.execute(wanted).scalars())
        for some in _pieces(ids):
            with self._database.engine.begin() as connection:  # one may have been touched meanwhile
                connection.execute(sa.delete(matches).where(table.id.in_(some), old))
            self._database.removed(some)
        return len(ids)


def _pieces(ids: list[str]) -> Iterator[list[str]]:
    rest = iter(ids)
    while some := list(islice(rest, STEP)):
        yield some
