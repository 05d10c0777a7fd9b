"""What players ask of each other: to take back a turn, to stop, to play again."""

from __future__ import annotations

from ninefold.core.cast import Cast
from ninefold.core.seat import Seat
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
