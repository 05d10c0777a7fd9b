"""Matches in a database: SQLite for one process, PostgreSQL for several.

Writes are functions of a `Transaction`. They are queued for writer threads, and those that arrive
together share a commit. A write may be run several times; only the last run counts. SQLite has one
writer. On PostgreSQL, when two processes change a match at once, the later one finds that its version has
changed, reads the match again, and retries in a transaction of its own.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from shutil import disk_usage
from typing import Any, TypeVar

import sqlalchemy as sa

from ninefold.core.errors import NinefoldError
from ninefold.store.sql import queries
from ninefold.store.sql.connections import make_engine
from ninefold.store.sql.outage import Unavailable, is_conflict, translate
from ninefold.store.sql.rooms import NO_SUCH_MATCH, NoSuchMatch, Room, SavedEvent, Unreadable, load_match
from ninefold.store.sql.schema import matches
from ninefold.store.sql.sqlite_files import keep_private
from ninefold.store.sql.statements import Statements, write
from ninefold.store.sql.transactions import Conflict, NeedsConnection, Transaction

__all__ = ["Database", "NoSuchMatch", "Room", "SavedEvent", "Transaction", "Unreadable"]

log = logging.getLogger("ninefold.store")
T = TypeVar("T")
BATCH = 256  # writes that may share a commit
THREADS = 4  # readers, and writers on PostgreSQL
CACHE = 20_000  # matches kept in memory
CACHED_MOVES = 400_000  # of all these matches: a long one takes sixty times the memory of a short one
CONNECTIONS = 10  # to PostgreSQL: readers, writers, one for the cleanup, and one spare
RETRIES = 8  # after conflicts
FREE_DISK = 16_000_000  # bytes; with less, the disk counts as full
TIMEOUT = 5.0  # seconds to wait for a lock, a connection or a statement
COPY = 0.25  # seconds between copies of SQLite's log
UPGRADE = 3600.0  # seconds for a statement of an upgrade, or to wait for another process's
OLDEST_SQLITE = (3, 33)  # the first with UPDATE FROM

Answer = tuple[Any, list[SavedEvent]]  # what the work returned, and the events it caused
Settled = tuple["_Write", Answer | None, BaseException | None]


@dataclass(slots=True)
class _Write:
    work: Callable[[Transaction], Any]
    done: Future[Answer] | asyncio.Future[Answer]

    def is_wanted(self) -> bool:
        """Whether the caller still waits for the answer."""
        if isinstance(self.done, asyncio.Future):
            return not self.done.done()
        return self.done.set_running_or_notify_cancel()


@dataclass(slots=True)
class _Changes:
    """What the writes of a batch change, one after the other."""

    loaded: dict[str, Room] = field(default_factory=dict)  # the matches as they were read
    rooms: dict[str, Room | None] = field(default_factory=dict)  # after the batch; None if removed
    done: list[Transaction] = field(default_factory=list)
    answers: list[Settled] = field(default_factory=list)


@dataclass(slots=True)
class _Batch:
    """Writes that share a commit."""

    writes: list[_Write]
    changes: _Changes | None = None  # if they have been run already
    loop: asyncio.AbstractEventLoop | None = None  # which queues no more until this is committed


class Database:
    """The matches of a server. `run` changes them and `read` looks something up, from any thread."""

    def __init__(self, url: str, timeout: float = TIMEOUT, connections: int = CONNECTIONS) -> None:
        """`timeout` is in seconds, for whatever the database may be slow at. Nothing is opened yet."""
        self.url = sa.make_url(url)
        kind = self.url.get_backend_name()
        if kind not in ("sqlite", "postgresql"):
            raise NinefoldError("it must be sqlite:///FILE or postgresql://...")
        self.shared = kind == "postgresql"
        self.engine = make_engine(self.url, timeout, connections)
        self._statements = Statements(self.engine.dialect)
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._moves = 0  # of all these matches
        self._removed: frozenset[str] = frozenset()  # the matches removed most recently
        self._file: tuple[int, int] | None = None
        self._secret = ""
        self._kept: sa.Connection | None = None  # SQLite's writer's, between commits
        self._logged: set[str] = set()  # unreadable matches that are in the log already
        self._lock = threading.Lock()
        self._queue: SimpleQueue[_Batch | None] = SimpleQueue()
        self._arrived: dict[asyncio.AbstractEventLoop, list[_Write]] = {}  # what will be queued soon
        self._readers = ThreadPoolExecutor(THREADS, "read")
        self._written = threading.Event()  # since SQLite's log was last copied
        self._closing = threading.Event()
        self._writers = [
            threading.Thread(target=self._write_loop, name=f"write-{k}", daemon=True)
            for k in range(THREADS if self.shared else 1)
        ]
        self._copier = threading.Thread(target=self._copy_loop, name="copy", daemon=True)

    def open(self) -> None:
        """Bring the schema up to date and start the writer threads."""
        from ninefold.store.sql.migrations import upgrade

        if not self.shared and sqlite3.sqlite_version_info < OLDEST_SQLITE:
            needed = ".".join(map(str, OLDEST_SQLITE))
            raise NinefoldError(f"it needs SQLite {needed}; this Python has {sqlite3.sqlite_version}.")
        if not self.shared and self.url.database:
            keep_private(Path(self.url.database))
        engine = make_engine(self.url, UPGRADE, 1) if self.shared else self.engine
        upgrade(engine)
        if self.shared:
            engine.dispose()
        self._file = _identity(self.url.database) if not self.shared else None
        with self.engine.connect() as connection:
            self._secret = queries.read_secret(connection)
        for writer in self._writers:
            writer.start()
        if not self.shared:
            self._copier.start()

    def close(self) -> None:
        """Finish the queued writes, then stop."""
        for _ in self._writers:
            self._queue.put(None)
        for writer in self._writers:
            if writer.is_alive():
                writer.join()
        self._write_rest()
        self._closing.set()
        self._written.set()
        if self._copier.is_alive():
            self._copier.join()
        self._readers.shutdown(cancel_futures=True)
        if self._kept is not None:
            self._kept.close()
        self.engine.dispose()

    def run(self, work: Callable[[Transaction], T]) -> Future[tuple[T, list[SavedEvent]]]:
        """Queue a write. Once committed, the future has what it returned and the events it caused."""
        done: Future[tuple[Any, list[SavedEvent]]] = Future()
        self._queue.put(_Batch([_Write(work, done)]))
        return done

    def run_async(self, work: Callable[[Transaction], T]) -> asyncio.Future[tuple[T, list[SavedEvent]]]:
        """Like `run`, for an event loop.

        It is woken once per commit rather than once per answer. What it asks for in one go is queued
        together; on SQLite also what it asks for until its last batch is committed. There it runs the
        writes itself if their matches are in memory, so that the writer has only SQL to run and does not
        compete with it for the interpreter (`benchmarks/plumbing.py`).
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()
        arrived = self._arrived.get(loop)
        if arrived is None:
            arrived = self._arrived[loop] = []
            loop.call_soon(self._queue_arrived, loop)
        arrived.append(_Write(work, done))
        return done

    def _queue_arrived(self, loop: asyncio.AbstractEventLoop) -> None:
        """Queue what an event loop has asked for."""
        wanted = [one for one in self._arrived.pop(loop, []) if one.is_wanted()]
        if self.shared:
            self._queue.put(_Batch(wanted))
        elif wanted:
            batch, self._arrived[loop] = wanted[:BATCH], wanted[BATCH:]
            self._queue.put(_Batch(batch, self._run_in_memory(batch), loop))

    def read(self, work: Callable[[sa.Connection], T]) -> Future[T]:
        """Look something up in a reader thread."""

        def run() -> T:
            self._check_identity()  # SQLite would make a new file
            try:
                with self.engine.connect() as connection:
                    return work(connection)
            except sa.exc.SQLAlchemyError as error:
                raise translate(error) from error

        return self._readers.submit(run)

    def cached(self, id: str) -> Room | None:
        """The match from memory; None if it is not there, or if another process could have changed it."""
        if self.shared:
            return None
        with self._lock:
            return self._rooms.get(id)

    def load(self, id: str, connection: sa.Connection | None, lock: bool = False) -> Room:
        """The match as it is in the database. Raises NoSuchMatch or Unreadable.

        With `lock`, no other process can change it until the transaction ends. Without a connection, it
        has to be in memory, else this raises NeedsConnection.
        """
        if not (id.isascii() and id.isprintable()):
            raise NoSuchMatch(NO_SUCH_MATCH)
        with self._lock:
            room = self._rooms.get(id)
        if room is not None and not self.shared:
            return room
        if connection is None:
            raise NeedsConnection
        if room is not None or lock:
            row = sa.select(matches.c.version).where(matches.c.id == id)
            version = connection.execute(row.with_for_update() if lock else row).scalar_one_or_none()
            if room is not None and version == room.version:
                return room
        try:
            room = load_match(id, connection)
        except Unreadable as error:
            self._log_unreadable(error)
            raise
        self._cache([room])
        return room

    def find(
        self, limit: int | None, which: sa.ColumnElement[bool], connection: sa.Connection
    ) -> list[Room]:
        """Matches, the last touched first. Unreadable ones are logged and left out."""
        wanted = sa.select(matches.c.id).where(which).order_by(matches.c.touched.desc())
        found = []
        for id in connection.execute(wanted.limit(limit)).scalars().all():
            try:
                found.append(self.load(id, connection))
            except (Unreadable, NoSuchMatch):  # it may have been removed a moment ago
                continue
        return found

    def _log_unreadable(self, error: Unreadable) -> None:
        """Log which match cannot be read, and why; once per match, since lists may hit it often."""
        with self._lock:
            if error.id in self._logged:
                return
            self._logged.add(error.id)
        log.error("match %s cannot be read", error.id, exc_info=error)

    def _cache(self, rooms: Iterable[Room]) -> None:
        with self._lock:
            for room in rooms:
                known = self._rooms.get(room.id)
                if room.id not in self._removed and (known is None or known.version <= room.version):
                    self._drop(room.id)
                    self._rooms[room.id] = room
                    self._moves += len(room.match.played)
            while len(self._rooms) > CACHE or self._moves > CACHED_MOVES:
                self._drop(next(iter(self._rooms)))

    def _drop(self, id: str) -> None:
        room = self._rooms.pop(id, None)
        if room is not None:
            self._moves -= len(room.match.played)

    def evict(self, ids: Iterable[str]) -> None:
        """Drop matches from memory, so that they are read from the database again."""
        with self._lock:
            for id in ids:
                self._drop(id)

    def evict_all(self) -> None:
        """Drop all matches from memory."""
        with self._lock:
            self._rooms.clear()
            self._moves = 0

    def evict_removed(self, ids: Iterable[str]) -> None:
        """Drop deleted matches, so that a reader that is loading one does not put it back."""
        with self._lock:
            self._removed = frozenset(ids)
        self.evict(self._removed)

    def _write_loop(self) -> None:
        stopping = False
        while not stopping:
            first = self._queue.get()
            batches = [first] if first else []
            stopping = first is None
            while not stopping and sum([len(one.writes) for one in batches]) < BATCH:
                try:
                    more = self._queue.get_nowait()
                except Empty:
                    break
                if more is None:
                    stopping = True
                else:
                    batches.append(more)
            if len(batches) == 1 and batches[0].changes:
                settled = self._commit(batches[0].writes, batches[0].changes)
            else:
                wanted = [one for batch in batches for one in batch.writes if one.is_wanted()]
                settled = self._commit(wanted) if wanted else []
            self._answer(settled, [batch.loop for batch in batches if batch.loop])

    def _write_rest(self) -> None:
        """Write what was asked for while the writers were stopping."""
        rest = [one for loop in tuple(self._arrived) for one in self._arrived.pop(loop, [])]
        while not self._queue.empty():
            batch = self._queue.get()
            rest += batch.writes if batch else []
        if wanted := [one for one in rest if one.is_wanted()]:
            self._answer(self._commit(wanted), [])

    def _answer(self, settled: list[Settled], loops: list[asyncio.AbstractEventLoop]) -> None:
        """Settle the futures: at once, or together in one callback of their event loop.

        `loops` have a callback in any case.
        """
        by_loop: dict[asyncio.AbstractEventLoop, list[Settled]] = {loop: [] for loop in loops}
        for one in settled:
            if isinstance(one[0].done, asyncio.Future):
                by_loop.setdefault(one[0].done.get_loop(), []).append(one)
            else:
                _settle(*one)
        for loop, waiting in by_loop.items():
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._settle_all, loop, waiting)

    def _settle_all(self, loop: asyncio.AbstractEventLoop, waiting: list[Settled]) -> None:
        for one in waiting:
            if not one[0].done.done():
                _settle(*one)
        if not self.shared:
            self._queue_arrived(loop)

    def _copy_loop(self) -> None:
        """Copy SQLite's log into the database while it grows.

        Otherwise the writer would stop for that now and then, and moves would wait
        (`benchmarks/plumbing.py`). If this fails, it still does so (`connections.LOG`).
        """
        while self._written.wait():
            self._written.clear()  # before looking at `_closing`: `close` sets that one first
            if self._closing.wait(COPY):
                return
            with suppress(sa.exc.SQLAlchemyError, Unavailable):
                self._check_identity()  # SQLite would make a new file
                with self.engine.connect() as connection:
                    connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")

    @contextmanager
    def _begin(self) -> Iterator[sa.Connection]:
        """A transaction. SQLite's one writer keeps its connection, because the pool takes time."""
        connection, self._kept = self._kept or self.engine.connect(), None
        try:
            with connection.begin():
                yield connection
        except BaseException:
            connection.close()  # and roll back, if a commit has failed halfway
            raise
        if self.shared:
            connection.close()
        else:
            self._kept = connection
            self._written.set()

    def _run(self, batch: list[_Write], connection: sa.Connection | None, lock: bool) -> _Changes:
        """Run the writes of a batch. One that is refused changes nothing."""
        changes = _Changes()
        for one in batch:
            transaction = Transaction(
                self.load, connection, changes.rooms, changes.loaded, lock, self._secret
            )
            try:
                result = one.work(transaction)
            except NinefoldError as error:
                changes.answers.append((one, None, error))
                continue
            changes.rooms |= transaction.saved
            changes.done.append(transaction)
            changes.answers.append((one, (result, transaction.events), None))
        return changes

    def _run_in_memory(self, batch: list[_Write]) -> _Changes | None:
        """What the writes of a batch change; None if that cannot be said without the database."""
        try:
            return self._run(batch, None, lock=False)
        except Exception:  # the writer will run them, and say what is wrong if anything is
            return None

    def _commit(
        self, batch: list[_Write], changes: _Changes | None = None, retries: int = RETRIES
    ) -> list[Settled]:
        """Run a batch in one transaction, unless it has been run. Returns the answers once it is on disk.

        A write may have been refused because of what another write of the batch changed, so its answer
        waits for the commit, too.
        """
        try:
            self._check_identity()
            with self._begin() as connection:
                if changes is None:
                    # A retry locks its rows when it reads them, so it cannot lose the race again.
                    changes = self._run(batch, connection, lock=retries < RETRIES)
                write(changes.done, changes.rooms, changes.loaded, connection, self._statements)
            self._check_identity()  # what went into a file that is gone must not be acknowledged
        except Exception as error:
            self.evict(error.ids if isinstance(error, Conflict) else changes.rooms if changes else ())
            if is_conflict(error):
                if not retries:
                    error = Unavailable("The database is not available: too many changes at once.")
                    return _fail(batch, error)
                # one by one: a transaction that locks one row cannot deadlock
                return [done for one in batch for done in self._commit([one], retries=retries - 1)]
            translated = translate(error)
            if isinstance(translated, Unavailable):
                return _fail(batch, translated)
            if len(batch) > 1:  # one write may be the cause, so run each by itself
                return [done for one in batch for done in self._commit([one])]
            return _fail(batch, error)
        self._cache(room for room in changes.rooms.values() if room is not None)
        if removed := [id for id, room in changes.rooms.items() if room is None]:
            self.evict_removed(removed)
        return changes.answers

    def check_exists(self) -> None:
        """Raise NinefoldError if there is no SQLite file yet."""
        if not self.shared and _identity(self.url.database) is None:
            raise NinefoldError(f"There is no database {self.url.database}.")

    def free_disk(self) -> int | None:
        """The free bytes on a SQLite file's disk; None if they are unknown."""
        if self.shared or not self.url.database:
            return None
        try:
            return disk_usage(Path(self.url.database).absolute().parent).free
        except OSError:
            return None

    def check_file(self) -> None:
        """Raise Unavailable if a SQLite file has been removed or replaced, or its disk is full."""
        if self._file is None or self.url.database is None:
            return
        self._check_identity()
        if (free := self.free_disk()) is not None and free < FREE_DISK:
            raise Unavailable("The database is not available: the disk is full.")

    def _check_identity(self) -> None:
        if self._file is not None and _identity(self.url.database) != self._file:
            raise Unavailable("The database is not available: its file has been removed or replaced.")


def _identity(path: str | None) -> tuple[int, int] | None:
    """The device and inode of a file, which a replaced file does not share; None if there is no file."""
    try:
        found = os.stat(path or "")
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _fail(batch: list[_Write], error: BaseException) -> list[Settled]:
    return [(one, None, error) for one in batch]


def _settle(one: _Write, answer: Answer | None, error: BaseException | None) -> None:
    done: Any = one.done
    if error is None:
        done.set_result(answer)
    else:
        done.set_exception(error)
