"""Matches in a database: SQLite for one process, PostgreSQL for several.

What is asked for runs in writer threads, each request as a function of a `Transaction`; requests that
arrive together share a commit. SQLite has one writer. On PostgreSQL, where two processes change a match
at once, the later one finds the version changed, reads the match again, and tries again on its own.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from shutil import disk_usage
from typing import Any, TypeVar

import sqlalchemy as sa

from ninefold.core.errors import NinefoldError
from ninefold.store.outage import Unavailable, translate
from ninefold.store.private import keep_private
from ninefold.store.rooms import NO_SUCH_MATCH, Event, NoSuchMatch, Room, Status, Unreadable, load_match
from ninefold.store.schema import matches
from ninefold.store.writing import Conflict, Statements, Transaction, write

__all__ = ["Database", "Event", "NoSuchMatch", "Room", "Status", "Transaction", "Unreadable"]

log = logging.getLogger("ninefold.store")
T = TypeVar("T")
BATCH = 256  # requests that may share a commit
THREADS = 4  # writers on PostgreSQL, and readers on both
ROOMS = 20_000  # matches kept in memory
CONNECTIONS = 10  # to PostgreSQL: for readers and writers, one to tidy, one to spare
TRIES = 8
ROOM = 16_000_000  # free bytes of a disk below which it counts as full
PATIENCE = 5.0  # seconds to wait for a lock or a connection
OLDEST_SQLITE = (3, 33)  # UPDATE FROM

Answer = tuple[Any, list[Event]]  # what the work gave, and the events it caused


@dataclass(slots=True)
class _Request:
    work: Callable[[Transaction], Any]
    done: Future[Answer] | asyncio.Future[Answer]

    def wanted(self) -> bool:
        """Whether somebody still waits for the answer."""
        if isinstance(self.done, asyncio.Future):
            return not self.done.cancelled()
        return self.done.set_running_or_notify_cancel()


class Database:
    """The matches of a server. `run` changes them, `read` looks; both from any thread."""

    def __init__(self, url: str, patience: float = PATIENCE, connections: int = CONNECTIONS) -> None:
        """`patience` is how many seconds to wait for a lock, or for one of so many connections."""
        self.url = sa.make_url(url)
        kind = self.url.get_backend_name()
        if kind not in ("sqlite", "postgresql"):
            raise NinefoldError("it must be sqlite:///FILE or postgresql://...")
        self.shared = kind == "postgresql"
        self.engine = _engine(self.url, self.shared, patience, connections)
        self._statements = Statements(self.engine.dialect)
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._gone: frozenset[str] = frozenset()  # the matches that were deleted last
        self._file: tuple[int, int] | None = None
        self._noted: set[str] = set()  # the matches that cannot be read and are in the log
        self._lock = threading.Lock()
        self._queue: SimpleQueue[_Request | None] = SimpleQueue()
        self._readers = ThreadPoolExecutor(THREADS, "read")
        self._writers = [
            threading.Thread(target=self._write_loop, name=f"write-{k}", daemon=True)
            for k in range(THREADS if self.shared else 1)
        ]

    def open(self) -> None:
        """Bring the schema up to date and begin to work."""
        from ninefold.store.migrations import upgrade

        if not self.shared and sqlite3.sqlite_version_info < OLDEST_SQLITE:
            needed = ".".join(map(str, OLDEST_SQLITE))
            raise NinefoldError(f"it needs SQLite {needed}; this Python has {sqlite3.sqlite_version}.")
        if not self.shared and self.url.database:
            keep_private(Path(self.url.database))
        upgrade(self.engine)
        self._file = _identity(self.url.database) if not self.shared else None
        for writer in self._writers:
            writer.start()

    def close(self) -> None:
        """Finish what was accepted, then stop."""
        for _ in self._writers:
            self._queue.put(None)
        for writer in self._writers:
            if writer.is_alive():
                writer.join()
        self._readers.shutdown()
        self.engine.dispose()

    def run(self, work: Callable[[Transaction], T]) -> Future[tuple[T, list[Event]]]:
        """Have the work done and committed: its result, and the events it caused."""
        done: Future[tuple[Any, list[Event]]] = Future()
        self._queue.put(_Request(work, done))
        return done

    def awaited(self, work: Callable[[Transaction], T]) -> asyncio.Future[tuple[T, list[Event]]]:
        """The same for an event loop, which is woken once a commit, not once for each answer."""
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._queue.put(_Request(work, done))
        return done

    def read(self, work: Callable[[sa.Connection], T]) -> Future[T]:
        """Have something looked up."""

        def reading() -> T:
            try:
                with self.engine.connect() as connection:
                    return work(connection)
            except sa.exc.SQLAlchemyError as error:
                raise translate(error) from error

        return self._readers.submit(reading)

    def known(self, id: str) -> Room | None:
        """The match from memory, where this process alone can change it."""
        if self.shared:
            return None
        with self._lock:
            return self._rooms.get(id)

    def current(self, id: str, connection: sa.Connection, lock: bool = False) -> Room:
        """The match as the database has it. Raises NoSuchMatch or Unreadable.

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
            self._note(error)
            raise
        self._remember([room])
        return room

    def find(
        self, limit: int | None, which: sa.ColumnElement[bool], connection: sa.Connection
    ) -> list[Room]:
        """Matches, the last touched first. Those that cannot be read are logged and left out."""
        wanted = sa.select(matches.c.id).where(which).order_by(matches.c.touched.desc())
        found = []
        for id in connection.execute(wanted.limit(limit)).scalars().all():
            try:
                found.append(self.current(id, connection))
            except (Unreadable, NoSuchMatch):  # one may have been removed a moment ago
                continue
        return found

    def _note(self, error: Unreadable) -> None:
        """Log which match cannot be read, and why; each once, since it may be come across often."""
        with self._lock:
            if error.id in self._noted:
                return
            self._noted.add(error.id)
        log.error("match %s cannot be read", error.id, exc_info=error)

    def _remember(self, rooms: Iterable[Room]) -> None:
        with self._lock:
            for room in rooms:
                known = self._rooms.get(room.id)
                if room.id not in self._gone and (known is None or known.version <= room.version):
                    self._rooms[room.id] = room
                    self._rooms.move_to_end(room.id)
            while len(self._rooms) > ROOMS:
                self._rooms.popitem(last=False)

    def forget(self, ids: Iterable[str]) -> None:
        with self._lock:
            for id in ids:
                self._rooms.pop(id, None)

    def removed(self, ids: Iterable[str]) -> None:
        """These matches have been deleted: who is just reading one must not bring it back into memory."""
        with self._lock:
            self._gone = frozenset(ids)
        self.forget(self._gone)

    # Writing

    def _write_loop(self) -> None:
        stopping = False
        while not stopping:
            first = self._queue.get()
            batch = [] if first is None else [first]
            stopping = first is None
            while not stopping and len(batch) < BATCH:
                try:
                    more = self._queue.get_nowait()
                except Empty:
                    break
                if more is None:
                    stopping = True
                else:
                    batch.append(more)
            wanted = [request for request in batch if request.wanted()]
            if wanted:
                self._commit(wanted)

    def _commit(self, batch: list[_Request], tries: int = TRIES) -> None:
        """Do the work of all in one transaction, and answer once it is on disk.

        Who is refused has changed nothing; but a refusal may rest on what another request of the
        same batch has changed, so it too waits for the commit.
        """
        answers: list[tuple[_Request, Any, list[Event]]] = []
        refused: list[tuple[_Request, NinefoldError]] = []
        pending: dict[str, Room | None] = {}
        try:
            with self.engine.begin() as connection:
                versions: dict[str, int] = {}
                done: list[Transaction] = []
                for request in batch:
                    # Who has lost a race once holds the row from the beginning, and cannot lose again.
                    transaction = Transaction(self.current, connection, pending, versions, tries < TRIES)
                    try:
                        result = request.work(transaction)
                    except NinefoldError as error:
                        refused.append((request, error))
                        continue
                    pending |= transaction.saved
                    done.append(transaction)
                    answers.append((request, result, transaction.events))
                write(done, pending, versions, connection, self._statements)
        except Conflict as conflict:
            self.forget(conflict.ids)
            if not tries:
                _fail(batch, NinefoldError("Too many changes at once. Try again."))
                return
            for request in batch:  # one by one: whoever holds one row can wait for no other
                self._commit([request], tries - 1)
            return
        except Exception as error:
            self.forget(pending)
            translated = translate(error)
            if isinstance(translated, Unavailable):
                _fail(batch, translated)
            elif len(batch) > 1:  # one of them may be the cause: each on its own then
                for request in batch:
                    self._commit([request])
            else:
                _fail(batch, error)
            return
        self._remember(room for room in pending.values() if room is not None)
        if removed := [id for id, room in pending.items() if room is None]:
            self.removed(removed)
        _answer([(request, (result, news), None) for request, result, news in answers])
        _answer([(request, None, refusal) for request, refusal in refused])

    def check_there(self) -> None:
        """Raises NinefoldError if there is no SQLite file yet."""
        if not self.shared and _identity(self.url.database) is None:
            raise NinefoldError(f"There is no database {self.url.database}.")

    def free_disk(self) -> int | None:
        """Free bytes where a SQLite file is; None if that cannot be told."""
        if self.shared or not self.url.database:
            return None
        try:
            return disk_usage(Path(self.url.database).absolute().parent).free
        except OSError:
            return None

    def check_file(self) -> None:
        """Raises Unavailable if a SQLite file has been removed, or there is no room for it to grow."""
        if self._file is None or self.url.database is None:
            return
        if _identity(self.url.database) != self._file:
            raise Unavailable("The database is not available: its file has been removed or replaced.")
        if (free := self.free_disk()) is not None and free < ROOM:
            raise Unavailable("The database is not available: the disk is full.")


def _identity(path: str | None) -> tuple[int, int] | None:
    """What tells a file from another one of the same name; None if there is none."""
    try:
        found = os.stat(path or "")
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _fail(batch: list[_Request], error: BaseException) -> None:
    _answer([(request, None, error) for request in batch])


def _answer(answers: list[tuple[_Request, Answer | None, BaseException | None]]) -> None:
    """Tell those who wait, or have their event loop tell them all at once."""
    for_loops: dict[asyncio.AbstractEventLoop, list[Any]] = {}
    for request, answer, error in answers:
        if isinstance(request.done, asyncio.Future):
            waiting = for_loops.setdefault(request.done.get_loop(), [])
            waiting.append((request.done, answer, error))
        else:
            _settle(request.done, answer, error)
    for loop, waiting in for_loops.items():
        with suppress(RuntimeError):  # a loop that has ended waits for nothing
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


def _engine(url: sa.URL, shared: bool, patience: float, connections: int) -> sa.Engine:
    if shared:
        return sa.create_engine(
            url,
            pool_size=connections,
            max_overflow=0,
            pool_pre_ping=True,
            pool_timeout=patience,
            connect_args={"connect_timeout": max(2, round(patience))},
            hide_parameters=True,  # an error is logged, and moves and settings are secrets
        )
    waits = {"timeout": patience, "check_same_thread": False}
    engine = sa.create_engine(url, connect_args=waits, hide_parameters=True, paramstyle="named")

    @sa.event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: object) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    return engine
