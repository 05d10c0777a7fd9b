"""A match as JSON, as one viewer may see it."""

from __future__ import annotations

from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import as_data
from ninefold.show.endings import describe_ending
from ninefold.show.moves import cast_of
from ninefold.store.database import Room
from ninefold.web import messages as m
from ninefold.web.actions import changes, proposals, tokens


def serialize_match(room: Room, viewer: Seat | None) -> m.MatchInfo:
    """What a seat, or a spectator (None), may see of a match."""
    match = room.match
    record = match.record(viewer)
    wins = proposals.score(room)
    first, second = (
        m.SeatInfo(
            kind=room.kinds[seat],
            name=match.player(seat).name,
            wins=wins[seat],
            hints=len(room.hinted[seat]),
        )
        for seat in SEATS
    )
    return m.MatchInfo(
        match=room.id,
        game=match.game.slug,
        title=match.game.title,
        status=room.status.value,
        you=_optional_name(viewer),
        version=room.version,
        ply=match.ply,
        setup=dict(record.setup),
        first=first,
        second=second,
        started=match.started,
        moves=[
            m.MoveInfo(seat=seat_name(one.seat), move=str(one.move), at=one.at) for one in record.moves
        ],
        view=as_data(match.state.view(viewer)),
        outcome=_serialize_outcome(room, viewer),
        stopped=None if match.stopped is None else match.stopped.value,
        hints=room.hints,
        clock=match.clock,
        deadline=changes.deadline_text(room),
        away=[seat_name(seat) for seat in SEATS if room.away[seat] is not None],
        takeback=_optional_name(room.takeback),
        stop=_optional_name(room.stop),
        rematch=_optional_name(room.rematch),
        next=room.next,
    )


def seat_name(seat: Seat) -> m.SeatName:
    return "second" if seat else "first"


def _optional_name(seat: Seat | None) -> m.SeatName | None:
    return None if seat is None else seat_name(seat)


def _serialize_outcome(room: Room, viewer: Seat | None) -> m.OutcomeInfo | None:
    outcome = room.match.outcome
    if outcome is None:
        return None
    you = None if tokens.is_shared(room) else viewer
    text = describe_ending(room.match, cast_of(room.match, you)).lines
    return m.OutcomeInfo(winner=seat_name(outcome.winner), reason=str(outcome.reason), text=text)
