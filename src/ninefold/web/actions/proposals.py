"""Proposals that one player makes and the other accepts or declines: a takeback, a stop, a rematch."""

from __future__ import annotations

import secrets
import time
from random import SystemRandom
from typing import Any

from msgspec.structs import replace

from ninefold.core.errors import GameOver, NinefoldError
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.match import Match
from ninefold.match.seating import keep_settings, swap_sides
from ninefold.players import agrees_to_stop
from ninefold.show.endings import say_refusal
from ninefold.show.moves import cast_of
from ninefold.store.database import Room, Status, Transaction
from ninefold.web.actions.changes import (
    OPEN,
    PERSON,
    Stale,
    add_deadline,
    change_room,
    ending_events,
    needs_consent,
    save_event,
    start_room,
)
from ninefold.web.actions.matches import ID_BYTES
from ninefold.web.actions.tokens import is_shared, require_seat


def takeback(tx: Transaction, id: str, token: str | None, action: str, ply: int | None = None) -> Room:
    """Ask to take back one's last turn, or answer the other player. A computer agrees at once.

    With `ply`, raises Stale unless the match is still there, so a request sent twice is granted once.
    """
    room = tx.room(id)
    if ply is not None and ply != room.match.ply:
        raise Stale("The match has moved on since you saw it.")
    seat = require_seat(room, token)
    if room.status is not Status.PLAYING:
        raise Stale("There is nothing to take back in this match.")
    match action:
        case "ask":
            until, seat = _takeback_target(room, seat)
            _undo(room.match.copy(), until, seat)  # raises if it is not possible
            if needs_consent(room, seat.other):
                if room.takeback == seat:
                    return room  # asked already
                return save_event(tx, change_room(room, takeback=seat), "takeback-asked", seat)
            return _grant_takeback(tx, room, seat, until)
        case "accept" if room.takeback == seat.other:
            return _grant_takeback(tx, room, seat.other, (seat.other,))
        case "decline" if room.takeback is not None:
            return save_event(tx, change_room(room, takeback=None), "takeback-declined", seat)
    raise Stale("Nobody has asked for a takeback.")


def may_take_back(room: Room, seat: Seat) -> bool:
    """Whether a seat's holder can take back a turn now, or ask to."""
    if room.status is not Status.PLAYING or room.takeback is not None:
        return False
    try:
        _undo(room.match.copy(), *_takeback_target(room, seat))
    except NinefoldError:
        return False
    return True


def _takeback_target(room: Room, seat: Seat) -> tuple[tuple[Seat, ...], Seat]:
    """The arguments of `Match.undo`: back to the asker's own turn, or at one screen to the last turn."""
    return (SEATS, room.match.state.movers[0]) if is_shared(room) else ((seat,), seat)


def _undo(match: Match, until: tuple[Seat, ...], by: Seat) -> None:
    try:
        match.undo(until, by)
    except GameOver as error:
        raise Stale(str(error)) from None


def _grant_takeback(tx: Transaction, room: Room, seat: Seat, until: tuple[Seat, ...]) -> Room:
    match = room.match.copy()
    _undo(match, until, seat)
    room = change_room(room, match=match, takeback=None)
    return tx.save(room, add_deadline(room, [{"kind": "takeback", "seat": str(seat), "ply": match.ply}]))


def stop(
    tx: Transaction, id: str, token: str | None, action: str, agreed: State[Any] | None = None
) -> Room:
    """Propose to stop the game without a winner, or answer the other player.

    A computer answers at once: it agrees only in the position `agreed`, from `where_computer_agrees`.
    """
    room = tx.room(id)
    seat = require_seat(room, token)
    match = room.match.copy()
    if room.status is not Status.PLAYING:
        raise Stale("The match is not being played.")
    match.stop_by_agreement()  # raises if it is not possible
    match action:
        case "ask" if room.stop == seat:
            return room  # proposed already
        case "ask" if needs_consent(room, seat.other) and room.stop is None:
            return save_event(tx, change_room(room, stop=seat), "stop-proposed", seat)
        case "ask" if room.kinds[seat.other] != PERSON and room.match.open_state != agreed:
            raise NinefoldError(say_refusal(seat.other, cast_of(room.match, seat), computer=True))
        case "accept" if room.stop != seat.other:
            pass
        case "ask" | "accept":
            return tx.save(change_room(room, match=match), ending_events(match))
        case "decline" if room.stop is not None:
            return save_event(tx, change_room(room, stop=None), "stop-declined", seat)
    raise Stale("Nobody has proposed to stop.")


def where_computer_agrees(room: Room) -> State[Any] | None:
    """The current position if a computer in the match agrees to stop there, else None. May be slow."""
    state = room.match.open_state
    asked = room.match.game.endless and any(kind not in (PERSON, OPEN) for kind in room.kinds)
    return state if asked and agrees_to_stop(state) else None


def rematch(tx: Transaction, id: str, token: str | None, action: str) -> Room:
    """Offer a rematch with the sides swapped, or answer an offer. The same tokens hold the new seats."""
    room = tx.room(id)
    seat = require_seat(room, token)
    if room.status is not Status.OVER:
        raise Stale("The match is not over yet.")
    if room.next:
        return room
    match action:
        case "ask" if needs_consent(room, seat.other) and room.rematch != seat.other:
            if room.rematch == seat:
                return room  # offered already
            return save_event(tx, change_room(room, rematch=seat), "rematch-offered", seat)
        case "ask" | "accept" if not needs_consent(room, seat.other) or room.rematch == seat.other:
            return _start_rematch(tx, room)
        case "decline" if room.rematch is not None:
            return save_event(tx, change_room(room, rematch=None), "rematch-declined", seat)
    raise Stale("Nobody has offered a rematch.")


def _start_rematch(tx: Transaction, room: Room) -> Room:
    setup = keep_settings(room.setup, room.match.states[0], watched=True)
    start = room.match.game.set_up(setup, SystemRandom())
    new = replace(
        room,
        id=secrets.token_urlsafe(ID_BYTES),
        match=Match(start, swap_sides(room.match), hints=room.hints, clock=room.match.clock),
        kinds=(room.kinds[1], room.kinds[0]),
        hashes=(room.hashes[1], room.hashes[0]),
        listed=False,
        status=Status.PLAYING,
        setup=setup,
        takeback=None,
        stop=None,
        rematch=None,
        joined=None,
        keys=(),
        away=room.away[::-1],
        hinted=((), ()),
        wins=score(room)[::-1],
        version=0,
        touched=time.time(),
    )
    tx.create(start_room(new))
    room = change_room(room, rematch=None, next=new.id)
    return tx.save(room, [{"kind": "rematch", "match": new.id}])


def score(room: Room) -> tuple[int, int]:
    """By seat, the games won so far in this series of rematches."""
    first, second = room.wins or (0, 0)
    winner = None if room.match.outcome is None else room.match.outcome.winner
    return first + (winner is Seat.FIRST), second + (winner is Seat.SECOND)
