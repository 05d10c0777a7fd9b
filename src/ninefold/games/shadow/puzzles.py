"""Where Shadow Grid Duel has puzzles, and which of its positions are the same puzzle."""

from __future__ import annotations

from random import Random
from typing import Any

from ninefold.core.grid import smallest
from ninefold.core.move import Move
from ninefold.core.puzzles import ALWAYS, Puzzles, Source, Task, Theme, Week, sources
from ninefold.core.state import Setup
from ninefold.games.shadow.rules import PLACES, Shadow

LAST, LOSE, WIN = Task.LAST, Task.LOSE, Task.WIN


def far_duel(rng: Random) -> tuple[Setup, list[Move]]:
    """A position after two moves: a number on an edge, and the opponent's 8 or 9 beside it.

    Only these positions, and those with 10-n for every number n, have a single winning move that wins in
    seven moves.
    """
    target, own, large = rng.choice((10, 11)), rng.randrange(4, 8), rng.choice((8, 9))
    if rng.random() < 0.5:
        target, own, large = 30 - target, 10 - own, 10 - large
    edge, corner = rng.choice(
        (
            *((1, 0), (1, 2), (3, 0), (3, 6)),
            *((5, 2), (5, 8), (7, 6), (7, 8)),
        )
    )
    return {"target": target}, [PLACES[own, edge], PLACES[large, corner]]


def key(state: Shadow) -> tuple[Any, ...]:
    """Besides rotations and reflections: with 10-n for every number n, the target T becomes 30-T."""
    inverse = [(10 - abs(n)) * (1 if n > 0 else -1) if n else 0 for n in state.cells]
    return min((state.target, smallest(state.cells)), (30 - state.target, smallest(inverse)))


PUZZLES = Puzzles(
    sources=(
        *sources(WIN, (1, (4, 5, 6, 7, 8)), (2, (4, 6))),
        Source(WIN, 4, (2,), far_duel, rare=True),
        *sources(LOSE, (2, (5,))),
        *sources(LAST, (9, (9,))),
    ),
    themes={Theme.AT_ONCE: {WIN: (1,)}, Theme.BLOCK: {WIN: (2,)}, Theme.DOUBLE: {WIN: (2,)}},
    week=Week(
        ALWAYS,
        (
            *sources(WIN, (1, (8,)), (1, (6,)), (2, (6,)), (2, (4,))),
            *sources(LOSE, (2, (5,))),
            *sources(LAST, (9, (9,)), (9, (9,))),
        ),
    ),
    key=key,
)
