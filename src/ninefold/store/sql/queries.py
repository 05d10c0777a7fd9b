"""What the server looks up besides single matches. Conditions are for `Database.find`."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from ninefold.match.events import Reload
from ninefold.match.kinds import Status
from ninefold.store.sql.rooms import NO_SUCH_MATCH, NoSuchMatch, SavedEvent, to_json
from ninefold.store.sql.schema import events, matches, serial_of, server

SECRET = "secret"
Condition = sa.ColumnElement[bool]

DUE: Condition = matches.c.due == sa.true()  # a computer has to move
OPEN_TO_ALL: Condition = sa.and_(matches.c.status == Status.WAITING, matches.c.listed)
IN_PUBLIC: Condition = sa.and_(matches.c.status == Status.PLAYING, matches.c.listed)
UNFINISHED: Condition = matches.c.status.in_((Status.WAITING, Status.PLAYING))


def read_secret(connection: sa.Connection) -> str:
    """The secret of the server, which tokens are made from."""
    return str(connection.execute(sa.select(server.c.value).where(server.c.name == SECRET)).scalar_one())


def count_removals(connection: sa.Connection) -> int:
    """How often an operator has removed a match from a SQLite file, where a server may remember it."""
    return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())


def held_by(hashes: Collection[str], *, over: bool) -> Condition:
    """Matches in which one of these tokens, given by their hashes, holds a seat."""
    table = matches.c
    status = table.status + ""  # or else SQLite would look through all finished matches
    held = sa.or_(table.first_hash.in_(hashes), table.second_hash.in_(hashes))
    return sa.and_(held, status == Status.OVER if over else status != Status.OVER)


def overdue(connection: sa.Connection, now: float, limit: int = 200) -> list[str]:
    """Matches whose deadline has passed, the longest overdue first."""
    wanted = sa.select(matches.c.id).where(matches.c.deadline < now).order_by(matches.c.deadline)
    return list(connection.execute(wanted.limit(limit)).scalars())


def count_unfinished(connection: sa.Connection, maker: str | None = None) -> int:
    """How many matches are not over: all of them, or one maker's."""
    table, which = matches.c, UNFINISHED
    if maker is not None:  # as the index by makers has it
        which = sa.and_(table.maker == maker, table.status != Status.OVER)
    return int(connection.execute(sa.select(sa.func.count()).where(which)).scalar_one())


def versions(ids: list[str], connection: sa.Connection) -> dict[str, int]:
    """The number of the last event by match, without those that have been removed. For PostgreSQL."""
    statement = sa.text("SELECT id, version FROM matches WHERE id = ANY(:ids)")
    return {row.id: row.version for row in connection.execute(statement, {"ids": ids})}


def events_after(id: str, number: int, connection: sa.Connection) -> list[SavedEvent]:
    """The events of a match after a number, in order. Raises NoSuchMatch if it has been removed.

    If they do not continue from that number, the answer is a single `reload` event. That happens when
    older events are no longer kept, or when a restored backup has not reached the number yet.
    """
    rows = connection.execute(
        sa.select(events.c.number, events.c.data)
        .where(events.c.match_serial == serial_of(id), events.c.number > number)
        .order_by(events.c.number)
    )
    found = [SavedEvent(id, row.number, row.data) for row in rows]
    if found and found[0].number > number + 1:
        return [_reload_event(id, found[-1].number)]
    if not found:
        current = sa.select(matches.c.version).where(matches.c.id == id)
        version = connection.execute(current).scalar_one_or_none()
        if version is None:
            raise NoSuchMatch(NO_SUCH_MATCH)
        if version < number:
            return [_reload_event(id, version)]
    return found


def _reload_event(id: str, number: int) -> SavedEvent:
    return SavedEvent(id, number, to_json({"number": number, **Reload().data()}))
