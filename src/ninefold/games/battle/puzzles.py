"""Where Number Grid Battle has puzzles, and which of its positions are the same puzzle."""

from __future__ import annotations

from typing import Any

from ninefold.core.grid import smallest
from ninefold.core.puzzles import ALWAYS, Puzzles, Source, Task, Week, sources
from ninefold.games.battle.rules import Battle

COUNT, LEAST, WIN = Task.COUNT, Task.LEAST, Task.WIN


def key(state: Battle) -> tuple[Any, ...]:
    owners = [-1 if owner is None else int(owner) for owner in state.owners]
    return (smallest(list(zip(state.grid, owners, strict=True))),)


PUZZLES = Puzzles(
    sources=(
        *sources(WIN, (1, (7,)), (2, (5, 6)), (3, (3, 4)), (4, (1, 2))),
        *sources(COUNT, (2, (7,)), (3, (6,)), (4, (5,)), (5, (4,)), (6, (3,)), (7, (2,))),
        *sources(LEAST, (4, (5,)), (5, (4,)), (6, (3,)), (7, (2,))),
    ),
    week=Week(
        ALWAYS,
        (
            *sources(WIN, (1, (7,)), (2, (6,)), (2, (5,))),
            Source(LEAST, 4, (5,)),
            Source(COUNT, 5, (4,)),
            Source(LEAST, 6, (3,)),
            Source(COUNT, 7, (2,)),
        ),
    ),
    key=key,
)
