"""Where Number Grid Battle has puzzles, and which of its positions are the same puzzle."""

from __future__ import annotations

from typing import Any

from ninefold.core.grid import smallest
from ninefold.core.puzzles import ALWAYS, Puzzles, Task, Week, sources
from ninefold.games.battle.rules import Battle

COUNT, HEAD_START, LAST, LEAST = Task.COUNT, Task.HEAD_START, Task.LAST, Task.LEAST


def key(state: Battle) -> tuple[Any, ...]:
    owners = [-1 if owner is None else int(owner) for owner in state.owners]
    return (smallest(list(zip(state.grid, owners, strict=True))),)


PUZZLES = Puzzles(
    sources=(
        *sources(COUNT, (3, (6,)), (4, (5,)), (5, (4,)), (6, (3,)), (7, (2,))),
        *sources(LEAST, (6, (3,)), (7, (2,))),
        *sources(HEAD_START, (4, (5,))),
        *sources(LAST, (9, (9,))),
    ),
    week=Week(
        ALWAYS,
        (
            *sources(COUNT, (3, (6,))),
            *sources(HEAD_START, (4, (5,))),
            *sources(COUNT, (5, (4,))),
            *sources(LEAST, (6, (3,)), (7, (2,))),
            *sources(LAST, (9, (9,)), (9, (9,))),
        ),
    ),
    key=key,
)
