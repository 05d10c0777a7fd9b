"""The database of the server: commits that are shared, failures that hurt nobody else, no early news."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from msgspec.structs import replace

import ninefold
from ninefold import SEATS, NinefoldError, Seat
from ninefold.match import Match, Player
from ninefold.match.events import Moved, Reload, TakenBack
from ninefold.match.kinds import Status
from ninefold.store.sql import database as databases
from ninefold.store.sql import queries, rooms, schema, statements
from ninefold.store.sql.database import Database, NoSuchMatch, Room, SavedEvent, Transaction
from tests.web.postgres import Postgres

FIRST, SECOND = SEATS
GRID = "792415863"
PATIENCE = 120.0  # seconds, on a busy machine

Open = Callable[[], Database]
Done = Future[tuple[Room, list[SavedEvent]]]


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'server.db'}"


class Looped(Database):
    """An event loop asks for its writes, as on the server."""

    def open(self) -> None:
        super().open()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    def run(self, work: Callable[[Transaction], Any]) -> Future[Any]:
        async def ask() -> Any:
            return await self.run_async(work)

        done = asyncio.run_coroutine_threadsafe(ask(), self._loop)
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self._loop).result(PATIENCE)  # it has asked
        return done

    def close(self) -> None:
        super().close()

        async def finish() -> None:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(finish(), self._loop).result(PATIENCE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture(params=[Database, Looped])
def opened(request: pytest.FixtureRequest) -> Iterator[Callable[[str], Database]]:
    """Open databases that are closed with the test."""
    found: list[Database] = []

    def open_one(address: str) -> Database:
        database: Database = request.param(address)
        database.open()
        found.append(database)
        return database

    yield open_one
    for database in found:
        database.close()


Opened = Callable[[str], Database]


def new_room(id: str = "m") -> Room:
    players = (Player("Ada", FIRST), Player("Bob", SECOND))
    return Room(
        id=id,
        match=Match(ninefold.load("battle").set_up({"grid": GRID}), players),
        kinds=("person", "person"),
        hashes=("a" * 64, "b" * 64),
        listed=False,
        status=Status.PLAYING,
        setup={"grid": GRID},
        version=0,
        touched=1.0,
    )


def create(database: Database, id: str = "m") -> None:
    database.run(lambda tx: tx.create(new_room(id))).result(PATIENCE)


def moving(seat: Seat, move: str, id: str = "m") -> Callable[[Transaction], Room]:
    def work(tx: Transaction) -> Room:
        room = tx.room(id)
        match = room.match.copy()
        match.submit(seat, move)
        return tx.save(replace(room, match=match), [Moved(FIRST, move, 1)])

    return work


def stored(database: Database, id: str = "m") -> Room:
    return database.read(partial(database.load, id)).result(PATIENCE)


def moves_of(room: Room) -> list[str]:
    return [str(one.move) for one in room.match.played]


def told(database: Database, id: str = "m") -> list[int]:
    found = database.read(partial(queries.events_after, id, 0)).result(PATIENCE)
    return [event.number for event in found]


class Gate:
    """Holds a writer up, so that what is asked for meanwhile comes together."""

    def __init__(self, database: Database) -> None:
        self._entered, self._open = threading.Event(), threading.Event()
        self._held = database.run(self._hold)
        assert self._entered.wait(PATIENCE)

    def _hold(self, tx: Transaction) -> None:
        assert tx.connection  # only a writer has one
        self._entered.set()
        assert self._open.wait(PATIENCE)

    def lift(self) -> None:
        self._open.set()
        self._held.result(PATIENCE)


def commits(database: Database) -> list[int]:
    """Counts the commits from now on, in a list of one number."""
    count = [0]

    def counted(_: sa.Connection) -> None:
        count[0] += 1

    sa.event.listen(database.engine, "commit", counted)
    return count


# Doing and looking


def test_what_was_done_is_found_again_by_another(address: str, opened: Opened) -> None:
    database = opened(address)
    create(database)
    room, news = database.run(moving(FIRST, "0,0")).result(PATIENCE)
    assert (room.version, [event.number for event in news]) == (1, [1])
    database.run(moving(SECOND, "1,1")).result(PATIENCE)
    again = stored(opened(address))
    assert moves_of(again) == ["0,0", "1,1"]
    assert replace(again, match=room.match) == replace(room, version=2)
    assert again.match.players == room.match.players
    assert again.match.state.setup == {"grid": GRID}
    assert told(database) == [1, 2]


def test_a_match_that_is_not_there(address: str, opened: Opened) -> None:
    database = opened(address)
    for id in ("nothing", "\0", "é", "x" * 10_000):
        with pytest.raises(NoSuchMatch):
            stored(database, id)
        with pytest.raises(NoSuchMatch):
            database.run(moving(FIRST, "0,0", id)).result(PATIENCE)


def test_a_refusal_changes_nothing(address: str, opened: Opened) -> None:
    database = opened(address)
    create(database)
    with pytest.raises(NinefoldError, match="player's turn"):
        database.run(moving(SECOND, "0,0")).result(PATIENCE)

    def saves_then_refuses(tx: Transaction) -> None:
        moving(FIRST, "0,0")(tx)
        raise NinefoldError("no")

    with pytest.raises(NinefoldError, match="no"):
        database.run(saves_then_refuses).result(PATIENCE)
    assert moves_of(stored(database)) == []
    assert told(database) == []
    database.run(moving(FIRST, "2,2")).result(PATIENCE)
    assert moves_of(stored(opened(address))) == ["2,2"]


def test_moves_that_were_taken_back_are_gone(address: str, opened: Opened) -> None:
    database = opened(address)
    create(database)
    for seat, move in ((FIRST, "0,0"), (SECOND, "0,1"), (FIRST, "0,2")):
        database.run(moving(seat, move)).result(PATIENCE)

    def taken_back(tx: Transaction) -> Room:
        room = tx.room("m")
        match = room.match.copy()
        match.undo(until=(SECOND,))
        return tx.save(replace(room, match=match), [TakenBack(FIRST, 0, None)])

    database.run(taken_back).result(PATIENCE)
    database.run(moving(SECOND, "2,2")).result(PATIENCE)
    assert moves_of(stored(opened(address))) == ["0,0", "2,2"]
    assert told(database) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("resigns", [False, True])
def test_a_sudden_death_goes_on_until_it_is_resigned_also_when_read_again(
    resigns: bool, address: str, opened: Opened
) -> None:
    """Where the sums of unused numbers, which would have ended it once, differ."""
    start = Match(ninefold.load("conquest").start(size=2), new_room().match.players)
    match = start.copy()
    for move in ("claim:1", "claim:2", "claim:3", "claim:4", "challenge:2", "bid:1", "bid:5"):
        match.submit(match.state.movers[0], move)
    if resigns:
        match.resign(FIRST)
    room = replace(new_room(), match=match, status="over" if resigns else "playing")
    first = opened(address)
    first.run(lambda tx: tx.create(replace(room, match=start))).result(PATIENCE)
    first.run(lambda tx: tx.save(room, [])).result(PATIENCE)
    found = stored(opened(address)).match
    assert found.outcome == match.outcome
    assert found.states == match.states
    assert found.record(None) == match.record(None)


def test_many_threads_at_many_matches(address: str, opened: Opened) -> None:
    database = opened(address)
    ids = [f"m{number}" for number in range(12)]
    for id in ids:
        create(database, id)
    moves = ("0,0", "0,1", "0,2", "1,0", "1,1", "1,2")

    def play(id: str) -> None:
        for place, move in enumerate(moves):
            database.run(moving(SEATS[place % 2], move, id)).result(PATIENCE)

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(play, ids))
    other = opened(address)
    for id in ids:
        assert moves_of(stored(other, id)) == list(moves)
        assert told(other, id) == [1, 2, 3, 4, 5, 6]


# Shared commits, on SQLite


def test_what_comes_together_shares_a_commit(address: str, opened: Opened) -> None:
    database = opened(address)
    create(database)
    create(database, "n")
    gate, *others = [Gate(database) for _ in range(databases.THREADS if database.shared else 1)]
    count = commits(database)
    done = [
        database.run(moving(FIRST, "0,0")),
        database.run(moving(FIRST, "0,0", "n")),
        database.run(moving(SECOND, "1,1")),  # of the same match: it sees the first one's move
    ]
    gate.lift()
    assert [one.result(PATIENCE)[0].version for one in done] == [1, 1, 2]
    assert count[0] == 2  # the gate's own, and one for the three
    assert moves_of(stored(opened(address))) == ["0,0", "1,1"]
    for other in others:
        other.lift()


def test_what_an_event_loop_asks_for_in_one_go_shares_a_commit(address: str, opened: Opened) -> None:
    database = opened(address)
    create(database)
    create(database, "n")
    count = commits(database)

    async def ask() -> list[tuple[Room, list[SavedEvent]]]:
        wanted = [moving(FIRST, "0,0"), moving(FIRST, "0,0", "n"), moving(SECOND, "1,1")]
        return await asyncio.gather(*map(database.run_async, wanted))

    assert [room.version for room, _ in asyncio.run(ask())] == [1, 1, 2]
    assert count[0] == 1


def test_an_event_loop_runs_what_is_in_memory_and_a_writer_the_rest(sqlite: str) -> None:
    database = Looped(sqlite)
    database.open()
    create(database)
    threads: list[str] = []

    def work(tx: Transaction, move: str, seat: Seat) -> Room:
        threads.append(threading.current_thread().name)
        return moving(seat, move)(tx)

    database.run(partial(work, move="0,0", seat=FIRST)).result(PATIENCE)
    assert threads == [database._thread.name]
    database.evict(["m"])
    room, events = database.run(partial(work, move="1,1", seat=SECOND)).result(PATIENCE)
    assert threads == [database._thread.name] * 2 + ["write-0"]
    assert (moves_of(room), [event.number for event in events]) == (["0,0", "1,1"], [2])
    assert (moves_of(stored(database)), told(database)) == (["0,0", "1,1"], [1, 2])
    database.close()


def test_what_an_event_loop_asks_for_meanwhile_shares_the_next_commits(sqlite: str) -> None:
    database = Looped(sqlite)
    database.open()
    create(database)
    gate = Gate(database)
    count = commits(database)
    ids = [f"m{number}" for number in range(databases.BATCH + 1)]
    done = [database.run(lambda tx, id=id: tx.create(new_room(id))) for id in ids]  # type: ignore[misc]
    gate.lift()
    for one in done:
        one.result(PATIENCE)
    assert count[0] == 3  # the gate's own, and two for the others
    database.close()


def test_the_log_of_sqlite_is_copied_beside_the_writer(sqlite: str, opened: Opened) -> None:
    database = opened(sqlite)
    file = Path(database.url.database or "")
    before = file.stat().st_size
    for number in range(200):  # the log is far from what would make the writer copy it
        create(database, f"m{number}")
    deadline = time.monotonic() + PATIENCE
    while file.stat().st_size == before:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_one_that_refuses_or_fails_hurts_nobody_else(sqlite: str, opened: Opened) -> None:
    database = opened(sqlite)
    create(database)

    def fails(tx: Transaction) -> None:
        moving(SECOND, "2,2")(tx)
        raise ZeroDivisionError

    def breaks(tx: Transaction) -> None:
        tx.connection.execute(sa.text("INSERT INTO nowhere VALUES (1)"))

    gate = Gate(database)
    good = database.run(moving(FIRST, "0,0"))
    refused = database.run(moving(FIRST, "1,1"))
    failing = database.run(fails)
    breaking = database.run(breaks)
    after = database.run(moving(SECOND, "1,1"))
    gate.lift()
    assert moves_of(good.result(PATIENCE)[0]) == ["0,0"]
    with pytest.raises(NinefoldError, match="player's turn"):
        refused.result(PATIENCE)
    with pytest.raises(ZeroDivisionError):
        failing.result(PATIENCE)
    with pytest.raises(sa.exc.OperationalError):
        breaking.result(PATIENCE)
    assert moves_of(after.result(PATIENCE)[0]) == ["0,0", "1,1"]
    assert moves_of(stored(opened(sqlite))) == ["0,0", "1,1"]
    assert told(database) == [1, 2]


def test_a_request_that_was_given_up_holds_nobody_up(address: str, opened: Opened) -> None:
    database = opened(address)
    create(database)
    gates = [Gate(database) for _ in range(databases.THREADS if database.shared else 1)]
    given_up = database.run(moving(FIRST, "0,0"))
    assert given_up.cancel()
    later = database.run(lambda tx: tx.create(new_room("n")))  # after which a loop knows of it
    for gate in gates:
        gate.lift()
    later.result(PATIENCE)
    with pytest.raises(CancelledError):
        given_up.result(PATIENCE)
    create(database, "o")
    assert moves_of(stored(database)) == []


# Nothing is known before it is on disk


class DiskFull(Exception):
    pass


def fail_commits(database: Database, times: int) -> None:
    """The next commits of the engine fail, as on a full disk."""
    left = [times]
    plain = database.engine.dialect.do_commit

    def commit(connection: Any) -> None:
        if left[0]:
            left[0] -= 1
            raise DiskFull
        plain(connection)

    database.engine.dialect.do_commit = commit  # type: ignore[method-assign, assignment]


def test_a_commit_that_fails_leaves_nothing_in_memory(address: str, opened: Opened) -> None:
    database = opened(address)
    create(database)
    fail_commits(database, 1)
    with pytest.raises(DiskFull):
        database.run(moving(FIRST, "0,0")).result(PATIENCE)
    assert moves_of(stored(database)) == []
    assert moves_of(database.cached("m") or stored(database)) == []
    assert told(database) == []
    room, news = database.run(moving(FIRST, "1,1")).result(PATIENCE)
    assert (moves_of(room), room.version, [event.number for event in news]) == (["1,1"], 1, [1])
    assert moves_of(stored(opened(address))) == ["1,1"]


def test_a_refusal_that_rests_on_what_was_not_committed_is_not_told(sqlite: str, opened: Opened) -> None:
    """The commit of two rivals fails, then the first one's own: the second has the move now."""
    database = opened(sqlite)
    create(database)
    gate = Gate(database)
    one, other = database.run(moving(FIRST, "0,0")), database.run(moving(FIRST, "2,2"))
    fail_after_gate(database, 2)
    gate.lift()
    with pytest.raises(DiskFull):
        one.result(PATIENCE)
    assert moves_of(other.result(PATIENCE)[0]) == ["2,2"]
    assert moves_of(stored(opened(sqlite))) == ["2,2"]


def fail_after_gate(database: Database, times: int) -> None:
    """The commits after the next one fail."""
    plain = database.engine.dialect.do_commit
    seen = [0]

    def commit(connection: Any) -> None:
        seen[0] += 1
        if 1 < seen[0] <= 1 + times:
            raise DiskFull
        plain(connection)

    database.engine.dialect.do_commit = commit  # type: ignore[method-assign, assignment]


def test_nobody_sees_a_move_while_it_is_being_committed(address: str, opened: Opened) -> None:
    database = opened(address)
    create(database)
    committing, go_on = threading.Event(), threading.Event()
    plain = database.engine.dialect.do_commit

    def commit(connection: Any) -> None:
        if not committing.is_set():
            committing.set()
            assert go_on.wait(PATIENCE)
        plain(connection)

    database.engine.dialect.do_commit = commit  # type: ignore[method-assign, assignment]
    moved = database.run(moving(FIRST, "0,0"))
    assert committing.wait(PATIENCE)
    assert moves_of(database.cached("m") or stored(database)) == []
    assert told(database) == []
    assert not moved.done()
    go_on.set()
    assert moves_of(moved.result(PATIENCE)[0]) == ["0,0"]
    assert moves_of(stored(database)) == ["0,0"]


def test_the_answer_comes_after_the_commit(address: str, opened: Opened) -> None:
    database, other = opened(address), opened(address)
    create(database)
    for place, move in enumerate(("0,0", "0,1", "0,2", "1,0")):
        database.run(moving(SEATS[place % 2], move)).result(PATIENCE)
        if not other.shared:
            other.evict(["m"])
        assert moves_of(stored(other))[-1] == move


def test_sqlite_writes_through_to_the_disk(sqlite: str, opened: Opened) -> None:
    def settings(connection: sa.Connection) -> list[Any]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [connection.execute(sa.text(f"PRAGMA {name}")).scalar() for name in names]

    database = opened(sqlite)
    assert database.read(settings).result(PATIENCE) == ["wal", 2, 1]
    done, _ = database.run(lambda tx: settings(tx.connection)).result(PATIENCE)
    assert done == ["wal", 2, 1]


# Closing


@pytest.mark.parametrize("kind", [Database, Looped])
def test_closing_finishes_what_was_accepted(kind: Opened, address: str) -> None:
    database = kind(address)
    database.open()
    ids = [f"m{number}" for number in range(40)]
    done: list[Future[Any]] = [database.run(lambda tx, id=id: tx.create(new_room(id))) for id in ids]  # type: ignore[misc]
    database.close()
    assert all(one.done() for one in done)
    for one in done:
        one.result(0)
    other = Database(address)
    other.open()
    assert [stored(other, id).id for id in ids] == ids
    other.close()


def test_closing_is_noticed_whenever_it_happens(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that copies the log is about to, when everything that `close` sets is set."""
    database = Database(sqlite)
    closing, written = database._closing, database._written

    def wait(seconds: float) -> bool:
        over = closing.is_set()
        closing.set()
        written.set()
        return over

    monkeypatch.setattr(closing, "wait", wait)
    database.open()
    written.set()
    database._copier.join(PATIENCE)
    assert not database._copier.is_alive()
    database.close()


# Two processes at one match, on PostgreSQL


@pytest.fixture
def two(instance: Postgres, opened: Opened) -> Iterator[tuple[Database, Database]]:
    name = instance.create()
    one, other = opened(instance.url(name)), opened(instance.url(name))
    yield one, other
    instance.drop(name)


def test_who_finds_the_match_changed_tries_again(two: tuple[Database, Database]) -> None:
    """The other process commits between this one's reading and writing."""
    here, there = two
    create(here)
    tries = []

    def work(tx: Transaction) -> Room:
        room = tx.room("m")
        tries.append(len(room.match.played))
        if len(tries) == 1:
            there.run(moving(FIRST, "0,0")).result(PATIENCE)
        match = room.match.copy()
        match.submit(match.state.movers[0], "2,2")
        return tx.save(replace(room, match=match), [Moved(FIRST, "", 1)])

    room, news = here.run(work).result(PATIENCE)
    assert tries == [0, 1]
    assert moves_of(room) == ["0,0", "2,2"]
    assert [event.number for event in news] == [2]
    for database in two:
        assert moves_of(stored(database)) == ["0,0", "2,2"]
        assert told(database) == [1, 2]


def test_many_changes_from_both_lose_nothing(two: tuple[Database, Database]) -> None:
    create(two[0])

    def note(tx: Transaction, text: str) -> Room:
        room = tx.room("m")
        return tx.save(replace(room, setup={**room.setup, text: 1}), [Moved(FIRST, text, 1)])

    def notes(place: int) -> None:
        for number in range(15):
            two[place].run(partial(note, text=f"{place}-{number}")).result(PATIENCE)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(notes, (0, 1)))
    for database in two:
        room = stored(database)
        assert room.version == 30
        assert len(room.setup) == 31
        assert told(database) == list(range(1, 31))


def test_batches_that_cross_lose_nothing(two: tuple[Database, Database]) -> None:
    """Both processes change the same matches at once, in opposite orders, many in each commit."""
    ids = [f"m{number}" for number in range(12)]
    for id in ids:
        create(two[0], id)

    def note(tx: Transaction, id: str) -> Room:
        return tx.save(tx.room(id), [Reload()])

    gates = [Gate(database) for database in two for _ in range(databases.THREADS)]
    orders = (ids, ids[::-1])
    asked = [
        database.run(partial(note, id=id))
        for database, order in zip(two, orders, strict=True)
        for id in order * 5
    ]
    for gate in gates:
        gate.lift()
    for one in asked:
        one.result(PATIENCE)
    for id in ids:
        assert told(two[0], id) == list(range(1, 11))


def test_a_match_is_read_whole(two: tuple[Database, Database]) -> None:
    """The other process commits a move while this one is reading the match."""
    here, there = two
    create(here)
    moved = threading.Event()

    def meanwhile(_: Any, __: Any, statement: str, *more: Any) -> None:
        if "FROM moves" in statement and not moved.is_set():
            moved.set()
            there.run(moving(FIRST, "0,0")).result(PATIENCE)

    sa.event.listen(here.engine, "before_cursor_execute", meanwhile)
    here.evict(["m"])
    room = stored(here)
    assert moved.is_set()
    assert len(room.match.played) == room.version
    assert stored(here).version == 1


def test_a_match_that_is_deleted_while_it_is_read_does_not_come_back(
    opened: Opened, sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = opened(sqlite)
    create(database)
    database.evict(["m"])
    load = rooms.load_match

    def slowly(id: str, connection: sa.Connection) -> Room:
        room = load(id, connection)
        with database.engine.begin() as other:
            other.execute(sa.delete(schema.matches))
        database.evict_removed(["m"])
        return room

    with monkeypatch.context() as patched:
        patched.setattr(databases, "load_match", slowly)
        assert stored(database).id == "m"
    assert database.cached("m") is None
    with pytest.raises(NoSuchMatch):
        stored(database)


def test_memory_is_bounded_by_matches_and_by_their_moves(
    sqlite: str, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = opened(sqlite)

    def known() -> list[str]:
        return [id for id in "abcd" if database.cached(id)]

    for id in "abc":
        create(database, id)
        for ply, move in enumerate(("0,0", "0,1", "0,2")):
            database.run(moving(SEATS[ply % 2], move, id)).result(PATIENCE)
    assert known() == ["a", "b", "c"]
    monkeypatch.setattr(databases, "CACHED_MOVES", 7)
    create(database, "d")
    assert known() == ["b", "c", "d"], "the longest unused one makes room"
    database.evict(["b"])
    database.run(moving(SECOND, "1,0", "c")).result(PATIENCE)
    database.run(moving(FIRST, "0,0", "d")).result(PATIENCE)
    database.run(moving(SECOND, "0,1", "d")).result(PATIENCE)
    database.run(moving(FIRST, "0,2", "d")).result(PATIENCE)
    assert known() == ["c", "d"], "four and three"
    monkeypatch.setattr(databases, "CACHED_MOVES", 9)
    monkeypatch.setattr(databases, "CACHE", 1)
    database.run(moving(FIRST, "1,1", "c")).result(PATIENCE)
    assert known() == ["c"]
    database.evict_all()
    monkeypatch.setattr(databases, "CACHED_MOVES", 3)
    assert moves_of(stored(database, "a")) == ["0,0", "0,1", "0,2"], "it is read again"
    assert known() == ["a"]


def test_another_kind_of_database_is_refused_with_the_two_there_are() -> None:
    with pytest.raises(NinefoldError, match="sqlite:///FILE or postgresql://"):
        Database("mysql://nobody@nowhere/x")


def test_the_events_of_a_match_are_bounded(
    address: str, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who comes back after too long is told to read the match again."""
    monkeypatch.setattr(statements, "EVENTS", 200)
    database = opened(address)
    create(database)
    for _ in range(450):
        database.run(lambda tx: tx.save(tx.room("m"), [Reload()])).result(PATIENCE)

    def after(number: int) -> list[SavedEvent]:
        return database.read(partial(queries.events_after, "m", number)).result(PATIENCE)

    with database.engine.connect() as connection:
        kept = connection.execute(sa.select(schema.events.c.number)).scalars().all()
    assert set(range(251, 451)) <= set(kept)
    assert len(kept) < 200 + 100
    assert [event.number for event in after(300)] == list(range(301, 451))
    (told,) = after(0)
    assert (told.number, "reload" in told.data) == (450, True)
    assert after(450) == []
