"""The database cannot be used for a while: that is said, with when to try again, and then all goes on."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
import sqlalchemy as sa

from ninefold import SEATS
from ninefold.store.sql import database as databases
from ninefold.store.sql.outage import Unavailable
from ninefold.web import server as servers
from ninefold.web.limits import Limits
from ninefold.web.server import Server as Process
from tests.web.conftest import Start
from tests.web.inside import inside
from tests.web.postgres import Postgres, postgres
from tests.web.silent import SilentProxy
from tests.web.support import API, PATIENCE, PERSON, bearer, got, wait_for

FIRST, SECOND = SEATS


def check_refused(answer: httpx.Response, why: str = "cannot reach its database") -> None:
    assert answer.status_code == 503, answer.text
    assert why in answer.text
    assert int(answer.headers["retry-after"]) > 0


Break = Callable[[Process, Path], Callable[[], None]]  # answers with how to mend it


def lock(server: Process, folder: Path) -> Callable[[], None]:
    other = sqlite3.connect(folder / "server.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    return other.close


def pragma(broken: str, mended: str) -> Break:
    """For every connection: the writer's, and those that it takes later."""

    def apply(server: Process, statement: str) -> None:
        engine = server.database.engine
        server.database.run(lambda tx: tx.connection.exec_driver_sql(statement)).result(PATIENCE)
        sa.event.listen(engine, "checkout", lambda connection, *_: connection.execute(statement))

    def break_it(server: Process, folder: Path) -> Callable[[], None]:
        with server.database.engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        apply(server, broken.format(pages=pages))
        return lambda: apply(server, mended)

    return break_it


def unplug(server: Process, folder: Path) -> Callable[[], None]:
    path = folder / "server.db"
    path.rename(folder / "elsewhere.db")

    def put_back() -> None:
        (folder / "elsewhere.db").rename(path)

    return put_back


WAYS = [
    (lock, "another process holds it locked"),
    (pragma("PRAGMA query_only = ON", "PRAGMA query_only = OFF"), "its file is read-only"),
    (unplug, "its file has been removed or replaced"),
]


@pytest.mark.parametrize(("break_it", "why"), WAYS, ids=[why for _, why in WAYS])
def test_it_is_not_ready_while_nothing_can_be_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    break_it: Break,
    why: str,
) -> None:
    monkeypatch.setattr(servers, "CHECK", 0)
    monkeypatch.setattr(servers, "LOG", 0)

    async def work(client: httpx.AsyncClient, server: Process) -> None:
        wanted = {"game": "battle", "first": PERSON, "second": PERSON}
        created = got(await client.post(f"{API}/matches", json=wanted), 201)
        path, token = f"{API}/matches/{created['match']}", created["held"][0]["token"]
        got(await client.get("/readyz"))
        mend = break_it(server, tmp_path)
        check_not_ready(await client.get("/readyz"), why)
        got(await client.get("/healthz"))
        move: dict[str, Any] = {"json": {"move": "0,0", "ply": 0}, "headers": bearer(token)}
        caplog.clear()
        for _ in range(2):
            check_refused(await client.post(f"{path}/moves", **move))
            check_refused(await client.post(f"{API}/matches", json=wanted))
        assert caplog.text.count(why) == 1  # it is logged once
        mend()
        got(await client.get("/readyz"))
        assert got(await client.post(f"{path}/moves", **move))["version"] == 1
        assert "database_errors_total 4" in (await client.get("/metrics")).text

    inside(tmp_path, work, timeout=0.05)


def check_not_ready(answer: httpx.Response, why: str) -> None:
    assert answer.status_code == 503
    assert why in answer.json()["detail"]


def test_a_full_disk_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(client: httpx.AsyncClient, server: Process) -> None:
        class Usage:
            free = databases.FREE_DISK - 1

        monkeypatch.setattr(databases, "disk_usage", lambda _: Usage)
        assert f"ninefold_disk_free_bytes {Usage.free}" in (await client.get("/metrics")).text
        check_not_ready(await client.get("/readyz"), "the disk is full")

    inside(tmp_path, work)


def test_what_does_not_fit_on_the_disk_is_refused_and_not_kept(tmp_path: Path) -> None:
    fill = pragma("PRAGMA max_page_count = {pages}", "PRAGMA max_page_count = 1000000")

    async def work(client: httpx.AsyncClient, server: Process) -> None:
        mend = fill(server, tmp_path)
        names = []
        wanted = {"game": "battle", "first": PERSON, "second": PERSON}
        while (answer := await client.post(f"{API}/matches", json=wanted)).status_code == 201:
            names.append(answer.json()["match"])
        check_refused(answer)
        mend()
        for name in names:
            got(await client.get(f"{API}/matches/{name}"))
        got(await client.post(f"{API}/matches", json=wanted), 201)

    inside(tmp_path, work)


def test_operators_are_not_rate_limited(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, server: Process) -> None:
        for _ in range(20):
            for path in ("/healthz", "/readyz", "/metrics"):
                assert (await client.get(path)).status_code == 200
        codes = [(await client.get(f"{API}/games")).status_code for _ in range(4)]
        assert codes == [200, 200, 200, 429]

    inside(tmp_path, work, rate=0.001, burst=3)


# PostgreSQL


def test_everything_is_answered_with_503_while_postgresql_is_stopped(start: Start) -> None:
    with postgres(uuid4().hex[:12]) as own:
        server = start(own.url(own.create()))
        table = server.create("battle")
        table.play("0,0")
        own.stop()
        html = {"Accept": "text/html"}
        asks: list[Callable[[], httpx.Response]] = [
            lambda: table.get(""),
            lambda: table.get("/record", FIRST),
            lambda: table.get("/events"),
            lambda: table.move(SECOND, "0,1", 1),
            lambda: table.post("/resign", FIRST),
            lambda: server.post(f"{API}/matches", {"game": "battle"}),
            lambda: server.get(f"{API}/matches"),
            lambda: server.get("/", headers=html),
            lambda: server.get(f"/m/{table.id}", headers=html),
        ]
        for ask in asks:
            check_refused(ask())
        assert got(server.get("/healthz"))["status"] == "ok"
        assert '"The database is not available: it does not answer."' in server.log()
        assert "unexpected" not in server.log()
        own.start()
        server.wait()
        got(table.move(SECOND, "0,1", 1))
        assert len(table.seen()["moves"]) == 2
        server.kill()


@pytest.mark.long
def test_a_silent_postgresql_stops_neither_answers_nor_the_server(start: Start, database: str) -> None:
    with SilentProxy(database) as proxy:
        server = start(proxy.url)
        table = server.create("battle")
        table.play("0,0")
        proxy.silence()
        check_refused(table.move(SECOND, "0,1", 1))
        assert server.get("/metrics").elapsed.total_seconds() < 1
        assert server.get("/healthz").elapsed.total_seconds() < 1
        proxy.resume()
        server.wait()
        got(table.move(SECOND, "0,1", 1))
        proxy.silence()
        assert server.stop() in (0, -signal.SIGTERM)


def test_a_database_that_is_read_only_is_not_ready(
    start: Start, instance: Postgres, database: str
) -> None:
    server = start(database)
    table = server.create("battle")
    name = database.rpartition("?")[0].rpartition("/")[2]

    def only_read(on: bool) -> None:
        instance.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {on}")
        end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'"
        instance.execute(end.format(name))

    only_read(True)
    wait_for(lambda: "it is read-only" in server.get("/readyz").text, "it to notice")
    check_refused(table.move(FIRST, "0,0", 0))
    assert table.seen()["ply"] == 0
    only_read(False)
    server.wait()
    wait_for(lambda: table.move(FIRST, "0,0", 0).status_code == 200, "it to go on")


def test_postgresql_is_not_ready_while_its_disk_is_full(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise Unavailable("its disk is full")

    async def find_trouble() -> str | None:
        return await Process(opened, Limits()).find_trouble()

    opened = databases.Database(database)
    opened.open()
    try:
        assert asyncio.run(find_trouble()) is None
        monkeypatch.setattr(servers, "probe_space", fail)
        assert asyncio.run(find_trouble()) == "its disk is full"
    finally:
        opened.close()


def test_a_notification_that_makes_no_sense_is_ignored(
    start: Start, instance: Postgres, database: str
) -> None:
    here, there = start(database), start(database)
    table = here.create("battle")
    name = database.rpartition("?")[0].rpartition("/")[2]
    with table.at(there).stream() as stream:
        for payload in ("", " ", "a b", "a b c", "a b c d", "a b 99999999999999999999", "x" * 7000):
            instance.execute(f"NOTIFY ninefold, '{payload}'", name)
        for ply, move in enumerate(("0,0", "0,1", "0,2")):
            got(table.move(SEATS[ply % 2], move, ply))
            assert stream.next(5).id == ply + 1
    assert "lost the database" not in there.log()
    assert "a notification that makes no sense" in there.log()


def test_a_write_that_the_database_does_not_finish_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = databases.Database(f"sqlite:///{tmp_path / 'server.db'}")  # no writer runs: never opened
    server = Process(database, Limits())

    async def ask(seconds: float) -> asyncio.Future[Any]:
        monkeypatch.setattr(servers, "TIMEOUT", seconds)
        asked = asyncio.ensure_future(server.run(lambda _: None))
        await asyncio.sleep(0)
        return asked

    async def wait() -> None:
        late, early = await ask(0), await ask(PATIENCE)
        server.expire_writes()
        with pytest.raises(Unavailable, match="it takes too long"):
            await asyncio.wait_for(late, PATIENCE)
        assert not early.done()
        early.cancel()

    asyncio.run(wait())
