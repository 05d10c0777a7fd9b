"""Creating a match, joining it, and leaving it before or after it is played."""

from __future__ import annotations

import secrets
import time
from contextlib import suppress
from random import SystemRandom

from msgspec.structs import replace

from ninefold.client.wire import NewMatch, SeatRequest
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import SEATS, Seat
from ninefold.games import load
from ninefold.match import Match, Player
from ninefold.match.events import Joined, Left
from ninefold.match.kinds import SeatKind, Status
from ninefold.match.seating import fill_names, read_name, refuse_coach
from ninefold.players import kind
from ninefold.store.sql.database import NoSuchMatch, Room, Transaction
from ninefold.web.actions.changes import (
    Stale,
    change_room,
    deadline_text,
    replace_at,
    start_room,
)
from ninefold.web.actions.tokens import (
    KEY_LENGTH,
    Forbidden,
    KeyReused,
    Ticket,
    derive,
    make_token,
    require_seat,
    token_hash,
)

ID_BYTES = 9
ID_LENGTH = 12  # characters of ID_BYTES in base64


def create(
    tx: Transaction,
    wanted: NewMatch,
    token: str | None = None,
    maker: str | None = None,
    key: str | None = None,
) -> tuple[Room, list[Ticket]]:
    """Create a match, and return it with a ticket for each person's seat.

    The given token holds all of these seats; without one, each seat gets a new token. If the idempotency
    key was used before, return the match that it created.
    """
    id = make_id(tx, key)
    if key is not None:
        with suppress(NoSuchMatch):
            return _find_created(tx, tx.room(id), key, wanted)
    rng = SystemRandom()
    start = load(wanted.game).set_up(wanted.setup, rng)
    kinds = (_seat_kind(wanted.first), _seat_kind(wanted.second))
    if kinds == (SeatKind.OPEN, SeatKind.OPEN):
        raise NinefoldError("Take one of the seats yourself, or give it to a computer.")
    player_kinds = (_player_kind(kinds[0]), _player_kind(kinds[1]))
    if wanted.coach:
        refuse_coach(player_kinds)
    names = fill_names((wanted.first.name, wanted.second.name), player_kinds)
    first, second = (Player(names[seat], seat, player_kinds[seat]) for seat in SEATS)
    people = [seat for seat in SEATS if kinds[seat] == SeatKind.PERSON]
    tickets = [Ticket(id, seat, token or make_token(tx, key, seat, wanted)) for seat in people]
    hashes = {ticket.seat: token_hash(ticket.token) for ticket in tickets}
    room = Room(
        id=id,
        match=Match(
            start,
            (first, second),
            hints=SeatKind.OPEN not in kinds if wanted.hints is None else wanted.hints,
            coach=wanted.coach,
            clock=wanted.clock,
            hosted=True,
        ),
        kinds=kinds,
        hashes=(hashes.get(Seat.FIRST), hashes.get(Seat.SECOND)),
        listed=wanted.listed,
        status=Status.WAITING if SeatKind.OPEN in kinds else Status.PLAYING,
        setup=wanted.setup,
        version=0,
        touched=time.time(),
        maker=maker,
        best_of=wanted.best_of,
        keys=() if key is None else (_mark_of(tx, key, wanted),),
    )
    room = start_room(room)
    tx.create(room)
    return room, tickets


def make_id(tx: Transaction, key: str | None = None) -> str:
    """An id for a match, without a hyphen: typed in a terminal, one at its beginning makes an option."""
    made = secrets.token_urlsafe(ID_BYTES) if key is None else derive(tx, key, "match")[:ID_LENGTH]
    return made.replace("-", "_")


def _find_created(tx: Transaction, room: Room, key: str, wanted: NewMatch) -> tuple[Room, list[Ticket]]:
    """The match that an idempotency key created, and its tickets. Raises KeyReused for another request.

    Tokens are made from the request, too, so another request does not find them. Where nobody holds a
    seat, the mark that was left with the match tells.
    """
    tickets = [Ticket(room.id, seat, make_token(tx, key, seat, wanted)) for seat in SEATS]
    held = [one for one in tickets if token_hash(one.token) == room.hashes[one.seat]]
    if not held and _mark_of(tx, key, wanted) not in room.keys:
        raise KeyReused
    return room, held


def _mark_of(tx: Transaction, key: str, wanted: NewMatch) -> str:
    """What a match keeps of the idempotency key and the request that created it."""
    return derive(tx, key, "created", wanted)[:KEY_LENGTH]


def _seat_kind(wanted: SeatRequest) -> str:
    name = wanted.kind if wanted.kind == SeatKind.OPEN else kind(wanted.kind)
    if name.startswith(("program", "chat")):
        raise NinefoldError("A seat's kind is person, open, or one of the server's computers.")
    return name


def _player_kind(seat_kind: str) -> str:
    return SeatKind.PERSON if seat_kind == SeatKind.OPEN else seat_kind


def join(
    tx: Transaction, id: str, name: str | None, token: str | None = None, key: str | None = None
) -> tuple[Room, Ticket]:
    """Take the open seat, with the given token or a new one. Raises Stale if no seat is open.

    If the idempotency key has taken a seat before, return that seat again.
    """
    room = tx.room(id)
    token = token or make_token(tx, key, id, name)
    if key is not None and token_hash(token) in room.hashes:
        return room, Ticket(id, Seat(room.hashes.index(token_hash(token))), token)
    seat = next((seat for seat in SEATS if room.kinds[seat] == SeatKind.OPEN), None)
    if seat is None:
        raise Stale("There is no open seat in this match.")
    match = room.match.copy()
    if name:
        match.take_seat(seat, read_name(name, match.player(seat.other).name))
    ticket = Ticket(id, seat, token)
    room = change_room(
        room,
        match=match,
        kinds=replace_at(room.kinds, seat, SeatKind.PERSON),
        hashes=replace_at(room.hashes, seat, token_hash(ticket.token)),
        status=Status.PLAYING,
        joined=seat,
    )
    joined = Joined(seat, match.player(seat).name, deadline_text(room))
    return tx.save(room, [joined]), ticket


def abort(tx: Transaction, id: str, token: str | None) -> Room:
    """Remove a match before its first move."""
    room = tx.room(id)
    seat = require_seat(room, token)
    if room.joined == seat:
        raise Forbidden("Only the player who created the match can cancel it. You can resign.")
    if room.status is Status.OVER or room.match.played:
        raise Stale("The game has begun. You can resign, but you can no longer cancel it.")
    tx.remove(room)
    return room


def forget(tx: Transaction, id: str, token: str | None) -> Room:
    """Give up a token's seats in a finished match, so that it leaves the holder's list."""
    room = tx.room(id)
    seat = require_seat(room, token)
    if room.status is not Status.OVER:
        raise Stale("The match is not over yet. You can resign.")
    first, second = (None if one == room.hashes[seat] else one for one in room.hashes)
    return tx.save(replace(room, hashes=(first, second)), [Left(seat)])
