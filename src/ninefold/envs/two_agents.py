"""What PettingZoo's two kinds of environment share: the agents, their spaces, rendering."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gymnasium import spaces

from ninefold.core.seat import SEATS
from ninefold.envs.observations import observation_space
from ninefold.envs.render import RENDER_MODES, render
from ninefold.study.episode import Episode

if TYPE_CHECKING:
    from ninefold.envs.render import Picture

AGENTS = ("player_0", "player_1")  # the first player and the second
SEAT_OF = dict(zip(AGENTS, SEATS, strict=True))


class TwoAgents:
    """A game with an agent in each seat. Its actions are the game's moves and `extra_actions` more."""

    extra_actions = 0

    def __init__(self, episode: Episode, render_mode: str | None, truth: bool, planes: bool) -> None:
        game = episode.game
        self.metadata = {"name": f"ninefold_{game.slug}_v0", "render_modes": list(RENDER_MODES)}
        self.episode = episode
        self.render_mode = render_mode
        self.truth = truth
        self.planes = planes
        self.possible_agents = list(AGENTS)
        actions = len(game.moves) + self.extra_actions
        self.observation_spaces = {agent: observation_space(game, actions, planes) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        return self.action_spaces[agent]

    def settings(self, options: dict[str, Any] | None) -> dict[str, Any]:
        """The options of a reset that are settings of the game, for one game only."""
        names = [option.name for option in self.episode.game.options]
        return {name: value for name, value in (options or {}).items() if name in names}

    def render(self) -> str | Picture | None:
        return render(self.episode.state, self.render_mode)

    def close(self) -> None:
        """Do nothing: the games hold no resources."""
