"""The games for PettingZoo: `env` asks one agent after the other, `parallel_env` both at once.

An observation is `{"observation", "action_mask"}`; ninefold.batch.encoding explains the first. Rewards
are 1 and -1 at the end, 0 before it and for a game that is cut off. An illegal move loses. Importing this
registers the games if PettingZoo has a registry: `pettingzoo.make("aec", "ninefold/Shadow-v0")`.
"""

from __future__ import annotations

from typing import Any

import pettingzoo
from pettingzoo import AECEnv

from ninefold.batch import LIMIT
from ninefold.core.seat import SEATS
from ninefold.core.state import State
from ninefold.envs.ids import env_id
from ninefold.envs.observations import Observation, observe
from ninefold.envs.parallel import parallel_env
from ninefold.envs.truth import info_of
from ninefold.envs.two_agents import AGENTS, SEAT_OF, TwoAgents
from ninefold.games import with_variants
from ninefold.study.episode import Episode

__all__ = ["AGENTS", "GameEnv", "env", "parallel_env"]


def env(
    slug: str,
    *,
    render_mode: str | None = None,
    limit: int = LIMIT,
    truth: bool = False,
    planes: bool = False,
    **setup: int | str,
) -> GameEnv:
    """The game of that slug.

    With `truth`, infos hold the exact value, the optimal policy and the regrets. With `planes`,
    observations are one-hot.
    """
    return GameEnv(Episode(slug, limit, **setup), render_mode, truth, planes)


class GameEnv(TwoAgents, AECEnv[str, Observation, int]):  # type: ignore[misc]
    """One agent chooses at a time. Where both choose in secret, the challenger is asked first."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.episode.reset(seed, **self.settings(options))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._skip_agent_selection = None
        self._select()

    def _select(self) -> None:
        if movers := self.episode.state.movers:
            self.agent_selection = AGENTS[movers[0]]
        if self.truth or self.episode.illegal:
            self.infos = {AGENTS[seat]: info_of(self.episode, seat, self.truth) for seat in SEATS}
        else:
            self.infos = {agent: {} for agent in AGENTS}

    def observe(self, agent: str) -> Observation:
        return observe(self.episode, SEAT_OF[agent], self.planes)

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to choose: None is only for an agent whose game is over.")
        episode = self.episode
        episode.play(action, SEAT_OF[agent])
        if episode.terminated or episode.truncated:
            self.rewards = {AGENTS[seat]: episode.reward(seat) for seat in SEATS}
            self.terminations = dict.fromkeys(AGENTS, episode.terminated)
            self.truncations = dict.fromkeys(AGENTS, episode.truncated)
            self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()


if hasattr(pettingzoo, "register"):
    for _game in with_variants():
        _id, _kwargs = env_id(_game.slug), {"slug": _game.slug}
        pettingzoo.register("aec", _id, f"{__name__}:env", kwargs=_kwargs)
        if type(_game.set_up(_game.example.setup)).secret is not State.secret:
            pettingzoo.register("parallel", _id, f"{__name__}:parallel_env", kwargs=_kwargs)
