"""What a page is told of a position and of a move, for tests."""

from __future__ import annotations

from typing import Any

from ninefold import Seat, State
from ninefold.core.cast import Cast

CAST = Cast(("Ann", "Ben"))


def chosen(state: State[Any], seat: Seat | None = None) -> str:
    """What a seat (by default the first that moves) is told to choose."""
    return state.game.words.choose(state.view(state.movers[0] if seat is None else seat), CAST)


def news(state: State[Any], move: str, seat: Seat | None = None) -> str:
    """What everybody hears of a move."""
    mover = state.movers[0] if seat is None else seat
    later = state.play(move, mover)
    return state.game.words.news(state.view(None), mover, move, later.view(None), CAST)
