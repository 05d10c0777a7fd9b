"""Playing a match: moves, resigning, running out of time, being away."""

from __future__ import annotations

import math
import time

from msgspec.structs import replace

from ninefold.core.errors import GameOver, NotYourTurn
from ninefold.core.outcome import Reason
from ninefold.core.seat import Seat
from ninefold.match.events import Away, Chosen, Event, Here, Hinted, Moved
from ninefold.match.kinds import Offer, Status
from ninefold.store.sql.database import Room, Transaction
from ninefold.web.actions.changes import (
    Stale,
    change_room,
    deadline_text,
    ending_events,
    needs_consent,
    refuse_waiting,
    replace_at,
)
from ninefold.web.actions.tokens import require_seat

ABSENCE = 600.0  # seconds that a player may be away on their turn before the opponent may claim the game


def move(
    tx: Transaction, id: str, token: str | None, text: str, ply: int, seat: Seat | None = None
) -> tuple[Room, Seat, str]:
    """Submit a move for the position at a ply. Sent again, it changes nothing and returns the same."""
    room = tx.room(id)
    seat = require_seat(room, token, seat)
    return _submit(tx, room, seat, text, ply)


def computer_move(tx: Transaction, seen: Room, seat: Seat, text: str) -> Room:
    """Submit the move that a computer chose in `seen`; do nothing if the match has moved on since."""
    room = tx.room(seen.id)
    same = room.match.ply == seen.match.ply and room.match.open_state == seen.match.open_state
    if room.status is not Status.PLAYING or not same or seat not in room.match.state.movers:
        return room
    return _submit(tx, room, seat, text, room.match.ply)[0]


def _submit(tx: Transaction, room: Room, seat: Seat, text: str, ply: int) -> tuple[Room, Seat, str]:
    refuse_waiting(room)
    match = room.match.copy()
    before = len(match.played)
    try:
        played = match.submit(seat, text, ply)
    except (NotYourTurn, GameOver) as error:
        raise Stale(str(error)) from None
    if len(match.played) == before:
        return room, seat, str(played.move)  # the same move, sent again
    returned: list[Event] = [] if room.away[seat] is None else [Here(seat)]
    # Moving declines every offer but one's own to stop.
    offers = {one: by for one, by in room.offers.items() if one is Offer.STOP and by is seat}
    room = change_room(room, match=match, offers=offers, away=replace_at(room.away, seat, None))
    return tx.save(room, returned + _move_events(room, seat)), seat, str(played.move)


def _move_events(room: Room, seat: Seat) -> list[Event]:
    """What every viewer may know of the last move; of a secret one, only that it has been made."""
    match, deadline = room.match, deadline_text(room)
    if match.state.pending:
        return [Chosen(seat, match.ply, deadline)]
    # Of a turn with secret choices, what was done openly had an event of its own.
    made = match.last_turn.secrets if match.states[-2].secret else match.played[-1:]
    before = match.ply - len(made)
    moved = [Moved(one.seat, str(one.move), before + k, deadline) for k, one in enumerate(made, 1)]
    return [*moved, *ending_events(match)]


def resign(tx: Transaction, id: str, token: str | None, seat: Seat | None = None) -> Room:
    room = tx.room(id)
    seat = require_seat(room, token, seat)
    refuse_waiting(room)
    match = room.match.copy()
    try:
        match.resign(seat)
    except GameOver as error:
        raise Stale(str(error)) from None
    return tx.save(change_room(room, match=match), ending_events(match))


def forfeit(tx: Transaction, id: str, seat: Seat, why: str) -> Room:
    """End the match because a computer has failed."""
    room = tx.room(id)
    match = room.match.copy()
    match.forfeit(seat, why)
    return tx.save(change_room(room, match=match), ending_events(match))


def time_out(tx: Transaction, id: str, now: float) -> Room:
    """End a match that is overdue: the seat that has to move loses; if both have to, the challenger."""
    room = tx.room(id)
    if room.deadline is None or room.deadline >= now:
        return room  # the move has been made after all
    return _lose(tx, room, room.match.state.movers[0], Reason.TIME)


def claim(tx: Transaction, id: str, token: str | None, now: float | None = None) -> Room:
    """Win because the opponent has been away too long on their own turn.

    An opponent who is not known to be away counts as away from now on, until a stream of theirs says
    otherwise: the process that should have noticed that they left may have died.
    """
    now = time.time() if now is None else now
    room = tx.room(id)
    seat = require_seat(room, token)
    name, since = room.match.player(seat.other).name, room.away[seat.other]
    movers = room.match.state.movers
    if room.status is not Status.PLAYING or seat in movers or not needs_consent(room, seat.other):
        raise Stale("You can claim a game only while another person has to move.")
    if room.match.clock is not None:
        raise Stale(f"{name} loses when the time for the move runs out.")
    if since is None:
        return note_presence(tx, id, seat.other, here=False)
    left = (claim_time(room) or 0) - now
    if left > 0:
        raise Stale(f"{name} is away. You can claim the game in {math.ceil(left / 60)} min.")
    return _lose(tx, room, seat.other, Reason.ABSENT)


def claim_time(room: Room) -> float | None:
    """From when on whoever waits may claim the game; None unless the one who has to move is away."""
    movers = room.match.state.movers
    since = room.away[movers[0]] if len(movers) == 1 else None
    if since is None or room.status is not Status.PLAYING or room.match.clock is not None:
        return None
    return max(since, room.touched) + ABSENCE


def _lose(tx: Transaction, room: Room, seat: Seat, reason: Reason) -> Room:
    match = room.match.copy()
    match.run_out(seat, reason)
    return tx.save(change_room(room, match=match), ending_events(match))


def note_presence(tx: Transaction, id: str, seat: Seat, *, here: bool) -> Room:
    """Record that a player is away or back, where another person is playing."""
    room = tx.room(id)
    was_here = room.away[seat] is None
    if room.status is not Status.PLAYING or was_here == here or not needs_consent(room, seat.other):
        return room
    away = replace_at(room.away, seat, None if here else time.time())
    return tx.save(replace(room, away=away), [Here(seat) if here else Away(seat)])


def note_hint(tx: Transaction, id: str, seat: Seat) -> Room:
    """Record that a hint was given: once per move, and only if another person plays who should know."""
    room = tx.room(id)
    ply, given = room.match.ply, room.hinted[seat]
    if ply in given or room.status is not Status.PLAYING or not needs_consent(room, seat.other):
        return room
    hinted = replace_at(room.hinted, seat, (*given, ply))
    return tx.save(replace(room, hinted=hinted), [Hinted(seat)])
