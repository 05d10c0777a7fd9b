"""A server inside the test's own process, for what only its insides can show."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import httpx

from ninefold.store.sql.database import Database
from ninefold.web.app import make_app
from ninefold.web.limits import Limits
from ninefold.web.server import Server
from tests.web.support import sqlite_url

T = TypeVar("T")


def inside(
    folder: Path,
    work: Callable[[httpx.AsyncClient, Server], Awaitable[T]],
    timeout: float = 5.0,
    **limits: Any,
) -> T:
    """Do some work with a client of a new server on SQLite, and with the server itself."""

    async def run() -> T:
        folder.mkdir(parents=True, exist_ok=True)
        database = Database(sqlite_url(folder), timeout)
        database.open()
        server = Server(database, Limits(**{"rate": 0, **limits}))
        transport = httpx.ASGITransport(make_app(server))
        try:
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                return await work(client, server)
        finally:
            await server.computers.stop()
            server.jobs.stop()
            database.close()

    return asyncio.run(run())
