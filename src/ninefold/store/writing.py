"""What a request does to matches, and how it becomes SQL: as few statements as there can be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace

from ninefold.match import Played
from ninefold.store.rooms import NO_SUCH_MATCH, Event, NoSuchMatch, Room, to_json
from ninefold.store.schema import events, matches, moves

EVENTS = 1000  # events of a match that are kept


class Conflict(Exception):
    """Another process has changed one of these matches since it was read."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(*ids)
        self.ids = ids


class Transaction:
    """One request's dealings with the database. What it saves is written when it has ended well."""

    def __init__(
        self,
        current: Callable[[str, sa.Connection, bool], Room],
        connection: sa.Connection,
        pending: dict[str, Room | None],
        versions: dict[str, int],
        lock: bool,
    ) -> None:
        self._lock = lock
        self._current = current
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
        known = self._current(id, self._connection, self._lock)
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
            self.events.append(Event(room.id, version, to_json({"number": version, **item})))
        room = replace(room, version=version)
        if (room.kinds, room.hashes) != (before.kinds, before.hashes):
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


@dataclass(frozen=True, slots=True)
class _Statement:
    """Something that is written for each of some rows.

    It is compiled once, since that takes longer than running it. On SQLite all rows go
    in as one parameter, in JSON: row by row, the thread would give Python up and get it back for each,
    and wait for the event loop every time.
    """

    text: str
    at_once: bool = False

    def execute(self, connection: sa.Connection, rows: Sequence[Any]) -> int:
        """The number of rows that it has changed."""
        if not rows:
            return 0
        given = {"rows": to_json(rows)} if self.at_once else list(map(msgspec.to_builtins, rows))
        return connection.exec_driver_sql(self.text, given).rowcount


PROGRESS = ("status", "result", "asked", "version", "touched", "due", "deadline")


class Statements:
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


def write(
    transactions: Sequence[Transaction],
    results: dict[str, Room | None],
    versions: dict[str, int],
    connection: sa.Connection,
    statements: Statements,
) -> None:
    """Send to the database what was saved, `results` being the matches as they are after all.

    `versions` are those of the rows that were read. Raises Conflict if one has changed since.
    """
    rooms = {id: room for id, room in results.items() if room is not None}
    removed = [id for id in results if id not in rooms]
    created = {id for one in transactions for id in one.created}
    seated = {id for one in transactions for id in one.seated if id in rooms} - created
    changed = sorted(id for id in rooms if id not in created)  # rows are locked in this order
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


def probe(tx: Transaction) -> None:
    """Write something that changes nothing."""
    tx.connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")
