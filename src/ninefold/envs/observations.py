"""Observations as NumPy arrays, and the spaces they lie in."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ninefold.batch import layout
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.envs import drawing
from ninefold.envs.table import Table

Picture = NDArray[np.uint8]
Observation = dict[str, NDArray[np.int8]]
RENDER_MODES = ("human", "ansi", "rgb_array")


def space(game: Game, actions: int) -> spaces.Dict:
    """Of `observed`: the numbers of the layout, and a flag for each action."""
    numbers = spaces.Box(*game.bounds, (layout.width(game),), np.int8)
    return spaces.Dict({"observation": numbers, "action_mask": spaces.Box(0, 1, (actions,), np.int8)})


def observed(table: Table, seat: Seat, further: bytes = b"") -> Observation:
    """What a seat sees, and what it may do; `further` are flags of actions that are no moves."""
    return {
        "observation": np.array(table.observe(seat), np.int8),
        "action_mask": np.frombuffer(table.mask(seat) + further, np.int8).copy(),
    }


def rendered(table: Table, mode: str | None) -> str | Picture | None:
    """The position for a render mode; `human` prints it."""
    if mode == "rgb_array":
        return drawing.picture(table.state)
    if mode == "ansi":
        return drawing.text(table.state)
    if mode == "human":
        print(drawing.text(table.state))
    return None
