"""What players ask of each other beside the moves: a turn back, an end, another game, and the score."""

from __future__ import annotations

from ninefold.core.cast import Cast
from ninefold.core.seat import Seat
from ninefold.match import Series
from ninefold.show.endings import say_proposal


def say_wish(kind: str, seat: Seat, cast: Cast) -> str:
    """A seat's wish (`takeback`, `stop` or `rematch`) as a sentence, and what it waits for."""
    match kind:
        case "takeback":
            own = "your" if seat is cast.you else "their"
            said = f"{cast.subject_does(seat, 'want')} to take back {own} last turn."
        case "rematch":
            said = f"{cast.subject_does(seat, 'offer')} a rematch with the sides swapped."
        case _ if seat is not cast.you:
            return say_proposal(seat, cast)
        case _:
            said = "You propose to stop, and nobody wins."
    return f"{said} {cast.subject(seat.other)} has to agree." if seat is cast.you else said


def say_next_start(cast: Cast) -> str:
    """Who starts the game after this one, as a sentence."""
    return f"{cast.subject_does(Seat.SECOND, 'start')}."


def say_score(score: Series, cast: Cast) -> str:
    """`Ann 2, Ben 1. Stopped: 1.`"""
    each = ", ".join(
        f"{cast.who(seat)} {wins}" for seat, wins in zip(cast.players, score.wins, strict=True)
    )
    return f"{each}.{f' Stopped: {score.stopped}.' if score.stopped else ''}"
