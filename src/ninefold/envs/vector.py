"""Many games at once for Gymnasium: a native vector environment over ninefold.batch.

`gymnasium.make_vec("ninefold/Shadow-v0", num_envs=4096, vectorization_mode="vector_entry_point")`
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ninefold.batch import CUT_OFF, NO_ACTION, NOBODY, ON, TURNS, WON, Batch
from ninefold.core.errors import SetupError, quoted
from ninefold.core.seat import SEATS
from ninefold.envs.arrays import Observation, space

SEAT_NAMES = (*map(str, SEATS), "random")
Policy = Callable[[NDArray[np.int8], NDArray[np.uint8]], NDArray[Any]]  # observations, masks -> actions


class GameVectorEnv(VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """One agent in many games, as GameEnv. A game that is over begins again at the next step.

    The opponent is `random`, drawn by the kernel, or a function of all observations and masks.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        slug: str,
        num_envs: int = 1,
        opponent: str | Policy = "random",
        seat: str = "random",
        turns: int = TURNS,
        threads: int = 1,
        render_mode: str | None = None,
        **setup: Any,
    ) -> None:
        if seat not in SEAT_NAMES:
            raise SetupError(f"{quoted(seat)} is not a seat. It must be one of {', '.join(SEAT_NAMES)}.")
        if isinstance(opponent, str) and opponent != "random":
            raise SetupError(f"{quoted(opponent)} is not an opponent. It must be random, or a function.")
        self.batch = Batch(slug, num_envs, turns=turns, threads=threads, **setup)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._opponent = opponent
        self._wanted = SEAT_NAMES.index(seat)
        self.seats = np.zeros(num_envs, np.int8)
        self.movers, self.status = np.asarray(self.batch.movers), np.asarray(self.batch.status)
        self.winners = np.asarray(self.batch.winners)
        actions = len(self.batch.game.moves)
        self.single_observation_space: spaces.Space[Any] = space(self.batch.game, actions)
        self.single_action_space: spaces.Space[Any] = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        first = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=first)
        self.batch.reset(int(self.np_random.integers(2**62)))
        self._sit_down(np.ones(self.num_envs, bool))
        self._answer()
        return self._observe(), {"seat": self.seats.copy()}

    def _sit_down(self, where: NDArray[np.bool_]) -> None:
        if SEAT_NAMES[self._wanted] == "random":
            self.seats[where] = self.np_random.integers(0, 2, int(where.sum()), np.int8)
        else:
            self.seats[where] = self._wanted

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        begins = self.status != ON
        chosen = np.asarray(actions, np.int32)
        refused = len(self.batch.game.moves)  # no move: an agent cannot leave its game as it is
        self.batch.step(np.where(chosen == NO_ACTION, refused, chosen).astype(np.int32).data)
        self._sit_down(begins)
        self._answer()
        rewards = np.where(self.winners == NOBODY, 0.0, np.where(self.winners == self.seats, 1.0, -1.0))
        over = self.status == WON, self.status == CUT_OFF
        return self._observe(), rewards, *over, {"seat": self.seats.copy()}

    def _answer(self) -> None:
        """The opponent plays wherever it has a choice and the agent has none."""
        while (waiting := (self.status == ON) & (self.movers != self.seats)).any():
            if callable(self._opponent):
                self.batch.look()
                seen, masks = np.asarray(self.batch.observations), np.asarray(self.batch.masks)
                replies = np.asarray(self._opponent(seen, masks))
            else:
                replies = np.asarray(self.batch.sample())
            self.batch.step(np.where(waiting, replies, NO_ACTION).astype(np.int32).data)

    def _observe(self) -> Observation:
        self.batch.look(self.seats.data)
        return {
            "observation": np.array(self.batch.observations, np.int8),
            "action_mask": np.array(self.batch.masks, np.int8),
        }
