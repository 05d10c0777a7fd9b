"""What one player offers and the other accepts or declines: a takeback, a stop, a rematch."""

from __future__ import annotations

import time
from random import SystemRandom
from typing import Any

from msgspec.structs import replace

from ninefold.core.errors import GameOver, NinefoldError
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.match import Match, Series
from ninefold.match.events import Declined, Offered, Rematch, TakenBack
from ninefold.match.kinds import Action, Offer, Status, is_computer
from ninefold.match.seating import next_match
from ninefold.show.moves import cast_of
from ninefold.show.offers import say_refusal
from ninefold.store.sql.database import Room, Transaction
from ninefold.web.actions.changes import (
    Stale,
    change_room,
    deadline_text,
    ending_events,
    needs_consent,
    start_room,
)
from ninefold.web.actions.matches import make_id
from ninefold.web.actions.tokens import is_shared, require_seat


def takeback(tx: Transaction, id: str, token: str | None, action: Action, ply: int | None = None) -> Room:
    """Offer to take back one's last turn, or answer the other player. A computer accepts at once.

    With `ply`, raises Stale unless the match is still there, so a request sent twice is granted once.
    """
    room = tx.room(id)
    if ply is not None and ply != room.match.ply:
        raise Stale("The match has moved on since you saw it.")
    seat = require_seat(room, token)
    if room.status is not Status.PLAYING:
        raise Stale("There is nothing to take back in this match.")
    offered = room.offers.get(Offer.TAKEBACK)
    match action:
        case Action.OFFER:
            until, seat = _takeback_target(room, seat)
            _undo(room.match.copy(), until, seat)  # raises if it is not possible
            if needs_consent(room, seat.other):
                return _save_offer(tx, room, Offer.TAKEBACK, seat)
            return _grant_takeback(tx, room, seat, until)
        case Action.ACCEPT if offered == seat.other:
            return _grant_takeback(tx, room, seat.other, (seat.other,))
        case Action.DECLINE if offered is not None:
            return _decline(tx, room, Offer.TAKEBACK, seat)
    raise Stale("Nobody has asked for a takeback.")


def _save_offer(tx: Transaction, room: Room, offer: Offer, seat: Seat) -> Room:
    if room.offers.get(offer) == seat:
        return room  # offered already
    return tx.save(change_room(room, offers={**room.offers, offer: seat}), [Offered(seat, offer)])


def _decline(tx: Transaction, room: Room, offer: Offer, seat: Seat) -> Room:
    return tx.save(change_room(room, offers=_without(room, offer)), [Declined(seat, offer)])


def _without(room: Room, offer: Offer) -> dict[Offer, Seat]:
    return {one: by for one, by in room.offers.items() if one is not offer}


def _takeback_target(room: Room, seat: Seat) -> tuple[tuple[Seat, ...], Seat]:
    """The arguments of `Match.undo`: back to one's own turn, or at one screen to the last turn."""
    return (SEATS, room.match.state.movers[0]) if is_shared(room) else ((seat,), seat)


def _undo(match: Match, until: tuple[Seat, ...], by: Seat) -> None:
    try:
        match.undo(until, by)
    except GameOver as error:
        raise Stale(str(error)) from None


def _grant_takeback(tx: Transaction, room: Room, seat: Seat, until: tuple[Seat, ...]) -> Room:
    match = room.match.copy()
    _undo(match, until, seat)
    room = change_room(room, match=match, offers=_without(room, Offer.TAKEBACK))
    return tx.save(room, [TakenBack(seat, match.ply, deadline_text(room))])


def stop(
    tx: Transaction, id: str, token: str | None, action: Action, agreed: State[Any] | None = None
) -> Room:
    """Offer to stop the game without a winner, or answer the other player.

    A computer answers at once: it agrees only in the position `agreed`, where `agrees_to_stop` says so.
    """
    room = tx.room(id)
    seat = require_seat(room, token)
    match = room.match.copy()
    if room.status is not Status.PLAYING:
        raise Stale("The match is not being played.")
    match.stop_by_agreement()  # raises if it is not possible
    offered = room.offers.get(Offer.STOP)
    match action:
        case Action.OFFER if needs_consent(room, seat.other) and offered != seat.other:
            return _save_offer(tx, room, Offer.STOP, seat)
        case Action.OFFER if is_computer(room.kinds[seat.other]) and room.match.open_state != agreed:
            raise NinefoldError(say_refusal(seat.other, cast_of(room.match, seat), computer=True))
        case Action.ACCEPT if offered != seat.other:
            pass
        case Action.OFFER | Action.ACCEPT:
            return tx.save(change_room(room, match=match), ending_events(match))
        case Action.DECLINE if offered is not None:
            return _decline(tx, room, Offer.STOP, seat)
    raise Stale("Nobody has offered to stop.")


def is_asking_computer(room: Room) -> bool:
    """Whether an offer to stop is for a computer to answer, by `agrees_to_stop`, which may be slow."""
    return room.match.game.endless and any(map(is_computer, room.kinds))


def rematch(tx: Transaction, id: str, token: str | None, action: Action) -> Room:
    """Offer a rematch with the sides swapped, or answer an offer. The same tokens hold the new seats."""
    room = tx.room(id)
    seat = require_seat(room, token)
    if room.status is not Status.OVER:
        raise Stale("The match is not over yet.")
    if room.next:
        return room
    offered = room.offers.get(Offer.REMATCH)
    alone = not needs_consent(room, seat.other) or series_of(room).goes_on  # whoever joined agreed to it
    match action:
        case Action.OFFER | Action.ACCEPT if alone or offered == seat.other:
            return _start_rematch(tx, room)
        case Action.OFFER:
            return _save_offer(tx, room, Offer.REMATCH, seat)
        case Action.DECLINE if offered is not None:
            return _decline(tx, room, Offer.REMATCH, seat)
    raise Stale("Nobody has offered a rematch.")


def _start_rematch(tx: Transaction, room: Room) -> Room:
    start = room.match.game.set_up(room.setup, SystemRandom())  # what was drawn is drawn again
    before = series_of(room).following()
    new = replace(
        room,
        id=make_id(tx),
        match=next_match(room.match, start),
        kinds=(room.kinds[1], room.kinds[0]),
        hashes=(room.hashes[1], room.hashes[0]),
        listed=False,
        status=Status.PLAYING,
        offers={},
        joined=None,
        keys=(),
        away=room.away[::-1],
        hinted=((), ()),
        wins=before.wins[::-1],
        unwon=before.stopped,
        version=0,
        touched=time.time(),
    )
    tx.create(start_room(new))
    room = change_room(room, offers={}, next=new.id)
    return tx.save(room, [Rematch(new.id)])


def series_of(room: Room) -> Series:
    """The games so far in this series of rematches. Here its wins are by seat."""
    before, outcome = Series(room.best_of, room.wins or (0, 0), stopped=room.unwon), room.match.outcome
    if not room.match.over:
        return before
    return before.after(None if outcome is None else int(outcome.winner))
