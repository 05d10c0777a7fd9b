"""The SQL of a commit: as few statements as possible, each compiled once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import sqlalchemy as sa
from msgspec.structs import asdict

from ninefold.store.sql.rooms import Room, to_json
from ninefold.store.sql.schema import events, matches, moves, serial_of
from ninefold.store.sql.transactions import Conflict, Transaction

EVENTS = 1000  # events kept per match


@dataclass(frozen=True, slots=True)
class _Statement:
    """A compiled statement that is executed for several rows.

    Compiling takes longer than running, so it is done once. For SQLite there is a form `at_once`, in
    which several rows are one JSON parameter, an array of arrays that have the columns in `names`: row by
    row, the thread would release and reacquire the GIL for each row, and wait for the event loop every
    time. The driver gets it directly, because SQLAlchemy's own work for a statement takes as long as
    SQLite's (`benchmarks/plumbing.py`).
    """

    text: str
    at_once: str = ""
    names: tuple[str, ...] = ()

    def execute(self, connection: sa.Connection, rows: list[dict[str, Any]]) -> int:
        """Run the statement and return the number of changed rows."""
        if not rows:
            return 0
        if not self.at_once:
            return connection.exec_driver_sql(self.text, rows).rowcount
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        if len(rows) == 1:
            return driver.execute(self.text, rows[0]).rowcount
        values = to_json(list(map(itemgetter(*self.names), rows)))
        return driver.execute(self.at_once, (values,)).rowcount


SERIAL = "match_serial"  # what a move or an event is given by its match's id
PROGRESS = ("rest", "version", "touched")  # the columns that every move changes
SEATING = ("seats", "first_hash", "second_hash")
STANDING = ("status", "result", "due", "deadline")


class Statements:
    """All statements of a commit, compiled for one dialect."""

    def __init__(self, dialect: sa.Dialect) -> None:
        def each(statement: sa.ClauseElement, *at_once: Any) -> _Statement:
            text = str(statement.compile(dialect=dialect))
            return _Statement(text, *at_once if dialect.name == "sqlite" else ())

        def insert(table: sa.Table) -> _Statement:
            values: dict[str, Any] = {name: sa.bindparam(name) for name in _columns(table)}
            if SERIAL in values:
                values[SERIAL] = serial_of(sa.bindparam("match_id"))
            return each(sa.insert(table).values(values), *_insert_at_once(table))

        def update(changed: Iterable[str], *only: sa.ColumnElement[bool]) -> _Statement:
            values: dict[str, Any] = {name: sa.bindparam(name) for name in changed}
            same = matches.c.id == sa.bindparam("old_id")
            at_once = _update_at_once(changed, unchanged=bool(only))
            return each(sa.update(matches).where(same, *only).values(values), *at_once)

        unchanged = matches.c.version == sa.bindparam("old_version")
        place = moves.c.place >= sa.bindparam("kept")
        self.insert_match, self.insert_move, self.insert_event = map(insert, (matches, moves, events))
        self.progress = update(PROGRESS, unchanged)
        self.seating, self.standing = map(update, (SEATING, STANDING))
        self.remove = each(sa.delete(matches).where(matches.c.id == sa.bindparam("old_id"), unchanged))
        serial = serial_of(sa.bindparam("id"))
        last: sa.BindParameter[int] = sa.bindparam("last")
        self.cut_events = each(
            sa.delete(events).where(events.c.match_serial == serial, events.c.number <= last)
        )
        self.cut_moves = each(sa.delete(moves).where(moves.c.match_serial == serial, place))


def _columns(table: sa.Table) -> list[str]:
    """The columns that a new row is given. The database gives a match its serial."""
    return [column.name for column in table.columns if column is not matches.c.serial]


def _insert_at_once(table: sa.Table) -> tuple[str, tuple[str, ...]]:
    columns, serial = _columns(table), f"(SELECT serial FROM {matches} WHERE id = match_id)"
    names = tuple("match_id" if name == SERIAL else name for name in columns)
    values = ", ".join(serial if name == SERIAL else name for name in columns)
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM ({_select_rows(names)})",
        names,
    )


def _update_at_once(changed: Iterable[str], *, unchanged: bool) -> tuple[str, tuple[str, ...]]:
    """An update of matches; with `unchanged`, only of those that still have their old version."""
    compared = {"id": "old_id", **({"version": "old_version"} if unchanged else {})}
    values = ", ".join(f"{name} = new.{name}" for name in changed)
    same = " AND ".join(f"{matches}.{name} = new.{old}" for name, old in compared.items())
    names = (*compared.values(), *changed)
    rows = _select_rows(names)
    return f"UPDATE {matches} SET {values} FROM ({rows}) AS new WHERE {same}", names


def _select_rows(names: Iterable[str]) -> str:
    """A SELECT that reads the rows from the JSON parameter."""
    columns = ", ".join(
        f"json_extract(value, '$[{place}]') AS {name}" for place, name in enumerate(names)
    )
    return f"SELECT {columns} FROM json_each(?)"


def write(
    transactions: Sequence[Transaction],
    results: dict[str, Room | None],
    loaded: Mapping[str, Room],
    connection: sa.Connection,
    statements: Statements,
) -> None:
    """Send a batch to the database. `results` are its matches after the whole batch.

    `loaded` has them as they were read. Raises Conflict if one has changed since.
    """
    rooms = {id: room for id, room in results.items() if room is not None}
    removed = [id for id in results if id not in rooms]
    created = set[str]().union(*[one.created for one in transactions])
    changed = sorted(rooms.keys() - created)  # every process locks rows in this order
    seated, turned = (
        set[str]().union(*ids).intersection(changed)
        for ids in ([one.seated for one in transactions], [one.turned for one in transactions])
    )

    def known(id: str) -> dict[str, Any]:
        return {"old_id": id, "old_version": loaded[id].version}

    statements.insert_match.execute(connection, [rooms[id].row() for id in created])
    rows = [{**known(id), **rooms[id].progress()} for id in changed]
    if statements.progress.execute(connection, rows) != len(changed):
        raise Conflict(changed)
    statements.seating.execute(connection, [{"old_id": id, **rooms[id].seating()} for id in seated])
    statements.standing.execute(connection, [{"old_id": id, **rooms[id].standing()} for id in turned])
    new: list[dict[str, Any]] = []
    for one in transactions:
        if one.cut:  # insert the moves before this cut first: it may remove some of them
            statements.insert_move.execute(connection, new)
            new = []
            cut = [{"id": id, "kept": kept} for id, kept in one.cut]
            statements.cut_moves.execute(connection, cut)
        new += one.moves
    statements.insert_move.execute(connection, new)
    happened = [event for one in transactions for event in one.events]
    statements.insert_event.execute(connection, list(map(asdict, happened)))
    old = [(one.match_id, one.number - EVENTS) for one in happened if one.number > EVENTS]
    some = [{"id": id, "last": last} for id, last in old if last % 100 == 0]
    statements.cut_events.execute(connection, some)
    for id in removed:
        if statements.remove.execute(connection, [known(id)]) != 1:
            raise Conflict([id])


def probe(tx: Transaction) -> None:
    """Make a write that changes nothing, to see whether writing works."""
    tx.connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")


def probe_space(connection: sa.Connection) -> None:
    """On PostgreSQL, make a write that needs 256 kB of disk, which are free again at once."""
    connection.exec_driver_sql(
        "CREATE TEMPORARY TABLE ninefold_probe ON COMMIT DROP AS"
        " SELECT repeat(chr(64 + number), 1900) FROM generate_series(1, 120) AS number"
    )
    connection.commit()
