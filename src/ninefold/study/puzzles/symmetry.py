"""Tells which positions are the same puzzle: those that differ only by a symmetry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ninefold.core.grid import COLUMNS, ROWS
from ninefold.core.seat import SEATS
from ninefold.core.state import State
from ninefold.games.battle.rules import Battle
from ninefold.games.conquest.rules import Conquest
from ninefold.games.cross.rules import LINES, Cross
from ninefold.games.pattern.rules import Pattern
from ninefold.games.shadow.rules import Shadow

Key = tuple[Any, ...]


@cache
def pictures(size: int) -> tuple[tuple[int, ...], ...]:
    """The eight symmetries of a square grid: for each place, the cell whose content goes there."""
    found = []
    for flip in (False, True):
        rows = [list(range(k * size, (k + 1) * size)) for k in range(size)]
        if flip:
            rows = [row[::-1] for row in rows]
        for _ in range(4):
            found.append(tuple(cell for row in rows for cell in row))
            rows = [list(column) for column in zip(*rows[::-1], strict=True)]
    return tuple(found)


def smallest(cells: Sequence[Any], size: int = 3) -> tuple[Any, ...]:
    """The smallest of a grid's symmetric images, the same for all of them."""
    return min(tuple([cells[cell] for cell in picture]) for picture in pictures(size))


def key_of(state: State[Any]) -> Key:
    """A key that symmetric positions share, whatever moves led there, and most others do not.

    Besides rotations and reflections, writing 10-n for every number n is a symmetry in Shadow Grid Duel,
    where it turns the target T into 30-T, and in Pattern Match. There, each grid can also be rotated and
    reflected by itself.
    """
    find = _KEYS.get(type(state))
    return (state.game.slug, *(find(state) if find else (state,)))


def _shadow(state: Shadow) -> Key:
    inverse = [(10 - abs(n)) * (1 if n > 0 else -1) if n else 0 for n in state.cells]
    return min((state.target, smallest(state.cells)), (30 - state.target, smallest(inverse)))


def _pattern(state: Pattern) -> Key:
    inverse = [[10 - n if n else 0 for n in grid] for grid in state.grids]
    either = (tuple(smallest(grid) for grid in grids) for grids in (state.grids, inverse))
    return (int(state.turn), min(either))


def _battle(state: Battle) -> Key:
    owners = [-1 if owner is None else int(owner) for owner in state.owners]
    return (smallest(list(zip(state.grid, owners, strict=True))),)


def _cross(state: Cross) -> Key:
    """Each number with the owners of its row and its column, in either order."""
    owners = dict.fromkeys(range(len(LINES)), -1)
    for seat in SEATS:
        owners |= dict.fromkeys(state.claimed[seat::2], int(seat))
    cells = [
        (digit, *sorted((owners[cell // 3], owners[len(ROWS) + cell % len(COLUMNS)])))
        for cell, digit in enumerate(state.grid)
    ]
    return (smallest(cells),)


def _conquest(state: Conquest) -> Key:
    cells = [
        (-1 if owner is None else int(owner), cell == state.challenged)
        for cell, owner in enumerate(state.owners, 1)
    ]
    board = smallest(cells, state.size)
    return (state.size, board, state.hands, int(state.turn), state.cells_alone)


_KEYS: dict[type, Callable[[Any], Key]] = {
    Shadow: _shadow,
    Pattern: _pattern,
    Battle: _battle,
    Cross: _cross,
    Conquest: _conquest,
}
