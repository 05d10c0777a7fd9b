"""Where Pattern Match has puzzles, and which of its positions are the same puzzle."""

from __future__ import annotations

from typing import Any

from ninefold.core.grid import smallest
from ninefold.core.puzzles import ALWAYS, Puzzles, Source, Task, Theme, Week, sources
from ninefold.games.pattern.rules import Pattern

LOSE, SAVE, WIN = Task.LOSE, Task.SAVE, Task.WIN


def key(state: Pattern) -> tuple[Any, ...]:
    """Each grid can be rotated and reflected by itself; 10-n for every number n is a symmetry, too."""
    inverse = [[10 - n if n else 0 for n in grid] for grid in state.grids]
    either = (tuple(smallest(grid) for grid in grids) for grids in (state.grids, inverse))
    return (int(state.turn) + 2 * state.first_returned, min(either))


PUZZLES = Puzzles(
    sources=(
        *sources(WIN, (1, (5, 7, 11)), *((grade, (8,)) for grade in range(3, 10))),
        *sources(SAVE, (1, (9, 13)), (4, (9,)), (5, (9,)), (6, (7, 9)), (7, (7, 9)), (8, (7, 9))),
        *sources(LOSE, (1, (10, 12, 14))),
    ),
    themes={
        Theme.AT_ONCE: {WIN: (1,)},
        Theme.BLOCK: {SAVE: (4, 5, 6, 7)},
        Theme.QUIET: {WIN: (7, 8, 9), SAVE: (6, 7, 8)},
        Theme.LAST_NUMBER: {WIN: (3, 4, 5, 6, 7, 8, 9)},
    },
    week=Week(
        ALWAYS,
        (
            *sources(WIN, (1, (7,))),
            *sources(LOSE, (1, (10, 12, 14))),
            *sources(WIN, (3, (8,))),
            Source(SAVE, 5, (9,)),
            Source(WIN, 5, (8,)),
            Source(SAVE, 6, (7, 9)),
            Source(WIN, 7, (8,)),
        ),
    ),
    key=key,
)
