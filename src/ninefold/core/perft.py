"""Perft, the usual check of a rules engine: counts the sequences of turns from a position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ninefold.core.state import State
from ninefold.core.turns import ends_turn


def turns(state: State[Any]) -> Iterator[State[Any]]:
    """The positions one turn later, one for each way to play the turn.

    Secret choices end a turn together, so a challenge counts once for each pair of numbers.
    """
    seat = state.movers[0]
    for move in state.moves(seat):
        later = state.after(move, seat)
        if ends_turn(state, later):
            yield later
        else:
            yield from turns(later)


def perft(state: State[Any], depth: int, known: dict[tuple[State[Any], int], int] | None = None) -> int:
    """How many sequences of `depth` turns start here. A game that ends sooner counts once.

    `known` is a cache that calls may share.
    """
    if depth <= 0 or state.outcome is not None:
        return 1
    if known is None:
        known = {}
    key = (state, depth)
    if (count := known.get(key)) is None:
        later = turns(state)
        count = sum(1 for _ in later) if depth == 1 else sum(perft(s, depth - 1, known) for s in later)
        known[key] = count
    return count
