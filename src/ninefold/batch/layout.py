"""How a position is written as numbers: what a seat sees, and which of the game's moves it may make.

Everything is small whole numbers from the seat's own side: what is its own is positive, what is the
opponent's negative, nothing is 0. All layouts begin with

    0  the seat: 0 first, 1 second
    1  whether the seat has to choose now

and go on, from entry 2, with

    shadow    9 cells (own number n, opponent's -n), the target
    battle    9 numbers of the grid, 9 owners (1, -1, 0)
    pattern   9 cells of the own grid, 9 of the opponent's
    conquest  16 owners (1, -1, 0; what lies beyond a small board stays 0), the numbers 1 to 5 in the
              own hand (1 or 0), those in the opponent's, the challenged cell (0 for none), who
              challenges (1, -1, 0), the own bid (0 for none), whether the opponent's bid is in, the size
    cross     9 numbers of the grid, the owners of Row1..Row3, Col1..Col3 (1, -1, 0)

A move is its place in `game.moves`. Nothing here shows a seat more than its view does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.games.battle.rules import Battle
from ninefold.games.conquest.rules import CLAIMS, HAND, Conquest
from ninefold.games.cross.rules import Cross
from ninefold.games.pattern.rules import Pattern
from ninefold.games.shadow.rules import Shadow

LOW, HIGH = -9, 20  # bounds of every entry


def observe(state: State[Any], seat: Seat) -> list[int]:
    """What the seat sees."""
    return [int(seat), int(seat in state.movers), *_BODIES[state.game.slug](state, seat)]


def width(game: Game) -> int:
    """How many numbers an observation of this game has."""
    return _WIDTHS[game.slug]


def legal(state: State[Any], seat: Seat) -> list[int]:
    """The places of the seat's legal moves, ascending; empty if it has nothing to choose."""
    places = _places(state.game)
    return [places[id(move)] for move in state.moves(seat)]


def mask(state: State[Any], seat: Seat) -> bytearray:
    """One byte for each move of the game: 1 if the seat may make it now, else 0."""
    flags = bytearray(len(state.game.moves))
    for place in map(_places(state.game).__getitem__, map(id, state.moves(seat))):
        flags[place] = 1
    return flags


def _places(game: Game) -> dict[int, int]:
    return _PLACES.get(game.slug) or _PLACES.setdefault(
        game.slug, {id(move): place for place, move in enumerate(game.moves)}
    )


# By game, the places of its moves by identity: there is one object for each move, and that is several
# times quicker than hashing it.
_PLACES: dict[str, dict[int, int]] = {}


def _shadow(state: Shadow, seat: Seat) -> list[int]:
    cells = [-number for number in state.cells] if seat else state.cells
    return [*cells, state.target]


def _battle(state: Battle, seat: Seat) -> list[int]:
    return [*map(int, state.grid), *_owners(state.owners, seat)]


def _pattern(state: Pattern, seat: Seat) -> list[int]:
    return [*state.grids[seat], *state.grids[seat.other]]


def _conquest(state: Conquest, seat: Seat) -> list[int]:
    beyond = [0] * (len(CLAIMS) - len(state.owners))
    mine, theirs = state.hands[seat], state.hands[seat.other]
    challenger = 0 if state.challenged is None else 1 if state.turn is seat else -1
    return [
        *_owners(state.owners, seat),
        *beyond,
        *[int(number in mine) for number in HAND],
        *[int(number in theirs) for number in HAND],
        state.challenged or 0,
        challenger,
        state.bids[seat] or 0,
        int(state.bids[seat.other] is not None),
        state.size,
    ]


def _cross(state: Cross, seat: Seat) -> list[int]:
    owners = [0] * 6
    for turn, line in enumerate(state.claimed):
        owners[line] = 1 if turn % 2 == seat else -1
    return [*map(int, state.grid), *owners]


def _owners(owners: tuple[Seat | None, ...], seat: Seat) -> list[int]:
    return [0 if owner is None else 1 if owner is seat else -1 for owner in owners]


_BODIES: dict[str, Callable[[Any, Seat], list[int]]] = {
    "shadow": _shadow,
    "battle": _battle,
    "pattern": _pattern,
    "conquest": _conquest,
    "cross": _cross,
}
_WIDTHS = {"shadow": 12, "battle": 20, "pattern": 20, "conquest": 33, "cross": 17}
