"""PettingZoo's parallel interface for games in which both players choose at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pettingzoo import ParallelEnv

from ninefold.batch import TURNS
from ninefold.core.errors import SetupError
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.envs.agents import AGENTS, TwoAgents
from ninefold.envs.arrays import Observation, observed
from ninefold.envs.table import Table

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


class ParallelGameEnv(TwoAgents, ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """Both agents act in every step. The last action is to wait: all that an agent without a choice may
    do. What it sends is not looked at."""

    more = 1

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self.table.reset(seed, **self.settings(options))
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
