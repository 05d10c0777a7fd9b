"""Processes tell each other what is new: once for all that comes up together."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from ninefold.store.sql import notifications
from ninefold.store.sql.database import Database, SavedEvent
from ninefold.web.background import receive_payload
from ninefold.web.server import Server
from ninefold.web.spectators import Spectators
from tests.web.inside import inside


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
        for notice in listening.notifies(timeout=10, stop_after=6):
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
