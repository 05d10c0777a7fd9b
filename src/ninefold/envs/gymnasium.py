"""The games for Gymnasium: one agent against an opponent, with ids like `ninefold/Shadow-v0`.

Importing this module registers the ids. Gymnasium imports it by itself if an id begins with its name:
`gymnasium.make("ninefold.envs.gymnasium:ninefold/Shadow-v0")`. Observations are as for PettingZoo.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ninefold.batch import LIMIT
from ninefold.core.seat import SEATS
from ninefold.envs.agents import read_seat, seat_agent
from ninefold.envs.ids import env_id
from ninefold.envs.observations import Observation, observation_space, observe
from ninefold.envs.render import RENDER_MODES, render
from ninefold.envs.truth import info_of
from ninefold.games import with_variants
from ninefold.study.episode import Episode

if TYPE_CHECKING:
    from ninefold.envs.render import Picture


class GameEnv(gymnasium.Env[Observation, int]):
    """One agent against an opponent.

    The agent has the seat `first`, `second` or `random`, which is drawn for each game. The opponent is
    a player's name or any other agent (see ninefold.envs.agents). The reward is 1 or -1 at the end, 0 if
    the game is cut off; an illegal move loses, and so does an opponent that fails or takes more than
    `seconds` for a move. With `truth`, infos hold exact values; with `planes`, observations are one-hot.
    Options of `reset` are a seat and settings for one game.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        slug: str,
        opponent: Any = "random",
        seat: str | int = "random",
        render_mode: str | None = None,
        limit: int = LIMIT,
        truth: bool = False,
        planes: bool = False,
        seconds: float | None = None,
        **setup: int | str,
    ) -> None:
        self.episode = Episode(slug, limit, **setup)
        self.render_mode = render_mode
        self.truth = truth
        self.planes = planes
        self._wanted = read_seat(seat)
        self._rng = Random()
        self._opponent = seat_agent(opponent, self._rng, seconds)
        actions = len(self.episode.game.moves)
        self.observation_space: spaces.Space[Any] = observation_space(self.episode.game, actions, planes)
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
        self.episode.reset(self._rng.getrandbits(62), **settings)
        self._let_opponent_play()
        return observe(self.episode, self.seat, self.planes), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        episode = self.episode
        episode.play(action, self.seat)
        self._let_opponent_play()
        seen, reward = observe(episode, self.seat, self.planes), float(episode.reward(self.seat))
        if self.render_mode == "human":
            self.render()
        return seen, reward, episode.terminated, episode.truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, as MaskablePPO asks for it."""
        return np.frombuffer(self.episode.mask(self.seat), bool).copy()

    def _let_opponent_play(self) -> None:
        """Let the opponent play until the agent has a choice. If the opponent fails, the agent wins."""
        episode = self.episode
        while not (episode.terminated or episode.truncated or self.seat in episode.state.movers):
            episode.ask(self._opponent, self.seat.other)

    def _info(self) -> dict[str, Any]:
        return {"seat": int(self.seat)} | info_of(self.episode, self.seat, self.truth)

    def render(self) -> str | Picture | None:
        return render(self.episode.state, self.render_mode)

    def close(self) -> None:
        self._opponent.close()


for _game in with_variants():
    gymnasium.register(
        env_id(_game.slug),
        entry_point="ninefold.envs.gymnasium:GameEnv",
        vector_entry_point="ninefold.envs.vector:GameVectorEnv",
        kwargs={"slug": _game.slug},
    )
