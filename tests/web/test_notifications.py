"""Processes tell each other what is new: once for all that comes up together."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from msgspec.structs import replace

from ninefold import Seat
from ninefold.match.events import Left
from ninefold.store.sql import notifications
from ninefold.store.sql.database import Database, NoSuchMatch, SavedEvent, Transaction
from ninefold.web.background import receive_payload
from ninefold.web.hub import Hub
from ninefold.web.limits import Limits
from ninefold.web.server import Server
from ninefold.web.spectators import Spectators
from tests.store.test_database import new_room
from tests.web.inside import inside
from tests.web.readers import KeptEvents
from tests.web.support import PATIENCE


def test_notifications_that_come_together_are_sent_in_one_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[set[str]] = []
    fails = [True]

    def notify(sender: str, payloads: Collection[str], connection: Any) -> None:
        if fails:
            fails.pop()
            raise OSError("the connection has broken")
        told.append(set(payloads))

    monkeypatch.setattr(notifications, "notify", notify)

    async def work(client: httpx.AsyncClient, server: Server) -> None:
        monkeypatch.setattr(server.database, "shared", True)
        await asyncio.gather(*(server.publish([SavedEvent(f"m{n}", 1, "{}")]) for n in range(50)))
        await server.finish_notifying()
        assert set().union(*told) == {f"m{n}" for n in range(50)}
        assert len(told) <= 2
        monkeypatch.setattr(server.database, "shared", False)

    inside(tmp_path, work)


def test_every_id_arrives_however_many_there_are(database: str) -> None:
    ids = {f"match-{n:06}" for n in range(1000)}
    heard: set[str] = set()
    engine = Database(database).engine

    class Ears:
        def nudge(self, id: str) -> None:
            heard.add(id)

    class Listener:
        hub = Ears()
        spectators = Spectators()

    with psycopg.connect(database, autocommit=True) as listening:
        listening.execute(f"LISTEN {notifications.CHANNEL}".encode())
        with engine.connect() as connection:
            notifications.notify("another", {*ids, "a b 1"}, connection)
            notifications.notify(Listener.spectators.process, {"our-own"}, connection)
        count = 0
        for notice in listening.notifies(timeout=PATIENCE, stop_after=6):
            count += 1
            if notice.payload != "a b 1":
                assert len(notice.payload) < 8000
                receive_payload(Listener(), notice.payload)  # type: ignore[arg-type]
    assert heard == ids
    assert count == 6
    engine.dispose()


def test_a_single_process_sends_no_notifications(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "notify", partial(pytest.fail, "nobody listens"))

    async def work(client: httpx.AsyncClient, server: Server) -> None:
        await server.publish([SavedEvent("m", 1, "{}")])
        await server.finish_notifying()

    inside(tmp_path, work)


def test_one_query_finds_the_streams_that_have_missed_something(database: str) -> None:
    asked: list[str] = []

    async def fetch(match_id: str, number: int) -> list[SavedEvent]:
        asked.append(match_id)
        if match_id == "removed" and number:
            raise NoSuchMatch
        return [SavedEvent(match_id, n, "{}") for n in range(number + 1, found.get(match_id, 2) + 1)]

    opened = Database(database)
    opened.open()
    found = {"still": 2, "ahead": 2, "removed": 2}

    def create(tx: Transaction) -> None:
        for id in ("still", "ahead"):
            tx.create(replace(new_room(id), version=2))

    opened.run(create).result(PATIENCE)

    async def work() -> None:
        server = Server(opened, Limits())
        hub = server.hub = Hub(fetch)
        readers = {id: KeptEvents() for id in found}
        async with AsyncExitStack() as stack:
            for id, reader in readers.items():
                await stack.enter_async_context(hub.follow(id, 0, reader))
                assert reader.numbers == [1, 2]
            asked.clear()
            opened.run(lambda tx: tx.save(tx.room("ahead"), [Left(Seat.FIRST)])).result(PATIENCE)
            found["ahead"] = 3
            await server.catch_up()
            while not readers["removed"].ended or readers["ahead"].numbers != [1, 2, 3]:
                await asyncio.sleep(0)
            assert sorted(asked) == ["ahead", "removed"]
            assert readers["still"].numbers == [1, 2]
        assert not hub.followed

    asyncio.run(work())
    opened.close()
