"""What PettingZoo's two kinds of environment have alike: the agents, their spaces, the picture."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces

from ninefold.core.seat import SEATS
from ninefold.envs.arrays import RENDER_MODES, Picture, rendered, space
from ninefold.envs.table import Table

AGENTS = ("player_0", "player_1")  # the first player and the second
SEAT_OF = dict(zip(AGENTS, SEATS, strict=True))


class TwoAgents:
    """A table with an agent on each side, who may do as many things as a game has moves, and `more`."""

    more = 0

    def __init__(self, table: Table, render_mode: str | None, truth: bool) -> None:
        game = table.game
        self.metadata = {"name": f"ninefold_{game.slug}_v0", "render_modes": list(RENDER_MODES)}
        self.table = table
        self.render_mode = render_mode
        self.truth = truth
        self.possible_agents = list(AGENTS)
        actions = len(game.moves) + self.more
        self.observation_spaces = {agent: space(game, actions) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        return self.action_spaces[agent]

    def settings(self, options: dict[str, Any] | None) -> dict[str, Any]:
        """The settings of the game among the options of a reset: they are for one game."""
        names = [option.name for option in self.table.game.options]
        return {name: value for name, value in (options or {}).items() if name in names}

    def render(self) -> str | Picture | None:
        return rendered(self.table, self.render_mode)

    def close(self) -> None:
        """Nothing is held."""
