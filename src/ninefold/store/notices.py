"""How the processes of a server on PostgreSQL tell each other what is new: short texts, by NOTIFY."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

import sqlalchemy as sa

CHANNEL = "ninefold"


def notify(payloads: Iterable[str], connection: sa.Connection) -> None:
    """Tell all of them in one transaction, so that each listener wakes once."""
    for payload in payloads:
        connection.execute(sa.text(f"SELECT pg_notify('{CHANNEL}', :payload)"), {"payload": payload})
    connection.commit()


async def listen(url: sa.URL) -> AsyncIterator[str | None]:
    """What is told: None first, once somebody listens. Raises what psycopg raises if the line breaks."""
    import psycopg

    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
        await connection.execute(f"LISTEN {CHANNEL}".encode())
        yield None
        async for notice in connection.notifies():
            yield notice.payload
