"""What a page is told of a position and of a move, for tests."""

from __future__ import annotations

from typing import Any

from ninefold import Seat, State
from ninefold.core.cast import Cast
from ninefold.core.turns import Played
from ninefold.show.moves import tell_last

CAST = Cast(("Ann", "Ben"))


def chosen(state: State[Any], seat: Seat | None = None) -> str:
    """What a seat (by default the first that moves) is told to choose."""
    return state.game.words.choose(state.view(state.movers[0] if seat is None else seat), CAST)


def news(state: State[Any], *moves: str, seats: tuple[Seat, ...] = ()) -> str:
    """What everybody hears of the last of these moves; `seats` make them, by default who is to move."""
    states, played = [state], list[Played]()
    for count, text in enumerate(moves):
        mover = seats[count] if seats else states[-1].movers[0]
        played.append(Played(mover, state.game.parse(text)))
        states.append(states[-1].play(text, mover))
    return tell_last(states, played, None, CAST)
