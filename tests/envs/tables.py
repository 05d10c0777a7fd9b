"""Every game with the setups that the environments are tried with, and seeded random play."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import ninefold
from ninefold import Seat, State

Setup = dict[str, Any]
GRIDS = ("792415863", "123456789", "492357816", "519283746")
SETUPS: list[tuple[str, Setup]] = [
    *[("shadow", Setup(target=target)) for target in range(10, 21)],
    *[("battle", Setup(grid=grid)) for grid in GRIDS],
    ("pattern", {}),
    *[("conquest", Setup(size=size)) for size in (2, 3, 4)],
    *[("cross", Setup(grid=grid)) for grid in GRIDS],
]
IDS = ["-".join([slug, *map(str, setup.values())]) for slug, setup in SETUPS]
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
