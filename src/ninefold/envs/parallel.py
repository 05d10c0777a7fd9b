"""PettingZoo's parallel interface for games in which both players choose at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from gymnasium import spaces
from pettingzoo import ParallelEnv

from ninefold.core.errors import SetupError
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.envs import drawing
from ninefold.envs.arrays import RENDER_MODES, Observation, observed, rendered, space
from ninefold.envs.table import TURNS, Table

AGENTS = ("player_0", "player_1")  # the first player and the second
SEAT_OF = dict(zip(AGENTS, SEATS, strict=True))
T = TypeVar("T")


def parallel_env(
    slug: str,
    *,
    render_mode: str | None = None,
    turns: int = TURNS,
    truth: bool = False,
    **setup: int | str,
) -> ParallelGameEnv:
    """The game of that slug, as `env`; SetupError if in that game nobody ever chooses in secret."""
    table = Table(slug, turns, **setup)
    table.reset(seed=0)
    if type(table.state).secret is State.secret:
        raise SetupError(f"In {table.game.title} nobody chooses in secret: use env({slug!r}).")
    return ParallelGameEnv(table, render_mode, truth)


class ParallelGameEnv(ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """Both agents act in every step. The last action is to wait: all that an agent without a choice may
    do. What it sends is not looked at."""

    def __init__(self, table: Table, render_mode: str | None, truth: bool) -> None:
        game = table.game
        self.metadata = {"name": f"ninefold_{game.slug}_v0", "render_modes": list(RENDER_MODES)}
        self.table = table
        self.render_mode = render_mode
        self.truth = truth
        self.possible_agents = list(AGENTS)
        actions = len(game.moves) + 1
        self.observation_spaces = {agent: space(game, actions) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self.table.reset(seed)
        self.agents = list(AGENTS)
        return self._each(self._observe), self._each(self._info)

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        table = self.table
        for seat in table.state.movers:
            if not table.terminated:
                table.play(actions[AGENTS[seat]], seat)
        terminated, truncated = table.terminated, table.truncated
        if terminated or truncated:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            self._each(self._observe),
            self._each(table.reward),
            dict.fromkeys(AGENTS, terminated),
            dict.fromkeys(AGENTS, truncated),
            self._each(self._info),
        )

    def _observe(self, seat: Seat) -> Observation:
        return observed(self.table, seat, bytes([seat not in self.table.state.movers]))

    def _info(self, seat: Seat) -> dict[str, Any]:
        return self.table.info(seat, self.truth)

    def _each(self, of: Callable[[Seat], T]) -> dict[str, T]:
        return {AGENTS[seat]: of(seat) for seat in SEATS}

    def render(self) -> str | drawing.Picture | None:
        return rendered(self.table, self.render_mode)

    def close(self) -> None:
        """Nothing is held."""
