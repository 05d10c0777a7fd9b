"""Games of Pattern Match that nobody wins, as written sequences of moves."""

from __future__ import annotations

from random import Random
from typing import Any

from ninefold import load
from ninefold.core.state import State

# Nobody can win anymore, after the ninth number or after the number that is returned.
DEAD_WHEN_PLACED = "3@1,3 6@1,3 9@2,1 5@2,2 7@2,2 4@3,2 2@3,2 8@3,3 1@3,3"
DEAD_WHEN_RETURNED = "3@1,3 6@1,1 9@2,1 5@1,2 7@2,2 8@1,3 2@3,2 4@2,2 1@3,3 return@1,1"

# Both still can, but neither can force it; the second player is to move.
CIRCLE = "6@3,3 9@2,1 5@2,2 7@2,2 3@2,1 8@3,1 1@2,3 4@2,3 2@3,2 return@3,1 swap@2,2"


def endless_moves(count: int) -> list[str]:
    """The first moves of a game that goes on, however many they are."""
    rng, state, found = Random(1), load("pattern").start(), CIRCLE.split()
    for text in found:
        state = state.play(text)
    while len(found) < count:
        moves = [move for move in state.moves() if not _ends(state.play(move))]
        found.append(str(rng.choice(moves)))
        state = state.play(found[-1])
    return found[:count]


def _ends(state: State[Any]) -> bool:
    return state.outcome is not None or state.dead
