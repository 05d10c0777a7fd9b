"""A match as JSON, as one viewer may see it."""

from __future__ import annotations

from ninefold.client import wire
from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import as_data
from ninefold.match.match import utc_text
from ninefold.show.endings import describe_ending
from ninefold.show.moves import cast_of
from ninefold.store.sql.database import Room
from ninefold.web.actions import changes, offers, play, tokens


def serialize_match(room: Room, viewer: Seat | None) -> wire.MatchInfo:
    """What a seat, or a spectator (None), may see of a match."""
    match = room.match
    record = match.record(viewer)
    series = offers.series_of(room)
    first, second = (
        wire.SeatInfo(
            kind=room.kinds[seat],
            name=match.player(seat).name,
            wins=series.wins[seat],
            hints=len(room.hinted[seat]),
        )
        for seat in SEATS
    )
    return wire.MatchInfo(
        match=room.id,
        game=match.game.slug,
        title=match.game.title,
        status=room.status,
        you=None if viewer is None else seat_name(viewer),
        version=room.version,
        ply=match.ply,
        setup=dict(record.setup),
        first=first,
        second=second,
        started=match.started,
        moves=[
            wire.MoveInfo(seat=seat_name(one.seat), move=str(one.move), at=one.at) for one in record.moves
        ],
        view=as_data(match.state.view(viewer)),
        outcome=_serialize_outcome(room, viewer),
        stopped=match.stopped,
        hints=room.hints,
        coach=match.coach,
        clock=match.clock,
        best_of=room.best_of,
        unwon=series.stopped,
        deadline=changes.deadline_text(room),
        claim=None if (when := play.claim_time(room)) is None else utc_text(int(when)),
        away=[seat_name(seat) for seat in SEATS if room.away[seat] is not None],
        offers={offer: seat_name(seat) for offer, seat in room.offers.items()},
        cancels=viewer is not None and room.joined is not viewer,
        next=room.next,
    )


def seat_name(seat: Seat) -> wire.SeatName:
    return "second" if seat else "first"


def _serialize_outcome(room: Room, viewer: Seat | None) -> wire.OutcomeInfo | None:
    outcome = room.match.outcome
    if outcome is None:
        return None
    you = None if tokens.is_shared(room) else viewer
    text = describe_ending(room.match, cast_of(room.match, you)).lines
    return wire.OutcomeInfo(winner=seat_name(outcome.winner), reason=str(outcome.reason), text=text)
