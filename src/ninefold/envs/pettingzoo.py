"""The games for PettingZoo: `env` one agent after the other, `parallel_env` both at once.

An observation is `{"observation", "action_mask"}`; ninefold.batch.layout draws the first. Rewards are
1 and -1 at the end, 0 before it and for a game that is cut off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from ninefold.batch import layout
from ninefold.core.errors import SetupError
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.envs import drawing
from ninefold.envs.table import TURNS, Table

AGENTS = ("player_0", "player_1")  # the first player and the second
Observation = dict[str, NDArray[np.int8]]


def env(
    slug: str,
    *,
    render_mode: str | None = None,
    turns: int = TURNS,
    truth: bool = False,
    **setup: int | str,
) -> GameEnv:
    """The game of that slug. With `truth`, infos hold the exact value and the optimal policy."""
    return GameEnv(Table(slug, turns, **setup), render_mode, truth)


def parallel_env(
    slug: str,
    *,
    render_mode: str | None = None,
    turns: int = TURNS,
    truth: bool = False,
    **setup: int | str,
) -> ParallelGameEnv:
    """The same for games in which both choose at once; an agent that has no choice waits."""
    table = Table(slug, turns, **setup)
    table.reset(seed=0)
    if type(table.state).secret is State.secret:
        raise SetupError(f"In {table.game.title} the players never choose at once: use env({slug!r}).")
    return ParallelGameEnv(table, render_mode, truth)


class _Drawn:
    """What both kinds of environment have: spaces by agent, and drawing."""

    metadata: dict[str, Any]

    def _set_up(self, table: Table, render_mode: str | None, truth: bool, actions: int) -> None:
        self.metadata = {"name": f"ninefold_{table.game.slug}_v0", "render_modes": ["human", "ansi", "rgb_array"]}
        self.metadata |= {"is_parallelizable": False, "render_fps": 1}
        self.table = table
        self.render_mode = render_mode
        self.truth = truth
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        numbers = spaces.Box(layout.LOW, layout.HIGH, (layout.width(table.game),), np.int8)
        flags = spaces.Box(0, 1, (actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": numbers, "action_mask": flags}) for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def render(self) -> str | drawing.Picture | None:
        if self.render_mode == "rgb_array":
            return drawing.picture(self.table.state)
        if self.render_mode == "human":
            print(drawing.text(self.table.state))
            return None
        return drawing.text(self.table.state)

    def close(self) -> None:
        """Nothing is held."""


class GameEnv(_Drawn, AECEnv[str, Observation, int | None]):
    """One agent chooses at a time. Where both choose in secret, the challenger is asked first."""

    def __init__(self, table: Table, render_mode: str | None, truth: bool) -> None:
        self._set_up(table, render_mode, truth, len(table.game.moves))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.table.reset(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._skip_agent_selection = None
        self._select()

    def _select(self) -> None:
        movers = self.table.state.movers
        if movers:
            self.agent_selection = AGENTS[movers[0]]
        self.infos = {agent: self.table.info(seat, self.truth) for seat, agent in zip(SEATS, AGENTS, strict=True)}

    def observe(self, agent: str) -> Observation:
        seat = SEATS[AGENTS.index(agent)]
        return {
            "observation": np.array(self.table.observe(seat), np.int8),
            "action_mask": np.frombuffer(self.table.mask(seat), np.int8),
        }

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self.table
        table.play(action, SEATS[AGENTS.index(agent)])
        self._cumulative_rewards[agent] = 0
        if table.terminated or table.truncated:
            self.rewards = {agent: table.reward(seat) for seat, agent in zip(SEATS, AGENTS, strict=True)}
            self.terminations = dict.fromkeys(AGENTS, table.terminated)
            self.truncations = dict.fromkeys(AGENTS, table.truncated)
            self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()
