"""How a position is encoded in numbers: what a seat sees, and which of the game's moves are legal.

An observation is small integers from the seat's own side: what belongs to the seat is positive, what
belongs to the opponent is negative, and 0 stands for nothing. It begins with

    0  the seat: 0 first, 1 second
    1  whether the seat has to choose now

and continues, from entry 2, with `game.numbers`, which docs/environments.md lists for each game. An
action is the index of a move in `game.moves`. Nothing here tells a seat more than its view.
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
    """The actions that are legal for the seat, ascending; empty if it has nothing to choose."""
    actions = _actions(state.game)
    return [actions[id(move)] for move in state.moves(seat)]


def mask(state: State[Any], seat: Seat) -> bytes:
    """One byte for each move of the game: 1 if it is legal for the seat now, else 0."""
    moves = state.moves(seat)
    if len(moves) < LONG:
        return _flags(state.game, moves)
    known = _MASKS.get(id(moves))
    if known is None or known[0] is not moves:
        if len(_MASKS) >= CACHED:
            _MASKS.clear()
        known = _MASKS[id(moves)] = moves, _flags(state.game, moves)
    return known[1]


# The rules cache long lists of moves and return the same tuple again, so their flags are cached by its
# identity. The cache holds the tuple, too, so its id cannot be reused. Short lists are quick to flag.
_MASKS: dict[int, tuple[tuple[Any, ...], bytes]] = {}
LONG, CACHED = 17, 1 << 15


def _flags(game: Game, moves: tuple[Any, ...]) -> bytes:
    flags = bytearray(len(game.moves))
    for action in map(_actions(game).__getitem__, map(id, moves)):
        flags[action] = 1
    return bytes(flags)


def _actions(game: Game) -> dict[int, int]:
    return _ACTIONS.get(game.slug) or _ACTIONS.setdefault(
        game.slug, {id(move): action for action, move in enumerate(game.moves)}
    )


# By game, the action of each move, by the identity of the move: there is one object for each move, and
# that is several times faster than hashing it.
_ACTIONS: dict[str, dict[int, int]] = {}
