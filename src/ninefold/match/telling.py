"""A match in words and in judgement, for any interface that shows it."""

from __future__ import annotations

from collections.abc import Callable

from ninefold.analysis.advice import percent
from ninefold.analysis.review import Review, review
from ninefold.core.outcome import STOPPED, Reason
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
        case Reason.TIME:
            return [f"{loser} ran out of time.", "", f"{winner} wins!"]
        case Reason.ABSENT:
            return [f"{loser} was away for too long.", "", f"{winner} wins!"]
    return match.game.script.ending(match.state.view(outcome.winner), cast)


def reviewed(match: Match) -> Review:
    """The review of a match as far as it is in the open."""
    count = match.ply
    moves = [(played.seat, match.game.parse(played.move)) for played in match.played[:count]]
    loser = None if match.outcome is None else match.outcome.winner.other
    return review(match.states[: count + 1], moves, loser)


def accuracy(found: Review, seat: Seat) -> str:
    """The share of what was at stake that a seat kept, or that there was nothing to keep."""
    share = found.accuracy[seat]
    if share is not None:
        return percent(share)
    judged = any(one.seat is seat for one in found.moves)
    return "nothing to decide" if judged else "no move to judge"


def undecided(match: Match, found: Review) -> str:
    """What there is to say of a finished match in which no move of the loser decided it."""
    assert match.outcome is not None
    loser = match.player(match.outcome.winner.other)
    if loser.seat is _who_stopped(match):
        return f"{loser.name} had thrown nothing away."
    if any(one.luck for one in found.moves):
        return f"{loser.name} threw nothing away: luck decided."
    return f"No move of {loser.name} would have changed who wins."


def _who_stopped(match: Match) -> Seat | None:
    """The seat that resigned or could not go on."""
    outcome = match.outcome
    if outcome is None or outcome.reason not in STOPPED:
        return None
    return outcome.winner.other
