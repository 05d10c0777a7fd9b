"""How the processes of a server on PostgreSQL notify each other of changes: LISTEN and NOTIFY."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from typing import Any

import sqlalchemy as sa

from ninefold.store.sql.connections import PATIENCE

CHANNEL = "ninefold"
SEPARATOR = ","  # between the ids in one payload
SILENCE = 10.0  # seconds without a notification after which the server is asked whether it is there
ANSWER = 5.0  # seconds that it may take to answer
IDS = 300  # in one payload, which may have 8,000 bytes


def notify(sender: str, payloads: Collection[str], connection: sa.Connection) -> None:
    """Send all payloads in one transaction, so that each listener wakes once.

    Payloads that are ids of matches are joined, after the name of the process that changed them.
    """
    ids = sorted(payload for payload in payloads if " " not in payload)
    texts = [f"{sender} {SEPARATOR.join(ids[k : k + IDS])}" for k in range(0, len(ids), IDS)]
    texts += [payload for payload in payloads if " " in payload]
    statement = sa.text(f"SELECT pg_notify('{CHANNEL}', :payload)")
    for text in texts:
        connection.execute(statement, {"payload": text})
    connection.commit()


async def listen(url: sa.URL) -> AsyncIterator[str | None]:
    """Yield None once the connection listens, then every payload. Raises an error if it breaks.

    A server that has gone silent is noticed: when nothing has come for a while, it is asked something.
    """
    import psycopg

    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    options: dict[str, Any] = {"connect_timeout": round(ANSWER), **PATIENCE}
    async with await psycopg.AsyncConnection.connect(address, autocommit=True, **options) as connection:
        await connection.execute(f"LISTEN {CHANNEL}".encode())
        yield None
        while True:
            async for notice in connection.notifies(timeout=SILENCE):
                yield notice.payload
            async with asyncio.timeout(ANSWER):
                await connection.execute(b"SELECT 1")
