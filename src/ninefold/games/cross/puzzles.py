"""Where Number Cross has puzzles, and which of its positions are the same puzzle."""

from __future__ import annotations

from typing import Any

from ninefold.core.grid import COLUMNS, ROWS, smallest
from ninefold.core.puzzles import ALWAYS, Puzzles, Task, Theme, Week, sources
from ninefold.core.seat import SEATS
from ninefold.games.cross.rules import LINES, Cross

COUNT, HEAD_START, LAST, LEAST = Task.COUNT, Task.HEAD_START, Task.LAST, Task.LEAST


def key(state: Cross) -> tuple[Any, ...]:
    """Each number with the owners of its row and its column, in either order."""
    owners = dict.fromkeys(range(len(LINES)), -1)
    for seat in SEATS:
        owners |= dict.fromkeys(state.lines_of(seat), int(seat))
    cells = [
        (digit, *sorted((owners[cell // 3], owners[len(ROWS) + cell % len(COLUMNS)])))
        for cell, digit in enumerate(state.grid)
    ]
    return (smallest(cells),)


PUZZLES = Puzzles(
    sources=(
        *sources(COUNT, (3, (3,)), (4, (2,)), (5, (1,))),
        *sources(LEAST, (5, (1,)), (6, (0,))),
        *sources(HEAD_START, (3, (3,)), (5, (1,))),
        *sources(LAST, (6, (6,))),
    ),
    themes={Theme.TIE_BREAK: {COUNT: (3, 4, 5), LEAST: (5,)}},
    week=Week(
        ALWAYS,
        (
            *sources(HEAD_START, (3, (3,))),
            *sources(COUNT, (4, (2,))),
            *sources(LEAST, (5, (1,))),
            *sources(HEAD_START, (5, (1,))),
            *sources(LEAST, (6, (0,))),
            *sources(LAST, (6, (6,)), (6, (6,))),
        ),
    ),
    key=key,
    questions={LEAST: "What is the smallest line that still wins?"},
)
