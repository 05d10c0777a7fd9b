"""Seeded random play for the tests of the environments."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import ninefold
from ninefold import Seat, State
from tests.setups import Setup

TURNS = 200


def walk(slug: str, setup: Setup, seed: object) -> Iterator[tuple[State[Any], Seat, Any]]:
    """The positions of a random game with the seat and the move chosen in each.

    Where both seats choose, either may be quicker.
    """
    rng = Random(f"{slug} {seed}")
    state = ninefold.load(slug).start(**setup)
    for _ in range(TURNS):
        if not state.movers:
            return
        seat = rng.choice(state.movers)
        move = rng.choice(state.moves(seat))
        yield state, seat, move
        state = state.play(move, seat)
