"""Who of the players is there: whoever has a stream of the match open by their seat's token."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial

from ninefold.core.seat import Seat
from ninefold.store.database import Event, Room, Transaction
from ninefold.web.actions import play

AWAY = 15.0  # seconds without a stream until somebody counts as away: pages are reloaded, lines break
log = logging.getLogger("ninefold.web")

Run = Callable[[Callable[[Transaction], Room]], Awaitable[tuple[Room, list[Event]]]]
Tell = Callable[[list[Event]], Awaitable[None]]


class Presence:
    """Counts the streams of this process. Another that has one says so when it hears of `away`."""

    def __init__(self, run: Run, tell: Tell) -> None:
        self._run, self._tell = run, tell
        self._streams: Counter[tuple[str, Seat]] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def here(self, match_id: str, seat: Seat) -> bool:
        """Whether this process has a stream of a seat; another one may."""
        return (match_id, seat) in self._streams

    def arrive(self, match_id: str, seat: Seat, *, away: bool) -> None:
        """Somebody listens, who counted as away or not."""
        self._streams[match_id, seat] += 1
        if away:
            self.note(match_id, seat, here=True)

    def leave(self, match_id: str, seat: Seat) -> None:
        self._streams[match_id, seat] -= 1
        if not self._streams[match_id, seat]:
            del self._streams[match_id, seat]
            asyncio.get_running_loop().call_later(AWAY, self._look, match_id, seat)

    def _look(self, match_id: str, seat: Seat) -> None:
        if not self.here(match_id, seat) and not self._closed:
            self.note(match_id, seat, here=False)

    def note(self, match_id: str, seat: Seat, *, here: bool) -> None:
        """Have it written down and told."""
        task = asyncio.create_task(self._note(match_id, seat, here))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _note(self, match_id: str, seat: Seat, here: bool) -> None:
        try:
            _, news = await self._run(partial(play.note_presence, id=match_id, seat=seat, here=here))
        except Exception as error:  # the match is gone, or the database is: it is not that important
            log.debug("presence was not noted: %s", type(error).__name__)
        else:
            await self._tell(news)

    def close(self) -> None:
        """The streams end because the server does: nobody has gone away."""
        self._closed = True
