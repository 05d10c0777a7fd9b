"""What one process of the server holds, and how it reaches the database and the other processes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ninefold.store.sql import cleanup, notifications, queries
from ninefold.store.sql.database import Database, Room, SavedEvent, Transaction
from ninefold.store.sql.outage import Unavailable
from ninefold.store.sql.statements import probe, probe_space
from ninefold.web.answers import Answers
from ninefold.web.computers import Computers
from ninefold.web.hub import EPHEMERAL, Hub
from ninefold.web.jobs import Jobs
from ninefold.web.limits import Limits, RateLimiter
from ninefold.web.metrics import Metrics
from ninefold.web.presence import PresenceTracker
from ninefold.web.spectators import Spectators

T = TypeVar("T")
log = logging.getLogger("ninefold.web")

TIMEOUT = 15.0  # seconds to wait for the database
TOO_LONG = "The database is not available: it takes too long."
CHECK = 1.0  # seconds for which a check of the database stays valid
LOG = 1.0  # seconds between log lines about outages
ANNOUNCE = 0.3  # seconds for which changes of the number of spectators are collected


class Server:
    """Everything that one process of the server holds."""

    def __init__(
        self,
        database: Database,
        limits: Limits,
        root_path: str = "",
        reports: Path | None = None,
    ) -> None:
        self.database = database
        self.limits = limits
        self.root_path = root_path.rstrip("/")
        self.reports = reports  # the folder of contests' reports, if it has one
        self.metrics = Metrics()
        self.hub = Hub(self._events_after)
        self.rate_limiter = RateLimiter(limits.rate, limits.burst)
        self.jobs = Jobs()
        self.answers = Answers()
        self.computers = Computers(database, self.jobs, self.publish)
        self.streams: dict[str, int] = {}  # open streams by client
        self.spectators = Spectators()
        self.presence = PresenceTracker(self.run, self.publish)
        self._checking = asyncio.Lock()
        self._checked = -CHECK  # when the database was last checked
        self._trouble: str | None = None
        self._began = time.monotonic()
        self.unfinished = 0  # matches, when they were last counted
        self._logged, self._outage = -LOG, ""  # when an outage was last logged; the current one
        self._recounted: set[str] = set()  # matches whose spectators will be announced soon
        self._tasks: set[asyncio.Task[None]] = set()
        self._awaited: dict[asyncio.Future[Any], float] = {}  # writes and their deadlines, oldest first
        self._payloads: set[str] = set()  # to send to the other processes next
        self._notifying: asyncio.Task[None] | None = None

    async def run(self, work: Callable[[Transaction], T]) -> tuple[T, list[SavedEvent]]:
        """Run a transaction. Returns its result and the events that it saved. Raises Unavailable."""
        answer = self.database.run_async(work)
        self._awaited[answer] = time.monotonic() + TIMEOUT
        try:
            found = await answer
        finally:
            del self._awaited[answer]
        self._outage = ""
        return found

    def expire_writes(self) -> None:
        """Give up the writes that the database has taken too long for. Call it often.

        One look at all of them costs less than a timer for each.
        """
        now = time.monotonic()
        for answer, deadline in self._awaited.items():
            if now < deadline:
                break
            if not answer.done():
                answer.set_exception(Unavailable(TOO_LONG))

    async def read(self, work: Callable[[Any], T]) -> T:
        """Look something up in the database. Raises Unavailable."""
        try:
            async with asyncio.timeout(TIMEOUT):
                return await asyncio.wrap_future(self.database.read(work))
        except TimeoutError:
            raise Unavailable(TOO_LONG) from None

    async def find_trouble(self) -> str | None:
        """Why a move could not be written now; None if it could. Checks at most once per second."""
        async with self._checking:
            now = time.monotonic()
            if now - self._checked >= CHECK:
                self._checked, self._trouble = now, None
                try:
                    self.database.check_file()
                    await self.run(probe)
                    if self.database.shared:
                        await self.read(probe_space)
                except Unavailable as error:
                    self._trouble = str(error)
                except Exception as error:
                    log.error("unexpected", exc_info=error)
                    self._trouble = "The database does not answer."
        return self._trouble

    def gauges(self) -> dict[str, float]:
        """What is so now, for the metrics. This never waits for the database."""
        found = {
            "uptime_seconds": time.monotonic() - self._began,
            "matches_unfinished": self.unfinished,
            "streams": self.hub.count,
            "thinking": self.computers.thinking,
            "jobs_waiting": self.jobs.waiting,
        }
        free = self.database.free_disk()
        return found if free is None else {**found, "disk_free_bytes": free}

    def log_outage(self, error: Unavailable) -> None:
        """Count an outage of the database, and log it once, until something can be written again."""
        self.metrics.count("database_errors")
        now = time.monotonic()
        if str(error) != self._outage and now - self._logged >= LOG:
            self._logged, self._outage = now, str(error)
            log.error("%s", error)

    async def find(self, limit: int, which: queries.Condition) -> list[Room]:
        """Matches, the last touched first."""
        return await self.read(partial(self.database.find, limit, which))

    async def room(self, id: str) -> Room:
        """The match as it is now. Raises NoSuchMatch or Unreadable."""
        known = self.database.cached(id)
        if known is None:
            known = await self.read(partial(self.database.load, id))
        return known

    async def _events_after(self, id: str, number: int) -> list[SavedEvent]:
        return await self.read(partial(queries.events_after, id, number))

    async def publish(self, events: list[SavedEvent]) -> None:
        """Send events to the open streams of this process, and notify the other processes."""
        self.hub.publish(events)
        await self._notify({event.match_id for event in events})

    async def publish_removal(self, match_id: str) -> None:
        """Have the streams of a removed match end, here and in the other processes."""
        self.hub.nudge(match_id)
        await self._notify([match_id])

    async def remove_idle(self) -> bool:
        """Remove some idle unfinished matches, to make room for others. Says whether there were any."""
        removed = await self.read(partial(cleanup.remove_idle, self.database))
        for id in removed:
            self.hub.nudge(id)
        await self._notify(removed)
        return bool(removed)

    async def catch_up(self) -> None:
        """Find out, by one query, which streams have missed events, and have those check for them."""
        versions = await self.read(partial(queries.versions, self.hub.followed))
        self.hub.nudge_behind(versions)

    def count_spectator(self, match_id: str, by: int) -> None:
        """Count a spectator who has come or gone. Streams get the number once per batch of changes."""
        self.spectators.change(match_id, by)
        if match_id not in self._recounted:
            self._recounted.add(match_id)
            asyncio.get_running_loop().call_later(ANNOUNCE, self._announce_spectators, match_id)

    def _announce_spectators(self, match_id: str) -> None:
        self._recounted.discard(match_id)
        self.publish_spectators(match_id)
        if self.database.shared:
            task = asyncio.create_task(self._notify([self.spectators.payload(match_id)]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def publish_spectators(self, match_id: str) -> None:
        """Send the number of spectators to the open streams of this process."""
        self.hub.publish([SavedEvent(match_id, EPHEMERAL, str(self.spectators.count(match_id)))])

    async def notify_spectators(self) -> None:
        """Notify the other processes of all our spectators again, since they forget old numbers."""
        await self._notify(self.spectators.payloads())

    async def _notify(self, payloads: Collection[str]) -> None:
        """Queue payloads for the other processes. What is queued while a batch is sent joins the next."""
        if self.database.shared:
            self._payloads.update(payloads)
            if self._payloads and (self._notifying is None or self._notifying.done()):
                self._notifying = asyncio.create_task(self._send_payloads())

    async def _send_payloads(self) -> None:
        while self._payloads:
            batch, self._payloads = self._payloads, set()
            for _ in range(2):  # a pooled connection may have broken unnoticed; the retry gets a new one
                try:
                    await self.read(partial(notifications.notify, self.spectators.process, batch))
                    break
                except Exception:
                    log.warning("could not notify the other processes")

    async def finish_notifying(self) -> None:
        """Wait until the queued payloads have been sent."""
        if self._notifying is not None:
            await self._notifying

    def wake_computer(self, room: Room) -> None:
        """If a computer has to move in a match that has changed, have it think."""
        if room.due:
            self.computers.think(room)

    async def wake_computers(self, room: Room) -> None:
        """As `wake_computer`, for the match and for its rematch, if there is one by now."""
        self.wake_computer(room)
        following = room.next
        if following is not None:
            self.wake_computer(await self.room(following))
