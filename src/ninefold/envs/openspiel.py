"""The games for OpenSpiel: importing this registers `ninefold_shadow(target=15)` and the others.

Secret choices are simultaneous nodes. An information state is the setup and the position: everything is
public, since the two numbers of a challenge are played together. A game is cut off, with returns of 0,
after `limit` nodes and as soon as nobody can win anymore.

A setting that is not given comes from the game's example, or is drawn if there is a `seed`. `start` is a
sequence of moves to begin after, with a / where a move has a comma: `start=5@1/1 7@2/2`. In Grid
Conquest `first_hand=13` and `second_hand=23` leave the players only these numbers, for small games.
`planes=True` makes tensors one-hot.
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
from ninefold.envs.ids import spiel_name
from ninefold.envs.openspiel_setup import (
    SpielObserver,
    as_parameters,
    begin,
    game_info,
    game_type,
    observation,
)
from ninefold.envs.render import render_text
from ninefold.games import load, with_variants

TERMINAL, SIMULTANEOUS = int(pyspiel.PlayerId.TERMINAL), int(pyspiel.PlayerId.SIMULTANEOUS)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games with its settings. OpenSpiel registers a subclass for each game."""

    ours: Game
    kind: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = self.kind.parameter_specification | (params or {})
        self.limit, self.planes = int(given["limit"]), bool(given["planes"])
        start = begin(self.ours, given)
        self.first = Node(start, 0, self.limit)
        super().__init__(self.kind, game_info(self.ours, start, self.limit), params or {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        return SpielObserver(self.ours, iig_obs_type, self.planes)


class Node:
    """One of our positions, and how many nodes led to it. Never changes, so that copies can share it.

    Who has to choose is found at once, since OpenSpiel asks often.
    """

    __slots__ = ("legal", "ours", "played", "player")

    def __init__(self, ours: State[Any], played: int, limit: int) -> None:
        self.ours = ours
        self.played = played
        self.legal: dict[int, list[int]] = {}  # by player, once they have been asked for
        movers = ours.movers
        if not movers or ours.dead or played >= limit:
            self.player = TERMINAL
        else:
            self.player = SIMULTANEOUS if len(movers) > 1 else int(movers[0])

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        return self


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of OpenSpiel, which copies what it holds: a single node, and the limit on nodes."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.limit = game.limit
        self.node = game.first

    @property
    def ours(self) -> State[Any]:
        return self.node.ours

    def current_player(self) -> int:
        return self.node.player

    def is_terminal(self) -> bool:
        return self.node.player == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        node = self.node
        found = node.legal.get(player)
        if found is None:
            found = node.legal[player] = encoding.legal(node.ours, SEATS[player])
        return found

    def _apply_action(self, action: int) -> None:
        self._play([(SEATS[self.node.player], action)])

    def _apply_actions(self, actions: list[int]) -> None:
        self._play([(seat, actions[seat]) for seat in self.ours.movers])

    def _play(self, chosen: list[tuple[Seat, int]]) -> None:
        node, ours = self.node, self.node.ours
        moves = ours.game.moves
        for seat, action in chosen:
            known = action in node.legal.get(seat, ())
            ours = (ours.after if known else ours.play)(moves[action], seat)
        self.node = Node(ours, node.played + 1, self.limit)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.ours.game.moves[action])

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
        game = _game_of(state.game.slug, tuple(state.setup.items()))
        shown = game.new_initial_state()
        shown.node = Node(state, 0, shown.limit)
        if hasattr(agent, "action_probabilities"):
            return agent.action_probabilities(shown, int(seat))
        agent.restart()
        return agent.step(shown)

    return decide


@lru_cache(maxsize=1024)
def _game_of(slug: str, setup: tuple[tuple[str, int | str], ...]) -> pyspiel.Game:
    return pyspiel.load_game(spiel_name(slug), as_parameters(load(slug), dict(setup)))


for _game in with_variants():
    _kind = game_type(_game)
    pyspiel.register_game(_kind, type(_game.slug, (SpielGame,), {"ours": _game, "kind": _kind}))
