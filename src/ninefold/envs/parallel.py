"""PettingZoo's parallel interface for games in which both players choose at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pettingzoo import ParallelEnv

from ninefold.batch import LIMIT
from ninefold.core.errors import SetupError
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.envs.observations import Observation, observe
from ninefold.envs.truth import info_of
from ninefold.envs.two_agents import AGENTS, TwoAgents
from ninefold.study.episode import Episode

T = TypeVar("T")


def parallel_env(
    slug: str,
    *,
    render_mode: str | None = None,
    limit: int = LIMIT,
    truth: bool = False,
    planes: bool = False,
    **setup: int | str,
) -> ParallelGameEnv:
    """The game of that slug, as `env` makes it. Raises SetupError if it has no secret choices."""
    episode = Episode(slug, limit, **setup)
    episode.reset(seed=0)
    if type(episode.state).secret is State.secret:
        raise SetupError(f"In {episode.game.title} nobody chooses in secret: use env({slug!r}).")
    return ParallelGameEnv(episode, render_mode, truth, planes)


class ParallelGameEnv(TwoAgents, ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """Both agents act in every step.

    The last action is to wait. It is the only legal one for an agent that has nothing to choose; whatever
    such an agent sends is ignored.
    """

    extra_actions = 1

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self.episode.reset(seed, **self.settings(options))
        self.agents = list(AGENTS)
        return self._each(self._observe), self._each(self._info)

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        episode = self.episode
        for seat in episode.state.movers:
            if not episode.terminated:
                episode.play(actions[AGENTS[seat]], seat)
        terminated, truncated = episode.terminated, episode.truncated
        if terminated or truncated:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            self._each(self._observe),
            self._each(episode.reward),
            dict.fromkeys(AGENTS, terminated),
            dict.fromkeys(AGENTS, truncated),
            self._each(self._info),
        )

    def _observe(self, seat: Seat) -> Observation:
        return observe(self.episode, seat, self.planes, bytes([seat not in self.episode.state.movers]))

    def _info(self, seat: Seat) -> dict[str, Any]:
        return info_of(self.episode, seat, self.truth)

    def _each(self, of: Callable[[Seat], T]) -> dict[str, T]:
        return {AGENTS[seat]: of(seat) for seat in SEATS}
