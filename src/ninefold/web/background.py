"""The background tasks of a process of the server."""

from __future__ import annotations

import asyncio
import gc
import logging
from contextlib import suppress

from ninefold.match.kinds import Status
from ninefold.store.sql import notifications, queries
from ninefold.store.sql.cleanup import Cleanup
from ninefold.web.clocks import TrustedClock
from ninefold.web.server import Server

log = logging.getLogger("ninefold.web")

POLL = 10.0  # seconds between checks for events that no other process has notified us of
EXPIRE = 0.5  # seconds between looks for writes that take too long
COUNT = 10.0  # seconds between counts of the unfinished matches
CLEAN_UP = 600.0  # seconds between cleanups and full garbage collections


async def receive_notifications(server: Server) -> None:
    """Receive from the other processes which matches have changed, and how many spectators they count."""
    while True:
        try:
            async for payload in notifications.listen(server.database.url):
                if payload is None:
                    await server.catch_up()  # we may have missed something before we listened
                else:
                    receive_payload(server, payload)
        except Exception as error:
            log.warning("lost the database; trying again: %s", type(error).__name__)
            await asyncio.sleep(0.5)


def receive_payload(server: Server, payload: str) -> None:
    """Act on a notification: `PROCESS ID,ID...` for changed matches, `ID PROCESS NUMBER` for spectators.

    Anyone who uses the database can send one, so nonsense is ignored.
    """
    sender, _, ids = payload.partition(" ")
    if " " not in ids:
        if sender != server.spectators.process:  # our own streams have these events already
            for id in ids.split(notifications.SEPARATOR):
                server.hub.nudge(id)
        return
    try:
        changed = server.spectators.receive(payload)
    except ValueError:
        log.warning("ignored a notification that makes no sense")
        return
    if changed is not None:
        server.publish_spectators(changed)


async def expire_writes(server: Server) -> None:
    """Answer those who wait for a database that takes too long."""
    while True:
        await asyncio.sleep(EXPIRE)
        server.expire_writes()


async def poll_events(server: Server) -> None:
    """Check regularly for events that we have missed: a process may die before it can notify us."""
    while True:
        await asyncio.sleep(POLL)
        with suppress(Exception):  # the database may be away
            await server.catch_up()
        await server.notify_spectators()


async def count_matches(server: Server) -> None:
    """Count the unfinished matches regularly, and notice when an operator has removed one.

    While the database is away, the last count stands.
    """
    removals: int | None = None
    while True:
        with suppress(Exception):
            server.unfinished = await server.read(queries.count_unfinished)
            if not server.database.shared:
                before, removals = removals, await server.read(queries.count_removals)
                if before not in (None, removals):
                    server.database.evict_all()
                    server.hub.nudge_all()
        await asyncio.sleep(COUNT)


async def clean_up(server: Server, clock: TrustedClock) -> None:
    """Remove matches that are older than the limits allow, and collect garbage, every ten minutes."""
    limits = server.limits
    cleanup = Cleanup(
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
                await asyncio.to_thread(cleanup.run, clock.now())
            except Exception as error:  # the database may be away
                log.warning("could not clean up; trying again later: %s", type(error).__name__)
            gc.collect()
            await asyncio.sleep(CLEAN_UP)
    finally:
        cleanup.close()
