"""Observations as NumPy arrays, and their spaces."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ninefold.batch import encoding
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.envs.episode import Episode

Observation = dict[str, NDArray[np.int8]]


def observation_space(game: Game, actions: int) -> spaces.Dict:
    """The space of what `observe` returns."""
    numbers = spaces.Box(*game.bounds, (encoding.width(game),), np.int8)
    return spaces.Dict({"observation": numbers, "action_mask": spaces.Box(0, 1, (actions,), np.int8)})


def observe(episode: Episode, seat: Seat, extra: bytes = b"") -> Observation:
    """What a seat sees, and a flag for each action; `extra` has the flags of actions beyond the moves."""
    return {
        "observation": np.array(episode.observe(seat), np.int8),
        "action_mask": np.frombuffer(episode.mask(seat) + extra, np.int8).copy(),
    }
