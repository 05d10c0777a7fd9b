"""A match on this server for whoever sits or watches in one browser."""

from __future__ import annotations

import time
from dataclasses import replace

from ninefold.core.seat import SEATS, Seat
from ninefold.match.kinds import Presence, SeatKind, Status
from ninefold.match.sitting import Sitting
from ninefold.store.sql.database import Room
from ninefold.web.actions import offers, play


def sitting_of(room: Room, seats: tuple[Seat, ...], ready: str | None = None) -> Sitting:
    """A match for whoever holds these seats. Before it starts, nobody knows who shares a screen.

    `ready` names the seat whose player has confirmed that nobody else is looking.
    """
    match, series = room.match, offers.series_of(room)
    first, second = (series.wins[player.seat] for player in match.players)
    return Sitting(
        match=match,
        seats=seats,
        ready=ready is not None and ready in map(str, match.state.movers[:1]),
        free=tuple(seat for seat in SEATS if room.kinds[seat] == SeatKind.OPEN),
        cancels=len(seats) == 1 and room.joined is not seats[0],
        following=room.next is not None,
        offers=room.offers,
        presence={
            seat: _presence_of(room, seat)
            for seat in SEATS
            if room.status is Status.PLAYING and room.kinds[seat] == SeatKind.PERSON and seat not in seats
        },
        hinted=(len(room.hinted[0]), len(room.hinted[1])),
        left=None if room.deadline is None else max(0, round(room.deadline - time.time())),
        score=replace(series, wins=(first, second)).score(over=match.over),
    )


def _presence_of(room: Room, seat: Seat) -> Presence:
    if room.away[seat] is None:
        return Presence.HERE
    when = play.claim_time(room) if seat in room.match.state.movers else None
    return Presence.GONE if when is not None and time.time() > when else Presence.AWAY
