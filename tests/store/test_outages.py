"""Databases that half answer: files that are moved away, servers that go silent, locks that are held."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from ninefold.store.sql import connections, notifications, queries
from ninefold.store.sql.database import RETRIES, Database, Transaction
from ninefold.store.sql.outage import Unavailable
from ninefold.store.sql.statements import probe, probe_space
from tests.store.test_database import PATIENCE, new_room
from tests.web.postgres import Postgres
from tests.web.silent import SilentProxy

TIMEOUT = 1.0  # seconds: more than any statement takes on a busy machine, but for those that wait for it


@pytest.fixture
def postgresql(instance: Postgres) -> Iterator[str]:
    name = instance.create()
    yield instance.url(name)
    instance.drop(name)


def opened(address: str) -> closing[Database]:
    database = Database(address, TIMEOUT)
    database.open()
    return closing(database)


def create(id: str) -> Callable[[Transaction], None]:
    return lambda tx: tx.create(new_room(id))


def change(tx: Transaction) -> None:
    tx.save(tx.room("m"), [])


def fail(tx: Transaction) -> None:
    raise AssertionError("this should not have been run")


# SQLite


def replace_by_another(path: Path) -> None:
    path.rename(path.with_name("old.db"))
    path.write_bytes(path.with_name("old.db").read_bytes())


WAYS: dict[str, Callable[[Path], object]] = {
    "moved": lambda path: path.rename(path.with_name("elsewhere.db")),
    "replaced": replace_by_another,
    "removed": Path.unlink,
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_acknowledged_that_is_written_into_a_file_that_is_gone(
    tmp_path: Path, way: str
) -> None:
    path = tmp_path / "server.db"
    with opened(f"sqlite:///{path}") as database:
        database.run(create("m")).result(PATIENCE)
        WAYS[way](path)
        with pytest.raises(Unavailable, match="removed or replaced"):
            database.run(fail).result(PATIENCE)
        with pytest.raises(Unavailable, match="removed or replaced"):
            database.read(queries.count_unfinished).result(PATIENCE)
    assert path.exists() == (way == "replaced"), "no new file is made"


def test_nor_if_it_goes_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "server.db"

    def move_away(tx: Transaction) -> None:
        create("m")(tx)
        path.rename(tmp_path / "elsewhere.db")

    with opened(f"sqlite:///{path}") as database:
        with pytest.raises(Unavailable, match="removed or replaced"):
            database.run(move_away).result(PATIENCE)
        (tmp_path / "elsewhere.db").rename(path)
        database.run(change).result(PATIENCE)


# PostgreSQL


def test_a_silent_server_is_given_up_and_found_again_when_it_is_back(postgresql: str) -> None:
    with SilentProxy(postgresql) as proxy, opened(proxy.url) as database:
        database.run(create("m")).result(PATIENCE)
        database.read(queries.count_unfinished).result(PATIENCE)
        proxy.silence()
        for _ in range(2):
            with pytest.raises(Unavailable, match="does not answer"):
                database.run(change).result(PATIENCE)
            with pytest.raises(Unavailable, match="does not answer"):
                database.read(queries.count_unfinished).result(PATIENCE)
        proxy.resume()
        database.run(change).result(PATIENCE)
        assert database.read(queries.count_unfinished).result(PATIENCE) == 1
        proxy.silence()
        waiting = [database.run(change) for _ in range(3)]
        began = time.monotonic()
    assert time.monotonic() - began < PATIENCE  # it can be closed, too
    assert all(isinstance(one.exception(0), Unavailable) for one in waiting)


@pytest.mark.long
def test_a_listener_notices_a_silent_server(postgresql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "SILENCE", 0.1)
    monkeypatch.setattr(notifications, "ANSWER", 1.0)

    async def listen(proxy: SilentProxy) -> None:
        heard = notifications.listen(sa.make_url(proxy.url))
        assert await anext(heard) is None
        await asyncio.to_thread(notify, postgresql)
        assert await anext(heard) == "operator m"
        proxy.silence()
        with pytest.raises(TimeoutError):
            await anext(heard)

    with SilentProxy(postgresql) as proxy:
        asyncio.run(asyncio.wait_for(listen(proxy), PATIENCE))


def notify(address: str) -> None:
    with opened(address) as database:
        database.read(partial(notifications.notify, "operator", ["m"])).result(PATIENCE)


def test_a_peer_that_is_gone_is_noticed_by_the_system_too(postgresql: str) -> None:
    with opened(postgresql) as database, database.engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        found = driver.info.get_parameters()
    assert {name: int(found[name]) for name in connections.PATIENCE} == connections.PATIENCE


def test_the_isolation_level_is_ours_and_not_the_database_s(instance: Postgres, postgresql: str) -> None:
    name = postgresql.rpartition("?")[0].rpartition("/")[2]
    instance.execute(f"ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'")
    with opened(postgresql) as database:
        shown = database.read(lambda c: c.exec_driver_sql("SHOW transaction_isolation").scalar())
        assert shown.result(PATIENCE) == "read committed"


RAISE = "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '{}'; END $$"


@pytest.mark.parametrize("state", ["40001", "40P01"])
def test_a_write_that_others_were_in_the_way_of_is_retried(postgresql: str, state: str) -> None:
    tried: list[str] = []

    def fail_first(times: int) -> Callable[[Transaction], int]:
        def work(tx: Transaction) -> int:
            tried.append(state)
            if len(tried) <= times:
                tx.connection.exec_driver_sql(RAISE.format(state))
            change(tx)
            return len(tried)

        return work

    with opened(postgresql) as database:
        database.run(create("m")).result(PATIENCE)
        assert database.run(fail_first(3)).result(PATIENCE)[0] == 4
        tried.clear()
        with pytest.raises(Unavailable, match="too many changes at once"):
            database.run(fail_first(RETRIES + 1)).result(PATIENCE)


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ("40001", "too many changes at once"),
        ("40P01", "too many changes at once"),
        ("55P03", "another process holds a lock"),
        ("57014", "a statement takes too long"),
        ("57P01", "stopping or starting"),
        ("53100", "its disk is full"),
        ("53300", "too many connections"),
        ("25006", "it is read-only"),
        ("08006", "it does not answer"),
    ],
)
def test_what_a_later_request_may_not_meet_is_an_outage_with_a_reason(
    reading: Database, state: str, why: str
) -> None:
    with pytest.raises(Unavailable, match=why):
        reading.read(lambda one: one.exec_driver_sql(RAISE.format(state))).result(PATIENCE)


@pytest.fixture(scope="module")
def reading(instance: Postgres) -> Iterator[Database]:
    """A database that is only read."""
    name = instance.create()
    with opened(instance.url(name)) as database:
        yield database
    instance.drop(name)


def sleep(connection: sa.Connection) -> None:
    connection.exec_driver_sql("SELECT pg_sleep(10)")


def test_locks_and_statements_that_take_too_long_are_outages(postgresql: str) -> None:
    with opened(postgresql) as database:
        database.run(create("m")).result(PATIENCE)
        with pytest.raises(Unavailable, match="a statement takes too long"):
            database.read(sleep).result(PATIENCE)
        with psycopg.connect(postgresql) as other:
            other.execute("SELECT * FROM matches FOR UPDATE")
            with pytest.raises(Unavailable, match=r"holds a lock|takes too long"):
                database.run(change).result(PATIENCE)
        database.run(change).result(PATIENCE)


@pytest.fixture
def small_disk(tmp_path: Path, instance: Postgres) -> Iterator[Path]:
    """A disk of 24 MB that PostgreSQL may write to; skipped where we may not mount one."""
    folder = Path(tempfile.mkdtemp(prefix="ninefold-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        folder.rmdir()
        pytest.skip("a small disk cannot be mounted here")
    try:
        owner = instance.folder.stat()
        (folder / "data").mkdir()
        os.chown(folder / "data", owner.st_uid, owner.st_gid)
        folder.chmod(0o755)
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
        folder.rmdir()


def test_a_full_disk_is_noticed_by_a_write_that_needs_space(small_disk: Path, instance: Postgres) -> None:
    instance.execute(f"CREATE TABLESPACE small LOCATION '{small_disk / 'data'}'")
    instance.execute("CREATE DATABASE on_small_disk TABLESPACE small")
    try:
        with opened(instance.url("on_small_disk")) as database:
            database.read(probe_space).result(PATIENCE)
            database.read(probe_space).result(PATIENCE)  # nothing of the first is left
            with (small_disk / "rest").open("wb", buffering=0) as rest, suppress(OSError):
                while True:
                    rest.write(bytes(4096))
            database.run(probe).result(PATIENCE)  # a row that is there already needs no space
            with pytest.raises(Unavailable, match="its disk is full"):
                database.read(probe_space).result(PATIENCE)
            (small_disk / "rest").unlink()
            database.read(probe_space).result(PATIENCE)
    finally:
        instance.drop("on_small_disk")
        instance.execute("DROP TABLESPACE small")
