"""What a process of the server holds, and what it does by itself."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ninefold.store import notices, queries
from ninefold.store.outage import Unavailable
from ninefold.store.sql import Database, Event, Room, Status, Transaction
from ninefold.store.tidying import Tidying
from ninefold.store.writing import probe
from ninefold.web.computers import Computers
from ninefold.web.hub import PASSING, Hub
from ninefold.web.limits import Buckets, Limits
from ninefold.web.presence import Presence
from ninefold.web.stats import Stats
from ninefold.web.watchers import Watchers

T = TypeVar("T")
log = logging.getLogger("ninefold.web")

ANSWER = 15.0  # seconds to wait for the database
CHECK = 1.0  # seconds for which it is taken as known whether the database can be written
NOTED = 1.0  # seconds between lines in the log that say the same
RECOUNTED = 10.0  # seconds for which the number of matches is taken as known
PUBLISH = 2.0  # seconds between figures for the other processes
LOOK_UP = 1.0  # seconds between looks whether our parent is alive
NUDGES = 10.0  # seconds between looks for events that no other process has told of
RECOUNT = 0.3  # seconds until a changed number of spectators is told
TIDY = 600.0  # seconds between looks for matches that are too old, and for garbage


class Server:
    """Everything that a process of the server holds."""

    def __init__(
        self,
        database: Database,
        limits: Limits,
        root_path: str = "",
        parent: int | None = None,
        figures: Path | None = None,
    ) -> None:
        """`parent` is the process without which this one has to end, `figures` where all leave theirs."""
        self.database = database
        self.limits = limits
        self.root_path = root_path.rstrip("/")
        self.parent = parent
        self.stats = Stats(figures)
        self.hub = Hub(self._events_after)
        self.buckets = Buckets(limits.rate, limits.burst)
        self.computers = Computers(database, self.tell)
        self.streams: dict[str, int] = {}
        self.watchers = Watchers()
        self.presence = Presence(self.run, self.tell)
        self._checking = asyncio.Lock()
        self._checked = -CHECK  # when it was looked for trouble last
        self._trouble: str | None = None
        self._began = time.monotonic()
        self._counted, self._unfinished = -RECOUNTED, 0.0
        self._noted = -NOTED  # when an outage was logged last
        self._recounted: set[str] = set()  # matches whose spectators are told of soon
        self._tasks: set[asyncio.Task[None]] = set()
        self._untold: set[str] = set()  # what the other processes are told next
        self._telling: asyncio.Task[None] | None = None

    async def run(self, work: Callable[[Transaction], T]) -> tuple[T, list[Event]]:
        """Have something changed. Raises Unavailable if the database does not do it in time."""
        return await _in_time(self.database.awaited(work))

    async def read(self, work: Callable[[Any], T]) -> T:
        """Have something looked up. Raises Unavailable if the database does not do it in time."""
        return await _in_time(asyncio.wrap_future(self.database.read(work)))

    async def find_trouble(self) -> str | None:
        """Why a move could not be written now, if so. Asked often, it looks now and then."""
        async with self._checking:
            now = time.monotonic()
            if now - self._checked >= CHECK:
                self._checked, self._trouble = now, None
                try:
                    self.database.check_file()
                    await self.run(probe)
                except Unavailable as error:
                    self._trouble = str(error)
                except Exception as error:
                    log.error("unexpected", exc_info=error)
                    self._trouble = "The database does not answer."
        return self._trouble

    def gauges(self) -> dict[str, float]:
        """How much there is in this process of what is added up over all."""
        return {"streams": self.hub.count, "thinking": self.computers.thinking}

    async def whole(self) -> dict[str, float]:
        """How much there is in all of the server. The matches are counted now and then."""
        now = time.monotonic()
        if now - self._counted >= RECOUNTED:
            with suppress(Exception):  # the database is away: what was counted before, then
                self._unfinished = await self.read(queries.count_unfinished)
                self._counted = now
        found = {"uptime_seconds": now - self._began, "matches_unfinished": self._unfinished}
        free = self.database.free_disk()
        return found if free is None else {**found, "disk_free_bytes": free}

    def note_outage(self, error: Unavailable) -> None:
        """Count it, and log it unless that has just been done."""
        self.stats.count("database_errors")
        now = time.monotonic()
        if now - self._noted >= NOTED:
            self._noted = now
            log.error("%s", error)

    async def find(self, limit: int, which: queries.Condition) -> list[Room]:
        """Matches, the last touched first."""
        return await self.read(partial(self.database.find, limit, which))

    async def room(self, id: str) -> Room:
        known = self.database.known(id)
        if known is None:
            known = await self.read(partial(self.database.current, id))
        return known

    async def _events_after(self, id: str, number: int) -> list[Event]:
        return await self.read(partial(queries.events_after, id, number))

    async def tell(self, news: list[Event]) -> None:
        """Everybody who listens hears of it, in this process and in the others."""
        self.hub.publish(news)
        await self._notify({event.match_id for event in news})

    async def tell_gone(self, match_id: str) -> None:
        """A match has been removed: those who listen find out, here and in the other processes."""
        self.hub.nudge(match_id)
        await self._notify([match_id])

    def watched(self, match_id: str, by: int) -> None:
        """A spectator has come or gone. Streams get the number soon, once for several changes."""
        self.watchers.change(match_id, by)
        if match_id not in self._recounted:
            self._recounted.add(match_id)
            asyncio.get_running_loop().call_later(RECOUNT, self._recount, match_id)

    def _recount(self, match_id: str) -> None:
        self._recounted.discard(match_id)
        self.count_again(match_id)
        if self.database.shared:
            task = asyncio.create_task(self._notify([self.watchers.telling(match_id)]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def count_again(self, match_id: str) -> None:
        self.hub.publish([Event(match_id, PASSING, str(self.watchers.count(match_id)))])

    async def remind(self) -> None:
        """Tell the other processes of our spectators, once more."""
        await self._notify(self.watchers.told())

    async def _notify(self, payloads: Collection[str]) -> None:
        """Have the other processes told, together with whatever else comes up until they are."""
        if self.database.shared:
            self._untold.update(payloads)
            if self._untold and (self._telling is None or self._telling.done()):
                self._telling = asyncio.create_task(self._tell_others())

    async def _tell_others(self) -> None:
        while self._untold:
            told, self._untold = self._untold, set()
            for _ in range(2):  # a connection may have broken unnoticed; the next one is new
                try:
                    await self.read(partial(notices.notify, self.watchers.process, told))
                    break
                except Exception:
                    log.warning("could not tell the other processes")

    async def finish_telling(self) -> None:
        if self._telling is not None:
            await self._telling

    def touched(self, room: Room) -> None:
        """A match has changed: if a computer has to move, have it think."""
        if room.due:
            self.computers.think(room)

    async def go_on(self, room: Room) -> None:
        """As `touched`, also for the match that follows, if there is one by now."""
        self.touched(room)
        following = room.next
        if following is not None:
            self.touched(await self.room(following))


async def _in_time(answer: Awaitable[T]) -> T:
    try:
        async with asyncio.timeout(ANSWER):
            return await answer
    except TimeoutError:
        raise Unavailable("The database is not available: it takes too long.") from None


async def listen(server: Server) -> None:
    """PostgreSQL tells which matches other processes have changed, and how many they have watching."""
    while True:
        try:
            async for payload in notices.listen(server.database.url):
                if payload is None:
                    for id in server.hub.followed():
                        server.hub.nudge(id)  # what was missed while nobody listened
                else:
                    hear(server, payload)
        except Exception as error:
            log.warning("lost the database; trying again: %s", type(error).__name__)
            await asyncio.sleep(0.5)


def hear(server: Server, payload: str) -> None:
    """What another process told. Anybody who may use the database can send anything."""
    sender, _, ids = payload.partition(" ")
    if " " not in ids:
        if sender != server.watchers.process:  # our own streams have heard already
            for id in ids.split(notices.AND):
                server.hub.nudge(id)
        return
    try:
        changed = server.watchers.heard(payload)
    except ValueError:
        log.warning("a notice that makes no sense was passed over")
        return
    if changed is not None:
        server.count_again(changed)


async def publish(server: Server) -> None:
    """Now and then, have the other processes know our figures."""
    while True:
        try:
            server.stats.publish(server.gauges())
        except OSError as error:
            log.warning("could not leave figures for the other processes: %s", error.strerror)
        await asyncio.sleep(PUBLISH)


async def end_with(parent: int) -> None:
    """End when the process that started this one has died: nobody else would end it."""
    while os.getppid() == parent:
        await asyncio.sleep(LOOK_UP)
    log.warning("the process that looks after this one has died")
    os.kill(os.getpid(), signal.SIGTERM)


async def nudge(server: Server) -> None:
    """Now and then, have all streams look for themselves: a process may die before it can tell."""
    while True:
        await asyncio.sleep(NUDGES)
        for id in server.hub.followed():
            server.hub.nudge(id)
        await server.remind()


async def tidy(server: Server) -> None:
    """Now and then, remove what the limits say is too old, and have Python look for garbage."""
    limits = server.limits
    tidying = Tidying(
        server.database,
        {
            Status.WAITING: limits.waiting_hours * 3600,
            Status.PLAYING: limits.idle_days * 86400,
            Status.OVER: limits.kept_days * 86400,
        },
    )
    try:
        while True:
            try:
                await asyncio.to_thread(tidying.run)
            except Exception as error:  # the database is away: later, then
                log.warning("could not tidy; trying again later: %s", type(error).__name__)
            gc.collect()
            await asyncio.sleep(TIDY)
    finally:
        tidying.close()
