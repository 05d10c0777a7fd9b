"""Ends games in which a player has run out of time."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial

from ninefold.core.errors import NinefoldError
from ninefold.store.sql import queries
from ninefold.store.sql.outage import Unavailable
from ninefold.web.actions import play
from ninefold.web.server import Server

log = logging.getLogger("ninefold.web")

CHECK = 1.0  # seconds between checks
GRACE = 30.0  # seconds after a start in which nobody loses on time: nobody could move while we were down
MISTRUST = 3600.0  # seconds after a jump of the clock in which nobody loses on time
JUMP = 5.0  # seconds by which the clock may be adjusted and still be trusted


class TrustedClock:
    """The system's clock, while it can be trusted."""

    def __init__(
        self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._wall, self._steady = wall, steady
        self._offset = wall() - steady()
        self._trusted = steady() + GRACE

    def now(self) -> float | None:
        """Seconds since the epoch; None for a while after a start or a jump. Call it often."""
        now, steady = self._wall(), self._steady()
        if abs(now - steady - self._offset) > JUMP:
            log.warning("the clock has jumped: for an hour nobody loses on time and nothing is removed")
            self._trusted = steady + MISTRUST
        self._offset = now - steady
        return now if steady >= self._trusted else None


async def end_overdue_games(server: Server, clock: TrustedClock) -> None:
    """Check for overdue games every second, for as long as the server runs."""
    while True:
        await asyncio.sleep(CHECK)
        now = clock.now()
        if now is not None:
            await end_overdue(server, now)


async def end_overdue(server: Server, now: float) -> None:
    """End the games whose deadline has passed."""
    try:
        for id in await server.read(partial(queries.overdue, now=now)):
            try:
                room, events = await server.run(partial(play.time_out, id=id, now=now))
            except NinefoldError:
                continue  # the match has been removed, or is damaged, which has been logged
            await server.publish(events)
            server.wake_computer(room)
    except Unavailable as error:
        server.log_outage(error)
    except Exception:
        log.exception("could not end overdue games; trying again")
