"""How a position is written as numbers: what a seat sees, and which of the game's moves it may make.

Everything is small whole numbers from the seat's own side: what is its own is positive, what is the
opponent's negative, nothing is 0. All layouts begin with

    0  the seat: 0 first, 1 second
    1  whether the seat has to choose now

and go on, from entry 2, with what `numbers` in the game's view.py tells; docs/environments.md draws them
all. A move is its place in `game.moves`. Nothing here shows a seat more than its view does.
"""

from __future__ import annotations

from typing import Any

from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State


def observe(state: State[Any], seat: Seat) -> list[int]:
    """What the seat sees."""
    return [int(seat), int(seat in state.movers), *state.game.numbers(state, seat)]


def width(game: Game) -> int:
    """How many numbers an observation of this game has."""
    return len(observe(game.set_up(game.example.setup), Seat.FIRST))


def legal(state: State[Any], seat: Seat) -> list[int]:
    """The places of the seat's legal moves, ascending; empty if it has nothing to choose."""
    places = _places(state.game)
    return [places[id(move)] for move in state.moves(seat)]


def mask(state: State[Any], seat: Seat) -> bytes:
    """One byte for each move of the game: 1 if the seat may make it now, else 0."""
    moves = state.moves(seat)
    if len(moves) < LONG:
        return _flags(state.game, moves)
    known = _MASKS.get(id(moves))
    if known is None or known[0] is not moves:
        if len(_MASKS) >= MOST:
            _MASKS.clear()
        known = _MASKS[id(moves)] = moves, _flags(state.game, moves)
    return known[1]


# Rules with long lists of moves keep them and hand out the same tuple again, so its flags are kept, too:
# by identity, with the tuple, which therefore stays the only one of that id. Short ones are quickly made.
_MASKS: dict[int, tuple[tuple[Any, ...], bytes]] = {}
LONG, MOST = 17, 1 << 15


def _flags(game: Game, moves: tuple[Any, ...]) -> bytes:
    flags = bytearray(len(game.moves))
    for place in map(_places(game).__getitem__, map(id, moves)):
        flags[place] = 1
    return bytes(flags)


def _places(game: Game) -> dict[int, int]:
    return _PLACES.get(game.slug) or _PLACES.setdefault(
        game.slug, {id(move): place for place, move in enumerate(game.moves)}
    )


# By game, the places of its moves by identity: there is one object for each move, and that is several
# times quicker than hashing it.
_PLACES: dict[str, dict[int, int]] = {}
