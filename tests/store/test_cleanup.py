"""What is too old is removed in small steps, and a clock that jumps removes nothing at once."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import partial

import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from ninefold import SEATS
from ninefold.match.kinds import Status
from ninefold.store.sql import cleanup, schema
from ninefold.store.sql.cleanup import HOUR, Cleanup
from ninefold.store.sql.database import Database, Transaction
from ninefold.web.clocks import TrustedClock
from tests.store.test_database import PATIENCE, new_room

DAY = 86400.0
AGES = {Status.WAITING: DAY, Status.PLAYING: 30 * DAY, Status.OVER: 365 * DAY}
NOW = 1_800_000_000.0


class Clocks:
    """A wall clock that can be set, and one that cannot."""

    def __init__(self) -> None:
        self.wall, self.steady = NOW, 50.0

    def pass_by(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def database(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """With a hundred matches of each status: the tenth of them that is untouched for longest is old."""
    monkeypatch.setattr(cleanup, "LEAST", 4)
    monkeypatch.setattr(cleanup, "STEP", 3)
    one = Database(address)
    one.open()

    def work(tx: Transaction) -> None:
        for status, age in AGES.items():
            for number in range(100):
                room = replace(new_room(f"{status}-{number}"), status=status)
                tx.create(replace(room, touched=NOW - age * (1.1 if number < 10 else 0.5)))

    one.run(work).result(PATIENCE)
    yield one
    one.close()


def left(database: Database) -> Counter[str]:
    with database.engine.connect() as connection:
        return Counter(connection.execute(sa.select(schema.matches.c.status)).scalars())


class Cleaner:
    """A cleanup, by a clock that may not be trusted."""

    def __init__(self, database: Database, clocks: Clocks, ages: dict[Status, float]) -> None:
        self._cleanup = Cleanup(database, ages, lambda: clocks.steady)
        self._clock = TrustedClock(lambda: clocks.wall, lambda: clocks.steady)
        self.close = self._cleanup.close

    def run(self) -> int:
        return self._cleanup.run(self._clock.now())


def make(database: Database, clocks: Clocks, ages: dict[Status, float] = AGES) -> Cleaner:
    return Cleaner(database, clocks, ages)


def test_nothing_is_removed_in_the_hour_after_a_start(database: Database, clocks: Clocks) -> None:
    one = make(database, clocks)
    for _ in range(6):
        assert one.run() == 0
        clocks.pass_by(HOUR / 6 - 1)
    assert one.run() == 0
    assert left(database) == Counter(waiting=100, playing=100, over=100)
    clocks.pass_by(10)
    assert one.run() == 30
    assert left(database) == Counter(waiting=90, playing=90, over=90)
    one.close()


def test_only_what_is_too_old_goes_and_0_keeps_it(
    database: Database, clocks: Clocks, caplog: pytest.LogCaptureFixture
) -> None:
    one = make(database, clocks, {**AGES, Status.OVER: 0})
    clocks.pass_by(HOUR)
    with caplog.at_level(logging.INFO, "ninefold.store"):
        assert one.run() == 20
    assert '{"tidied": {"waiting": 10, "playing": 10}}' in caplog.text
    with database.engine.connect() as connection:
        ids = set(connection.execute(sa.select(schema.matches.c.id)).scalars())
    assert ids == {
        f"{status}-{number}"
        for status in Status
        for number in range(100)
        if status is Status.OVER or number >= 10
    }
    clocks.pass_by(HOUR)
    assert one.run() == 0
    one.close()


@pytest.mark.parametrize("jump", [400 * DAY, -400 * DAY, 120.0])
def test_nothing_is_removed_in_the_hour_after_the_clock_has_jumped(
    database: Database, clocks: Clocks, caplog: pytest.LogCaptureFixture, jump: float
) -> None:
    one = make(database, clocks)
    clocks.pass_by(HOUR)
    clocks.wall += jump
    assert one.run() == 0
    assert "the clock has jumped" in caplog.text
    clocks.pass_by(HOUR - 1)
    clocks.wall -= jump  # somebody puts it right
    assert one.run() == 0
    clocks.pass_by(HOUR)
    assert one.run() == 30
    one.close()


def test_a_clock_that_stays_wrong_costs_a_tenth_an_hour(database: Database, clocks: Clocks) -> None:
    one = make(database, clocks)
    clocks.wall += 400 * DAY
    assert one.run() == 0
    for hour, kept in enumerate((90, 81, 73, 66), 1):
        clocks.pass_by(HOUR)
        one.run()
        assert left(database) == Counter(waiting=kept, playing=kept, over=kept), hour
        assert one.run() == 0, "once an hour"
    one.close()


def test_few_matches_are_removed_without_a_tenth(database: Database, clocks: Clocks) -> None:
    with database.engine.begin() as connection:
        connection.execute(sa.delete(schema.matches).where(schema.matches.c.id.not_like("%-1")))
    one = make(database, clocks)
    clocks.pass_by(HOUR)
    assert one.run() == 3
    one.close()


def wait_until_unlocked(database: Database) -> None:
    """PostgreSQL notices some time after a connection is closed, and only then frees its locks."""
    held = sa.text(
        "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
        " WHERE locktype = 'advisory' AND datname = current_database()"
    )
    with database.engine.connect() as connection:
        while connection.execute(held).scalar_one():
            pass


def test_one_of_several_processes_removes_for_all(
    database: Database, address: str, clocks: Clocks
) -> None:
    if not database.shared:
        pytest.skip("SQLite has one process")
    other = Database(address)
    mine, theirs = make(database, clocks), make(other, clocks)
    clocks.pass_by(HOUR)
    clocks.wall += 3  # not enough to be mistrusted
    assert mine.run() == 30
    assert theirs.run() == 0
    mine.close()  # as if it had died
    wait_until_unlocked(other)
    clocks.pass_by(365 * DAY)
    assert theirs.run() == 27
    theirs.close()
    other.close()


def test_matches_without_a_move_make_room_before_those_that_are_played(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cleanup, "BATCH", 1)
    idle = {"abandoned": cleanup.ABANDONED + 60, "older": 3000, "unstarted": 2000, "young": 300}
    with closing(Database(address)) as database:
        database.open()
        for id, seconds in idle.items():
            room = replace(new_room(id), touched=NOW - seconds)
            database.run(partial(Transaction.create, room=room)).result(PATIENCE)
        match = new_room().match.copy()
        match.submit(SEATS[0], "0,0")
        database.run(lambda tx: tx.save(replace(tx.room("abandoned"), match=match), [])).result(PATIENCE)
        remove = partial(cleanup.remove_idle, database, now=NOW)
        removed = [database.read(remove).result(PATIENCE) for _ in range(4)]
    assert removed == [["older"], ["unstarted"], ["abandoned"], []]
