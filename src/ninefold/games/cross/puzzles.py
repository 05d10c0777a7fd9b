"""Where Number Cross has puzzles, and which of its positions are the same puzzle."""

from __future__ import annotations

from typing import Any

from ninefold.core.grid import COLUMNS, ROWS, smallest
from ninefold.core.puzzles import ALWAYS, Puzzles, Source, Task, Theme, Week, sources
from ninefold.core.seat import SEATS
from ninefold.games.cross.rules import LINES, Cross

COUNT, LEAST, WIN = Task.COUNT, Task.LEAST, Task.WIN


def key(state: Cross) -> tuple[Any, ...]:
    """Each number with the owners of its row and its column, in either order."""
    owners = dict.fromkeys(range(len(LINES)), -1)
    for seat in SEATS:
        owners |= dict.fromkeys(state.claimed[seat::2], int(seat))
    cells = [
        (digit, *sorted((owners[cell // 3], owners[len(ROWS) + cell % len(COLUMNS)])))
        for cell, digit in enumerate(state.grid)
    ]
    return (smallest(cells),)


PUZZLES = Puzzles(
    sources=(
        *sources(WIN, (1, (4,)), (2, (2, 3)), (3, (0, 1))),
        *sources(COUNT, (2, (4,)), (3, (3,)), (4, (2,)), (5, (1,)), (6, (0,))),
        *sources(LEAST, (4, (2,)), (5, (1,)), (6, (0,))),
    ),
    themes={Theme.TIE_BREAK: {WIN: (2, 3), COUNT: (2, 3, 4, 5, 6), LEAST: (5,)}},
    week=Week(
        ALWAYS,
        (
            *sources(WIN, (1, (4,)), (2, (3,)), (2, (2,)), (3, (1,))),
            *sources(LEAST, (4, (2,)), (5, (1,))),
            Source(COUNT, 6, (0,)),
        ),
    ),
    key=key,
    questions={LEAST: "What is the smallest line that still wins?"},
)
