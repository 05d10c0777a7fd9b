"""Which players are here: those with an open stream of the match for their seat."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial

from ninefold.core.seat import Seat
from ninefold.store.sql.database import Room, SavedEvent, Transaction
from ninefold.web.actions import play

AWAY = 15.0  # seconds without a stream until a player counts as away, enough to reload or reconnect
log = logging.getLogger("ninefold.web")

Run = Callable[[Callable[[Transaction], Room]], Awaitable[tuple[Room, list[SavedEvent]]]]
Publish = Callable[[list[SavedEvent]], Awaitable[None]]


class PresenceTracker:
    """Counts the streams of this process by seat, and notes who has left.

    The player may have a stream in another process, which then corrects the `away` event (see `streams`).
    """

    def __init__(self, run: Run, publish: Publish) -> None:
        self._run, self._publish = run, publish
        self._streams: Counter[tuple[str, Seat]] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def is_here(self, match_id: str, seat: Seat) -> bool:
        """Whether this process has a stream for a seat. Another process may have one."""
        return (match_id, seat) in self._streams

    def arrive(self, match_id: str, seat: Seat, *, away: bool) -> None:
        """A stream has opened. `away` says whether the player counted as away until now."""
        self._streams[match_id, seat] += 1
        if away:
            self.note(match_id, seat, here=True)

    def leave(self, match_id: str, seat: Seat) -> None:
        self._streams[match_id, seat] -= 1
        if not self._streams[match_id, seat]:
            del self._streams[match_id, seat]
            asyncio.get_running_loop().call_later(AWAY, self._check, match_id, seat)

    def _check(self, match_id: str, seat: Seat) -> None:
        if not self.is_here(match_id, seat) and not self._closed:
            self.note(match_id, seat, here=False)

    def note(self, match_id: str, seat: Seat, *, here: bool) -> None:
        """Save and publish that a player is here or away."""
        task = asyncio.create_task(self._note(match_id, seat, here))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _note(self, match_id: str, seat: Seat, here: bool) -> None:
        try:
            _, events = await self._run(partial(play.note_presence, id=match_id, seat=seat, here=here))
        except Exception as error:  # without the match or the database, presence does not matter
            log.debug("presence was not saved: %s", type(error).__name__)
        else:
            await self._publish(events)

    def close(self) -> None:
        """Stop noticing who leaves: streams now end because the server stops."""
        self._closed = True
