"""What one write changes, collected until it is committed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from msgspec.structs import replace

from ninefold.match import Played
from ninefold.match.events import Event
from ninefold.store.sql.rooms import NO_SUCH_MATCH, NoSuchMatch, Room, SavedEvent, to_json


class Conflict(Exception):
    """Another process has changed one of these matches since it was read. Retry."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(*ids)
        self.ids = ids


class NeedsConnection(Exception):
    """A write that was run without a connection has to look something up in the database."""


class Transaction:
    """What one write reads and saves. It is sent to the database unless the write raises."""

    def __init__(
        self,
        load: Callable[[str, sa.Connection | None, bool], Room],
        connection: sa.Connection | None,
        pending: dict[str, Room | None],
        loaded: dict[str, Room],
        lock: bool,
        secret: str,
    ) -> None:
        """The batch shares `pending`, what it has saved, and `loaded`, the rooms in the database."""
        self._lock = lock
        self.secret = secret  # the server's, which tokens are made from
        self._load = load
        self._connection = connection
        self._pending = pending  # None where the match was removed
        self._loaded = loaded
        self.saved: dict[str, Room | None] = {}
        self.created: set[str] = set()
        self.seated: set[str] = set()  # matches in which somebody took a seat
        self.turned: set[str] = set()  # matches that began, ended, or have another deadline or mover
        self.events: list[SavedEvent] = []
        self.moves: list[dict[str, Any]] = []
        self.cut: list[tuple[str, int]] = []

    @property
    def connection(self) -> sa.Connection:
        """The database, in this transaction. Raises NeedsConnection while the write is run without."""
        if self._connection is None:
            raise NeedsConnection
        return self._connection

    def room(self, id: str) -> Room:
        """The match as this write sees it. Raises NoSuchMatch."""
        for rooms in (self.saved, self._pending, self._loaded):
            if id in rooms:
                known = rooms[id]
                if known is None:
                    raise NoSuchMatch(NO_SUCH_MATCH)
                return known
        room = self._loaded[id] = self._load(id, self._connection, self._lock)
        return room

    def create(self, room: Room) -> None:
        self.saved[room.id] = room
        self.created.add(room.id)

    def remove(self, room: Room) -> None:
        self.room(room.id)  # records the version, which the deletion compares
        self.saved[room.id] = None

    def save(self, room: Room, events: Iterable[Event]) -> Room:
        """Save a changed match and its new events. Returns the match with its new version."""
        before = self.room(room.id)
        version = before.version
        for event in events:
            version += 1
            self.events.append(SavedEvent(room.id, version, to_json({"number": version, **event.data()})))
        room = replace(room, version=version)
        if (room.kinds, room.hashes) != (before.kinds, before.hashes):
            self.seated.add(room.id)
        if _standing(room) != _standing(before):
            self.turned.add(room.id)
        self._record_moves(room.id, before.match.played, room.match.played)
        self.saved[room.id] = room
        return room

    def save_keys(self, room: Room, keys: tuple[str, ...]) -> Room:
        """Keep the idempotency keys with a match, if this write saves the match at all."""
        if self.saved.get(room.id) is not None:
            room = self.saved[room.id] = replace(room, keys=keys)
        return room

    def _record_moves(self, id: str, before: Sequence[Played], after: Sequence[Played]) -> None:
        kept = min(len(before), len(after))
        while kept and before[kept - 1] is not after[kept - 1]:  # then all before it are the same, too
            kept -= 1
        if kept < len(before):
            self.cut.append((id, kept))
        for place in range(kept, len(after)):
            played = after[place]
            self.moves.append(
                {
                    "match_id": id,
                    "place": place,
                    "seat": int(played.seat),
                    "move": str(played.move),
                    "at": played.at,
                }
            )


def _standing(room: Room) -> tuple[object, ...]:
    return room.status, room.due, room.deadline, room.match.over
