"""What every change to a match needs: the status and deadline that follow from it, and its events."""

from __future__ import annotations

import time
from typing import Any

from msgspec.structs import replace

from ninefold.core.errors import NinefoldError
from ninefold.core.outcome import Stop
from ninefold.core.seat import Seat
from ninefold.match import Match
from ninefold.match.events import Event, Over
from ninefold.match.kinds import Offer, SeatKind, Status, is_computer
from ninefold.match.match import utc_text
from ninefold.store.sql.database import Room
from ninefold.web.actions.tokens import is_shared


class Stale(NinefoldError):
    """The match has moved on since the request was made, or does not allow it now."""


def computer_to_move(room: Room) -> Seat | None:
    """The seat of the computer whose move it is, if any."""
    if room.status is not Status.PLAYING:
        return None
    movers = room.match.state.movers
    return next((seat for seat in movers if is_computer(room.kinds[seat])), None)


def is_due(room: Room) -> bool:
    return computer_to_move(room) is not None


def start_room(room: Room) -> Room:
    """Complete a new match: whether a computer has to move, and when the first move is due."""
    clock = room.match.clock
    running = clock is not None and room.status is Status.PLAYING
    return replace(room, due=is_due(room), deadline=room.touched + clock if clock and running else None)


def change_room(before: Room, **changes: Any) -> Room:
    """Apply changes to a match, and update its status, its deadline and whether a computer is to move."""
    room = replace(before, touched=time.time(), **changes)
    if room.match.over:
        left = {offer: seat for offer, seat in room.offers.items() if offer is Offer.REMATCH}
        room = replace(room, status=Status.OVER, offers=left, deadline=None)
    elif room.match.clock is not None and _is_new_turn(before, room):
        room = replace(room, deadline=room.touched + room.match.clock)
    due = is_due(room)
    return room if due == room.due else replace(room, due=due)


def _is_new_turn(before: Room, room: Room) -> bool:
    """Whether the clock starts again. Two secret choices belong to one turn and share its time."""
    if room.status is not Status.PLAYING or before.status is not Status.PLAYING:
        return room.status is Status.PLAYING
    fewer = len(room.match.played) < len(before.match.played)
    return fewer or room.match.ply != before.match.ply


def needs_consent(room: Room, seat: Seat) -> bool:
    """Whether an offer waits for this seat's answer: only if a person plays it at another screen."""
    return room.kinds[seat] == SeatKind.PERSON and not is_shared(room)


def refuse_waiting(room: Room) -> None:
    """Raise Stale while a seat is still open."""
    if room.status is Status.WAITING:
        raise Stale("The match has not begun: a seat is still open.")


def replace_at(pair: tuple[Any, Any], seat: Seat, value: Any) -> tuple[Any, Any]:
    """A pair by seat, with one seat's value replaced."""
    return (pair[0], value) if seat else (value, pair[1])


def deadline_text(room: Room) -> str | None:
    """When the move is due, as an ISO 8601 time in UTC; None without a clock."""
    return None if room.deadline is None else utc_text(int(room.deadline))


def ending_events(match: Match) -> list[Event]:
    """The event that a match is over, if it is."""
    match match.result:
        case None:
            return []
        case Stop() as stop:
            return [Over(None, stop)]
        case winner, reason:
            return [Over(winner, reason)]
