"""Sends new events to the open streams of this process."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping

from ninefold.store.sql.database import NoSuchMatch, SavedEvent
from ninefold.store.sql.outage import Unavailable

NUDGE = 0  # as an event's number: check the database for new events
BACKLOG = 200  # events that may wait for a reader before it is disconnected

EventQueue = asyncio.Queue[SavedEvent | None]  # None ends a stream
HEARTBEAT = SavedEvent("", -1, "")  # keeps a connection alive
EPHEMERAL = -2  # as an event's number: it goes to the streams that are open now and is not stored

Fetch = Callable[[str, int], Awaitable[list[SavedEvent]]]  # the events of a match after a number


class Hub:
    """The open streams by match. `fetch` reads from the database what a stream has missed."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        # by match, the queues of its streams, each with the number of the last event that was yielded
        self._streams: defaultdict[str, dict[EventQueue, int]] = defaultdict(dict)
        self.count = 0
        self._closed = False

    def publish(self, events: Iterable[SavedEvent]) -> None:
        """Queue events for their streams. A reader that falls too far behind is disconnected."""
        for event in events:
            for queue in tuple(self._streams.get(event.match_id, ())):
                if queue.qsize() >= BACKLOG:
                    self._streams[event.match_id].pop(queue, None)
                    queue.put_nowait(None)
                else:
                    queue.put_nowait(event)

    def nudge(self, match_id: str) -> None:
        """Have the streams of a match check the database for new events."""
        for queue in tuple(self._streams.get(match_id, ())):
            queue.put_nowait(SavedEvent(match_id, NUDGE, ""))

    def nudge_all(self) -> None:
        """Have all streams check the database for new events."""
        for match_id in tuple(self._streams):
            self.nudge(match_id)

    @property
    def followed(self) -> list[str]:
        """The matches that have streams."""
        return list(self._streams)

    def nudge_behind(self, versions: Mapping[str, int]) -> None:
        """As `nudge_all`, but only for matches that are removed or not where their streams are.

        `versions` has the number of the last event by match.
        """
        for match_id, queues in tuple(self._streams.items()):
            if any(last != versions.get(match_id) for last in queues.values()):
                self.nudge(match_id)

    def close(self) -> None:
        """End all streams, and start no more."""
        self._closed = True
        for queues in tuple(self._streams.values()):
            for queue in tuple(queues):
                queue.put_nowait(None)

    async def _fetch_missed(self, match_id: str, last: int) -> list[SavedEvent]:
        try:
            return await self._fetch(match_id, last)
        except Unavailable:
            return []  # the next event or nudge tries again

    async def follow(
        self, match_id: str, last: int, queue: EventQueue | None = None
    ) -> AsyncIterator[SavedEvent]:
        """Yield the events of a match after a number: each once, in order, without gaps.

        Ephemeral events come in between. The stream ends if the match is removed, or if the database is
        away when it starts; a later outage is waited out. A caller that passes a queue may put HEARTBEAT
        in it, which is yielded, or None, which ends the stream.
        """
        queue = asyncio.Queue() if queue is None else queue
        places = self._streams[match_id]
        places[queue] = last
        self.count += 1
        try:
            for event in await self._fetch(match_id, last):
                yield event
                places[queue] = last = event.number
            while not self._closed and (new := await queue.get()) is not None:
                if new.number < 0:
                    yield new
                elif new.number == last + 1:
                    yield new
                    places[queue] = last = new.number
                elif new.number > last or new.number == NUDGE:
                    for event in await self._fetch_missed(match_id, last):
                        yield event
                        places[queue] = last = event.number
        except (NoSuchMatch, Unavailable):
            return
        finally:
            self.count -= 1
            places.pop(queue, None)
            if not places and self._streams.get(match_id) is places:
                del self._streams[match_id]
