"""The games for Gymnasium: one agent against an opponent, with ids like `ninefold/Shadow-v0`.

Importing this module registers the ids. Observations are as for PettingZoo.
"""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ninefold.batch import TURNS
from ninefold.core.seat import SEATS
from ninefold.envs.answers import seat_agent
from ninefold.envs.arrays import RENDER_MODES, Observation, Picture, observed, rendered, space
from ninefold.envs.table import Table, read_seat
from ninefold.games import SLUGS


class GameEnv(gymnasium.Env[Observation, int]):
    """The agent sits on `seat` (first, second, or random: drawn for each game), the opponent on the
    other: a player's name, or any agent of ninefold.envs.answers. The reward is 1 or -1 at the end, 0 if
    the game is cut off; an illegal move loses. Options of `reset` are a seat and settings for one game.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        slug: str,
        opponent: Any = "random",
        seat: str | int = "random",
        render_mode: str | None = None,
        turns: int = TURNS,
        truth: bool = False,
        **setup: int | str,
    ) -> None:
        self.table = Table(slug, turns, **setup)
        self.render_mode = render_mode
        self.truth = truth
        self._wanted = read_seat(seat)
        self._rng = Random()
        self._opponent = seat_agent(opponent, self._rng)
        actions = len(self.table.game.moves)
        self.observation_space: spaces.Space[Any] = space(self.table.game, actions)
        self.action_space: spaces.Space[Any] = spaces.Discrete(actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self._rng.seed(int(self.np_random.integers(2**62)))
        settings = dict(options or {})
        wanted = read_seat(settings.pop("seat")) if "seat" in settings else self._wanted
        drawn = SEATS[self._rng.randrange(2)]
        self.seat = drawn if wanted is None else wanted
        self.table.reset(self._rng.getrandbits(62), **settings)
        self._answer()
        return observed(self.table, self.seat), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        table = self.table
        table.play(action, self.seat)
        self._answer()
        seen, reward = observed(table, self.seat), float(table.reward(self.seat))
        if self.render_mode == "human":
            self.render()
        return seen, reward, table.terminated, table.truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, as MaskablePPO asks for it."""
        return np.frombuffer(self.table.mask(self.seat), bool).copy()

    def _answer(self) -> None:
        """The opponent plays until the agent has a choice. If it breaks down, the agent wins."""
        table = self.table
        while not (table.terminated or table.truncated or self.seat in table.state.movers):
            table.ask(self._opponent, self.seat.other)

    def _info(self) -> dict[str, Any]:
        return {"seat": int(self.seat)} | self.table.info(self.seat, self.truth)

    def render(self) -> str | Picture | None:
        return rendered(self.table, self.render_mode)

    def close(self) -> None:
        self._opponent.close()


for _slug in SLUGS:
    gymnasium.register(
        f"ninefold/{_slug.capitalize()}-v0",
        entry_point="ninefold.envs.gymnasium:GameEnv",
        vector_entry_point="ninefold.envs.vector:GameVectorEnv",
        kwargs={"slug": _slug},
    )
