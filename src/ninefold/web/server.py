"""What a process of the server holds, and what it does by itself."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import sqlalchemy as sa

from ninefold.store import sql
from ninefold.store.sql import Database, Event, Room, Transaction
from ninefold.web.computers import Computers
from ninefold.web.hub import Hub
from ninefold.web.limits import Buckets, Limits
from ninefold.web.stats import Stats

T = TypeVar("T")
log = logging.getLogger("ninefold.web")

NUDGES = 10.0  # seconds between looks for events that no other process has told of
TIDY = 600.0  # seconds between looks for matches that are too old


class Server:
    """Everything that a process of the server holds."""

    def __init__(self, database: Database, limits: Limits, root_path: str = "") -> None:
        self.database = database
        self.limits = limits
        self.root_path = root_path.rstrip("/")
        self.stats = Stats()
        self.hub = Hub(self._events_after)
        self.buckets = Buckets(limits.rate, limits.burst)
        self.computers = Computers(database, self.tell)
        self.streams: dict[str, int] = {}

    async def run(self, work: Callable[[Transaction], T]) -> tuple[T, list[Event]]:
        return await self.database.awaited(work)

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        return await asyncio.wrap_future(self.database.read(work))

    async def room(self, id: str) -> Room:
        known = self.database.known(id)
        if known is None:
            known = await self.read(partial(self.database.current, id))
        return known

    async def _events_after(self, id: str, number: int) -> list[Event]:
        return await self.read(partial(self.database.events_after, id, number))

    async def tell(self, news: list[Event]) -> None:
        """Everybody who listens hears of it, in this process and in the others."""
        self.hub.publish(news)
        if self.database.shared and news:
            ids = {event.match_id for event in news}
            for _ in range(2):  # a connection may have broken unnoticed; the next one is new
                try:
                    await self.read(partial(_notify, ids))
                    return
                except sa.exc.SQLAlchemyError:
                    log.warning("could not tell the other processes")

    def touched(self, room: Room) -> None:
        """A match has changed: if a computer has to move, have it think."""
        if room.due:
            self.computers.think(room)


def _notify(ids: set[str], connection: sa.Connection) -> None:
    for id in ids:
        connection.execute(sa.text("SELECT pg_notify('ninefold', :id)"), {"id": id})
    connection.commit()


async def listen(server: Server) -> None:
    """PostgreSQL tells which matches other processes have changed."""
    import psycopg

    address = server.database.url.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
                await connection.execute("LISTEN ninefold")
                for id in server.hub.followed():
                    server.hub.nudge(id)  # what was missed while nobody listened
                async for notice in connection.notifies():
                    server.hub.nudge(notice.payload)
        except psycopg.Error:
            log.warning("lost the database; trying again")
            await asyncio.sleep(0.5)


async def nudge(server: Server) -> None:
    """Now and then, have all streams look for themselves: a process may die before it can tell."""
    while True:
        await asyncio.sleep(NUDGES)
        for id in server.hub.followed():
            server.hub.nudge(id)


async def tidy(server: Server) -> None:
    """Now and then, remove what the limits say is too old."""
    while True:
        try:
            removed = await server.read(partial(_remove_old, limits=server.limits))
        except Exception:  # the database is away: later, then
            log.warning("could not tidy; trying again later")
        else:
            if removed:
                log.info("%s", json.dumps({"tidied": len(removed)}))
                server.database.forget(removed)
        await asyncio.sleep(TIDY)


def _remove_old(connection: sa.Connection, limits: Limits) -> list[str]:
    now = time.time()
    table = sql.matches.c
    ages = {
        "waiting": limits.waiting_hours * 3600,
        "playing": limits.idle_days * 86400,
        "over": limits.kept_days * 86400,
    }
    old = sa.or_(
        sa.false(),
        *(
            sa.and_(table.status == status, table.touched < now - age)
            for status, age in ages.items()
            if age
        ),
    )
    ids = list(connection.execute(sa.select(table.id).where(old).limit(1000)).scalars())
    if ids:
        connection.execute(sa.delete(sql.matches).where(table.id.in_(ids)))
        connection.commit()
    return ids
