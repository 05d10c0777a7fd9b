"""Matches in a database: SQLite for one process, PostgreSQL for several.

What is asked for runs in writer threads, each request as a function of a `Transaction`. On SQLite
there is one writer, and requests that arrive together share a commit. On PostgreSQL each has a commit
of its own; where two processes change a match at once, the later one finds the version changed,
reads the match anew and tries again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from queue import Empty, SimpleQueue
from shutil import disk_usage
from typing import Any, Literal, TypeVar

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace

from ninefold.core.errors import NinefoldError
from ninefold.core.outcome import Reason, Stop
from ninefold.core.seat import SEATS, Seat
from ninefold.match import Match, Played, Player, Record
from ninefold.match.record import OLD_RULINGS, VERSION
from ninefold.players import HUMAN
from ninefold.store.outage import Unavailable, translate
from ninefold.store.private import keep_private

log = logging.getLogger("ninefold.store")
T = TypeVar("T")
BATCH = 256  # requests that may share a commit on SQLite
THREADS = 4  # writers on PostgreSQL, and readers on both
ROOMS = 20_000  # matches kept in memory
TRIES = 8
ROOM = 16_000_000  # free bytes of a disk below which it counts as full
PATIENCE = 5.0  # seconds to wait for a lock or a connection
EVENTS = 1000  # events of a match that are kept
OLDEST_SQLITE = (3, 33)  # UPDATE FROM
NO_SUCH_MATCH = "There is no such match."

metadata = sa.MetaData()
matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("seats", sa.Text, nullable=False),  # JSON, Player 1 and Player 2: seat, kind and name
    sa.Column("first_hash", sa.Text),
    sa.Column("second_hash", sa.Text),
    sa.Column("hints", sa.Boolean, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("started", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),  # a Status
    sa.Column("result", sa.Text),  # JSON, for an end that the moves do not tell
    sa.Column("asked", sa.Text, nullable=False),  # JSON: an _Asked
    sa.Column("version", sa.Integer, nullable=False),  # the number of the last event
    sa.Column("touched", sa.Float, nullable=False),  # seconds since the epoch
    sa.Column("due", sa.Boolean, nullable=False, server_default=sa.false()),  # a computer has to move
    sa.Column("maker", sa.Text),  # a short hash of the address of who made it
    sa.Column("clock", sa.Integer),  # seconds for a move
    sa.Column("deadline", sa.Float),  # seconds since the epoch, until when a move is awaited
    sa.Index("matches_by_status", "status", "touched"),
    sa.Index(
        "matches_by_deadline",
        "deadline",
        sqlite_where=sa.text("deadline IS NOT NULL"),
        postgresql_where=sa.text("deadline IS NOT NULL"),
    ),
    sa.Index(
        "matches_by_maker",
        "maker",
        sqlite_where=sa.text("status <> 'over'"),
        postgresql_where=sa.text("status <> 'over'"),
    ),
    sa.Index("matches_due", "due"),
    sa.Index("matches_by_first", "first_hash"),
    sa.Index("matches_by_second", "second_hash"),
    sa.Index(  # of the listed ones only, so that a move in any other costs nothing more
        "matches_listed",
        "status",
        "touched",
        sqlite_where=sa.text("listed = 1"),
        postgresql_where=sa.text("listed"),
    ),
)
moves = sa.Table(
    "moves",
    metadata,
    sa.Column("match_id", sa.Text, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("move", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
)
events = sa.Table(
    "events",
    metadata,
    sa.Column("match_id", sa.Text, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("data", sa.Text, nullable=False),  # JSON, fit for every viewer
)


class NoSuchMatch(NinefoldError):
    """There is no match of that id."""


class Unreadable(NinefoldError):
    """A match is there, but what is kept of it makes no sense. The cause says where."""

    def __init__(self, id: str) -> None:
        super().__init__("This match is damaged and cannot be read.")
        self.id = id


class Conflict(Exception):
    """Another process has changed one of these matches since it was read."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(*ids)
        self.ids = ids


class Event(msgspec.Struct, frozen=True):
    """Something that happened in a match. `data` holds nothing that any viewer may not know."""

    match_id: str
    number: int
    data: str


class Status(StrEnum):
    WAITING = "waiting"  # for somebody to take the open seat
    PLAYING = "playing"
    OVER = "over"


class _Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """The column `asked`: what was asked for in a match beside its moves."""

    setup: dict[str, int | str]
    takeback: Literal["first", "second"] | None = None
    stop: Literal["first", "second"] | None = None
    rematch: Literal["first", "second"] | None = None
    next: str | None = None
    wins: tuple[int, int] | None = None
    joined: Literal["first", "second"] | None = None
    keys: tuple[str, ...] = ()
    away: tuple[float | None, float | None] = (None, None)


class Room(msgspec.Struct, frozen=True):
    """A match with all that the server knows about it, as it was at one version; never changed."""

    id: str
    match: Match
    kinds: tuple[str, str]  # by seat: person, open, or a computer's name
    hashes: tuple[str | None, str | None]  # of the tokens that hold the seats
    listed: bool
    status: Status
    setup: dict[str, int | str]  # what its maker asked for; the rest was drawn
    version: int
    touched: float
    due: bool = False  # a computer has to move
    takeback: Seat | None = None  # who asks for one
    stop: Seat | None = None  # who proposes to stop the game
    rematch: Seat | None = None
    next: str | None = None  # the match that follows
    joined: Seat | None = None  # the seat that somebody took who did not make the match
    keys: tuple[str, ...] = ()  # hashes of the latest requests that must not be done twice
    deadline: float | None = None  # until when a move is awaited, if there is a clock
    away: tuple[float | None, float | None] = (None, None)  # by seat, since when nobody is there
    maker: str | None = None  # a short hash of the address of who made it
    wins: tuple[int, int] | None = None  # by seat, in the games before this one of a row of rematches

    @property
    def hints(self) -> bool:
        return self.match.hints

    def row(self) -> dict[str, Any]:
        """Everything, for a match that is new."""
        return {
            "id": self.id,
            "game": self.match.game.slug,
            "setup": _json(dict(self.match.state.setup)),
            "hints": self.hints,
            "listed": self.listed,
            "started": self.match.started,
            "maker": self.maker,
            "clock": self.match.clock,
            **self.seating(),
            **self.progress(),
        }

    def seating(self) -> dict[str, Any]:
        """What changes when somebody sits down."""
        seats = [
            {"seat": int(player.seat), "kind": self.kinds[player.seat], "name": player.name}
            for player in self.match.players
        ]
        return {
            "seats": _json(seats),
            "first_hash": self.hashes[0],
            "second_hash": self.hashes[1],
        }

    def progress(self) -> dict[str, Any]:
        """What changes with a move."""
        result = None
        outcome = self.match.outcome
        if self.match.stopped is not None:
            result = _json({"winner": None, "reason": self.match.stopped})
        elif outcome is not None and self.match.state.outcome is None:
            result = _json({"winner": int(outcome.winner), "reason": outcome.reason})
        return {
            "status": self.status,
            "result": result,
            "asked": _json(self._asked()),
            "version": self.version,
            "touched": self.touched,
            "due": self.due,
            "deadline": self.deadline,
        }

    def _asked(self) -> _Asked:
        takeback, stop, rematch, joined = (
            None if seat is None else _NAMES[seat]
            for seat in (self.takeback, self.stop, self.rematch, self.joined)
        )
        return _Asked(
            self.setup, takeback, stop, rematch, self.next, self.wins, joined, self.keys, self.away
        )


_NAMES: tuple[Literal["first"], Literal["second"]] = ("first", "second")


class Transaction:
    """One request's dealings with the database. What it saves is written when it has ended well."""

    def __init__(
        self,
        database: Database,
        connection: sa.Connection,
        pending: dict[str, Room | None],
        versions: dict[str, int],
        lock: bool,
    ) -> None:
        self._lock = lock
        self._database = database
        self._connection = connection
        self._pending = pending  # saved by the requests that share the commit; None where removed
        self._versions = versions  # of the rows in the database, where they have been read
        self.saved: dict[str, Room | None] = {}
        self.created: set[str] = set()
        self.seated: set[str] = set()
        self.events: list[Event] = []
        self.moves: list[dict[str, Any]] = []
        self.cut: list[tuple[str, int]] = []

    @property
    def connection(self) -> sa.Connection:
        return self._connection

    def room(self, id: str) -> Room:
        """The match as it is now. Raises NoSuchMatch."""
        for saved in (self.saved, self._pending):
            if id in saved:
                known = saved[id]
                if known is None:
                    raise NoSuchMatch(NO_SUCH_MATCH)
                return known
        known = self._database.current(id, self._connection, lock=self._lock)
        self._versions.setdefault(id, known.version)
        return known

    def create(self, room: Room) -> None:
        self.saved[room.id] = room
        self.created.add(room.id)

    def remove(self, room: Room) -> None:
        self.room(room.id)  # so that its version is known
        self.saved[room.id] = None

    def save(self, room: Room, news: Iterable[dict[str, Any]]) -> Room:
        """Keep a changed match, with an event for each piece of news. The match as it is then."""
        before = self.room(room.id)
        version = before.version
        for item in news:
            version += 1
            self.events.append(Event(room.id, version, _json({"number": version, **item})))
        room = replace(room, version=version)
        if room.kinds != before.kinds:
            self.seated.add(room.id)
        self._note_moves(room.id, before.match.played, room.match.played)
        self.saved[room.id] = room
        return room

    def mark(self, room: Room, keys: tuple[str, ...]) -> Room:
        """Remember keys with what this transaction saves of a match, if it saves anything."""
        if self.saved.get(room.id) is not None:
            room = self.saved[room.id] = replace(room, keys=keys)
        return room

    def _note_moves(self, id: str, before: Sequence[Played], after: Sequence[Played]) -> None:
        kept = 0
        while kept < min(len(before), len(after)) and before[kept] is after[kept]:
            kept += 1
        if kept < len(before):
            self.cut.append((id, kept))
        for place in range(kept, len(after)):
            played = after[place]
            self.moves.append(
                {
                    "match_id": id,
                    "place": place,
                    "seat": int(played.seat),
                    "move": played.move,
                    "at": played.at,
                }
            )


def _json(content: Any) -> str:
    return msgspec.json.encode(content).decode()


@dataclass(frozen=True, slots=True)
class _Statement:
    """Something that is written for each of some rows.

    It is put into words once, since finding them takes longer than running them. On SQLite all rows go
    in as one parameter, in JSON: row by row, the thread would give Python up and get it back for each,
    and wait for the event loop every time.
    """

    text: str
    at_once: bool = False

    def execute(self, connection: sa.Connection, rows: Sequence[Any]) -> int:
        """The number of rows that it has changed."""
        if not rows:
            return 0
        given = {"rows": _json(rows)} if self.at_once else list(map(msgspec.to_builtins, rows))
        return connection.exec_driver_sql(self.text, given).rowcount


PROGRESS = ("status", "result", "asked", "version", "touched", "due", "deadline")


class _Statements:
    def __init__(self, dialect: sa.Dialect) -> None:
        def each(statement: sa.ClauseElement) -> _Statement:
            return _Statement(str(statement.compile(dialect=dialect)))

        def update(*changed: str) -> sa.Update:
            values: dict[str, Any] = {name: sa.bindparam(name) for name in changed}
            return sa.update(matches).where(matches.c.id == sa.bindparam("old_id")).values(values)

        at_once = dialect.name == "sqlite"
        unchanged = matches.c.version == sa.bindparam("old_version")
        place = moves.c.place >= sa.bindparam("kept")
        self.insert_match, self.insert_move, self.insert_event = (
            _insert_all(table) if at_once else each(sa.insert(table))
            for table in (matches, moves, events)
        )
        self.progress = _progress_all() if at_once else each(update(*PROGRESS).where(unchanged))
        self.seating = each(update("seats", "first_hash", "second_hash"))
        self.remove = each(sa.delete(matches).where(matches.c.id == sa.bindparam("old_id"), unchanged))
        self.cut_events = each(
            sa.delete(events).where(
                events.c.match_id == sa.bindparam("id"), events.c.number <= sa.bindparam("last")
            )
        )
        self.cut_moves = each(sa.delete(moves).where(moves.c.match_id == sa.bindparam("id"), place))


def _insert_all(table: sa.Table) -> _Statement:
    names = [column.name for column in table.columns]
    return _Statement(f"INSERT INTO {table} ({', '.join(names)}) {_given(names)}", at_once=True)


def _progress_all() -> _Statement:
    changed = ", ".join(f"{name} = new.{name}" for name in PROGRESS)
    given = _given(("old_id", "old_version", *PROGRESS))
    same = f"{matches}.id = new.old_id AND {matches}.version = new.old_version"
    return _Statement(f"UPDATE {matches} SET {changed} FROM ({given}) AS new WHERE {same}", at_once=True)


def _given(names: Iterable[str]) -> str:
    """The rows that come as JSON, as SQLite reads them."""
    columns = ", ".join(f"json_extract(value, '$.{name}') AS {name}" for name in names)
    return f"SELECT {columns} FROM json_each(:rows)"


def _write(
    transactions: Sequence[Transaction],
    results: dict[str, Room | None],
    versions: dict[str, int],
    connection: sa.Connection,
    statements: _Statements,
) -> None:
    """Send to the database what was saved, `results` being the matches as they are after all.

    `versions` are those of the rows that were read. Raises Conflict if one has changed since.
    """
    rooms = {id: room for id, room in results.items() if room is not None}
    removed = [id for id in results if id not in rooms]
    created = {id for one in transactions for id in one.created}
    seated = {id for one in transactions for id in one.seated if id in rooms} - created
    changed = [id for id in rooms if id not in created]
    statements.insert_match.execute(connection, [rooms[id].row() for id in created])
    rows = [{"old_id": id, "old_version": versions[id], **rooms[id].progress()} for id in changed]
    if statements.progress.execute(connection, rows) != len(changed):
        raise Conflict(changed)
    statements.seating.execute(connection, [{"old_id": id, **rooms[id].seating()} for id in seated])
    new: list[dict[str, Any]] = []
    for one in transactions:
        if one.cut:  # what the others have added has to be there first
            statements.insert_move.execute(connection, new)
            new = []
            cut = [{"id": id, "kept": kept} for id, kept in one.cut]
            statements.cut_moves.execute(connection, cut)
        new += one.moves
    statements.insert_move.execute(connection, new)
    statements.insert_event.execute(connection, [event for one in transactions for event in one.events])
    old = [(event.match_id, event.number - EVENTS) for one in transactions for event in one.events]
    some = [{"id": id, "last": last} for id, last in old if last > 0 and last % 100 == 0]
    statements.cut_events.execute(connection, some)
    for id in removed:
        if statements.remove.execute(connection, [{"old_id": id, "old_version": versions[id]}]) != 1:
            raise Conflict([id])


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

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        """`patience` is how many seconds to wait for a lock or a connection."""
        self.url = sa.make_url(url)
        kind = self.url.get_backend_name()
        if kind not in ("sqlite", "postgresql"):
            raise NinefoldError("it must be sqlite:///FILE or postgresql://...")
        self.shared = kind == "postgresql"
        self.engine = _engine(self.url, self.shared, patience)
        self._statements = _Statements(self.engine.dialect)
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

    def current(self, id: str, connection: sa.Connection, *, lock: bool = False) -> Room:
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
            room = _load(id, connection)
        except Unreadable as error:
            self._note(error)
            raise
        self._remember([room])
        return room

    def find(
        self, connection: sa.Connection, limit: int | None, *which: sa.ColumnElement[bool]
    ) -> list[Room]:
        """Matches, the last touched first. Those that cannot be read are logged and left out."""
        wanted = sa.select(matches.c.id).where(*which).order_by(matches.c.touched.desc())
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

    def overdue(self, connection: sa.Connection, now: float, limit: int = 200) -> list[str]:
        """The matches in which a move should have been made by now, those that wait longest first."""
        wanted = sa.select(matches.c.id).where(matches.c.deadline < now).order_by(matches.c.deadline)
        return list(connection.execute(wanted.limit(limit)).scalars())

    def unfinished(self, connection: sa.Connection, maker: str | None = None) -> int:
        """How many matches are not over: all, or those that one made."""
        which = [matches.c.status != Status.OVER] + ([matches.c.maker == maker] if maker else [])
        count = connection.execute(sa.select(sa.func.count()).where(*which))
        return int(count.scalar_one())

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
            while not stopping and not self.shared and len(batch) < BATCH:
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
                    transaction = Transaction(self, connection, pending, versions, tries < TRIES)
                    try:
                        result = request.work(transaction)
                    except NinefoldError as error:
                        refused.append((request, error))
                        continue
                    pending |= transaction.saved
                    done.append(transaction)
                    answers.append((request, result, transaction.events))
                _write(done, pending, versions, connection, self._statements)
        except Conflict as conflict:
            self.forget(conflict.ids)
            if tries:
                self._commit(batch, tries - 1)
            else:
                _fail(batch, NinefoldError("Too many changes at once. Try again."))
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

    def events_after(self, id: str, number: int, connection: sa.Connection) -> list[Event]:
        """The events of a match after a number. Raises NoSuchMatch if it has been removed.

        Where they do not follow on the number, since too old ones are not kept or it has not been
        reached yet, as after a backup was restored, it is one that says to read the match again.
        """
        rows = connection.execute(
            sa.select(events.c.number, events.c.data)
            .where(events.c.match_id == id, events.c.number > number)
            .order_by(events.c.number)
        )
        found = [Event(id, row.number, row.data) for row in rows]
        if found and found[0].number > number + 1:
            return [_reload(id, found[-1].number)]
        if not found:
            asked = sa.select(matches.c.version).where(matches.c.id == id)
            version = connection.execute(asked).scalar_one_or_none()
            if version is None:
                raise NoSuchMatch(NO_SUCH_MATCH)
            if version < number:
                return [_reload(id, version)]
        return found

    def check_file(self) -> None:
        """Raises Unavailable if a SQLite file has been removed, or there is no room for it to grow."""
        if self._file is None or self.url.database is None:
            return
        if _identity(self.url.database) != self._file:
            raise Unavailable("The database is not available: its file has been removed or replaced.")
        if disk_usage(Path(self.url.database).parent).free < ROOM:
            raise Unavailable("The database is not available: the disk is full.")


def probe(tx: Transaction) -> None:
    """Write something that changes nothing."""
    tx.connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")


def _reload(id: str, number: int) -> Event:
    return Event(id, number, _json({"number": number, "kind": "reload"}))


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


def _load(id: str, connection: sa.Connection) -> Room:
    while True:
        row = connection.execute(sa.select(matches).where(matches.c.id == id)).one_or_none()
        if row is None:
            raise NoSuchMatch(NO_SUCH_MATCH)
        played = connection.execute(
            sa.select(moves).where(moves.c.match_id == id).order_by(moves.c.place)
        ).all()
        again = connection.execute(sa.select(matches.c.version).where(matches.c.id == id))
        if again.scalar_one_or_none() == row.version:
            break  # nobody has changed it between the two
    try:
        return _room(row, played)
    except Exception as error:  # whatever may stand in a row
        raise Unreadable(id) from error


def _room(row: sa.Row[Any], played: Sequence[sa.Row[Any]]) -> Room:
    seats = msgspec.json.decode(row.seats)
    result: tuple[Seat, Reason] | Stop | None = None
    if row.result is not None:
        kept = msgspec.json.decode(row.result)
        winner, reason = kept["winner"], kept["reason"]
        result = Stop(reason) if winner is None else (Seat(winner), Reason(reason))
    player1, player2 = (
        Player(
            seat["name"],
            SEATS[seat["seat"]],
            HUMAN if seat["kind"] in ("person", "open") else seat["kind"],
        )
        for seat in seats
    )
    kinds = {seat["seat"]: seat["kind"] for seat in seats}
    ended_by_moves = row.status == "over" and result is None  # maybe under an old ruling
    record = Record(
        game=row.game,
        setup=msgspec.json.decode(row.setup),
        players=(player1, player2),
        started=row.started,
        moves=tuple(Played(Seat(move.seat), move.move, move.at) for move in played),
        result=result,
        hints=row.hints,
        version=OLD_RULINGS if ended_by_moves else VERSION,
        clock=row.clock,
    )
    asked = msgspec.json.decode(row.asked, type=_Asked)
    return Room(
        id=row.id,
        match=Match.of(record),
        kinds=(kinds[0], kinds[1]),
        hashes=(row.first_hash, row.second_hash),
        listed=row.listed,
        status=Status(row.status),
        setup=asked.setup,
        version=row.version,
        touched=row.touched,
        due=row.due,
        takeback=Seat.named(asked.takeback),
        stop=Seat.named(asked.stop),
        rematch=Seat.named(asked.rematch),
        next=asked.next,
        joined=Seat.named(asked.joined),
        keys=asked.keys,
        away=asked.away,
        deadline=row.deadline,
        maker=row.maker,
        wins=asked.wins,
    )


def _engine(url: sa.URL, shared: bool, patience: float) -> sa.Engine:
    if shared:
        return sa.create_engine(
            url,
            pool_size=2 * THREADS,
            max_overflow=THREADS,
            pool_pre_ping=True,
            pool_timeout=patience,
            connect_args={"connect_timeout": max(2, round(patience))},
            hide_parameters=True,  # an error is logged, and moves and settings are secrets
        )
    if url.database:
        keep_private(Path(url.database))
    waits = {"timeout": patience, "check_same_thread": False}
    engine = sa.create_engine(url, connect_args=waits, hide_parameters=True, paramstyle="named")

    @sa.event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: object) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    return engine
