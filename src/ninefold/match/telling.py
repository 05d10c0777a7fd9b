"""A match in words and in judgement, for any interface that shows it."""

from __future__ import annotations

from collections.abc import Callable

from ninefold.analysis.review import Review, review
from ninefold.core.outcome import Reason
from ninefold.core.script import Cast
from ninefold.core.seat import SEATS, Seat
from ninefold.match.match import Match
from ninefold.players import HUMAN


def cast_of(match: Match, paint: Callable[[Seat, str], str] | None = None) -> Cast:
    """The players of a match as a screen names them; people are taken to read it."""
    player1, _ = match.players
    cast = Cast(
        names=(match.player(Seat.FIRST).name, match.player(Seat.SECOND).name),
        player1=player1.seat,
        here=frozenset(seat for seat in SEATS if match.player(seat).kind == HUMAN),
    )
    return cast if paint is None else cast.painted(paint)


def ending(match: Match, cast: Cast) -> list[str]:
    """The announcement of a finished match."""
    outcome = match.outcome
    assert outcome is not None
    winner, loser = cast.name(outcome.winner), cast.name(outcome.winner.other)
    match outcome.reason:
        case Reason.RESIGNED:
            return [f"{loser} resigns.", "", f"{winner} wins!"]
        case Reason.FORFEIT:
            why = [outcome.detail] if isinstance(outcome.detail, str) else []
            return [*why, f"{loser} cannot go on and loses.", "", f"{winner} wins!"]
    return match.game.script.ending(match.state.view(outcome.winner), cast)


def reviewed(match: Match) -> Review:
    """The review of a match as far as it is in the open."""
    count = match.ply
    moves = [(played.seat, match.game.parse(played.move)) for played in match.played[:count]]
    loser = None if match.outcome is None else match.outcome.winner.other
    return review(match.states[: count + 1], moves, loser)
