"""Matches in a database: SQLite for one process, PostgreSQL for several.

Writes are functions of a `Transaction`. They are queued for writer threads, and those that arrive
together share a commit. SQLite has one writer. On PostgreSQL, when two processes change a match at once,
the later one finds that its version has changed, reads the match again, and retries in a transaction of
its own.
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
from dataclasses import dataclass
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
from ninefold.store.sql.transactions import Conflict, Transaction

__all__ = ["Database", "NoSuchMatch", "Room", "SavedEvent", "Transaction", "Unreadable"]

log = logging.getLogger("ninefold.store")
T = TypeVar("T")
BATCH = 256  # writes that may share a commit
THREADS = 4  # readers, and writers on PostgreSQL
CACHE = 20_000  # matches kept in memory
CONNECTIONS = 10  # to PostgreSQL: readers, writers, one for the cleanup, and one spare
RETRIES = 8  # after conflicts
FREE_DISK = 16_000_000  # bytes; with less, the disk counts as full
TIMEOUT = 5.0  # seconds to wait for a lock, a connection or a statement
COPY = 0.25  # seconds between copies of SQLite's log
UPGRADE = 3600.0  # seconds for a statement of an upgrade, or to wait for another process's
OLDEST_SQLITE = (3, 33)  # the first with UPDATE FROM

Answer = tuple[Any, list[SavedEvent]]  # what the work returned, and the events it caused


@dataclass(slots=True)
class _Write:
    work: Callable[[Transaction], Any]
    done: Future[Answer] | asyncio.Future[Answer]

    def is_wanted(self) -> bool:
        """Whether the caller still waits for the answer."""
        if isinstance(self.done, asyncio.Future):
            return not self.done.done()
        return self.done.set_running_or_notify_cancel()


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
        self._removed: frozenset[str] = frozenset()  # the matches removed most recently
        self._file: tuple[int, int] | None = None
        self._secret = ""
        self._kept: sa.Connection | None = None  # SQLite's writer's, between commits
        self._logged: set[str] = set()  # unreadable matches that are in the log already
        self._lock = threading.Lock()
        self._queue: SimpleQueue[list[_Write] | None] = SimpleQueue()
        self._arrived: dict[asyncio.AbstractEventLoop, list[_Write]] = {}
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
        self._queue.put([_Write(work, done)])
        return done

    def run_async(self, work: Callable[[Transaction], T]) -> asyncio.Future[tuple[T, list[SavedEvent]]]:
        """Like `run`, for an event loop.

        It is woken once per commit rather than once per answer, and what it asks for in one go is queued
        together, so that a writer does not start with the first and compete with it for the interpreter.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()
        arrived = self._arrived.setdefault(loop, [])
        if not arrived:
            loop.call_soon(self._queue_arrived, loop)
        arrived.append(_Write(work, done))
        return done

    def _queue_arrived(self, loop: asyncio.AbstractEventLoop) -> None:
        self._queue.put(self._arrived.pop(loop))

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

    def load(self, id: str, connection: sa.Connection, lock: bool = False) -> Room:
        """The match as it is in the database. Raises NoSuchMatch or Unreadable.

        With `lock`, no other process can change it until the transaction ends.
        """
        if not (id.isascii() and id.isprintable()):
            raise NoSuchMatch(NO_SUCH_MATCH)
        with self._lock:
            room = self._rooms.get(id)
        if room is not None and not self.shared:
            return room
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
                    self._rooms[room.id] = room
                    self._rooms.move_to_end(room.id)
            while len(self._rooms) > CACHE:
                self._rooms.popitem(last=False)

    def evict(self, ids: Iterable[str]) -> None:
        """Drop matches from memory, so that they are read from the database again."""
        with self._lock:
            for id in ids:
                self._rooms.pop(id, None)

    def evict_all(self) -> None:
        """Drop all matches from memory."""
        with self._lock:
            self._rooms.clear()

    def evict_removed(self, ids: Iterable[str]) -> None:
        """Drop deleted matches, so that a reader that is loading one does not put it back."""
        with self._lock:
            self._removed = frozenset(ids)
        self.evict(self._removed)

    def _write_loop(self) -> None:
        stopping = False
        while not stopping:
            first = self._queue.get()
            batch = first or []
            stopping = first is None
            while not stopping and len(batch) < BATCH:
                try:
                    more = self._queue.get_nowait()
                except Empty:
                    break
                if more is None:
                    stopping = True
                else:
                    batch += more
            wanted = [one for one in batch if one.is_wanted()]
            if wanted:
                self._commit(wanted)

    def _copy_loop(self) -> None:
        """Copy SQLite's log into the database while it grows.

        Otherwise the writer would stop for that now and then, and moves would wait
        (`benchmarks/plumbing.py`). If this fails, it still does so (`connections.LOG_PAGES`).
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

    def _commit(self, batch: list[_Write], retries: int = RETRIES) -> None:
        """Run a batch in one transaction, and answer once it is on disk.

        A write that is refused changes nothing. But it may have been refused because of what another
        write of the batch changed, so its answer waits for the commit, too.
        """
        answers: list[tuple[_Write, Any, list[SavedEvent]]] = []
        refused: list[tuple[_Write, NinefoldError]] = []
        pending: dict[str, Room | None] = {}
        try:
            self._check_identity()
            with self._begin() as connection:
                loaded: dict[str, Room] = {}
                done: list[Transaction] = []
                for one in batch:
                    # A retry locks its rows when it reads them, so it cannot lose the race again.
                    transaction = Transaction(
                        self.load, connection, pending, loaded, retries < RETRIES, self._secret
                    )
                    try:
                        result = one.work(transaction)
                    except NinefoldError as error:
                        refused.append((one, error))
                        continue
                    pending |= transaction.saved
                    done.append(transaction)
                    answers.append((one, result, transaction.events))
                write(done, pending, loaded, connection, self._statements)
            self._check_identity()  # what went into a file that is gone must not be acknowledged
        except Exception as error:
            self.evict(error.ids if isinstance(error, Conflict) else pending)
            if is_conflict(error):
                if not retries:
                    _fail(batch, Unavailable("The database is not available: too many changes at once."))
                for one in batch if retries else ():
                    # one by one: a transaction that locks one row cannot deadlock
                    self._commit([one], retries - 1)
                return
            translated = translate(error)
            if isinstance(translated, Unavailable):
                _fail(batch, translated)
            elif len(batch) > 1:  # one write may be the cause, so run each by itself
                for one in batch:
                    self._commit([one])
            else:
                _fail(batch, error)
            return
        self._cache(room for room in pending.values() if room is not None)
        if removed := [id for id, room in pending.items() if room is None]:
            self.evict_removed(removed)
        _answer([(one, (result, events), None) for one, result, events in answers])
        _answer([(one, None, refusal) for one, refusal in refused])

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


def _fail(batch: list[_Write], error: BaseException) -> None:
    _answer([(one, None, error) for one in batch])


def _answer(answers: list[tuple[_Write, Answer | None, BaseException | None]]) -> None:
    """Settle the futures: at once, or together in one callback of their event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Any]] = {}
    for one, answer, error in answers:
        if isinstance(one.done, asyncio.Future):
            waiting = by_loop.setdefault(one.done.get_loop(), [])
            waiting.append((one.done, answer, error))
        else:
            _settle(one.done, answer, error)
    for loop, waiting in by_loop.items():
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(_settle_all, waiting)


def _settle_all(waiting: list[Any]) -> None:
    for done, answer, error in waiting:
        if not done.done():
            _settle(done, answer, error)


def _settle(done: Any, answer: Answer | None, error: BaseException | None) -> None:
    if error is None:
        done.set_result(answer)
    else:
        done.set_exception(error)
