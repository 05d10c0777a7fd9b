"""How the processes of a server on PostgreSQL tell each other what is new: short texts, by NOTIFY."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection

import sqlalchemy as sa

CHANNEL = "ninefold"
AND = ","  # between ids that are told of together
TOGETHER = 300  # ids in one notice, which may have 8,000 bytes


def notify(sender: str, payloads: Collection[str], connection: sa.Connection) -> None:
    """Tell all in one transaction, so that each listener wakes once.

    Ids of matches go together, after the name of the process that has changed them.
    """
    ids = sorted(payload for payload in payloads if " " not in payload)
    texts = [f"{sender} {AND.join(ids[k : k + TOGETHER])}" for k in range(0, len(ids), TOGETHER)]
    texts += [payload for payload in payloads if " " in payload]
    tell = sa.text(f"SELECT pg_notify('{CHANNEL}', :payload)")
    for text in texts:
        connection.execute(tell, {"payload": text})
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
