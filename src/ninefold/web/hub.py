"""Sends new events to the open streams of this process."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from ninefold.store.sql.database import NoSuchMatch, SavedEvent
from ninefold.store.sql.outage import Unavailable

EPHEMERAL = -2  # as an event's number: it goes to the streams that are open now and is not stored

Fetch = Callable[[str, int], Awaitable[list[SavedEvent]]]  # the events of a match after a number


class Reader(Protocol):
    """Whoever gets the events of a match."""

    @property
    def paused(self) -> bool:
        """Whether it takes no more for now."""

    async def drain(self) -> None:
        """Wait until it takes more, or has gone."""

    def write(self, event: SavedEvent) -> None: ...

    def end(self) -> None:
        """There will be no more events."""


@dataclass(eq=False, slots=True)
class _Follower:
    """A reader and how far it has got."""

    match_id: str
    reader: Reader
    last: int  # the number of the last event that was written
    behind: bool = False  # it may have missed events
    catching_up: asyncio.Task[Any] | None = None  # while it gets what it has missed from the database
    held: SavedEvent | None = None  # the latest ephemeral event, until it has caught up


class Hub:
    """The followers by match. `fetch` reads from the database what a reader has missed.

    An event is written to its readers at once, without a task or a queue between. A slow reader gets no
    more until it is ready, and then what it has missed from the database.
    """

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._followers: defaultdict[str, set[_Follower]] = defaultdict(set)
        self.count = 0
        self._closed = False

    def publish(self, events: Iterable[SavedEvent]) -> None:
        for event in events:
            for one in tuple(self._followers.get(event.match_id, ())):
                self._deliver(event, one)

    def _deliver(self, event: SavedEvent, to: _Follower) -> None:
        ready = to.catching_up is None and not to.reader.paused
        if event.number == EPHEMERAL:
            if ready:
                to.reader.write(event)
            else:
                to.held = event
                self._catch_up(to)
        elif ready and event.number == to.last + 1:
            to.reader.write(event)
            to.last = event.number
        elif event.number > to.last:
            self._catch_up(to)

    def nudge(self, match_id: str) -> None:
        """Have the streams of a match check the database for new events."""
        for one in tuple(self._followers.get(match_id, ())):
            self._catch_up(one)

    def nudge_all(self) -> None:
        """Have all streams check the database for new events."""
        for match_id in tuple(self._followers):
            self.nudge(match_id)

    @property
    def followed(self) -> list[str]:
        """The matches that have streams."""
        return list(self._followers)

    def nudge_behind(self, versions: Mapping[str, int]) -> None:
        """As `nudge_all`, but only for matches that are removed or not where their streams are.

        `versions` has the number of the last event by match.
        """
        for match_id, followers in tuple(self._followers.items()):
            if any(one.last != versions.get(match_id) for one in followers):
                self.nudge(match_id)

    def close(self) -> None:
        """End all streams, and start no more."""
        self._closed = True
        for followers in tuple(self._followers.values()):
            for one in tuple(followers):
                one.reader.end()

    def _catch_up(self, one: _Follower) -> None:
        one.behind = True
        if one.catching_up is None:
            one.catching_up = asyncio.create_task(self._write_missed(one))

    async def _write_missed(self, to: _Follower, *, first: bool = False) -> None:
        """Write what a reader has missed, and what it misses meanwhile."""
        try:
            while to.behind:
                to.behind = False
                await to.reader.drain()
                for event in await self._fetch(to.match_id, to.last):
                    to.reader.write(event)
                    to.last = event.number
                    await to.reader.drain()
            if to.held is not None:
                to.reader.write(to.held)
        except NoSuchMatch:
            to.reader.end()
        except Unavailable:  # the next event or nudge tries again
            if first:
                to.reader.end()
        finally:
            to.catching_up = to.held = None

    @asynccontextmanager
    async def follow(self, match_id: str, last: int, reader: Reader) -> AsyncIterator[None]:
        """While this is open, a reader gets the events of a match after a number.

        Each comes once, in order, without gaps; ephemeral events come in between. The reader is told if
        that has ended, because the match was removed, or the database is away at the beginning; a later
        outage is waited out.
        """
        one = _Follower(match_id, reader, last, behind=True, catching_up=asyncio.current_task())
        followers = self._followers[match_id]
        followers.add(one)
        self.count += 1
        try:
            await self._write_missed(one, first=True)
            if self._closed:
                reader.end()
            yield
        finally:
            self.count -= 1
            if one.catching_up is not None:
                one.catching_up.cancel()  # another response may follow on this connection
            followers.discard(one)
            if not followers and self._followers.get(match_id) is followers:
                del self._followers[match_id]
