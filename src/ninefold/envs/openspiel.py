"""The games for OpenSpiel: importing this registers `ninefold_shadow(target=15)` and the others.

Secret choices are simultaneous nodes. An information state is the setup and the position: everything is
public, since the two numbers of a challenge are played together. A game is cut off, with returns of 0,
after `limit` nodes and as soon as nobody can win any more.

A setting that is not given comes from the game's example, or is drawn if there is a `seed`. `start` is a
sequence of moves to begin after, with a / where a move has a comma: `start=5@1/1 7@2/2`. In Grid
Conquest `first_hand=13` and `second_hand=23` leave the players only these numbers, for small games.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pyspiel

from ninefold.batch import encoding
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.envs.openspiel_setup import (
    SpielObserver,
    as_parameters,
    begin,
    game_info,
    game_type,
    observation,
)
from ninefold.envs.render import render_text
from ninefold.games import every_game, load


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games with its settings. OpenSpiel registers a subclass for each game."""

    ours: Game
    kind: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = self.kind.parameter_specification | (params or {})
        self.limit = int(given["limit"])
        self.start = begin(self.ours, given)
        super().__init__(self.kind, game_info(self.ours, self.start, self.limit), params or {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        return SpielObserver(self.ours, iig_obs_type)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """One of our positions, and how many nodes led to it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.ours: State[Any] = game.start
        self.limit = game.limit
        self.played = 0  # nodes

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        movers = self.ours.movers
        return int(pyspiel.PlayerId.SIMULTANEOUS) if len(movers) > 1 else int(movers[0])

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(encoding.legal(self.ours, SEATS[player]))

    def _apply_action(self, action: int) -> None:
        self._play([(self.ours.movers[0], action)])

    def _apply_actions(self, actions: list[int]) -> None:
        self._play([(seat, actions[seat]) for seat in self.ours.movers])

    def _play(self, chosen: list[tuple[Any, int]]) -> None:
        moves = self.ours.game.moves
        for seat, action in chosen:
            self.ours = self.ours.play(moves[action], seat)
        self.played += 1

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.ours.game.moves[action])

    def is_terminal(self) -> bool:
        over = self.ours.outcome is not None or self.ours.dead
        return over or self.played >= self.limit

    def returns(self) -> list[float]:
        if (outcome := self.ours.outcome) is None:
            return [0.0, 0.0]
        return [1.0 if outcome.winner is seat else -1.0 for seat in SEATS]

    def __str__(self) -> str:
        """The board, and below it the first player's observation, which tells all positions apart."""
        return f"{render_text(self.ours)}{observation(self.ours, 0)}"


def ask_openspiel(agent: Any) -> Callable[[State[Any], Seat], Any]:
    """A function that asks a policy or a bot of OpenSpiel to choose in one of our positions.

    A bot is restarted before each question, so it knows the position but not the moves that led to it.
    """

    def decide(state: State[Any], seat: Seat) -> Any:
        node = _game_of(state.game.slug, tuple(state.setup.items())).new_initial_state()
        node.ours = state
        if hasattr(agent, "action_probabilities"):
            return agent.action_probabilities(node, int(seat))
        agent.restart()
        return agent.step(node)

    return decide


@lru_cache(maxsize=1024)
def _game_of(slug: str, setup: tuple[tuple[str, int | str], ...]) -> pyspiel.Game:
    return pyspiel.load_game(f"ninefold_{slug}", as_parameters(load(slug), dict(setup)))


for _game in every_game():
    _kind = game_type(_game)
    pyspiel.register_game(_kind, type(_game.slug, (SpielGame,), {"ours": _game, "kind": _kind}))
