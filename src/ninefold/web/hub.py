"""Who listens to which match, in this process, and how events reach them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

from ninefold.store.database import Event, NoSuchMatch
from ninefold.store.outage import Unavailable

NUDGE = 0  # the number of no event: look for yourself
BACKLOG = 200  # events that may wait for a reader before it is cut off

Events = asyncio.Queue[Event | None]  # None ends a stream
BEAT = Event("", -1, "")  # a sign of life, passed on to a stream's reader
PASSING = -2  # the number of what concerns only those who listen now: it is passed on and forgotten

Fetch = Callable[[str, int], Awaitable[list[Event]]]  # the events of a match after a number


class Hub:
    """Passes events on to the open streams. `fetch` gets from the database what a stream missed."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._streams: defaultdict[str, set[Events]] = defaultdict(set)
        self.count = 0
        self._closed = False

    def followed(self) -> tuple[str, ...]:
        return tuple(self._streams)

    def publish(self, news: Iterable[Event]) -> None:
        """Tell the streams. A reader that does not keep up is cut off and may come back."""
        for event in news:
            for queue in tuple(self._streams.get(event.match_id, ())):
                if queue.qsize() >= BACKLOG:
                    self._streams[event.match_id].discard(queue)
                    queue.put_nowait(None)
                else:
                    queue.put_nowait(event)

    def nudge(self, match_id: str) -> None:
        """Have the streams of a match look into the database: something is new there."""
        for queue in tuple(self._streams.get(match_id, ())):
            queue.put_nowait(Event(match_id, NUDGE, ""))

    def close(self) -> None:
        """End all streams, and begin no more."""
        self._closed = True
        for queues in tuple(self._streams.values()):
            for queue in tuple(queues):
                queue.put_nowait(None)

    async def _fetch_missed(self, match_id: str, last: int) -> list[Event]:
        try:
            return await self._fetch(match_id, last)
        except Unavailable:
            return []  # the next event, or the next nudge, has it looked for again

    async def follow(self, match_id: str, last: int, queue: Events | None = None) -> AsyncIterator[Event]:
        """The events of a match after a number: each once, in order, without a gap.

        What is passing comes between them. It ends if the match is removed, or if the database is
        away at the beginning; later that is waited out. Whoever gave a queue may put in BEAT, which is
        passed on, or None, which is the end.
        """
        queue = asyncio.Queue() if queue is None else queue
        self._streams[match_id].add(queue)
        self.count += 1
        try:
            for event in await self._fetch(match_id, last):
                yield event
                last = event.number
            while not self._closed and (heard := await queue.get()) is not None:
                if heard.number < 0:
                    yield heard
                elif heard.number == last + 1:
                    yield heard
                    last = heard.number
                elif heard.number > last or heard.number == NUDGE:
                    for event in await self._fetch_missed(match_id, last):
                        yield event
                        last = event.number
        except (NoSuchMatch, Unavailable):
            return
        finally:
            self.count -= 1
            queues = self._streams[match_id]
            queues.discard(queue)
            if not queues:
                self._streams.pop(match_id, None)
