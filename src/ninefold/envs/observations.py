"""Observations as NumPy arrays, and their spaces."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ninefold.batch import encoding
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.envs.agents import as_planes
from ninefold.study.episode import Episode

Observation = dict[str, NDArray[np.int8]]


def observation_space(game: Game, actions: int, planes: bool) -> spaces.Dict:
    """The space of what `observe` returns."""
    if planes:
        numbers = spaces.Box(0, 1, encoding.plane_shape(game), np.int8)
    else:
        numbers = spaces.Box(*game.bounds, (encoding.width(game),), np.int8)
    return spaces.Dict({"observation": numbers, "action_mask": spaces.Box(0, 1, (actions,), np.int8)})


def observe(episode: Episode, seat: Seat, planes: bool, extra: bytes = b"") -> Observation:
    """What a seat sees, and a flag for each action; `extra` has the flags of actions beyond the moves.

    With `planes`, what it sees is one-hot: 1 where an entry of the observation has the plane's value.
    """
    seen = np.array(episode.observe(seat), np.int8)
    return {
        "observation": as_planes(episode.game, seen) if planes else seen,
        "action_mask": np.frombuffer(episode.mask(seat) + extra, np.int8).copy(),
    }
