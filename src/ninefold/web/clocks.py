"""Moves that are awaited until a certain time: whoever does not make theirs loses."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial

from ninefold.core.errors import NinefoldError
from ninefold.store import queries
from ninefold.store.outage import Unavailable
from ninefold.web.actions import play
from ninefold.web.process import Server

log = logging.getLogger("ninefold.web")

LOOK = 1.0  # seconds between looks for moves that have not come in time
GRACE = 30.0  # seconds after a start in which nobody loses: nobody could move before it
MISTRUST = 3600.0  # seconds after a jump of the clock in which nobody loses
JUMP = 5.0  # seconds by which the clock may be set without being mistrusted


class Clock:
    """The time, as far as it is to be trusted."""

    def __init__(
        self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._wall, self._steady = wall, steady
        self._offset = wall() - steady()
        self._trusted = steady() + GRACE

    def now(self) -> float | None:
        """Seconds since the epoch; None soon after a start or a jump. To be asked often."""
        now, steady = self._wall(), self._steady()
        if abs(now - steady - self._offset) > JUMP:
            log.warning("the clock has jumped: nobody loses on time for an hour")
            self._trusted = steady + MISTRUST
        self._offset = now - steady
        return now if steady >= self._trusted else None


async def keep_time(server: Server, clock: Clock) -> None:
    """End the games in which somebody's time is over, for as long as the server runs."""
    while True:
        await asyncio.sleep(LOOK)
        now = clock.now()
        if now is not None:
            await end_overdue(server, now)


async def end_overdue(server: Server, now: float) -> None:
    """End the games in which a move should have been made by now."""
    try:
        for id in await server.read(partial(queries.overdue, now=now)):
            try:
                room, news = await server.run(partial(play.time_out, id=id, now=now))
            except NinefoldError:
                continue  # it has been removed, or is damaged, which is in the log
            await server.tell(news)
            server.touched(room)
    except Unavailable as error:
        server.note_outage(error)
    except Exception:
        log.exception("could not end what is overdue; trying again")
