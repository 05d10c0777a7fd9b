"""How a position is encoded in numbers: what a seat sees, and which of the game's moves are legal.

An observation is small integers from the seat's own side: what belongs to the seat is positive, what
belongs to the opponent is negative, and 0 stands for nothing. It begins with

    0  the seat: 0 first, 1 second
    1  whether the seat has to choose now

and continues, from entry 2, with `game.numbers`, which docs/environments.md lists for each game. An
action is the index of a move in `game.moves`. Nothing here tells a seat more than its view.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.games.pattern.rules import Pattern


def observe(state: State[Any], seat: Seat) -> list[int]:
    """What the seat sees."""
    return [int(seat), int(seat in state.movers), *state.game.numbers(state, seat)]


def width(game: Game) -> int:
    """How many numbers an observation of this game has."""
    return len(observe(game.set_up(game.example.setup), Seat.FIRST))


def plane_shape(game: Game) -> tuple[int, int]:
    """The shape of an observation as one-hot planes: a plane for each value, an entry for each number."""
    low, high = game.bounds
    return high - low + 1, width(game)


def planes(game: Game, observations: bytes) -> bytearray:
    """Observations, one after the other, as one-hot planes: 1 where an entry has the plane's value."""
    low, _ = game.bounds
    values, entries = plane_shape(game)
    found = bytearray(len(observations) * values)
    for value in range(values):
        flags = observations.translate(bytes(byte == (low + value) % 256 for byte in range(256)))
        for entry in range(entries):
            found[value * entries + entry :: values * entries] = flags[entry::entries]
    return found


def legal(state: State[Any], seat: Seat) -> list[int]:
    """The actions that are legal for the seat, ascending; empty if it has nothing to choose."""
    moves = state.moves(seat)
    if len(moves) < LONG:
        return _actions(state.game, moves)
    return list(_encode(state.game, moves).actions)


def mask(state: State[Any], seat: Seat) -> bytes:
    """One byte for each move of the game: 1 if it is legal for the seat now, else 0."""
    moves = state.moves(seat)
    if len(moves) < LONG:
        return _flags(state.game, _actions(state.game, moves))
    return _encode(state.game, moves).flags


def count_moves(state: State[Any]) -> int:
    """How many moves led to a position; in a game that can go in circles, the least possible number."""
    longest = state.longest()
    if longest is not None:
        return (state.game.set_up(state.setup).longest() or 0) - longest
    if isinstance(state, Pattern):
        return RETURNED + state.turn if state.recycling else RETURNED - 1 - len(state.pool)
    return 0


class _Encoded(NamedTuple):
    """A list of legal moves, their actions, and a flag for each move of the game."""

    moves: tuple[Any, ...]
    actions: tuple[int, ...]
    flags: bytes


# The rules cache long lists of moves and return the same tuple again, so their actions are cached by its
# identity. The cache holds the tuple, too, so its id cannot be reused. Short lists are quick to encode.
_ENCODED: dict[int, _Encoded] = {}
LONG, CACHED = 17, 1 << 15
RETURNED = 10  # moves of Pattern Match until a number is returned: nine are placed first


def _encode(game: Game, moves: tuple[Any, ...]) -> _Encoded:
    known = _ENCODED.get(id(moves))
    if known is None or known.moves is not moves:
        if len(_ENCODED) >= CACHED:
            _ENCODED.clear()
        actions = tuple(_actions(game, moves))
        known = _ENCODED[id(moves)] = _Encoded(moves, actions, _flags(game, actions))
    return known


def _actions(game: Game, moves: Iterable[Any]) -> list[int]:
    known = game.actions_by_id
    try:  # nearly all rules return the very objects of `game.moves`: no need to hash them
        return [known[id(move)] for move in moves]
    except KeyError:
        return [game.actions[move] for move in moves]


def _flags(game: Game, actions: Iterable[int]) -> bytes:
    flags = bytearray(len(game.moves))
    for action in actions:
        flags[action] = 1
    return bytes(flags)
